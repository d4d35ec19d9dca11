import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// The items that the reader sees stay in place, whatever changes around them, and whenever the
/// view is laid out.
@Suite("The reader's place")
struct ReaderPlaceTests {
    // MARK: Turns

    /// A course, pages in one of two directions, or a layout with a special property.
    enum Kind: CaseIterable, Sendable {
        case list, flow, composed, horizontalFlow, rightToLeftFlow, horizontalComposed
        case pages, rightToLeftPages, boundsInvalidated, pinned

        var course: Course? {
            switch self {
            case .list: .list
            case .flow, .pinned: .flow
            case .composed: .composed
            case .horizontalFlow: .horizontalFlow
            case .rightToLeftFlow: .rightToLeftFlow
            case .horizontalComposed: .horizontalComposed
            case .pages, .rightToLeftPages, .boundsInvalidated: nil
            }
        }

        var isRightToLeft: Bool { self == .rightToLeftFlow || self == .rightToLeftPages }
        var isPaged: Bool { self == .pages || self == .rightToLeftPages }
        var isHorizontal: Bool { isPaged || course?.isHorizontal ?? false }

        func makeLayout() -> CollectionLayout {
            if isPaged { return PagerLayout() }
            guard let course else {
                let layout = RowLayout()
                layout.invalidatesForBounds = true
                return layout
            }
            let layout = course.makeLayout()
            if self == .pinned, let flow = layout as? FlowLayout {
                flow.headerReferenceSize = Size(width: 20, height: 20)
                flow.sectionHeadersPinToVisibleBounds = true
            }
            return layout
        }

        func makeBench() throws -> Bench<CollectionLayout> {
            let bench = try Bench(
                [texts(60, "a"), texts(40, "b")],
                makeLayout(),
                size: Size(width: 120, height: 90)
            )
            bench.view.isRightToLeft = isRightToLeft
            bench.load()
            return bench
        }
    }

    enum Change: CaseIterable, Sendable {
        case resize, inset, safeArea, invalidate, spacing, insert, delete, switchLayout

        func make(_ bench: Bench<CollectionLayout>, _ kind: Kind) throws {
            let view = bench.view
            switch self {
            case .resize: view.resize(to: Size(width: 180, height: 70))
            case .inset: view.contentInset = EdgeInsets(top: 9, left: 7, bottom: 3, right: 2)
            case .safeArea:
                view.contentInsetAdjustmentBehavior = .always
                view.safeAreaInsets = EdgeInsets(top: 11, left: 5, bottom: 0, right: 4)
            case .invalidate: view.collectionViewLayout.invalidateLayout()
            case .spacing:
                switch view.collectionViewLayout {
                case let layout as FlowLayout: layout.minimumLineSpacing = 17
                case let layout as PagerLayout: layout.pageSpacing = 13
                case let layout as ListLayout: layout.rowHeight = 31
                case let layout as RowLayout:
                    layout.rowHeight = 31
                    layout.invalidateLayout()
                default: view.collectionViewLayout.invalidateLayout()
                }
            case .insert:
                try bench.adapter.performBatchUpdates { changes in
                    bench.source.sections[0].insert(contentsOf: ["x", "y"], at: 0)
                    changes.insertItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
                }
            case .delete:
                try bench.adapter.performBatchUpdates { changes in
                    bench.source.sections[0].removeSubrange(0..<4)
                    changes.deleteItems(at: (0..<4).map { ItemPath(0, $0) })
                }
            case .switchLayout: view.setCollectionViewLayout(kind.makeLayout())
            }
        }
    }

    enum Scroll: CaseIterable, Sendable {
        case offset, distance, item, drag

        func perform(_ view: SimulatedCollectionView, _ kind: Kind) throws {
            let sign = kind.isRightToLeft ? -1.0 : 1
            let far = Point(x: kind.isHorizontal ? 240 * sign : 0, y: kind.isHorizontal ? 0 : 240)
            switch self {
            case .offset:
                let old = view.contentOffset
                view.contentOffset = Point(x: old.x + far.x, y: old.y + far.y)
            case .distance: view.scroll(by: far)
            case .item:
                try view.scrollToItem(
                    at: ItemPath(0, 20),
                    at: kind.isHorizontal ? .left : .top
                )
            case .drag: view.drag(by: far)
            }
        }
    }

