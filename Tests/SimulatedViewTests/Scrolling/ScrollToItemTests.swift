import PipelineTestSupport
import SimulatedView
import Testing

/// `OffsetTests` covers the positions in layouts that do not change.
@Suite("Scrolling to an item")
struct ScrollToItemTests {
    @Test func positionsMatchUICollectionViewAndRejectTwoOnOneAxis() throws {
        let bench = try Bench([texts(100)])
        bench.load()
        let vertical: [ScrollPosition] = [.top, .centeredVertically, .bottom]
        let horizontal: [ScrollPosition] = [.left, .centeredHorizontally, .right]
        #expect((vertical + horizontal).map(\.rawValue) == [1, 2, 4, 8, 16, 32])
        for bits in 0..<64 {
            let position = ScrollPosition(rawValue: bits)
            let word =
                vertical.count(where: position.contains) > 1
                ? "vertical" : horizontal.count(where: position.contains) > 1 ? "horizontal" : nil
            var message: String?
            do {
                try bench.view.scrollToItem(at: ItemPath(0, 0), at: position)
            } catch {
                message = error.message
            }
            let expected = word.map {
                "UICollectionViewScrollPosition: attempt to use a scroll position with multiple \($0)"
                    + " positioning styles"
            }
            #expect(message == expected, "\(bits)")
        }
        #expect(bench.view.contentOffset == .zero)
    }

