import PipelineTestSupport
import SimulatedView
import Testing

@Suite("A finger that scrolls")
struct DraggingTests {
    private let list = ScrollingList()

    @Test func aDragIsToldFromItsBeginningToRest() {
        list.onMain { view in
            view.beginDragging()
            #expect(view.isDragging && view.isBusy)
            view.drag(by: Point(x: 0, y: 12))
            view.drag(by: Point(x: 0, y: 8))
        }
        #expect(list.offsets == [12, 20])
        #expect(list.news() == ["willBeginDragging"])
        list.onMain { $0.endDragging(velocity: .zero) }
        #expect(list.offsets.isEmpty)
        #expect(list.news() == ["willEndDragging 0.0 to 20.0", "didEndDragging false"])
        #expect(!list.isBusy)
    }

    @Test func aFlingGoesOnAndComesToRest() {
        list.onMain { view in
            view.decelerationRate = .fast
            view.drag(by: Point(x: 0, y: 10))
        }
        #expect(list.news() == ["willBeginDragging"])
        list.atOnce { $0.endDragging(velocity: Point(x: 0, y: 2)) }
        #expect(
            list.news() == [
                "willEndDragging 2.0 to 210.0", "didEndDragging true", "willBeginDecelerating",
            ]
        )
        list.frames(3)
        list.atOnce { #expect($0.isDecelerating && $0.isBusy && !$0.isDragging) }
        list.onMain { _ in }
        let offsets = list.offsets
        #expect(offsets.count == 18, "three tenths of a second are eighteen frames")
        #expect(offsets.last == 210)
        #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 })
        #expect(list.news() == ["didEndDecelerating"])
        list.atOnce { #expect(!$0.isDecelerating && !$0.isBusy) }
    }

    @Test func nodesHearOfTheFingerAndOfRestOnceEach() {
        _ = list.toldNodes()
        list.onMain { $0.drag(by: Point(x: 0, y: 5)) }
        #expect(
            list.toldNodes() == [
                "row 0 willBeginDragging", "row 1 willBeginDragging", "row 2 willBeginDragging",
                "row 0 0 0 100 10 to 0 5 100 5", "row 3 enters", "row 3 nothing to 0 0 100 5",
            ]
        )
        list.onMain { $0.endDragging(at: Point(x: 0, y: 10), velocity: Point(x: 0, y: 1)) }
        let told = list.toldNodes()
        #expect(
            told.prefix(4) == [
                "row 0 didEndDragging", "row 1 didEndDragging", "row 2 didEndDragging",
                "row 3 didEndDragging",
            ]
        )
        #expect(told.suffix(3) == ["row 1 didStop", "row 2 didStop", "row 3 didStop"])
        #expect(told.filter { $0.hasSuffix("didStop") }.count == 3)
    }

    @Test func theDelegateMaySayWhereAFlingEndsWithinTheContent() {
        list.target = { _ in Point(x: 0, y: 333) }
        list.onMain { $0.endDragging(velocity: Point(x: 0, y: 1)) }
        #expect(list.y == 333)
        list.target = { _ in Point(x: 0, y: 1e9) }
        list.onMain { $0.endDragging(velocity: Point(x: 0, y: 1)) }
        #expect(list.y == 970)
        list.target = { _ in Point(x: 0, y: Double.nan) }
        list.onMain { $0.endDragging(at: Point(x: 0, y: 900), velocity: Point(x: 0, y: -1)) }
        #expect(list.y == 900, "what is no number is as not said")
        list.atOnce { #expect($0.errors.map(\.code) == [.notFinite]) }
    }

    @Test func aFingerStopsWhatMovesAndTheViewStaysBusy() {
        list.atOnce { $0.endDragging(velocity: Point(x: 0, y: 2)) }
        list.frames(5)
        let y = list.y
        #expect(y > 0)
        _ = list.news()
        list.atOnce { view in
            view.clearEventLog()
            view.beginDragging()
            #expect(!view.eventLog.contains(.becameIdle))
        }
        list.onMain { _ in }
        #expect(list.y == y, "nothing moves under a finger that rests")
        #expect(list.news() == ["didEndDecelerating", "willBeginDragging"])
        #expect(list.isBusy)
        list.onMain { $0.endDragging(velocity: .zero) }
        #expect(!list.isBusy)
    }

    @Test func aFlingStopsAtTheEndOfTheContent() {
        list.onMain { $0.drag(by: Point(x: 0, y: 5000)) }
        #expect(list.y == 970)
        list.onMain { $0.endDragging(velocity: Point(x: 0, y: 3)) }
        #expect(list.news().last == "didEndDragging false", "it is there already")
        #expect(!list.isBusy)
    }

    @Test func updatesWaitForTheFingerAndForRest() {
        list.onMain { $0.beginDragging() }
        list.list.update { rows, changes in
            rows.rows.remove(at: 0)
            changes.deleteItems(at: [ItemPath(section: 0, item: 0)])
        }
        list.atOnce { #expect($0.map.numberOfItems == 100 && $0.numberOfWaitingUpdates == 1) }
        list.atOnce { $0.endDragging(velocity: Point(x: 0, y: 1)) }
        list.frames(2)
        list.atOnce { #expect($0.map.numberOfItems == 100) }
        list.onMain { _ in }
        list.atOnce { #expect($0.map.numberOfItems == 99 && $0.numberOfWaitingUpdates == 0) }
    }

    @Test func aTouchIsOverWhenAFingerDrags() {
        list.onMain { view in
            view.touchDown(at: ItemPath(section: 0, item: 1))
            view.beginDragging()
            #expect(view.highlightedItem == nil)
        }
    }

    @Test func rangesReachFarFromTheFirstDragOn() {
        list.onMain { view in
            #expect(view.rangeController?.mode == .minimum)
            view.beginDragging()
            view.setNeedsLayout()
        }
        list.atOnce { #expect($0.rangeController?.mode == .full) }
    }

    @Test func whatIsToldMayScrollElsewhere() {
        list.answers["didEndDragging true"] = { $0.setContentOffset(Point(x: 0, y: 50)) }
        list.onMain { $0.endDragging(velocity: Point(x: 0, y: 1)) }
        #expect(list.y == 50, "the fling is not wanted any more")
        list.answers = ["willBeginDecelerating": { $0.scrollToTop() }]
        _ = list.news()
        list.onMain { $0.endDragging(velocity: Point(x: 0, y: 1)) }
        #expect(list.y == 0)
        #expect(list.news().suffix(2) == ["willBeginDecelerating", "didEndDecelerating"])
        list.answers = ["willBeginDragging": { $0.endDragging(velocity: .zero) }]
        list.onMain { $0.drag(by: Point(x: 0, y: 5)) }
        #expect(
            list.news() == [
                "willBeginDragging", "willEndDragging 0.0 to 0.0", "didEndDragging false",
            ]
        )
        list.answers = ["didEndDecelerating": { $0.beginDragging() }]
        list.atOnce { $0.endDragging(velocity: Point(x: 0, y: 1)) }
        list.frames(2)
        _ = list.news()
        list.onMain { $0.beginDragging() }
        #expect(list.news() == ["didEndDecelerating", "willBeginDragging"], "one finger")
        #expect(list.isBusy)
        list.answers = [:]
        list.onMain { $0.endDragging(velocity: .zero) }
        #expect(!list.isBusy)
    }

    @Test func aStepThatIsNoNumberIsReported() {
        list.atOnce { view in
            view.drag(by: Point(x: .infinity, y: 0))
            #expect(view.errors.map(\.code) == [.notFinite] && !view.isDragging)
        }
    }

    @Test func withoutAClockAFlingIsThereAtOnce() {
        let list = ScrollingList(hasClock: false)
        list.atOnce { view in
            view.endDragging(velocity: Point(x: 0, y: 1))
            #expect(view.contentOffset.y == 500 && !view.isBusy)
        }
        #expect(list.offsets == [500])
        #expect(
            list.news() == [
                "willBeginDragging", "willEndDragging 1.0 to 500.0", "didEndDragging true",
                "willBeginDecelerating", "didEndDecelerating",
            ]
        )
    }

    @Test func nothingIsFetchedWhileAFingerDrags() {
        let list = FetchingList(40, hasClock: true)
        list.load()
        list.onMain { view, _ in view.drag(by: Point(x: 0, y: 330)) }
        #expect(list.fetches.isEmpty)
        list.onMain { view, _ in view.endDragging(velocity: .zero) }
        #expect(list.fetches.count == 1)
    }

    @Test func aFlingIsLookedAtWhereItEndsWhenTheFingerLetsGo() {
        let list = FetchingList(40, hasClock: true)
        list.load()
        list.onMain { view, fetcher in
            view.endDragging(at: Point(x: 0, y: 330), velocity: Point(x: 0, y: 2))
            view.layoutIfNeeded()
            #expect(view.contentOffset.y == 0 && fetcher.isFetching(at: .tail))
        }
        #expect(list.lasting.map(\.0) == [.milliseconds(20)], "40 units are left where it ends")
    }

    /// With and without a delegate to hear of it.
    @Test(arguments: [false, true], [-5000.0, 5000])
    func aLayoutMaySayWhereAFlingEndsWithinTheContent(_ isHeard: Bool, _ y: Double) throws {
        let bench = try Bench([texts(30)])
        bench.load()
        if !isHeard { bench.view.delegate = nil }
        bench.view.scroll(by: 100)
        bench.layout.target = { _ in Point(x: 0, y: y) }
        bench.view.endDragging(velocity: Point(x: 0, y: 0.1))
        #expect(bench.view.contentOffset == Point(x: 0, y: y < 0 ? 0 : 270))
        bench.settle()
    }
}