    /// The visible cells with their positions on the screen.
    private func picture(_ view: SimulatedCollectionView) -> [String] {
        view.visibleViews.filter { $0 is TextCell }.map { cell in
            let text = (cell as? TextCell)?.text ?? ""
            let (x, y) = (cell.frame.minX - view.bounds.minX, cell.frame.minY - view.bounds.minY)
            return "\(text) at \(x) \(y)"
        }
    }

    /// A change right after scrolling has the same result as one a turn later, and as one within
    /// the notification of the scrolling.
    @Test(arguments: Kind.allCases)
    func aTurnBetweenScrollingAndAChangeMakesNoDifference(_ kind: Kind) throws {
        for change in Change.allCases {
            for scroll in Scroll.allCases {
                let (later, now, inside) = (
                    try kind.makeBench(), try kind.makeBench(), try kind.makeBench()
                )
                try scroll.perform(later.view, kind)
                later.settle()
                let before = picture(later.view)
                try change.make(later, kind)
                try scroll.perform(now.view, kind)
                try change.make(now, kind)
                var error: (any Error)?
                inside.watcher.onScroll = { [unowned inside] _ in
                    inside.watcher.onScroll = { _ in }
                    do {
                        try change.make(inside, kind)
                    } catch let found {
                        error = found
                    }
                }
                try scroll.perform(inside.view, kind)
                for bench in [later, now, inside] { bench.settle() }
                let name = "\(kind) \(scroll) \(change)"
                #expect(picture(now.view) == picture(later.view), "\(name)")
                // A scroll to an item follows that item to its new place.
                if scroll != .item {
                    #expect(
                        picture(inside.view) == picture(later.view),
                        "in the notification: \(name)"
                    )
                }
                #expect(error == nil && before != [], "\(name)")
                if change == .insert || change == .delete, !kind.isPaged {
                    let texts = { (lines: [String]) in lines.first?.split(separator: " ").first }
                    #expect(texts(picture(now.view)) == texts(before), "\(name)")
                }
                for bench in [later, now, inside] { bench.check("\(name)") }
            }
        }
    }

    /// A view without extent keeps the reader's place, also through updates, and cannot be scrolled
    /// to an item.
    @Test(arguments: Kind.allCases)
    func aHiddenViewKeepsItsPlace(_ kind: Kind) throws {
        for size in [Size.zero, Size(width: 120, height: 0), Size(width: 0, height: 90)] {
            for isUpdated in [false, true] {
                let (bench, shown) = (try kind.makeBench(), try kind.makeBench())
                for bench in [bench, shown] {
                    try Scroll.distance.perform(bench.view, kind)
                    bench.settle()
                }
                bench.view.resize(to: size)
                try bench.view.scrollToItem(at: ItemPath(0, 40))
                if !isUpdated || size == .zero { bench.settle() }
                if isUpdated {
                    try Change.insert.make(bench, kind)
                    try Change.insert.make(shown, kind)
                    bench.settle()
                }
                bench.view.resize(to: Size(width: 120, height: 90))
                bench.settle()
                shown.settle()
                let name: Comment = "\(kind) \(size) \(isUpdated)"
                #expect(picture(bench.view) == picture(shown.view), name)
                bench.check(name)
            }
        }
    }

    /// With any insets, and from either side.
    @Test(
        arguments: [Kind.pages, .rightToLeftPages],
        [Change.inset, .safeArea, .spacing, .resize]
    )
    func pagesStayAligned(_ kind: Kind, _ change: Change) throws {
        let bench = try kind.makeBench()
        let view = bench.view
        try view.scrollToPage(at: 4)
        bench.settle()
        for next in [change, .resize, .inset] {
            try next.make(bench, kind)
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
