import TestSupport
import Testing

@testable import CollectionLayouts

/// What a rectangle finds is what a scan of all attributes finds, to the last digit.
@Suite struct RectangleQueryTests {
    /// The layouts that search, each behind the same questions.
    enum Kind: String, CaseIterable, Sendable {
        case flow
        case list
        case composedFlow
        case masonry
        case pager

        func layout(_ random: inout SeededNumbers) -> CollectionLayout {
            let direction: ScrollDirection = random.chance(0.4) ? .horizontal : .vertical
            switch self {
            case .flow:
                let layout = FlowLayout()
                layout.scrollDirection = direction
                return layout
            case .list: return ListLayout()
            case .composedFlow: return ComposedLayout(scrollDirection: direction)
            case .masonry:
                let columns = 1 + random.next(below: 4)
                let layout = ComposedLayout(scrollDirection: direction)
                layout.defaultLayout = MasonrySectionLayout(columnCount: columns)
                return layout
            case .pager:
                let layout = PagerLayout()
                layout.scrollDirection = direction
                layout.pageSpacing = Self.length(&random, 20)
                return layout
            }
        }

        static func length(_ random: inout SeededNumbers, _ limit: Int) -> Double {
            // Hundredths, thirds and whole numbers: the first two are rounded, each in its own way.
            Double(random.next(below: limit * 100)) / [100, 300, 1][random.next(below: 3)]
        }
    }

    private func section(_ random: inout SeededNumbers) -> ScriptedSection {
        var section = ScriptedSection()
        let size = Size(width: Kind.length(&random, 90), height: Kind.length(&random, 90))
        let isUniform = random.chance(0.3)
        for _ in 0..<random.next(below: 12) {
            let other = Size(width: Kind.length(&random, 90), height: Kind.length(&random, 90))
            section.items.append(isUniform ? size : other)
        }
        if random.chance(0.5) { section.line = Kind.length(&random, 12) }
        if random.chance(0.5) { section.interitem = Kind.length(&random, 12) }
        if random.chance(0.5) { section.header = Kind.length(&random, 40) }
        if random.chance(0.5) { section.footer = Kind.length(&random, 40) }
        if random.chance(0.3) {
            let side = Kind.length(&random, 20)
            section.inset = EdgeInsets(top: side, left: side, bottom: side, right: side)
        }
        return section
    }

    private func host(_ random: inout SeededNumbers) -> ScriptedHost {
        let host = ScriptedHost(
            width: 1 + Kind.length(&random, 400),
            height: 1 + Kind.length(&random, 400)
        )
        // The last has no room for a pixel beside a number of the size of an offset.
        host.displayScale = [1, 2, 3, 0.7, 0x1p60][random.next(below: 5)]
        host.isRightToLeft = random.chance(0.3)
        for _ in 0..<random.next(below: 5) { host.sections.append(section(&random)) }
        return host
    }

    /// A number beside an edge of something, some last digits off.
    private func edge(_ edges: [Double], _ random: inout SeededNumbers) -> Double {
        var edge = edges[random.next(below: edges.count)]
        for _ in 0..<random.next(below: 3) {
            edge = random.chance(0.5) ? edge.nextUp : edge.nextDown
        }
        return edge
    }

    private func edges(of frames: [Rect]) -> ([Double], [Double]) {
        (frames.flatMap { [$0.minX, $0.maxX] }, frames.flatMap { [$0.minY, $0.maxY] })
    }

    /// A rectangle all of whose edges are such numbers.
    private func rect(
        _ xs: [Double],
        _ ys: [Double],
        _ random: inout SeededNumbers
    ) -> Rect {
        let (x, y) = (edge(xs, &random), edge(ys, &random))
        let (width, height) = (edge(xs, &random) - x, edge(ys, &random) - y)
        return Rect(x: x, y: y, width: max(0, width), height: max(0, height))
    }

