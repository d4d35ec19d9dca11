import PipelineTestSupport
import SimulatedView
import Testing

@Suite("What a finger does, and what it leaves alone")
struct FingerPromiseTests {
    private static let limit = SimulatedCollectionView.roundLimit

    @Test func beginningADragThatIsUnderWayLeavesATouchAlone() throws {
        let bench = try Bench([texts(30)])
        bench.load()
        bench.view.beginDragging()
        bench.view.touchDown(at: ItemPath(0, 1))
        bench.view.beginDragging()
        #expect(bench.view.highlightedItem == ItemPath(0, 1))
    }

    @Test func aFingerOnContentThatRestsLaysNothingOut() throws {
        let bench = try Bench([texts(30)])
        bench.load()
        bench.layout.invalidateLayout()
        let count = bench.layout.numberOfPrepares
        bench.view.beginDragging()
        #expect(bench.view.isDragging && bench.layout.numberOfPrepares == count)
    }

    @Test func aDragEndsWhereTheContentDoesByThen() throws {
        let bench = try Bench([texts(30)])
        bench.load()
        bench.layout.rowHeight = 20
        bench.layout.invalidateLayout()
        bench.view.drag(by: Point(x: 0, y: 5000))
        #expect(bench.view.contentOffset.y == 570)
    }

    @Test func aFlingGoesOnAcrossToo() throws {
        let bench = try Bench<SheetLayout>([texts(30)])
        bench.load()
        bench.view.scroll(by: Point(x: 50, y: 0))
        bench.view.endDragging(velocity: Point(x: 0.1, y: 0))
        #expect(bench.view.contentOffset == Point(x: 100, y: 0))
    }

    // MARK: How often

    @Test func aFingerLetsGoAnyNumberOfTimesOneAfterTheOther() throws {
        let bench = try Bench([texts(30)])
        bench.load()
        for _ in 0...Self.limit { bench.view.endDragging(velocity: .zero) }
        #expect(bench.view.errors == [] && !bench.view.isBusy)
    }

    @Test func whoAlwaysDragsAgainInAnswerIsStopped() {
        let list = ScrollingList(hasClock: false)
        var left = 40
        list.answers["didEndDragging false"] = { view in
            guard left > 0 else { return }
            left -= 1
            view.endDragging(velocity: .zero)
        }
        list.atOnce { view in
            view.endDragging(velocity: .zero)
            #expect(!view.isDragging && !view.isBusy)
            #expect(view.errors.map(\.code) == [.reentrantLayout])
        }
        #expect(list.news().filter { $0 == "didEndDragging false" }.count == Self.limit)
    }

    /// A finger that began to drag within the last answer but one lets go within the last.
    @Test func aFlingThatBeginsTooDeepInAnswersGoesNowhere() {
        let list = ScrollingList(hasClock: false)
        var count = 0
        list.answers["didEndScrollingAnimation"] = { view in
            count += 1
            guard count < Self.limit - 1 else { return view.beginDragging() }
            let y = view.contentOffset.y < 300 ? 600.0 : 0
            view.setContentOffset(Point(x: 0, y: y), animated: true)
        }
        list.answers["willBeginDragging"] = { $0.endDragging(velocity: Point(x: 0, y: 1)) }
        list.atOnce { view in
            view.setContentOffset(Point(x: 0, y: 100), animated: true)
            #expect(view.errors.map(\.code) == [.reentrantLayout])
            #expect(view.contentOffset.y == 600 && !view.isDragging && !view.isBusy)
        }
        #expect(list.news().last == "didEndDragging true")
    }

    // MARK: Who hears that the content came to rest

    private func stopped(_ list: ScrollingList) -> [String] {
        list.toldNodes().filter { $0.hasSuffix("didStop") }
    }

    private func stops(_ rows: Range<Int>) -> [String] { rows.map { "row \($0) didStop" } }

    @Test func nodesHearOfRestAtOnce() {
        let list = ScrollingList()
        _ = list.toldNodes()
        list.atOnce { [self] view in
            view.endDragging(velocity: .zero)
            #expect(stopped(list) == stops(0..<3))
        }
    }

    @Test func ofRestHearsWhoIsVisibleByThen() {
        let list = ScrollingList()
        list.answers["didEndDragging false"] = { $0.contentOffset.y = 300 }
        _ = list.toldNodes()
        list.onMain { $0.endDragging(velocity: .zero) }
        #expect(stopped(list) == stops(30..<33))
    }

    @Test func whereContentMovesOnInAnswerNobodyHearsOfRestBeforeItsEnd() {
        let list = ScrollingList()
        list.answers["didEndDragging false"] = { view in
            view.setContentOffset(Point(x: 0, y: 300), animated: true)
        }
        _ = list.toldNodes()
        list.onMain { $0.endDragging(velocity: .zero) }
        #expect(stopped(list) == stops(30..<33))
    }
}
