import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Why what is shown is no longer right.
private enum Cause: String, CaseIterable {
    case nothing, neverLaidOut, otherExtents, reloaded, scrolledFar, grown

    func bench(_ isRightToLeft: Bool) throws -> Bench<SheetLayout> {
        let bench = try Bench([texts(60)], isRightToLeft: isRightToLeft)
        bench.layout.takesWishes = true
        bench.view.isPrefetchingEnabled = true
        if self == .neverLaidOut { return bench }
        bench.load()
        bench.view.scroll(by: Point(x: isRightToLeft ? -30 : 30, y: 205))
        bench.settle()
        switch self {
        case .nothing, .neverLaidOut: break
        case .otherExtents:
            bench.layout.rowHeight = 17
            bench.layout.rowWidth = 500
            bench.layout.invalidateLayout()
        case .reloaded:
            bench.source.sections = [texts(55, "new"), texts(9)]
            bench.adapter.reloadData()
        case .scrolledFar: bench.view.contentOffset = Point(x: 70, y: 432)
        case .grown:
            bench.cell(0, 21)?.wish = { _ in 24 }
            bench.cell(0, 21).map(bench.view.invalidatePreferredSize)
        }
        bench.clear()
        return bench
    }
}

/// What a program asks of a view, in whatever state that is.
private enum Request: String, CaseIterable {
    case scroll, scrollFar, scrollToTop, drag, scrollToItem, select, selectAndScroll
    case switchLayout, resize, idleTick

    func run(_ view: SimulatedCollectionView) throws {
        let path = ItemPath(0, 50)
        let far = Point(x: 1e6, y: 1e6)
        switch self {
        case .scroll: view.scroll(by: Point(x: -10, y: 25))
        case .scrollFar: view.scroll(by: Point(x: far.x, y: far.y))
        case .scrollToTop: view.scrollToTop()
        case .drag: view.endDragging(at: far, velocity: .zero)
        case .scrollToItem: try view.scrollToItem(at: path, at: [.top, .right])
        case .select: try view.selectItem(at: path)
        case .selectAndScroll: try view.selectItem(at: path, scrollPosition: .centeredVertically)
        case .switchLayout:
            let layout = SheetLayout()
            layout.rowHeight = 15
            layout.rowWidth = 250
            view.setCollectionViewLayout(layout, animated: true)
        case .resize: view.resize(to: Size(width: 80, height: 45), animated: true)
        case .idleTick: view.idleTick(preparing: 2)
        }
    }
}

@Suite("Calls that find the view out of date")
struct OutdatedViewTests {
    private func picture(_ view: SimulatedCollectionView) -> [String] {
        let (bounds, content) = (view.bounds, view.contentSize)
        return [
            "\(bounds)", "\(content)", "\(view.indexPathsForSelectedItems)",
            "\(view.preparedItems)",
        ]
            + view.visibleViews.map { "\(String(describing: $0.attributes))" }
            + view.transitions.map { "\($0)" } + view.errors.map(\.message)
    }

    /// They bring it up to date first.
    @Test(arguments: Cause.allCases, Request.allCases)
    private func theyDoWhatTheyDoToOneThatWasLaidOutBefore(
        _ cause: Cause,
        _ request: Request
    ) throws {
        for isRightToLeft in [false, true] {
            let (outdated, prepared) = (
                try cause.bench(isRightToLeft), try cause.bench(isRightToLeft)
            )
            prepared.view.layoutIfNeeded()
            try request.run(outdated.view)
            try request.run(prepared.view)
            #expect(picture(outdated.view) == picture(prepared.view))
            outdated.settle()
            prepared.settle()
            #expect(picture(outdated.view) == picture(prepared.view))
            outdated.check()
        }
    }

    @Test func aFreshViewHasItsLayoutPrepareBeforeThereIsAnythingToShow() {
        let view = SimulatedCollectionView(
            size: Size(width: 100, height: 30),
            layout: RowLayout()
        )
        view.layoutIfNeeded()
        #expect(
            view.eventLog.map(\.description).prefix(2) == [
                "layout prepare", "layout collectionViewContentSize 100 × 0",
            ]
        )
        #expect(view.contentSize == Size(width: 100, height: 0))
    }

    @Test func withoutAPipelineTheMapIsTheOneBeforeTheFirst() throws {
        let bench = try Bench([texts(3)])
        #expect(bench.view.map.generation == 0)
        bench.load()
        #expect(bench.view.map.generation == 0 && bench.view.map.shape == .empty)
    }

    @Test func insetsThatAreSetBeforeTheFirstPassAreInSightWithTheBeginning() throws {
        let bench = try Bench([texts(30)])
        bench.view.contentInset = EdgeInsets(top: 7, left: 0, bottom: 0, right: 0)
        bench.load()
        #expect(bench.view.contentOffset == Point(x: 0, y: -7))
        bench.check()
    }

    @Test func aLogKeepsTheNewestThousandAndTwentyFourEventsUnlessItIsTold() {
        let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
        for _ in 0..<1200 {
            view.beginBusy()
            view.endBusy()
        }
        let expected: [ViewEvent] = (0..<1024).map {
            $0.isMultiple(of: 2) ? .becameBusy : .becameIdle
        }
        #expect(view.eventLog == expected)
    }
}