    /// Also for selecting; a rejected call changes nothing.
    @Test func anItemThatDoesNotExistOrHasNoPlaceIsRejected() throws {
        let bench = try Bench([texts(3), texts(100)], RowLayout(), clock: ManualClock())
        bench.layout.unplacedItem = 20
        bench.load()
        let view = bench.view
        try view.selectItem(at: ItemPath(0, 1))
        view.setContentOffset(Point(x: 0, y: 300), animated: true)
        let rows: [(ItemPath, ViewError.Code, String)] = [
            (
                ItemPath(0, 3), .noSuchPath,
                "Attempted to scroll the collection view to an out-of-bounds item (3) when there are"
                    + " only 3 items in section 0."
            ), (ItemPath(0, -1), .noSuchPath, "out-of-bounds item (-1)"),
            (
                ItemPath(2, 0), .noSuchPath,
                "out-of-bounds section (2) when there are only 2 sections"
            ),
            (ItemPath(.min, .max), .noSuchPath, "out-of-bounds section"),
            (ItemPath(1, 20), .layoutAttributes, ""),
        ]
        for (path, code, text) in rows {
            for selects in [false, true] {
                let error = #expect(throws: ViewError.self) {
                    if selects {
                        try view.selectItem(at: path, scrollPosition: .top)
                    } else {
                        try view.scrollToItem(at: path, at: .top, animated: true)
                    }
                }
                let isSaid = text.isEmpty || error?.message.contains(text) == true
                #expect(error?.code == code && isSaid, "\(path) \(selects)")
            }
        }
        #expect(throws: ViewError.self) {
            try view.selectItem(at: ItemPath(0, 2), scrollPosition: [.top, .bottom])
        }
        #expect(view.isScrollAnimating && view.contentOffset == .zero)
        #expect(view.indexPathsForSelectedItems == [ItemPath(0, 1)])
        // Without scrolling, no place is needed.
        try view.selectItem(at: ItemPath(1, 20))
        try view.selectItem(at: ItemPath(1, 5), scrollPosition: .top)
        #expect(view.indexPathsForSelectedItems == [ItemPath(1, 5)] && view.contentOffset.y == 80)
        view.resize(to: .zero)
        try view.selectItem(at: ItemPath(1, 20), scrollPosition: .top)
        #expect(view.indexPathsForSelectedItems == [ItemPath(1, 20)])
    }

    @Test(arguments: [3.0, 17, 44, 90], [true, false])
    func itemsWithEstimatedHeightsAreReachedExactly(_ estimate: Double, _ isList: Bool) throws {
        let layout: RowLayout = RowLayout()
        (layout.rowHeight, layout.acceptsPreferredHeights) = (estimate, true)
        let list = ListLayout()
        (list.rowHeight, list.estimatesHeights) = (estimate, true)
        let bench = try Bench<CollectionLayout>(
            [texts(300)],
            isList ? list : layout,
            size: Size(width: 100, height: 100)
        )
        bench.source.preferredHeights = { text in Double((Int(text) ?? 0) * 37 % 41) + 4 }
        bench.load()
        let rows: [(Int, ScrollPosition)] = [
            (150, .top), (20, .top), (250, .bottom), (100, .centeredVertically), (299, .bottom),
            (0, .top), (160, .bottom), (161, .top),
        ]
        for (item, position) in rows {
            try bench.view.scrollToItem(at: ItemPath(0, item), at: position)
            bench.settle()
            let frame = try #require(bench.cell(0, item)?.frame)
            let bounds = bench.view.bounds
            let distance =
                switch position {
                case .top: frame.minY - bounds.minY
                case .bottom: frame.maxY - bounds.maxY
                default: frame.center.y - bounds.center.y
                }
            let isExact =
                abs(distance) < 0.01
                && frame.size.height == bench.source.preferredHeights("\(item)")
            #expect(isExact, "\(item)")
        }
        bench.check()
    }

    /// A layout whose later items move one row further away at each of its first preparations.
    private final class RecedingLayout: RowLayout {
        var left = 0
        private var distance = 0.0

        override func prepare() {
            super.prepare()
            guard left > 0 else { return }
            (left, distance) = (left - 1, distance + 10)
        }

        override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
            var attributes = super.layoutAttributesForItem(at: path)
            if path.item >= 40 { attributes?.center.y += distance }
            return attributes
        }
    }

    /// Without a clock, an animation arrives immediately and follows the item too.
    @Test(arguments: [0, 1, 13, 14, 15, 40], [false, true])
    func aRecedingItemIsFollowedUpToTheLimitOfRounds(_ steps: Int, _ isAnimated: Bool) throws {
        let bench = try Bench([texts(200)], RecedingLayout())
        bench.layout.invalidatesForBounds = true
        bench.load()
        bench.layout.left = steps
        try bench.view.scrollToItem(at: ItemPath(0, 100), animated: isAnimated)
        let followed = min(steps, SimulatedCollectionView.roundLimit - 1)
        #expect(bench.view.contentOffset.y == 1000 + 10 * Double(followed))
        #expect(bench.log("scrolled").count == followed + 1 && !bench.view.isBusy)
    }

    // MARK: Pages

    /// Also in a view that was never laid out, with pages from right to left, and with an
    /// animation.
    @Test(arguments: ScrollDirection.allCases, [false, true])
    func aViewScrollsToAPageByItsNumber(_ direction: ScrollDirection, _ isRightToLeft: Bool) throws
    {
        let layout = PagerLayout()
        layout.scrollDirection = direction
        let clock = ManualClock()
        let bench = try Bench([["a", "b"], [], ["c", "d", "e"]], layout, clock: clock)
        bench.view.isRightToLeft = isRightToLeft
        for number in [3, 1, 4, 0] {
            try bench.view.scrollToPage(at: number)
            let isVertical = direction == .vertical
            let column = isRightToLeft ? 4 - number : number
            let place =
                isVertical
                ? Point(x: 0, y: Double(number * 30)) : Point(x: Double(column * 100), y: 0)
            #expect(bench.view.currentPage == number && bench.view.contentOffset == place)
        }
        for number in [-1, 5, .min, .max] {
            let error = #expect(throws: ViewError.self) { try bench.view.scrollToPage(at: number) }
            #expect(error?.message == "there is no page \(number) among 5")
        }
        try bench.view.scrollToPage(at: 2, animated: true)
        #expect(bench.view.isScrollAnimating && bench.view.currentPage == 0)
        clock.frames(18)
        #expect(bench.view.currentPage == 2 && !bench.view.isBusy)
        let list = try Bench([["a"]], ListLayout())
        let error = #expect(throws: ViewError.self) { try list.view.scrollToPage(at: 0) }
        #expect(error?.message == "there is no page 0: the layout is not a PagerLayout")
        #expect(list.view.currentPage == nil)
    }
}
