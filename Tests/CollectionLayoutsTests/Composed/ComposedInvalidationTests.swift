import TestSupport
import Testing

@testable import CollectionLayouts

extension LayoutInvalidationContext {
    /// All that is listed.
    var places: Set<LayoutPlace> {
        var places = Set(invalidatedItemIndexPaths.map(LayoutPlace.cell))
        for (kind, paths) in invalidatedSupplementaryIndexPaths {
            places.formUnion(paths.map { LayoutPlace(.supplementary(kind), $0) })
        }
        for (kind, paths) in invalidatedDecorationIndexPaths {
            places.formUnion(paths.map { LayoutPlace(.decoration(kind), $0) })
        }
        return places
    }
}

/// Cells and backgrounds in sight are in front.
private struct Spotlight: LayoutFeature {
    func followsContentOffset(_ category: ElementCategory) -> Bool {
        category == .cell || category == .decoration(.background)
    }

    func rewrite(_ attributes: LayoutAttributes, in surroundings: LayoutSurroundings)
        -> LayoutAttributes
    {
        guard followsContentOffset(attributes.representedElementCategory),
            attributes.frame.intersects(surroundings.visibleRect)
        else { return attributes }
        var lit = attributes
        lit.zIndex += 100
        return lit
    }
}

/// Follows the content offset without saying so.
private struct Silent: LayoutFeature {
    func rewrite(_ attributes: LayoutAttributes, in surroundings: LayoutSurroundings)
        -> LayoutAttributes
    {
        var faded = attributes
        faded.alpha = 1 / (2 + abs(surroundings.contentOffset.y + surroundings.contentOffset.x))
        return faded
    }
}

@Suite("What a composed layout lists as no longer right")
struct ComposedInvalidationTests {
    private func attributes(_ layout: ComposedLayout) -> [LayoutPlace: LayoutAttributes] {
        Dictionary(
            uniqueKeysWithValues: layout.layoutAttributesForElements(in: everywhere).map {
                ($0.place, $0)
            }
        )
    }

    private func offset(_ random: inout SeededNumbers, _ layout: ComposedLayout) -> Double {
        let extent = layout.collectionViewContentSize.along(layout.scrollDirection)
        return Double(random.next(below: Int(extent) * 4 + 400)) / 4 - 50
    }

    @Test func invalidSectionsAreListedByTheFirstHeaderAndWhatIsShownFromThereOn() {
        for seed in 0..<Effort.number(60, usually: 20) {
            var random = SeededNumbers(seed: UInt64(seed))
            let composition = RandomComposition(&random)
            let host = composition.host
            let layout = composition.makeLayout()
            layout.prepare()
            let origin = Point(along: offset(&random, layout), across: 0, composition.direction)
            host.bounds.origin = origin
            let sections = host.sections.indices.filter { _ in random.chance(0.4) }
            guard let first = sections.first else { continue }
            layout.invalidateSections(sections.shuffled(using: &random))
            let shown = layout.layoutAttributesForElements(in: host.bounds).map(\.place)
            let expected = Set(shown.filter { $0.path.section >= first } + [.header(first)])
            #expect(host.contexts.last?.places == expected, "seed \(seed)")
            #expect(host.contexts.last?.isPartial == true)
        }
    }

    /// They are applied to what is shown, and no section is laid out for them.
    @Test func otherFeaturesAreAppliedToWhatIsShown() {
        for seed in 0..<30 {
            var random = SeededNumbers(seed: UInt64(seed))
            let composition = RandomComposition(&random)
            let host = composition.host
            let layout = composition.makeLayout()
            layout.prepare()
            let prepared = layout.work.laidOutSections
            layout.features = [StickyHeaders()]
            #expect(host.contexts.count == 1)
            let shown = layout.layoutAttributesForElements(in: host.bounds).map(\.place)
            #expect(host.contexts.last?.places == Set(shown))
            layout.prepare()
            #expect(layout.work.laidOutSections == prepared)
        }
    }

    private let features: [[any LayoutFeature]] = [
        [], [Silent()], [StickyHeaders()], [StickyHeaders(pinsFooters: true)], [Spotlight()],
        [StickyHeaders(pinsHeaders: false, pinsFooters: true)],
        [StickyHeaders(pinsFooters: true), Spotlight()],
    ]