    @Test(arguments: Kind.allCases, 0..<Effort.number(4, usually: 1))
    func aRectangleThatEndsBesideAnEdgeFindsWhatAScanOfAllFinds(_ kind: Kind, _ batch: Int) {
        for seed in (batch * 100)..<(batch * 100 + 100) {
            var random = SeededNumbers(seed: UInt64(seed))
            let host = host(&random)
            let layout = host.lay(kind.layout(&random))
            let all = host.allAttributes(of: layout)
            guard !all.isEmpty else { continue }
            let (xs, ys) = edges(of: all.map(\.frame))
            for _ in 0..<40 {
                let rect = rect(xs, ys, &random)
                let found = layout.layoutAttributesForElements(in: rect)
                let expected = all.filter { $0.frame.intersects(rect) }
                guard Set(found) == Set(expected), found.count == expected.count else {
                    let difference = Set(found).symmetricDifference(expected)
                    Issue.record("\(kind), seed \(seed): \(rect) and \(difference.map(\.frame))")
                    return
                }
            }
        }
    }

    /// From its middle the item begins a digit above the place that it was laid out at.
    @Test func anItemThatReachesIntoARectangleByTheLastDigitIsFound() throws {
        let host = ScriptedHost([
            ScriptedSection(items: [
                Size(width: 320, height: 480), Size(width: 320, height: 64.08),
            ])
        ])
        let layout = FlowLayout()
        layout.minimumLineSpacing = 0
        _ = host.lay(layout)
        let path = ItemPath(section: 0, item: 1)
        #expect(layout.frame(ofItem: path)?.minY == 480)
        let attributes = try #require(layout.layoutAttributesForItem(at: path))
        #expect(attributes.frame.minY == 480.nextDown)
        let rect = Rect(x: 0, y: 0, width: 320, height: 480)
        #expect(layout.layoutAttributesForElements(in: rect).map(\.indexPath.item) == [0, 1])
    }

    @Test(arguments: [FlowLayout.self, ListLayout.self, ComposedLayout.self])
    func aRectangleFromFarAwayFindsEverythingThatItReaches(_ kind: CollectionLayout.Type) {
        let host = ScriptedHost([.uniform(100, 320, 10.1), .uniform(100, 320, 9.7)])
        let layout: CollectionLayout =
            kind == ListLayout.self
            ? ListLayout() : kind == FlowLayout.self ? FlowLayout() : ComposedLayout()
        _ = host.lay(layout)
        let all = host.allAttributes(of: layout)
        for far in [1e6, 1e12, 0x1p54, 0x1p59, 1e18, 1e30] {
            for end in [-1.0, 0, 500, 1024] {
                let rect = Rect(x: -far, y: -far, width: far + 320, height: far + end)
                let expected = all.filter { $0.frame.intersects(rect) }
                #expect(
                    Set(layout.layoutAttributesForElements(in: rect)) == Set(expected),
                    "\(rect)"
                )
            }
        }
    }

    /// Section layouts are public, and so are their arrangements.
    @Test(arguments: 0..<Effort.number(100, usually: 30))
    func anArrangementFindsWhatAScanOfItsFramesFinds(seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let host = host(&random)
        let layout = ComposedLayout()
        let columns = 1 + random.next(below: 3)
        if random.chance(0.5) { layout.defaultLayout = MasonrySectionLayout(columnCount: columns) }
        _ = host.lay(layout)
        for index in 0..<layout.state.sections.count {
            guard let section = layout.state.sections.element(at: index) else { continue }
            let arrangement = section.arrangement
            let frames = (0..<arrangement.itemCount).compactMap { arrangement.frame(ofItem: $0) }
            guard !frames.isEmpty else { continue }
            let (xs, ys) = edges(of: frames)
            for _ in 0..<60 {
                let rect = rect(xs, ys, &random)
                let expected = frames.indices.filter { frames[$0].intersects(rect) }
                #expect(arrangement.items(in: rect) == expected, "seed \(seed), \(rect)")
            }
        }
    }
}
