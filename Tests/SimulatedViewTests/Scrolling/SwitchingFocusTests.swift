import PipelineTestSupport
import SimulatedView
import Testing

/// Items wherever they are said to be.
private final class FreeLayout: CollectionLayout {
    private let frames: [Rect]

    init(_ frames: [Rect]) { self.frames = frames }

    override var collectionViewContentSize: Size { Size(width: 1000, height: 1000) }

    override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        frames.indices.compactMap { layoutAttributesForItem(at: ItemPath(0, $0)) }
            .filter { $0.frame.intersects(rect) }
    }

    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        guard path.section == 0, frames.indices.contains(path.item) else { return nil }
        return LayoutAttributes(.cell(path), frame: frames[path.item])
    }
}

@Suite("What stays visible when layouts are switched")
struct SwitchingFocusTests {
    private func frames(_ count: Int, below limit: Int, _ random: inout SeededGenerator) -> [Rect] {
        (0..<count).map { _ in
            Rect(
                x: Double(random.next(below: limit) * 10),
                y: Double(random.next(below: limit) * 10),
                width: Double(1 + random.next(below: 4)) * 20,
                height: Double(1 + random.next(below: 4)) * 20
            )
        }
    }

    private func distance(_ point: Point, _ other: Point) -> Double {
        let (x, y) = (point.x - other.x, point.y - other.y)
        return x * x + y * y
    }

    /// The nearest to the middle, among those in sight that are selected, if there are any; of two as near
    /// the first.
    @Test(arguments: Array(1...8) as [UInt64])
    func itIsProposedThatTheItemNearestToTheMiddleComesToTheMiddle(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bench = try Bench<CollectionLayout>(
            [texts(14)],
            FreeLayout(frames(14, below: 60, &random)),
            size: Size(width: 200, height: 200)
        )
        let view = bench.view
        view.allowsMultipleSelection = true
        bench.load()
        var proposed: [Point] = []
        bench.watcher.target = { offset in
            proposed.append(offset)
            return offset
        }
        var numberOfFoci = 0
        for round in 0..<40 {
            view.scrollToTop()
            let x = Double(random.next(below: 12) * 40)
            view.scroll(by: Point(x: x, y: Double(random.next(below: 12) * 40)))
            try view.selectItem(at: nil)
            for item in 0..<14 where random.isTrue(oneIn: 6) {
                try view.selectItem(at: ItemPath(0, item))
            }
            bench.settle()
            let cells = view.visibleCells.compactMap(\.attributes)
            let selected = cells.filter { view.indexPathsForSelectedItems.contains($0.indexPath) }
            let middle = view.bounds.center
            let focus = (selected.isEmpty ? cells : selected).min {
                let (left, right) = (distance($0.center, middle), distance($1.center, middle))
                return left == right ? $0.indexPath < $1.indexPath : left < right
            }
            let isAtStart = view.contentOffset == .zero
            let new = frames(14, below: 60, &random)
            proposed = []
            view.setCollectionViewLayout(FreeLayout(new))
            var expected = Point.zero
            if let focus, !isAtStart {
                numberOfFoci += 1
                let center = new[focus.indexPath.item].center
                expected = Point(
                    x: min(max(0, center.x - 100), 800),
                    y: min(max(0, center.y - 100), 800)
                )
            }
            #expect(proposed == [expected], "seed \(seed) round \(round)")
            #expect(view.contentOffset == expected)
            bench.settle()
            bench.check("seed \(seed) round \(round)")
        }
        #expect(numberOfFoci > 10)
    }

    /// It is not the first that is wholly visible.
    @Test func theItemInTheMiddleStaysThereWhileViewsSayWhichSizesTheyWant() throws {
        let bench = try Bench([texts(50)], height: 60)
        bench.source.wishes = { text in Double((Int(text) ?? 0) % 5 * 4 + 8) }
        bench.load()
        bench.view.scroll(by: 200)
        bench.settle()
        let layout = RowLayout()
        layout.rowHeight = 15
        bench.view.setCollectionViewLayout(layout)
        #expect(bench.rows.contains("22.5: 22"))
        let other = RowLayout()
        other.rowHeight = 15
        other.takesWishes = true
        bench.view.scroll(by: 4)
        bench.settle()
        #expect(bench.rows.contains("18.5: 22"))
        bench.view.setCollectionViewLayout(other)
        #expect(bench.rows.contains("22.5: 22") && bench.view.errors == [])
        bench.settle()
        bench.check()
    }

    @Test func aDecorationOfTheSameKindIsOfTheClassOfTheNewLayout() throws {
        final class OtherBackdrop: CollectionReusableView {}
        let kind = SupplementaryKind(rawValue: "backdrop")
        let place = LayoutPlace(.decoration(kind), ItemPath(0, 0))
        func layout(_ viewClass: CollectionReusableView.Type) -> RowLayout {
            let layout = RowLayout()
            layout.decorationKind = kind
            layout.register(viewClass, forDecorationViewOfKind: kind)
            return layout
        }
        let bench = try Bench([texts(2)], layout(Backdrop.self))
        bench.load()
        #expect(bench.view.visibleView(at: place) is Backdrop)
        for viewClass in [OtherBackdrop.self, Backdrop.self] as [CollectionReusableView.Type] {
            bench.view.setCollectionViewLayout(layout(viewClass))
            let view = try #require(bench.view.visibleView(at: place))
            #expect(type(of: view) == viewClass)
            bench.settle()
            bench.check()
        }
    }

    @Test func withoutAWordAboutItASwitchIsNotAnimated() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        bench.view.setCollectionViewLayout(RowLayout())
        #expect(bench.log("layout prepareForTransition", "layout finalizeLayoutTransition") == [])
        #expect(bench.log("layout prepare") == ["layout prepare"])
    }

    @Test func completionsWaitForALaneRunThereInOrderAndAreForgotten() {
        final class Token {}
        weak var weakToken: Token?
        let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
        let lane = ManualLane()
        var order: [Int] = []
        do {
            let token = Token()
            weakToken = token
            for number in 0..<3 {
                view.setCollectionViewLayout(RowLayout()) {
                    withExtendedLifetime(token) { order.append(number) }
                }
            }
        }
        view.attach(to: lane)
        #expect(order == [] && weakToken != nil)
        lane.run()
        #expect(order == [0, 1, 2] && weakToken == nil)
    }
}
