import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting
@testable import SimulatedView

/// How updates come to a watched view: late, in part or not at all.
@Suite("Updates on their way to a watched view", .endsHangs) struct WatchedViewUpdateTests {
    @Test func aViewExpectsNothingUnusualUnlessItIsTold() {
        let stage = WatchedStage(.flow)
        let view = WatchedView(stage.view.plan, fates: nil, cells: stage.cells) { _ in }
        #expect(view.expectsMeasured && view.isOpen() && view.countsAgree())
        #expect(!view.measuresLater && !view.releasesNodes && !view.preparesLayout)
        #expect(!view.nodesAreAskedFor && !view.mayBeOlder(0, false) && !view.mayBeOlder(1, true))
        #expect(view.visibleMap() == nil && view.nodesInRange() == 0 && view.fetches == nil)
        #expect(view.numberOfSwitches == 0 && !view.isBehind && !view.isWaiting)
        #expect(view.shown.delegate === view.watcher)
    }

    @Test func everyUpdateIsToldBeforeItIsShown() {
        let stage = WatchedStage()
        var told: [[Int]] = []
        stage.view.willShow = { [unowned stage] update in
            told.append([update.newMap.generation, stage.shown.map.generation])
            #expect(!stage.view.isWaiting)
            // Before the next turn of the view.
            stage.lane.enqueue {
                #expect(stage.view.isWaiting && stage.shown.numberOfWaitingUpdates == 0)
                stage.view.check(isAtRest: false)
            }
        }
        for _ in 0..<2 { stage.insertItem() }
        #expect(told == [[2, 1], [3, 2]])
        #expect(stage.shown.map.generation == 3 && !stage.view.isWaiting && stage.noted == [])
    }

    /// Without fates, at once; but the view itself may have an update wait.
    @Test func withoutFatesUpdatesComeAtOnce() {
        let stage = WatchedStage()
        var updates: [ViewUpdate] = []
        stage.view.willShow = { updates.append($0) }
        stage.onMain { $0.shown.beginBusy() }
        stage.insertItem()
        let view = WatchedView(stage.view.plan, fates: nil, cells: stage.cells) { _ in }
        var told: [Int] = []
        view.willShow = { told.append($0.newMap.generation) }
        updates.forEach(view.perform)
        #expect(told == [2])
        #expect(view.isWaiting && view.shown.numberOfWaitingUpdates == 1)
        view.controllerDidClose()
        #expect(!view.isWaiting)
        stage.onMain { $0.shown.endBusy() }
        #expect(stage.shown.map.generation == 2)
    }

    @Test func aBusyViewTakesUpdatesLater() {
        let stage = WatchedStage()
        stage.fates.begin(.viewIsBusy, times: 3)
        stage.insertItem()
        #expect(!stage.fates.happens(.viewIsBusy))
        #expect(stage.shown.map.generation == 2 && !stage.view.isWaiting)
        #expect(stage.found() == [])
    }

    @Test func whatTheControllerAsksAndSaysReachesTheView() {
        let stage = WatchedStage()
        for areInFlight in [true, false] {
            stage.onMain { stage in
                stage.view.updatesInFlightDidChange(areInFlight)
                #expect(stage.shown.source.isExpectingUpdates == areInFlight)
            }
        }
        stage.perform(.scroll(30))
        #expect(stage.view.firstVisiblePath == ItemPath(0, 1))
        #expect(stage.view.elementSizeRange == .width(40))
    }

    // MARK: What is lost

    @Test func aViewThatMissesAnUpdateIsBehindUntilItIsReloaded() {
        let stage = WatchedStage()
        #expect(!stage.view.isBehind)
        stage.fallBehind()
        #expect(stage.view.isBehind && !stage.view.isWaiting)
        #expect(stage.shown.map.generation == 1 && stage.found() == [])
        // Nobody is to blame for what does not fit then.
        stage.onMain { $0.view.didReject(nil) }
        #expect(stage.marks.last == "view refused" && stage.noted == [])
        stage.reload()
        #expect(!stage.view.isBehind && stage.shown.map.generation > 2)
        #expect(stage.found() == [])
        stage.onMain { $0.view.didReject(UpdateError(.stale, "text")) }
        let error = UpdateError(.stale, "text")
        #expect(stage.marks.contains("view refused") == false)
        #expect(stage.noted == ["the view refused an update: \(error)"])
        stage.onMain { $0.view.didReject(nil) }
        #expect(stage.noted == ["the view refused an update: no error"])
    }

    /// Of several that wait, the last.
    @Test func whatCameLastMayBeLostFirst() {
        let stage = WatchedStage()
        var told: [Int] = []
        stage.view.willShow = { told.append($0.newMap.generation) }
        stage.fates.begin(.viewIsBusy, times: 200)
        stage.fates.begin(.viewDropsLater, times: 1)
        stage.insertItems(3)
        #expect(told == [2, 3, 4])
        #expect(stage.shown.map.generation == 3 && stage.view.isBehind)
    }

    @Test func aLoneUpdateIsNotDroppedAsALaterOne() {
        let stage = WatchedStage()
        stage.fates.begin(.viewDropsLater, times: 1)
        stage.insertItem()
        #expect(stage.shown.map.generation == 2 && !stage.view.isBehind)
        #expect(stage.fates.happens(.viewDropsLater))
    }

    @Test func whatWaitsWhenTheControllerClosesIsDropped() {
        let stage = WatchedStage()
        stage.fates.begin(.viewIsBusy, times: 50)
        stage.view.willShow = { [unowned stage] _ in
            stage.lane.enqueue {
                #expect(stage.view.isWaiting)
                stage.view.controllerDidClose()
                #expect(!stage.view.isWaiting)
            }
        }
        stage.insertItem()
        #expect(stage.shown.map.generation == 1)
        #expect(stage.shown.eventLog.contains(.closed(dropped: 0)))
    }
}
