import TestSupport
import Testing

@testable import CollectionLayouts

/// Which layouts a random composition has, by the sections' identities.
struct RandomComposition {
    let host: SectionTestHost
    let direction: ScrollDirection

    init(_ random: inout SeededNumbers, isRightToLeft: Bool? = nil) {
        host = SectionTestHost()
        direction = random.chance(0.5) ? .vertical : .horizontal
        host.isRightToLeft = isRightToLeft ?? random.chance(0.4)
        host.adjustedContentInset = EdgeInsets(top: 8, left: 4, bottom: 12, right: 6)
        host.bounds = Rect(x: 0, y: 0, width: 320, height: 240)
        host.sections = (0..<random.next(below: 9)).map { _ in host.makeRandomSection(&random) }
    }

    func rules(_ id: Int) -> NaiveSections.Rules {
        if id % 3 == 0 { return .masonry(MasonrySectionLayout(columnCount: 1 + id % 4)) }
        var flow = FlowSectionLayout()
        flow.interitemSpacing = Double(id % 5)
        return .flow(flow)
    }

    /// The insets of a section's background; nil where there is none.
    func background(_ id: Int) -> EdgeInsets? {
        id % 5 < 3 ? nil : EdgeInsets(top: 2, left: Double(id % 7), bottom: 3.5, right: 1)
    }

    func makeLayout() -> ComposedLayout {
        let layout = ComposedLayout(scrollDirection: direction)
        layout.layoutProvider = { [rules, background, unowned host] section, _ in
            let id = host.sections[section].id
            let base: any SectionLayout =
                switch rules(id) {
                case .flow(let layout): layout
                case .masonry(let layout): layout
                }
            return background(id).map { base.background(.background, insets: $0) } ?? base
        }
        layout.attach(to: host)
        return layout
    }

    func naive() -> NaiveSections {
        NaiveSections(
            host,
            direction,
            backgrounds: { background(host.sections[$0].id) },
            { rules(host.sections[$0].id) }
        )
    }

    func randomRect(_ random: inout SeededNumbers, extent: Double) -> Rect {
        let along = Double(random.next(below: Int(extent) * 4 + 400)) / 4 - 50
        let rect = AxisRect(
            along: along,
            across: Double(random.next(below: 1_400)) / 4 - 20,
            alongExtent: Double(random.next(below: 1_200)) / 4,
            acrossExtent: Double(random.next(below: 1_400)) / 4
        )
        return rect.rect(direction)
    }
}

/// Everything, with room on all sides.
let everywhere = Rect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)

/// Whether two lists of attributes agree, their frames within a rounding error of the pixel that they
/// are aligned to.
func isAlmostEqual(_ some: [LayoutAttributes], _ others: [LayoutAttributes], scale: Double) -> Bool
{
    guard some.count == others.count else { return false }
    let (some, others) = (LayoutAttributes.sorted(some), LayoutAttributes.sorted(others))
    return zip(some, others).allSatisfy { one, other in
        one.place == other.place && one.zIndex == other.zIndex
            && abs(one.frame.minX - other.frame.minX) < 1e-6 + 1 / scale
            && abs(one.frame.minY - other.frame.minY) < 1e-6 + 1 / scale
            && abs(one.size.width - other.size.width) < 1e-6
            && abs(one.size.height - other.size.height) < 1e-6
    }
}

