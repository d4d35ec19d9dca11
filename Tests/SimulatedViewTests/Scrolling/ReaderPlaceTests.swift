import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// The items that the reader sees stay in place, whatever changes around them. `OffsetTests` changes
/// a view at any time.
@Suite("The reader's place")
struct ReaderPlaceTests {
    /// - Parameter course: `nil` for pages.
    private func makeLayout(_ course: Course?) -> CollectionLayout {
        course?.makeLayout() ?? PagerLayout()
    }

    private func makeBench(
        _ course: Course?,
        isRightToLeft: Bool = false
    ) throws -> Bench<CollectionLayout> {
        let bench = try Bench(
            [texts(60, "a"), texts(40, "b")],
            makeLayout(course),
            size: Size(width: 120, height: 90)
        )
        bench.view.isRightToLeft = isRightToLeft || course == .rightToLeftFlow
        bench.load()
        return bench
    }

    enum Change: Sendable {
        case resize, inset, safeArea, spacing, insert

        func make(_ bench: Bench<CollectionLayout>) throws {
            let view = bench.view
            switch self {
            case .resize: view.resize(to: Size(width: 180, height: 70))
            case .inset: view.contentInset = EdgeInsets(top: 9, left: 7, bottom: 3, right: 2)
            case .safeArea:
                view.contentInsetAdjustmentBehavior = .always
                view.safeAreaInsets = EdgeInsets(top: 11, left: 5, bottom: 0, right: 4)
            case .spacing: (view.collectionViewLayout as? PagerLayout)?.pageSpacing = 13
            case .insert:
                try bench.adapter.performBatchUpdates { changes in
                    bench.source.sections[0].insert(contentsOf: ["x", "y"], at: 0)
                    changes.insertItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
                }
            }
        }
    }

    private func scroll(_ view: SimulatedCollectionView, _ course: Course?) {
        let distance = view.isRightToLeft ? -240.0 : 240
        let isHorizontal = course?.isHorizontal ?? true
        view.scroll(by: isHorizontal ? Point(x: distance, y: 0) : Point(x: 0, y: distance))
    }

    /// The visible cells with their positions on the screen.
    private func picture(_ view: SimulatedCollectionView) -> [String] {
        view.visibleViews.filter { $0 is TextCell }.map { cell in
            let text = (cell as? TextCell)?.text ?? ""
            let (x, y) = (cell.frame.minX - view.bounds.minX, cell.frame.minY - view.bounds.minY)
            return "\(text) at \(x) \(y)"
        }
    }

    /// A change within the notification of scrolling has the same result as one a turn later.
    @Test(arguments: [nil] + Course.allCases as [Course?])
    func aChangeWhileScrollingEqualsALaterOne(_ course: Course?) throws {
        for change in [Change.resize, .inset, .safeArea, .spacing, .insert] {
            let (later, inside) = (try makeBench(course), try makeBench(course))
            scroll(later.view, course)
            later.settle()
            try change.make(later)
            inside.watcher.onScroll = { [unowned inside] _ in
                inside.watcher.onScroll = { _ in }
                #expect(throws: Never.self) { try change.make(inside) }
            }
            scroll(inside.view, course)
            for bench in [later, inside] { bench.settle() }
            let name: Comment = "\(course?.rawValue ?? "pages") \(change)"
            #expect(picture(inside.view) == picture(later.view), name)
            inside.check(name)
        }
    }

    /// A view without extent keeps the reader's place, also through updates, and cannot be scrolled
    /// to an item.
    @Test(arguments: [nil] + Course.allCases as [Course?])
    func aHiddenViewKeepsItsPlace(_ course: Course?) throws {
        for size in [Size.zero, Size(width: 120, height: 0), Size(width: 0, height: 90)] {
            for isUpdated in [false, true] {
                let (bench, shown) = (try makeBench(course), try makeBench(course))
                for bench in [bench, shown] {
                    scroll(bench.view, course)
                    bench.settle()
                }
                bench.view.resize(to: size)
                try bench.view.scrollToItem(at: ItemPath(0, 40))
                if !isUpdated || size == .zero { bench.settle() }
                if isUpdated {
                    try Change.insert.make(bench)
                    try Change.insert.make(shown)
                    bench.settle()
                }
                bench.view.resize(to: Size(width: 120, height: 90))
                bench.settle()
                shown.settle()
                let name: Comment = "\(course?.rawValue ?? "pages") \(size) \(isUpdated)"
                #expect(picture(bench.view) == picture(shown.view), name)
                bench.check(name)
            }
        }
    }

