import TestSupport
import Testing

@testable import CollectionLayouts

/// A rectangle query finds the same attributes as a scan of all of them, to the last digit.
@Suite struct RectangleQueryTests {
    enum Kind: String, CaseIterable, Sendable {
        case flow, list, composedFlow, masonry, pager

        func layout(_ draw: Draw) -> CollectionLayout {
            let direction = draw.one(of: ScrollDirection.allCases)
            switch self {
            case .flow: return LayoutEngine.flow.make(direction)
            case .list: return ListLayout()
            case .composedFlow: return ComposedLayout(scrollDirection: direction)
            case .masonry:
                let columns = MasonrySectionLayout(columnCount: 1 + draw.below(4))
                return ComposedLayout(scrollDirection: direction, defaultLayout: columns)
            case .pager:
                let layout = PagerLayout()
                layout.scrollDirection = direction
                layout.pageSpacing = length(draw, 20)
                return layout
            }
        }
    }

    /// Hundredths, thirds and whole numbers; the first two are rounded, each in its own way.
    private static func length(_ draw: Draw, _ limit: Int) -> Double {
        Double(draw.below(limit * 100)) / draw.one(of: [100, 300, 1])
    }

    private func section(_ draw: Draw) -> ScriptedSection {
        func length(_ limit: Int) -> Double { Self.length(draw, limit) }
        var section = ScriptedSection()
        let size = Size(width: length(90), height: length(90))
        let isUniform = draw.chance(0.3)
        for _ in 0..<draw.below(12) {
            section.items.append(isUniform ? size : Size(width: length(90), height: length(90)))
        }
        if draw.chance(0.5) { section.line = length(12) }
        if draw.chance(0.5) { section.interitem = length(12) }
        if draw.chance(0.5) { section.header = length(40) }
        if draw.chance(0.5) { section.footer = length(40) }
        if draw.chance(0.3) { section.inset = EdgeInsets(top: length(20), left: length(20)) }
        return section
    }

    private func host(_ draw: Draw) -> ScriptedHost {
        let host = ScriptedHost(
            (0..<draw.below(5)).map { _ in section(draw) },
            width: 1 + Self.length(draw, 400),
            height: 1 + Self.length(draw, 400)
        )
        // The last scale leaves no room for a pixel next to a number as large as an offset.
        host.displayScale = draw.one(of: [1, 2, 3, 0.7, 0x1p60])
        host.isRightToLeft = draw.chance(0.3)
        return host
    }

    /// A rectangle whose edges are at edges of frames, or a few last digits away.
    private func rect(_ frames: [Rect], _ draw: Draw) -> Rect {
        func edge(_ edges: [Double]) -> Double {
            var edge = draw.one(of: edges)
            for _ in 0..<draw.below(3) { edge = draw.chance(0.5) ? edge.nextUp : edge.nextDown }
            return edge
        }
        let (xs, ys) = (
            frames.flatMap { [$0.minX, $0.maxX] }, frames.flatMap { [$0.minY, $0.maxY] }
        )
        let (x, y) = (edge(xs), edge(ys))
        return Rect(x: x, y: y, width: max(0, edge(xs) - x), height: max(0, edge(ys) - y))
    }

    /// Queries the attributes one by one, without a rectangle.
    private func all(_ layout: CollectionLayout, _ host: ScriptedHost) -> [LayoutAttributes] {
        host.sections.indices.flatMap { section in
            let cells = host.sections[section].items.indices.map {
                LayoutPlace.cell(ItemPath(section: section, item: $0))
            }
            return (cells + [.header(section), .footer(section)]).compactMap {
                layout.layoutAttributes(for: $0)
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func aRectangleThatEndsNearAnEdgeMatchesAFullScan(_ kind: Kind) {
        for seed in 0..<UInt64(Effort.number(400, usually: 80)) {
            let draw = Draw(seed: seed)
            let host = host(draw)
            let layout = host.lay(kind.layout(draw))
            let all = all(layout, host)
            guard !all.isEmpty else { continue }
            for _ in 0..<30 {
                let rect = rect(all.map(\.frame), draw)
                let found = layout.layoutAttributesForElements(in: rect)
                let expected = all.filter { $0.frame.intersects(rect) }
                guard Set(found) == Set(expected), found.count == expected.count else {
                    let difference = Set(found).symmetricDifference(expected)
                    Issue.record("seed \(seed): \(rect) and \(difference.map(\.frame))")
                    return
                }
            }
        }
    }

    /// Arrangements of section layouts are public, so they are queried directly.
    @Test func anArrangementMatchesAFullScanOfItsFrames() {
        for seed in 0..<UInt64(60) {
            let draw = Draw(seed: seed)
            let sizes = (0..<(1 + draw.below(30))).map { _ in
                Size(width: Self.length(draw, 90), height: Self.length(draw, 90))
            }
            let layouts: [any SectionLayout] = [
                FlowSectionLayout(), MasonrySectionLayout(columnCount: 1 + draw.below(4)),
            ]
            for layout in layouts {
                let input = SectionInput(acrossExtent: 320, itemCount: sizes.count) { sizes[$0] }
                let arrangement = layout.prepare(input)
                let frames = sizes.indices.compactMap { arrangement.frame(ofItem: $0) }
                for _ in 0..<30 {
                    let rect = rect(frames, draw)
                    let expected = frames.indices.filter { frames[$0].intersects(rect) }
                    guard arrangement.items(in: rect) == expected else {
                        Issue.record("seed \(seed): \(rect) in \(layout)")
                        return
                    }
                }
            }
        }
    }

    @Test(arguments: LayoutEngine.allCases)
    func aRectangleThatStartsFarAwayFindsEverythingInIt(_ engine: LayoutEngine) {
        let host = ScriptedHost([.uniform(100, 320, 10.1), .uniform(100, 320, 9.7)])
        let layout = host.lay(engine.make())
        let all = all(layout, host)
        for far in [1e6, 1e12, 0x1p54, 0x1p59, 1e18, 1e30] {
            for end in [-1.0, 0, 500, 1024] {
                let rect = Rect(x: -far, y: -far, width: far + 320, height: far + end)
                let expected = all.filter { $0.frame.intersects(rect) }
                let found = layout.layoutAttributesForElements(in: rect)
                #expect(Set(found) == Set(expected), "\(rect)")
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func anInvalidRectangleFindsNothing(_ kind: Kind) {
        let host = ScriptedHost([.uniform(20, 100, 100)])
        let layout = host.lay(kind.layout(Draw(seed: 1)))
        let invalid: [(Double, Double, Double, Double)] = [
            (50, 50, -10, -10), (.nan, 0, 9, 9), (0, .nan, 9, 9), (-9e3, -9e3, 5, 5),
        ]
        for (x, y, width, height) in invalid {
            let rect = Rect(x: x, y: y, width: width, height: height)
            #expect(layout.layoutAttributesForElements(in: rect) == [], "\(rect)")
        }
    }
}