@Suite("Composed layout")
struct ComposedLayoutTests {
    @Test
    func randomCompositionsEqualNaiveOnes() {
        var random = SeededNumbers(seed: 2)
        for round in 0..<Effort.number(2_000, usually: 400) {
            let composition = RandomComposition(&random)
            // At fine pixels, so that a rounding error moves nothing by much.
            composition.host.displayScale = 1024
            let layout = composition.makeLayout()
            layout.prepare()
            let naive = composition.naive()
            #expect(
                layout.collectionViewContentSize.along(composition.direction)
                    == naive.contentExtent,
                "round \(round)"
            )
            #expect(
                isAlmostEqual(
                    layout.layoutAttributesForElements(in: everywhere),
                    naive.attributes,
                    scale: 1024
                ),
                "round \(round)"
            )
            for attributes in layout.layoutAttributesForElements(in: everywhere) {
                #expect(
                    layout.layoutAttributes(for: attributes.place) == attributes,
                    "round \(round)"
                )
            }
        }
    }

    @Test
    func rectanglesAreAnsweredLikeAScan() {
        var random = SeededNumbers(seed: 3)
        for round in 0..<Effort.number(600, usually: 150) {
            let composition = RandomComposition(&random)
            composition.host.displayScale = Double(1 + random.next(below: 3))
            let layout = composition.makeLayout()
            if random.chance(0.5) { layout.features = [StickyHeaders(pinsFooters: true)] }
            layout.prepare()
            let extent = composition.naive().contentExtent
            for _ in 0..<6 {
                composition.host.bounds.origin =
                    composition.randomRect(&random, extent: extent).origin
                let all = layout.layoutAttributesForElements(in: everywhere)
                let rect = composition.randomRect(&random, extent: extent)
                let found = layout.layoutAttributesForElements(in: rect)
                #expect(
                    LayoutAttributes.sorted(found)
                        == LayoutAttributes.sorted(all.filter { $0.frame.intersects(rect) }),
                    "round \(round)"
                )
            }
        }
    }

    @Test
    func sectionsWithDifferentLayoutsFollowOneAnother() {
        let host = SectionTestHost()
        let size = Size(width: 100, height: 40)
        host.sections = [
            host.makeSection([size, size, size], SectionMetrics(headerExtent: 20)),
            host.makeSection([size, size, size], SectionMetrics(footerExtent: 30)),
        ]
        let layout = ComposedLayout()
        layout.layoutProvider = { section, _ in
            section == 1 ? MasonrySectionLayout(columnCount: 2) : nil
        }
        layout.attach(to: host)
        layout.prepare()
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 180))
        let frames = layout.layoutAttributesForElements(in: everywhere).map(\.frame)
        #expect(
            frames == [
                Rect(x: 0, y: 20, width: 100, height: 40),
                Rect(x: 110, y: 20, width: 100, height: 40),
                Rect(x: 220, y: 20, width: 100, height: 40),
                Rect(x: 0, y: 0, width: 320, height: 20),
                Rect(x: 0, y: 60, width: 155, height: 40),
                Rect(x: 165, y: 60, width: 155, height: 40),
                Rect(x: 0, y: 110, width: 155, height: 40),
                Rect(x: 0, y: 150, width: 320, height: 30),
            ]
        )
        #expect(layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 3)) == nil)
        #expect(layout.layoutAttributesForItem(at: ItemPath(section: 2, item: 0)) == nil)
        #expect(layout.layoutAttributes(for: .footer(0)) == nil)
        #expect(layout.layoutAttributes(for: .header(-1)) == nil)
    }

    @Test
    func aSectionWithoutItemsHasHeaderInsetsAndFooter() {
        let host = SectionTestHost()
        let values = SectionMetrics(
            insets: EdgeInsets(top: 3, bottom: 4),
            headerExtent: 10,
            footerExtent: 20
        )
        host.sections = [host.makeSection([], values)]
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.prepare()
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 37))
        #expect(layout.layoutAttributes(for: .footer(0))?.frame.minY == 17)
    }

    @Test
    func scrollingAndOtherBoundsOfTheSameWidthPrepareNothing() {
        let host = SectionTestHost()
        let size = Size(width: 100, height: 40)
        host.sections = (0..<50).map { _ in host.makeSection([size, size]) }
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.prepare()
        let questions = host.sizeQuestions
        for step in 0..<20 {
            let bounds = Rect(x: 0, y: Double(step) * 30, width: 320, height: 480)
            #expect(!layout.shouldInvalidateLayout(forBoundsChange: bounds))
            host.bounds = bounds
            #expect(!layout.layoutAttributesForElements(in: bounds).isEmpty)
        }
        #expect(layout.work.laidOutSections == 50)
        #expect(host.sizeQuestions == questions)
        #expect(
            layout.shouldInvalidateLayout(
                forBoundsChange: Rect(x: 0, y: 0, width: 300, height: 480)
            )
        )
    }

    @Test
    func anotherWidthLaysOutEverySection() {
        let host = SectionTestHost()
        let size = Size(width: 100, height: 40)
        host.sections = [host.makeSection([size, size, size])]
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.prepare()
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 40))
        let bounds = Rect(x: 0, y: 0, width: 240, height: 480)
        layout.invalidateLayout(with: layout.invalidationContext(forBoundsChange: bounds))
        host.bounds = bounds
        layout.prepare()
        #expect(layout.collectionViewContentSize == Size(width: 240, height: 90))
    }

    @Test
    func oneInvalidSectionIsLaidOutAndTheRestIsShifted() {
        let host = SectionTestHost()
        let size = Size(width: 100, height: 40)
        host.sections = (0..<100).map { _ in host.makeSection([size]) }
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.prepare()
        host.sections[3].items[0].size.height = 70
        layout.invalidateSections([3])
        #expect(host.contexts.last?.isPartial == true)
        layout.prepare()
        #expect(layout.work.laidOutSections == 101)
        #expect(layout.collectionViewContentSize.height == 4_030)
        #expect(
            layout.layoutAttributesForItem(at: ItemPath(section: 99, item: 0))?.frame.minY == 3_990
        )
        let context = LayoutInvalidationContext()
        context.invalidateItems(at: [ItemPath(section: 5, item: 0)])
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(layout.work.laidOutSections == 102)
    }

    @Test
    func aQueryAmongManySectionsLooksAtItsAnswerAndALogarithm() {
        let host = SectionTestHost()
        let size = Size(width: 100, height: 40)
        func visits(_ count: Int) -> Int {
            host.sections = (0..<count).map { _ in host.makeSection([size]) }
            let layout = ComposedLayout()
            layout.attach(to: host)
            layout.prepare()
            let middle = layout.collectionViewContentSize.height / 2
            let found = layout.layoutAttributesForElements(
                in: Rect(x: 0, y: middle, width: 320, height: 480)
            )
            #expect(found.count == 12)
            return layout.work.visitedSections
        }
        let few = visits(100)
        // Ten doublings, one more step of the search each.
        #expect(visits(100 << 10) <= few + 11)
    }
}
