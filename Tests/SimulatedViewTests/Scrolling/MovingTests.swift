import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Scrolling that takes time")
struct MovingTests {
    private let list = ScrollingList()

    private func row(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }

    @Test func anAnimationTakesThreeTenthsOfASecond() {
        list.onMain { $0.setContentOffset(Point(x: 0, y: 300), animated: true) }
        #expect(list.offsets.count == 18)
        #expect(list.offsets.last == 300)
        #expect(list.offsets[8] == 150, "halfway after half the time")
        #expect(list.news() == ["didEndScrollingAnimation"])
        #expect(!list.isBusy)
    }

    @Test func whileItMovesTheViewIsBusyAndSaysSo() {
        list.atOnce { view in
            view.setContentOffset(Point(x: 0, y: 300), animated: true)
            #expect(view.isScrollAnimating && !view.isDecelerating && view.isBusy)
        }
        list.frames(3)
        list.atOnce { view in
            view.setContentOffset(Point(x: 0, y: 20))
            #expect(!view.isScrollAnimating && !view.isBusy)
        }
        #expect(list.news() == ["didEndScrollingAnimation"])
        list.onMain { _ in }
        #expect(list.y == 20, "the frame that was to come moves nothing")
    }

    @Test func whatIsThereAlreadyDoesNotMove() {
        list.onMain { $0.setContentOffset(.zero, animated: true) }
        list.onMain { $0.setContentOffset(Point(x: 0, y: 300)) }
        #expect(list.news().isEmpty)
        #expect(!list.isBusy)
    }

    @Test func aMotionTakesThePlaceOfAnother() {
        list.atOnce { $0.setContentOffset(Point(x: 0, y: 300), animated: true) }
        list.frames(4)
        let y = list.y
        _ = list.news()
        list.onMain { $0.scrollToTop(animated: true) }
        #expect(list.offsets.count == 18)
        #expect(list.offsets.first.map { $0 < y } == true)
        #expect(list.y == 0)
        #expect(list.news() == ["didEndScrollingAnimation", "didEndScrollingAnimation"])
    }

    @Test func anItemIsShownWhereItIsByThen() throws {
        list.atOnce { [self] view in
            do {
                try view.scrollToItem(at: row(50), at: .top, animated: true)
            } catch {
                Issue.record("\(error)")
            }
        }
        list.frames(3)
        // What lies before it becomes higher on the way, which the view shows at once.
        list.onMain { view in view.contentInset = EdgeInsets(top: 7) }
        #expect(list.y == 493)
        #expect(list.news().last == "didEndScrollingAnimation")
    }

