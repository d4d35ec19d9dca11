import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import PipelineTesting
@testable import SimulatedView

/// What a user does to a watched view.
@Suite("Actions of users of a watched view", .endsHangs) struct WatchedViewActionTests {
    private func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 1e-9 }

    // MARK: Scrolling

    @Test func scrollingGoesByTenthsAlongBothAxes() {
        let list = WatchedStage()
        list.perform(.scroll(35))
        #expect(list.shown.contentOffset == Point(x: 0, y: 3.5))
        list.perform(.scroll(-20))
        #expect(list.shown.contentOffset == Point(x: 0, y: 1.5))
        let pages = WatchedStage(.pages)
        pages.perform(.scroll(35))
        #expect(pages.shown.contentOffset == Point(x: 3.5, y: 0))
    }

    /// By the number of items, those of all sections; with or without time.
    @Test(arguments: [false, true]) func scrollingToAnItemBringsItToTheUpperEdge(_ hasClock: Bool) {
        let stage = WatchedStage(hasClock: hasClock)
        // Headers of 2; items of 1, 2 and 3 by turns, 39 in all, and content of 82.
        for (seed, offset): (UInt64, Double) in [(3, 8), (0, 2), (45, 11), (40 * 7 + 21, 44)] {
            stage.perform(.scrollToItem(seed))
            #expect(stage.shown.contentOffset == Point(x: 0, y: offset), "item \(seed)")
            stage.perform(.scrollToItem(39))
            #expect(stage.shown.contentOffset == Point(x: 0, y: 70))
            #expect(!stage.marks.contains("view animated"))
            stage.perform(.moveToItem(seed))
            #expect(stage.marks.last == "view animated")
            #expect(stage.shown.contentOffset == Point(x: 0, y: offset))
            #expect(stage.found() == [])
            stage.perform(.moveToItem(39))
            #expect(stage.shown.contentOffset == Point(x: 0, y: 70))
            #expect(stage.found() == [])
        }
    }

    @Test(arguments: [false, true]) func movingTakesTimeWhereThereIsAClock(_ hasClock: Bool) {
        let stage = WatchedStage(hasClock: hasClock)
        stage.perform(.scroll(300))
        for action in [ViewAction.moveToTop, .moveToItem(10)] {
            stage.onMain { stage in
                stage.view.perform(action)
                #expect(stage.marks.filter { $0 == "view animated" } == ["view animated"])
                #expect(stage.shown.isScrollAnimating == hasClock)
                stage.view.watcher.checkAtRest()
                let isMoving = "animations began, but"
                #expect(stage.noted.contains { $0.contains(isMoving) } == hasClock)
            }
            #expect(!stage.shown.isScrollAnimating && stage.found() == [])
        }
        #expect(stage.shown.contentOffset == Point(x: 0, y: 21))
        stage.perform(.moveToTop)
        #expect(stage.shown.contentOffset == .zero)
        #expect(stage.view.watcher.animationEnds == 3)
        #expect(stage.found() == [])
        // It is there.
        stage.perform(.moveToTop)
        #expect(!stage.marks.contains("view animated"))
        #expect(stage.view.watcher.animationEnds == 3)
        #expect(stage.found() == [])
    }

    @Test func whatMovesElsewhereMeanwhileEndsTwice() {
        let stage = WatchedStage(hasClock: true)
        stage.onMain { stage in
            stage.view.perform(.moveToItem(20))
            stage.view.perform(.moveToItem(30))
            #expect(stage.marks == ["view animated", "view animated"])
            #expect(stage.view.watcher.animationEnds == 1)
            stage.view.watcher.checkAtRest()
            #expect(stage.noted == ["2 animations began, but 1 ended"])
        }
        #expect(stage.view.watcher.animationEnds == 2)
        #expect(stage.found() == [])
    }

    /// Without room, where pages have no extent, nothing has a place.
    @Test func anItemWithoutAPlaceIsReportedWhereThereIsRoom() {
        let stage = WatchedStage()
        stage.takeOddList { list in
            list.one = { $0.indexPath == ItemPath(1, 10) ? nil : $0 }
        }
        for action in [ViewAction.scrollToItem(30), .moveToItem(30)] {
            _ = stage.noted
            stage.perform(action)
            let found = stage.noted
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix("scrolling to 1 - 10: ") == true, "\(found)")
        }
        stage.perform(.scrollToItem(31))
        #expect(stage.noted == [])
        stage.onMain { $0.shown.contentInset = EdgeInsets(top: 20) }
        stage.perform(.scrollToItem(30), .moveToItem(30))
        #expect(stage.noted == [])
    }

    // MARK: Dragging

    @Test func aDragGoesOnForItsTurnsAndThenFlings() {
        let stage = WatchedStage()
        var offsets: [Double] = []
        func note(_ stage: WatchedStage) {
            offsets.append(stage.shown.contentOffset.y)
            #expect(stage.shown.isDragging == (offsets.count <= 3))
            #expect(stage.shown.isBusy == (offsets.count <= 3))
        }
        stage.inTurns([
            { stage in
                stage.view.perform(.drag(turns: 3, tenths: 2))
                note(stage)
            }, note, note, note,
        ])
        // A tenth of the last step is the velocity, and five hundred times that is the way.
        for (offset, expected) in zip(offsets, [0.2, 0.4, 0.6, 10.6]) {
            #expect(isNear(offset, expected), "\(offsets)")
        }
        #expect(offsets.count == 4 && stage.shown.decelerationRate == .normal)
        #expect(stage.found() == [])
    }

    @Test func aDragBackComesToRestSooner() {
        let stage = WatchedStage()
        stage.perform(.scroll(400), .drag(turns: 1, tenths: -20))
        #expect(stage.shown.decelerationRate == .fast)
        // A step of 2, and a hundred times a tenth of it.
        #expect(isNear(stage.shown.contentOffset.y, 40 - 2 - 20))
        stage.perform(.drag(turns: 1, tenths: 0))
        #expect(stage.shown.decelerationRate == .normal)
        #expect(isNear(stage.shown.contentOffset.y, 18))
        stage.perform(.drag(turns: 0, tenths: -10))
        #expect(stage.shown.decelerationRate == .fast)
        #expect(isNear(stage.shown.contentOffset.y, 8))
        stage.perform(.drag(turns: 1, tenths: 5))
        #expect(stage.shown.decelerationRate == .normal)
        #expect(isNear(stage.shown.contentOffset.y, 8 + 0.5 + 25))
        #expect(!stage.shown.isDragging && stage.found() == [])
    }

    @Test func aDragGoesAcrossToo() {
        let stage = WatchedStage(.pages)
        stage.onMain { stage in
            stage.view.perform(.drag(turns: 1, tenths: 30))
            #expect(stage.shown.contentOffset == Point(x: 3, y: 0))
        }
        // A fling turns the page.
        #expect(stage.shown.contentOffset == Point(x: 41, y: 0))
    }
}
