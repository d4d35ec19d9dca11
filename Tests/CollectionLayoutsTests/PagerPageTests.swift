import TestSupport
import Testing

@testable import CollectionLayouts

/// Compares page numbers and the ends of scrolling with a row of pages. `LayoutModelTests` compares
/// the frames.
@Suite("Pages of a pager")
struct PagerPageTests {
    private struct Row {
        let paths: [ItemPath]
        /// The offsets at which one page fills the viewport.
        let rests: [Double]

        init(_ host: ScriptedHost, _ layout: PagerLayout, spacing: Double) {
            let page = host.bounds.inset(by: host.adjustedContentInset).size
            let all = host.sections.enumerated().flatMap { section, value in
                value.items.indices.map { ItemPath(section, $0) }
            }
            paths = page.width > 0 && page.height > 0 ? all : []
            let pitch = page.along(layout.scrollDirection) + spacing
            let start = host.adjustedContentInset.leading(layout.scrollDirection)
            rests = paths.indices.map { Double($0) * pitch - start }
        }

        func nearest(_ offset: Double) -> Double {
            guard let least = rests.map({ abs($0 - offset) }).min() else { return offset }
            // If two pages are equally near, the later one.
            return rests.last { abs($0 - offset) == least } ?? offset
        }

        func fling(_ proposed: Double, _ velocity: Double, from current: Double) -> Double {
            if rests.isEmpty || velocity.isNaN || velocity == 0 { return nearest(proposed) }
            return velocity > 0
                ? rests.first { $0 > current } ?? rests[rests.count - 1]
                : rests.last { $0 < current } ?? rests[0]
        }
    }

    @Test func pagesAreNumberedAndScrollingEndsAtAPage() {
        let velocities: [Double] = [2, 1, 0.5, 0, -0.0, -0.5, -1, -7, .nan]
        for seed in 0..<UInt64(Effort.number(2_000, usually: 300)) {
            let draw = Draw(seed: seed)
            let host = ScriptedHost(
                (0..<draw.below(5)).map { _ in .uniform(draw.below(4), 1, 1) },
                width: draw.quarters(9),
                height: draw.quarters(9)
            )
            host.isRightToLeft = draw.chance(0.4)
            if draw.chance(0.5) { host.adjustedContentInset = draw.insets(3) }
            let layout = PagerLayout()
            layout.scrollDirection = draw.one(of: ScrollDirection.allCases)
            let (requested, used) = draw.one(of: [(0, 0), (0.5, 0.5), (5, 5), (-3, 0), (.nan, 0)])
            layout.pageSpacing = requested
            _ = host.lay(layout)
            let row = Row(host, layout, spacing: used)
            let direction = layout.scrollDirection
            func point(_ along: Double) -> Point { Point(along: along, across: 2, direction) }
            let isMirrored = host.isRightToLeft && direction == .horizontal
            for _ in 0..<20 {
                let (proposed, current) = (draw.quarters(60) - 10, draw.quarters(60) - 10)
                let velocity = draw.one(of: velocities)
                host.bounds.origin = point(current)
                let targets = [
                    layout.targetContentOffset(forProposedContentOffset: point(proposed)),
                    layout.targetContentOffset(
                        forProposedContentOffset: point(proposed),
                        withScrollingVelocity: point(velocity)
                    ),
                ]
                let expected = [
                    row.nearest(proposed), row.fling(proposed, velocity, from: current),
                ]
                let place = row.rests.firstIndex(of: row.nearest(current))
                let page = place.map { isMirrored ? row.paths.count - 1 - $0 : $0 }
                guard targets == expected.map(point), layout.currentPage == page else {
                    Issue.record("seed \(seed): \(targets), \(expected), \(page as Any)")
                    return
                }
            }
            let numbers = Array(-1...row.paths.count)
            let paths = numbers.map { row.paths.indices.contains($0) ? row.paths[$0] : nil }
            let others = [ItemPath(-1, 0), ItemPath(0, -1), ItemPath(0, 9), ItemPath(.max, .max)]
            #expect(numbers.map(layout.path(ofPage:)) == paths, "seed \(seed)")
            #expect(row.paths.map(layout.page(of:)) == Array(row.paths.indices), "seed \(seed)")
            #expect(others.allSatisfy { layout.page(of: $0) == nil })
            #expect(layout.numberOfPages == row.paths.count)
        }
    }

    @Test func withoutAViewOrPagesThereIsNoContent() {
        let layout = PagerLayout()
        let host = ScriptedHost([.uniform(5, 1, 1)], width: 10, height: 10)
        let point = Point(x: 3, y: 4)
        let changes: [() -> Void] = [
            { layout.attach(to: nil) }, { host.bounds.size.width = .infinity },
            { host.bounds.size.height = 0 }, { host.claimedItemCounts = [0: [-3]] },
            { host.claimedSectionCount = -1 },
        ]
        for change in changes {
            _ = host.lay(layout)
            #expect(layout.collectionViewContentSize.width == 50)
            for offset in [Double.infinity, -.infinity] {
                let endless = Point(x: offset, y: 3)
                #expect(layout.targetContentOffset(forProposedContentOffset: endless) == endless)
            }
            change()
            layout.prepare()
            #expect(layout.collectionViewContentSize == .zero && layout.everything.isEmpty)
            let target = layout.targetContentOffset(
                forProposedContentOffset: point,
                withScrollingVelocity: point
            )
            #expect(target == point && layout.currentPage == nil && layout.path(ofPage: 0) == nil)
            host.bounds = Rect(x: 0, y: 0, width: 10, height: 10)
            (host.claimedItemCounts, host.claimedSectionCount) = ([:], nil)
        }
    }
}
