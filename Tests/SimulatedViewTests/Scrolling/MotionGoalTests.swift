import PipelineTestSupport
import SimulatedView
import Testing

/// Has no place for an item while it is lost.
private final class ForgetfulLayout: RowLayout {
    var lost: Int?

    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        path.item == lost ? nil : super.layoutAttributesForItem(at: path)
    }
}

/// Rows of 10 in a viewport of 100 × 30, and a clock that a test moves.
@Suite("Where content that moves is led")
struct MotionGoalTests {
    private let clock = ManualClock()

    private func rows() throws -> Bench<ForgetfulLayout> {
        let bench = try Bench([texts(100)], ForgetfulLayout(), clock: clock)
        bench.load()
        return bench
    }

    @Test func theBeginningIsScrolledToWhereItIsByThen() throws {
        let bench = try rows()
        bench.view.contentOffset.y = 300
        bench.settle()
        bench.view.scrollToTop(animated: true)
        clock.frames(9)
        bench.view.contentInset = EdgeInsets(top: 7)
        clock.frames(9)
        #expect(bench.view.contentOffset.y == -7)
    }

    /// Already on the way, not only at the end.
    @Test func anItemThatGoesElsewhereIsFollowedFromTheNextFrameOn() throws {
        let bench = try rows()
        try bench.view.scrollToItem(at: ItemPath(0, 50), animated: true)
        clock.frames(8)
        bench.layout.heights[ItemPath(0, 45)] = 230
        bench.layout.invalidateLayout()
        clock.frames(1)
        #expect(bench.view.contentOffset.y == 360, "halfway to 720")
        clock.frames(9)
        #expect(bench.view.contentOffset.y == 720)
    }

    /// Nobody knows which item it is by then; it lies where the content does.
    @Test func afterAnUpdateItEndsWhereTheItemWentWithTheContent() throws {
        let bench = try rows()
        try bench.view.scrollToItem(at: ItemPath(0, 50), animated: true)
        clock.frames(9)
        try bench.update { source, changes in
            source.sections[0].insert("new", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(bench.view.contentOffset.y == 260)
        clock.frames(9)
        #expect(bench.view.contentOffset.y == 510)
    }

    /// The item of one that is begun within a frame has no place for the rest of that frame.
    @Test func whatIsToBeShownIsLookedForByItsOwnFramesAlone() throws {
        let bench = try rows()
        bench.view.setContentOffset(Point(x: 0, y: 300), animated: true)
        clock.frames(3)
        bench.watcher.onDisplay = { [watcher = bench.watcher, layout = bench.layout] view, _ in
            watcher.onDisplay = { _, _ in }
            do {
                try view.scrollToItem(at: ItemPath(0, 50), animated: true)
            } catch {
                Issue.record("\(error)")
            }
            layout.lost = 50
        }
        bench.view.resize(to: Size(width: 100, height: 90))
        clock.frames(1)
        #expect(bench.layout.lost == 50)
        bench.layout.lost = nil
        bench.layout.heights[ItemPath(0, 45)] = 30
        bench.layout.invalidateLayout()
        clock.frames(19)
        #expect(bench.view.contentOffset.y == 520 && !bench.view.isBusy)
    }

    /// The beginning is elsewhere, and all else where it was.
    @Test func whereTheBeginningIsElsewhereItEndsWhereItWasTo() throws {
        let bench = try Bench([texts(9)], SheetLayout(), clock: clock)
        bench.load()
        bench.view.setContentOffset(Point(x: 50, y: 60), animated: true)
        bench.view.contentInset = EdgeInsets(top: 7, left: 9)
        bench.settle()
        #expect(bench.view.contentOffset == Point(x: -9, y: -7))
        clock.frames(18)
        #expect(bench.view.contentOffset == Point(x: 50, y: 60))
    }
}