    /// As far as the view scrolls at once, up to a viewport from one to the next.
    @Test(arguments: 0..<Effort.number(8, usually: 2))
    func scrollingListsAllThatFollowsItAndIsShownOtherwise(batch: Int) {
        for seed in (batch * 40)..<(batch * 40 + 40) {
            var random = SeededNumbers(seed: UInt64(seed))
            let composition = RandomComposition(&random)
            let (host, direction) = (composition.host, composition.direction)
            let layout = composition.makeLayout()
            layout.features = features[random.next(below: features.count)]
            layout.prepare()
            func follows(_ category: ElementCategory) -> Bool {
                layout.features.contains { $0.followsContentOffset(category) }
            }
            let extent = host.bounds.size.along(direction)
            for _ in 0..<4 {
                let start = offset(&random, layout)
                let jump = Double(random.next(below: 1_000) - 500) / 500 * 1.9 * extent
                host.bounds.origin = Point(along: start, across: 0, direction)
                let old = host.bounds
                let before = attributes(layout)
                host.bounds.origin = Point(
                    along: (4 * (start + jump)).rounded() / 4,
                    across: random.chance(0.2) ? 30 : 0,
                    direction
                )
                let new = host.bounds
                let after = attributes(layout)
                host.bounds = old
                let expected = Set(
                    before.keys.filter { follows($0.category) && before[$0] != after[$0] }
                )
                let context = layout.invalidationContext(forBoundsChange: new)
                #expect(context.places == expected, "seed \(seed), \(old) to \(new)")
                #expect(layout.shouldInvalidateLayout(forBoundsChange: new) == !expected.isEmpty)
                let prepared = layout.work.laidOutSections
                layout.invalidateLayout(with: context)
                layout.prepare()
                #expect(layout.work.laidOutSections == prepared)
            }
        }
    }

    /// Whatever moves beside that: all of it is laid out.
    @Test func anotherRoomAcrossListsNothingSinceItIsEverything() {
        let host = SectionTestHost()
        let values = SectionMetrics(headerExtent: 20)
        host.sections = (0..<9).map { _ in
            host.makeSection([Size(width: 100, height: 200)], values)
        }
        let layout = ComposedLayout()
        layout.features = [StickyHeaders()]
        _ = host.lay(layout)
        let bounds = Rect(x: 0, y: 77, width: 300, height: 480)
        #expect(layout.invalidationContext(forBoundsChange: host.bounds.offsetBy(dy: 77)).isPartial)
        #expect(layout.shouldInvalidateLayout(forBoundsChange: bounds))
        let context = layout.invalidationContext(forBoundsChange: bounds)
        #expect(context.places == [] && !context.isPartial)
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(layout.work.laidOutSections == 18, "also if the bounds stay what they were")
    }

    @Test func withoutFeaturesScrollingLooksAtNothing() {
        let host = SectionTestHost()
        host.sections = (0..<50).map { _ in host.makeSection([Size(width: 100, height: 40)]) }
        let layout = host.lay(ComposedLayout())
        let visited = layout.work.visitedSections
        #expect(visited == 0, "nor does preparing")
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: host.bounds.offsetBy(dy: 100)))
        #expect(layout.work.visitedSections == visited)
    }

    /// One step of the search, and the section: what touches it only within a pixel would be another.
    @Test(arguments: ScrollDirection.allCases)
    func aRectangleWithinASectionLooksAtThatSectionAlone(_ direction: ScrollDirection) {
        let host = SectionTestHost(width: 40, height: 40)
        host.displayScale = 3
        host.sections = (0..<50).map { _ in host.makeSection([Size(width: 40, height: 40)]) }
        for features in [[], [StickyHeaders()]] as [[any LayoutFeature]] {
            let layout = ComposedLayout(scrollDirection: direction)
            layout.features = features
            _ = host.lay(layout)
            let visited = layout.work.visitedSections
            let rect = AxisRect(along: 401, across: 0, alongExtent: 38, acrossExtent: 40)
            let found = layout.layoutAttributesForElements(in: rect.rect(direction))
            #expect(found.map(\.indexPath) == [ItemPath(section: 10, item: 0)])
            #expect(layout.work.visitedSections - visited == 2)
        }
    }
}
