import PipelineTestSupport
import SimulatedView
import Testing

/// Rows of 10 in a viewport of 100 × 30, and a clock that a test moves.
@Suite("The frames of content that moves")
struct MotionFrameTests {
    private let clock = ManualClock()

    private func rows() throws -> Bench<RowLayout> {
        let bench = try Bench([texts(100)], RowLayout(), clock: clock)
        bench.load()
        return bench
    }

    @Test func aFlingLastsAsLongAsItsRateSays() throws {
        let bench = try rows()
        bench.view.endDragging(velocity: Point(x: 0, y: 0.2))
        clock.frames(89)
        #expect(bench.view.isDecelerating, "a second and a half is ninety frames")
        clock.frames(1)
        #expect(!bench.view.isDecelerating && bench.view.contentOffset.y == 100)
    }

    @Test func aFrameOfWhatWasStoppedLaysNothingOut() throws {
        let bench = try rows()
        bench.view.setContentOffset(Point(x: 0, y: 300), animated: true)
        clock.frames(1)
        bench.view.contentOffset.y = 20
        bench.settle()
        bench.layout.invalidateLayout()
        let count = bench.layout.numberOfPrepares
        clock.frames(1)
        #expect(bench.layout.numberOfPrepares == count)
    }

    @Test func whereItIsStoppedWithinAStepNoFrameFollows() throws {
        let bench = try rows()
        bench.watcher.onScroll = { [watcher = bench.watcher] view in
            watcher.onScroll = { _ in }
            view.contentOffset.y = 20
        }
        bench.view.setContentOffset(Point(x: 0, y: 300), animated: true)
        #expect(clock.numberOfWaiting == 1)
        clock.frames(1)
        #expect(clock.numberOfWaiting == 0 && bench.view.contentOffset.y == 20)
    }

    @Test func whatIsBegunWithinTheLastStepGoesOn() throws {
        let bench = try rows()
        bench.watcher.onScroll = { [watcher = bench.watcher] view in
            guard view.contentOffset.y == 300 else { return }
            watcher.onScroll = { _ in }
            view.setContentOffset(Point(x: 0, y: 20), animated: true)
        }
        bench.view.setContentOffset(Point(x: 0, y: 300), animated: true)
        clock.frames(18)
        #expect(bench.view.isScrollAnimating)
        clock.frames(18)
        #expect(bench.view.contentOffset.y == 20 && !bench.view.isBusy)
    }

    /// Whoever is told that it stopped finds everything where it is by then.
    @Test func whatIsStoppedIsBroughtUpToDateBefore() throws {
        let bench = try rows()
        bench.view.setContentOffset(Point(x: 0, y: 300), animated: true)
        clock.frames(3)
        bench.layout.invalidateLayout()
        let count = bench.layout.numberOfPrepares
        bench.view.contentOffset.y = 20
        #expect(bench.layout.numberOfPrepares > count)
    }

    @Test func scrollingByADistanceStopsWhatMoves() throws {
        let bench = try rows()
        bench.view.setContentOffset(Point(x: 0, y: 300), animated: true)
        clock.frames(9)
        bench.view.scroll(by: 5)
        #expect(!bench.view.isScrollAnimating && !bench.view.isBusy)
        clock.frames(1)
        #expect(bench.view.contentOffset.y == 155)
    }

    @Test func scrollingByADistanceEndsWhereTheContentDoesByThen() throws {
        let bench = try rows()
        bench.layout.rowHeight = 20
        bench.layout.invalidateLayout()
        bench.view.scroll(by: 5000)
        #expect(bench.view.contentOffset.y == 1970)
    }
}
