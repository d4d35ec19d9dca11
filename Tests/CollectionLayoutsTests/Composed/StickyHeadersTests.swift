import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("Sticky headers and footers")
struct StickyHeadersTests {
    /// Three sections of 200: a header of 30, two rows of 75, a footer of 20.
    private func makeLayout(_ feature: StickyHeaders) -> (ComposedLayout, SectionTestHost) {
        let host = SectionTestHost()
        host.bounds = Rect(x: 0, y: 0, width: 320, height: 150)
        let row = Size(width: 300, height: 75)
        let values = SectionMetrics(lineSpacing: 0, headerExtent: 30, footerExtent: 20)
        host.sections = (0..<3).map { _ in host.makeSection([row, row], values) }
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.features = [feature]
        layout.prepare()
        return (layout, host)
    }

    private func top(_ place: LayoutPlace, _ layout: ComposedLayout) -> Double? {
        layout.layoutAttributes(for: place)?.frame.minY
    }

    @Test
    func headersFollowTheViewportAndPushEachOtherOut() {
        let (layout, host) = makeLayout(StickyHeaders())
        let expected: [(offset: Double, first: Double, second: Double)] = [
            (-20, 0, 200), (0, 0, 200), (50, 50, 200), (150, 150, 200), (170, 150, 200),
            (200, 150, 200), (230, 150, 230), (390, 150, 350),
        ]
        for (offset, first, second) in expected {
            host.bounds.origin.y = offset
            #expect(top(.header(0), layout) == first, "at \(offset)")
            #expect(top(.header(1), layout) == second, "at \(offset)")
        }
    }

    @Test
    func footersStayAtTheEndOfTheViewport() {
        let (layout, host) = makeLayout(StickyHeaders(pinsHeaders: false, pinsFooters: true))
        let expected: [(offset: Double, first: Double, second: Double)] = [
            (0, 130, 230), (20, 150, 230), (50, 180, 230), (80, 180, 230), (150, 180, 280),
            (250, 180, 380), (400, 180, 380),
        ]
        for (offset, first, second) in expected {
            host.bounds.origin.y = offset
            #expect(top(.footer(0), layout) == first, "at \(offset)")
            #expect(top(.footer(1), layout) == second, "at \(offset)")
        }
        #expect(top(.header(1), layout) == 200)
    }

    @Test
    func contentInsetsMoveTheEdge() {
        let (layout, host) = makeLayout(StickyHeaders())
        host.adjustedContentInset = EdgeInsets(top: 10)
        host.bounds.origin.y = 40
        #expect(top(.header(0), layout) == 50)
    }

    @Test
    func aPinnedHeaderIsFoundWhereItIsAndNotWhereItWas() {
        let (layout, host) = makeLayout(StickyHeaders())
        host.bounds.origin.y = 120
        let here = Rect(x: 0, y: 125, width: 320, height: 1)
        #expect(layout.layoutAttributesForElements(in: here).contains { $0.place == .header(0) })
        let there = Rect(x: 0, y: 0, width: 320, height: 30)
        #expect(layout.layoutAttributesForElements(in: there).isEmpty)
    }

    @Test
    func scrollingListsJustTheHeadersThatMove() {
        let (layout, host) = makeLayout(StickyHeaders())
        host.bounds.origin.y = 100
        let bounds = Rect(x: 0, y: 110, width: 320, height: 150)
        #expect(layout.shouldInvalidateLayout(forBoundsChange: bounds))
        let context = layout.invalidationContext(forBoundsChange: bounds)
        #expect(context.isPartial)
        #expect(context.invalidatedItemIndexPaths.isEmpty)
        #expect(
            context.invalidatedSupplementaryIndexPaths == [.header: [ItemPath(section: 0, item: 0)]]
        )
        layout.invalidateLayout(with: context)
        host.bounds = bounds
        layout.prepare()
        #expect(layout.work.laidOutSections == 3)
        #expect(top(.header(0), layout) == 110)
        // Pushed to the end of its section, the first header rests until the second one moves.
        host.bounds.origin.y = 175
        #expect(
            !layout.shouldInvalidateLayout(
                forBoundsChange: Rect(x: 0, y: 185, width: 320, height: 150)
            )
        )
    }

    @Test
    func randomPinningEqualsANaiveOne() {
        var random = SeededNumbers(seed: 7)
        for round in 0..<Effort.number(1_000, usually: 250) {
            let composition = RandomComposition(&random)
            let (host, direction) = (composition.host, composition.direction)
            host.displayScale = 1024
            let layout = composition.makeLayout()
            layout.features = [StickyHeaders(pinsFooters: true)]
            layout.prepare()
            let naive = composition.naive()
            let offset = Double(random.next(below: Int(naive.contentExtent) * 4 + 800)) / 4 - 100
            host.bounds.origin = Point(along: offset, across: 0, direction)
            let visible = host.bounds.inset(by: host.adjustedContentInset)
            #expect(
                isAlmostEqual(
                    layout.layoutAttributesForElements(in: everywhere),
                    naive.pinned(in: visible),
                    scale: 1024
                ),
                "round \(round)"
            )
        }
    }

    @Test
    func featuresRewriteInOrderAndReachFurther() {
        struct Shift: LayoutFeature {
            let distance: Double
            var reach: Double { distance }
            func rewrite(_ attributes: LayoutAttributes, in surroundings: LayoutSurroundings)
                -> LayoutAttributes
            {
                guard attributes.representedElementCategory == .cell else { return attributes }
                var shifted = attributes
                shifted.center.y += distance
                shifted.alpha /= 2
                return shifted
            }
        }
        let (layout, host) = makeLayout(StickyHeaders())
        defer { withExtendedLifetime(host) {} }
        layout.features.append(contentsOf: [Shift(distance: 1_000), Shift(distance: 500)])
        let path = ItemPath(section: 0, item: 0)
        #expect(layout.layoutAttributesForItem(at: path)?.alpha == 0.25)
        let found = layout.layoutAttributesForElements(
            in: Rect(x: 0, y: 1_530, width: 9, height: 1)
        )
        #expect(found.isEmpty)
        let wide = layout.layoutAttributesForElements(
            in: Rect(x: 0, y: 1_530, width: 99, height: 1)
        )
        #expect(wide.map(\.indexPath) == [path])
    }
}