    @Test func anItemThatIsNotThereIsNotScrolledTo() {
        list.atOnce { [self] view in
            view.setContentOffset(Point(x: 0, y: 300), animated: true)
            #expect(throws: ViewError.self) {
                try view.scrollToItem(at: row(100), animated: true)
            }
            #expect(view.isScrollAnimating, "nothing has happened")
        }
    }

    @Test func underAFingerAnAnimationIsThereAtOnce() {
        list.atOnce { view in
            view.beginDragging()
            view.setContentOffset(Point(x: 0, y: 300), animated: true)
            #expect(view.contentOffset.y == 300 && view.isDragging && !view.isScrollAnimating)
        }
        #expect(list.news() == ["willBeginDragging"])
    }

    @Test func withoutAClockItIsThereAtOnce() {
        let list = ScrollingList(hasClock: false)
        list.atOnce { view in
            view.setContentOffset(Point(x: 0, y: 300), animated: true)
            #expect(view.contentOffset.y == 300 && !view.isBusy)
        }
        #expect(list.news() == ["didEndScrollingAnimation"])
    }

    @Test func anotherLayoutStopsIt() {
        list.atOnce { $0.setContentOffset(Point(x: 0, y: 300), animated: true) }
        list.frames(3)
        list.atOnce { view in
            view.setCollectionViewLayout(FlowLayout())
            #expect(!view.isScrollAnimating && !view.isBusy)
        }
    }

    @Test func aLateFrameSkipsWhatItMissed() {
        list.atOnce { $0.setContentOffset(Point(x: 0, y: 300), animated: true) }
        list.list.simulation.advanceClock(by: .milliseconds(150))
        list.frames(1)
        #expect(list.offsets == [150])
        list.list.simulation.advanceClock(by: .seconds(5))
        list.onMain { _ in }
        #expect(list.offsets == [150, 300])
    }

    @Test func aPageIsTurnedInTime() {
        list.atOnce { view in
            view.setCollectionViewLayout(PagerLayout())
            view.layoutIfNeeded()
            do { try view.scrollToPage(at: 3, animated: true) } catch { Issue.record("\(error)") }
            #expect(view.isScrollAnimating)
        }
        list.onMain { _ in }
        list.atOnce { #expect($0.currentPage == 3) }
    }

    @Test func itEndsWhereSomebodyScrollsWithinAStep() {
        list.answers["didScroll"] = { [weak list] view in
            guard view.contentOffset.y > 100 else { return }
            list?.answers = [:]
            view.setContentOffset(Point(x: 0, y: 10))
        }
        list.onMain { $0.setContentOffset(Point(x: 0, y: 300), animated: true) }
        #expect(list.y == 10)
        #expect(list.news() == ["didEndScrollingAnimation"])
        #expect(!list.isBusy)
    }

    // MARK: Content that lies elsewhere meanwhile

    /// A larger viewport brings it back from the end of the content.
    @Test func itEndsWhereItWasToAlsoWhereItIsBroughtWithinTheEnds() {
        list.onMain { $0.contentOffset.y = 970 }
        list.atOnce { view in
            view.setContentOffset(Point(x: 0, y: 300), animated: true)
            view.resize(to: Size(width: 100, height: 50))
            view.layoutIfNeeded()
            #expect(view.contentOffset.y == 950)
        }
        list.onMain { _ in }
        #expect(list.y == 300)
    }

    /// At the beginning the content is still, and the beginning is elsewhere.
    @Test func itEndsWhereItWasToAlsoWhereTheBeginningIsElsewhere() {
        list.atOnce { view in
            view.setContentOffset(Point(x: 0, y: 300), animated: true)
            view.contentInset = EdgeInsets(top: 7)
            view.layoutIfNeeded()
            #expect(view.contentOffset.y == -7)
        }
        list.onMain { _ in }
        #expect(list.y == 300)
    }

    /// Whether rows are higher by now, or their layout says how far they are from where they were.
    @Test(arguments: [false, true])
    func whereContentGoesDownItEndsFurtherDown(_ isAdjusted: Bool) throws {
        let clock = ManualClock()
        let bench = try Bench([texts(100)], RowLayout(), clock: clock)
        bench.load()
        bench.view.contentOffset.y = 500
        bench.settle()
        bench.view.setContentOffset(Point(x: 0, y: 300), animated: true)
        clock.frames(9)
        let context = LayoutInvalidationContext()
        bench.layout.heights[ItemPath(0, 0)] = 30
        if isAdjusted { context.contentOffsetAdjustment = Point(x: 0, y: 20) }
        bench.layout.invalidateLayout(with: context)
        bench.settle()
        #expect(bench.view.contentOffset.y == 420)
        clock.frames(9)
        #expect(bench.view.contentOffset.y == 320)
        bench.lane.run()
        bench.check()
    }

    @Test func whereContentBeginsAtTheRightItGrowsAwayFromThere() throws {
        let clock = ManualClock()
        let bench = try Bench([texts(9)], SheetLayout(), clock: clock)
        bench.view.isRightToLeft = true
        bench.load()
        #expect(bench.view.contentOffset == Point(x: 200, y: 0))
        bench.view.setContentOffset(Point(x: 50, y: 60), animated: true)
        bench.layout.rowWidth = 400
        bench.layout.invalidateLayout()
        bench.view.contentInset = EdgeInsets(top: 7)
        bench.settle()
        #expect(bench.view.contentOffset == Point(x: 300, y: -7))
        clock.frames(18)
        #expect(bench.view.contentOffset == Point(x: 150, y: 60))
        bench.lane.run()
        bench.check()
    }

    /// Layouts may say one thing now and another later.
    private final class LosingLayout: RowLayout {
        var lost: Int?

        override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
            path.item == lost ? nil : super.layoutAttributesForItem(at: path)
        }

        override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
            super.layoutAttributesForElements(in: rect).filter { $0.indexPath.item != lost }
        }
    }

    @Test func whereAnItemLosesItsPlaceOnTheWayItEndsWhereThatWas() throws {
        let clock = ManualClock()
        let bench = try Bench([texts(100)], LosingLayout(), clock: clock)
        bench.load()
        try bench.view.scrollToItem(at: row(50), animated: true)
        clock.frames(9)
        bench.layout.lost = 50
        bench.layout.invalidateLayout()
        clock.frames(9)
        #expect(bench.view.contentOffset.y == 500 && !bench.view.isBusy)
        bench.lane.run()
        bench.check()
    }

    /// Also where it is there at once.
    @Test func whoIsInSightAtTheEndHearsOfItAndNobodyElse() {
        let list = ScrollingList(hasClock: false)
        _ = list.toldNodes()
        list.onMain { $0.setContentOffset(Point(x: 0, y: 300), animated: true) }
        let stopped = list.toldNodes().filter { $0.hasSuffix("didStop") }
        #expect(stopped == (30..<33).map { "row \($0) didStop" })
    }

    /// Whether a finger stops it or the program, in the turn of a frame.
    @Test(arguments: [false, true])
    func whoIsInSightAsItIsStoppedHearsOfItAndNobodyElse(_ isFinger: Bool) {
        let clock = ManualClock()
        let list = ScrollingList(clock: clock)
        list.onMain { $0.setContentOffset(Point(x: 0, y: 300), animated: true) }
        _ = list.toldNodes()
        list.onMain { view in
            clock.frames(9)
            if isFinger { view.beginDragging() } else { view.contentOffset.y = 150 }
        }
        let stopped = list.toldNodes().filter { $0.hasSuffix("didStop") }
        #expect(stopped == (15..<18).map { "row \($0) didStop" })
    }
}
