import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("Updates of a composed layout")
struct ComposedLayoutUpdateTests {
    @Test
    func afterEveryRandomUpdateTheLayoutEqualsOneFromScratch() throws {
        var random = SeededNumbers(seed: 4)
        for round in 0..<Effort.number(150, usually: 40) {
            let composition = RandomComposition(&random)
            let (host, direction) = (composition.host, composition.direction)
            let layout = composition.makeLayout()
            if random.chance(0.5) { layout.features = [StickyHeaders(pinsFooters: true)] }
            layout.prepare()
            var preferred: [Int: Size] = [:]
            for step in 0..<12 {
                giveSizes(layout, host, &preferred, &random)
                changeSizes(layout, host, preferred, &random)
                let rate = random.chance(0.5) ? 0.05 : 0.4
                let draft = RandomUpdate(from: host.shape, &random, rate: rate)
                let update = try draft.changes.validated(from: host.shape, to: draft.newShape)
                host.apply(update, &random)
                if random.chance(0.1) { host.bounds.size.width = random.chance(0.5) ? 320 : 200 }
                layout.prepare(applying: update)
                let scratch = fromScratch(composition, preferred)
                if random.chance(0.5) { host.bounds.origin = Point(x: 40, y: 40) }
                scratch.features = layout.features
                #expect(
                    layout.collectionViewContentSize == scratch.collectionViewContentSize,
                    "round \(round) step \(step)"
                )
                #expect(
                    layout.layoutAttributesForElements(in: everywhere)
                        == scratch.layoutAttributesForElements(in: everywhere),
                    "round \(round) step \(step) \(direction)"
                )
            }
        }
    }

    /// Some items, by their identity, prefer other sizes.
    private func giveSizes(
        _ layout: ComposedLayout,
        _ host: SectionTestHost,
        _ preferred: inout [Int: Size],
        _ random: inout SeededNumbers
    ) {
        for (section, content) in host.sections.enumerated() {
            for (index, item) in content.items.enumerated() where random.chance(0.1) {
                let path = ItemPath(section: section, item: index)
                guard let original = layout.layoutAttributesForItem(at: path) else { continue }
                let size = host.makeRandomItem(&random).size
                if layout.prefer(size, to: original) != nil { preferred[item.id] = size }
            }
        }
    }

    /// Some items are of other sizes, which their listing says; sometimes that is prepared at once, and
    /// else by the next update.
    private func changeSizes(
        _ layout: ComposedLayout,
        _ host: SectionTestHost,
        _ preferred: [Int: Size],
        _ random: inout SeededNumbers
    ) {
        let context = LayoutInvalidationContext()
        for section in host.sections.indices {
            for item in host.sections[section].items.indices where random.chance(0.03) {
                // What a view preferred holds, whatever the metrics say.
                host.sections[section].items[item].size = host.makeRandomItem(&random).size
                context.invalidateItems(at: [ItemPath(section: section, item: item)])
            }
            if random.chance(0.03) {
                host.sections[section].values.headerExtent = Double(random.next(below: 80)) / 4
                let path = ItemPath(section: section, item: 0)
                context.invalidateSupplementaryElements(ofKind: .header, at: [path])
            }
        }
        guard context.isPartial else { return }
        layout.invalidateLayout(with: context)
        if random.chance(0.5) { layout.prepare() }
    }

    /// A layout of what there is now, with the preferred sizes as the items' own.
    private func fromScratch(_ composition: RandomComposition, _ preferred: [Int: Size])
        -> ComposedLayout
    {
        let host = composition.host
        let kept = host.sections
        for section in kept.indices {
            for (index, item) in kept[section].items.enumerated() {
                if let size = preferred[item.id] { host.sections[section].items[index].size = size }
            }
        }
        let layout = composition.makeLayout()
        layout.prepare()
        host.sections = kept
        return layout
    }

    @Test
    func onlyTouchedSectionsAreLaidOut() throws {
        let host = SectionTestHost()
        let size = Size(width: 100, height: 40)
        host.sections = (0..<1_000).map { _ in host.makeSection([size, size]) }
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.prepare()
        let prepared = layout.work.laidOutSections
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(section: 7, item: 0)])
        changes.deleteSections([500])
        changes.moveSection(900, toSection: 3)
        var counts = host.shape.itemCounts
        counts.remove(at: 500)
        counts[7] += 1
        let update = try changes.validated(from: host.shape, to: HierarchyShape(counts))
        var random = SeededNumbers(seed: 5)
        host.apply(update, &random)
        let questions = host.sizeQuestions
        layout.prepare(applying: update)
        #expect(layout.work.laidOutSections == prepared + 1)
        #expect(host.sizeQuestions == questions + 1)
    }

    @Test
    func whatWasInvalidBeforeAnUpdateIsLaidOutWhereItIsAfterIt() throws {
        for invalidatesAll in [false, true] {
            let host = SectionTestHost()
            let size = Size(width: 100, height: 40)
            host.sections = (0..<4).map { _ in host.makeSection([size]) }
            let layout = ComposedLayout()
            layout.attach(to: host)
            layout.prepare()
            host.sections[2].items[0].size.height = 100
            if invalidatesAll { layout.invalidateLayout() } else { layout.invalidateSections([2]) }
            let counts = LayoutInvalidationContext()
            counts.invalidatesDataSourceCounts = true
            layout.invalidateLayout(with: counts)
            var changes = HierarchyChangeSet()
            changes.deleteSections([0])
            let update = try changes.validated(from: host.shape, to: [1, 1, 1])
            host.sections.removeFirst()
            layout.prepare(applying: update)
            #expect(
                layout.layoutAttributesForItem(at: ItemPath(section: 1, item: 0))?.size.height
                    == 100
            )
            #expect(layout.work.laidOutSections == (invalidatesAll ? 7 : 5))
        }
    }

    @Test
    func countsThatChangedWithoutAWordLayOutEverything() {
        let host = SectionTestHost()
        let size = Size(width: 100, height: 40)
        host.sections = [host.makeSection([size])]
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.prepare()
        host.sections.append(host.makeSection([size, size]))
        let counts = LayoutInvalidationContext()
        counts.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: counts)
        layout.prepare()
        #expect(layout.collectionViewContentSize.height == 80)
        #expect(layout.layoutAttributesForElements(in: everywhere).count == 3)
    }

    @Test
    func aReloadOfDataLaysOutEverything() throws {
        let host = SectionTestHost()
        host.sections = [host.makeSection([Size(width: 100, height: 40)])]
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.prepare()
        var changes = HierarchyChangeSet()
        changes.reloadData()
        let update = try changes.validated(from: host.shape, to: [2, 1])
        let sizes = Array(repeating: Size(width: 200, height: 10), count: 2)
        host.sections = [host.makeSection(sizes), host.makeSection([sizes[0]])]
        layout.prepare(applying: update)
        #expect(layout.collectionViewContentSize.height == 40)
    }

    @Test
    func aContextBringsItsLayoutAndKeepsItThroughMoves() throws {
        final class ColumnsContext: SectionLayoutProviding {
            let sectionLayout: any SectionLayout = MasonrySectionLayout(columnCount: 4)
        }
        let host = SectionTestHost()
        let sizes = Array(repeating: Size(width: 100, height: 40), count: 4)
        host.sections = (0..<3).map { _ in host.makeSection(sizes) }
        host.sections[0].context = ColumnsContext()
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.prepare()
        #expect(
            layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 3))?.size.width == 72.5
        )
        #expect(
            layout.layoutAttributesForItem(at: ItemPath(section: 1, item: 3))?.size.width == 100
        )
        var changes = HierarchyChangeSet()
        changes.moveSection(0, toSection: 2)
        changes.insertItems(at: [ItemPath(section: 2, item: 0)])
        let update = try changes.validated(from: host.shape, to: [4, 4, 5])
        var random = SeededNumbers(seed: 6)
        host.apply(update, &random)
        // Whoever asked about the place now would be told of no context.
        host.sections[2].context = nil
        layout.prepare(applying: update)
        #expect(
            layout.layoutAttributesForItem(at: ItemPath(section: 2, item: 4))?.size.width == 72.5
        )
        #expect(
            layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 3))?.size.width == 100
        )
    }
}
