import PipelineTestSupport
import Testing

@testable import SimulatedView

/// What a view keeps, looked at from within.
@Suite("What a view keeps")
struct ViewStateTests {
    @Test func atFirstNothingIsShownAndNothingIsOnItsWay() {
        let source = ViewSource()
        #expect(source.content.pipelineMap?.generation == 0 && source.version == 0)
        #expect(!source.isExpectingUpdates && !source.isClosed && !source.mayOfferOtherSizes)
    }

    @Test func afterTheCloseWhatIsShownIsNotAllThereIs() {
        let view = SimulatedCollectionView(size: .zero)
        view.source.content = MapContent(map: .empty(generation: 1))
        #expect(view.isSettled)
        view.controllerDidClose()
        #expect(view.source.isClosed && !view.isSettled)
    }

    @Test func whatWasToBeDoneBeforeThereWasALaneIsDoneOnItInOrder() {
        let (view, lane) = (SimulatedCollectionView(size: .zero), ManualLane())
        var done: [Int] = []
        for number in 0..<2 { view.later { done.append(number) } }
        view.attach(to: lane)
        #expect(done == [])
        lane.run()
        #expect(done == [0, 1])
    }

    @Test func howeverMuchIsInvalidOneTurnIsOnItsWay() {
        let (view, lane) = (SimulatedCollectionView(size: .zero), ManualLane())
        view.attach(to: lane)
        for _ in 0..<2 {
            for _ in 0..<3 { view.setNeedsLayout() }
            #expect(lane.count == 1)
            #expect(lane.run())
        }
    }

    /// An update's own invalidations offer no other sizes, so that this is not to be left to them.
    @Test func insetsThatChangeWithinAnUpdateMayOfferOtherSizes() {
        let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
        view.source.mayOfferOtherSizes = false
        view.pass.updateBegan()
        view.contentInset = .zero
        #expect(!view.source.mayOfferOtherSizes, "as they were")
        view.contentInset = EdgeInsets(top: 0, left: 1, bottom: 0, right: 0)
        #expect(view.source.mayOfferOtherSizes)
    }

    @Test func theFirstVisibleItemIsTheFirstThatTheViewportShows() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        #expect(bench.view.firstVisiblePath == ItemPath(0, 0))
        bench.view.scroll(by: 20)
        bench.settle()
        #expect(bench.view.firstVisiblePath == ItemPath(0, 2))
    }
}