    /// With any insets, and from either side.
    @Test(
        arguments: [false, true],
        [Change.inset, .safeArea, .spacing, .resize]
    )
    func pagesStayAligned(_ isRightToLeft: Bool, _ change: Change) throws {
        let bench = try makeBench(nil, isRightToLeft: isRightToLeft)
        let view = bench.view
        try view.scrollToPage(at: 4)
        bench.settle()
        for next in [change, .resize, .inset] {
            try next.make(bench)
            bench.settle()
            #expect(view.currentPage == 4)
            let page = view.bounds.inset(by: view.adjustedContentInset)
            #expect(view.cellForItem(at: ItemPath(0, 4))?.frame.minX == page.minX)
        }
    }

    // MARK: The anchor of the place

    // `ScrollWalk.currentAnchor` tests which rows hold the place.

    /// Collapsed sections, and headers taller than the viewport.
    @Test(arguments: [10.0, 35])
    func headersHoldThePlaceIfThereAreNoRows(_ height: Double) throws {
        let bench = try Bench(Array(repeating: [String](), count: 30))
        bench.layout.headerHeight = height
        bench.source.sections[0] = ["a"]
        bench.load()
        bench.view.scroll(by: height * 10 + 1)
        bench.settle()
        func headers() -> [String] {
            bench.view.visibleViews.compactMap { view in
                view.attributes.map { "\($0.indexPath) \($0.frame.minY - bench.view.bounds.minY)" }
            }
        }
        let before = headers()
        try bench.update { source, changes in
            source.sections[0] += ["b", "c"]
            changes.insertItems(at: [ItemPath(0, 1), ItemPath(0, 2)])
        }
        #expect(headers() == before && bench.view.contentOffset.y == height * 10 + 21)
        bench.layout.rowHeight = 20
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(headers() == before)
        bench.check()
    }

    /// Each fetch at the head prepends 20 rows; one fetch suffices, since the reader's place stays.
    /// The last rows may come with the outcome that there are no more, or before a failure.
    @Test(arguments: [false, true], ["fetched", "exhausted", "failed"])
    func rowsFetchedAtTheHeadDoNotMoveTheReader(_ isAnimated: Bool, _ outcome: String) throws {
        let list = FetchingList([40, 0])
        list.onMain { list, _ in
            try? list.fetcher.setLeadingScreens(1, at: .head)
            try? list.fetcher.setLeadingScreens(0, at: .tail)
        }
        list.onFetch = { [unowned list] fetch in
            list.submit(isAnimated: isAnimated) { rows, changes in
                for item in 0..<20 {
                    rows.sections[0].insert(rows.makeRow(), at: item)
                    changes.insertItems(at: [ItemPath(0, item)])
                }
            }
            switch outcome {
            case "exhausted": fetch.complete(.exhausted)
            case "failed": fetch.complete(.failed(TestFailure()))
            default: fetch.complete()
            }
            list.fetches = []
        }
        list.load()
        #expect(list.controller.visibleMap.shape.itemCounts == [60, 0])
        #expect(list.onMain { $0.contentOffset.y } == 200)
        if outcome == "failed" { return }
        list.onMain { $0.scroll(by: -200) }
        let (count, offset) = outcome == "fetched" ? (80, 200.0) : (60, 0)
        #expect(list.controller.visibleMap.shape.itemCounts == [count, 0])
        #expect(list.onMain { $0.contentOffset.y } == offset)
    }
}
