import PersistentTrees
import TestSupport
import Testing

@testable import CollectionLayouts

/// Rows of full width.
@Suite struct ListLayoutTests {
    /// Every attribute, top to bottom, computed from the beginning.
    private func naive(_ host: ScriptedHost) -> [LayoutAttributes] {
        var (all, y): ([LayoutAttributes], Double) = ([], 0)
        func add(_ place: LayoutPlace, _ height: Double) {
            let frame = Rect(x: 0, y: y, width: host.bounds.size.width, height: height)
            var attributes = LayoutAttributes(place, frame: frame)
            if place.category != .cell { attributes.zIndex = 10 }
            if place.category == .cell || height > 0 { all.append(attributes) }
            y += height
        }
        for (section, scripted) in host.sections.enumerated() {
            add(.header(section), scripted.header ?? 0)
            for (item, size) in scripted.items.enumerated() {
                add(.cell(ItemPath(section: section, item: item)), size?.height ?? 44)
            }
            add(.footer(section), scripted.footer ?? 0)
        }
        return all
    }

    @Test(arguments: 0..<40)
    func aListIsWhatItsHeightsSayAfterEveryUpdate(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let host = ScriptedHost()
        host.displayScale = 8
        for _ in 0..<3 { host.sections.append(FlowScenario.section(&random)) }
        let layout = host.lay(ListLayout())
        for _ in 0..<20 {
            let old = HierarchyShape(host.sections.map(\.items.count))
            let change = RandomUpdate(from: old, &random, rate: 0.2)
            let update = try change.changes.validated(from: old, to: change.newShape)
            let items = try update.apply(to: host.sections.map(\.items)) { _ in
                FlowScenario.size(&random, 2)
            }
            host.sections = items.indices.map { index in
                let kept =
                    update.sectionInsertion(at: index)?.role == .reload
                    ? nil : update.oldSection(for: index)
                var section =
                    kept.map { host.sections[$0] } ?? FlowScenario.section(&random)
                section.items = items[index]
                return section
            }
            let context = LayoutInvalidationContext()
            context.invalidatesDataSourceCounts = true
            layout.invalidateLayout(with: context)
            layout.prepare(applying: update)

            let expected = naive(host)
            for attributes in expected {
                #expect(layout.layoutAttributes(for: attributes.place) == attributes)
            }
            #expect(
                layout.collectionViewContentSize.height == expected.map(\.frame.maxY).max() ?? 0
            )
            let y = Double.random(
                in: -10...(layout.collectionViewContentSize.height + 10),
                using: &random
            )
            let rect = Rect(x: 0, y: y, width: 10, height: 300)
            let found = layout.layoutAttributesForElements(in: rect)
            #expect(Set(found) == Set(expected.filter { $0.frame.intersects(rect) }))
        }
    }

    @Test func aChangeAsksOnlyForWhatCame() throws {
        let host = ScriptedHost([.uniform(100_000, 1, 10)])
        let layout = host.lay(ListLayout())
        let asked = layout.work.askedSizes
        let path = ItemPath(section: 0, item: 50_000)
        host.sections[0].items[path.item] = Size(width: 1, height: 15)
        let partial = LayoutInvalidationContext()
        partial.invalidateItems(at: [path])
        layout.invalidateLayout(with: partial)
        layout.prepare()
        #expect(layout.work.askedSizes == asked + 1)
        #expect(layout.collectionViewContentSize.height == 1_000_005)

        var changes = HierarchyChangeSet()
        changes.insertItems(at: (0..<10).map { ItemPath(section: 0, item: $0 * 1000) })
        let update = try changes.validated(from: [100_000], to: [100_010])
        for edit in update.itemInsertions {
            host.sections[0].items.insert(.zero, at: edit.path.item)
        }
        let context = LayoutInvalidationContext()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
        #expect(layout.work.askedSizes == asked + 11)
        #expect(layout.collectionViewContentSize.height == 1_000_005)
    }

    @Test func rowsComeAndGoAsTheOptionsSay() throws {
        let host = ScriptedHost([.uniform(3, 1, 10)])
        let layout = ListLayout()
        layout.attach(to: host)
        layout.prepare()
        let (first, last) = (ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 2))
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [first], animation: .leading)
        changes.insertItems(at: [last], animation: .bottom)
        let update = try changes.validated(from: [3], to: [3])
        let context = LayoutInvalidationContext()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
        layout.prepare(forCollectionViewUpdates: [.deleteItem(first), .insertItem(last)])
        let coming = layout.initialLayoutAttributes(forAppearing: .cell(last))
        #expect(coming?.frame == Rect(x: 0, y: 30, width: 320, height: 10))
        let going = layout.finalLayoutAttributes(forDisappearing: .cell(first))
        #expect(going?.frame == Rect(x: -320, y: 0, width: 320, height: 10))
        // A row that stayed comes from where it was.
        let staying = layout.initialLayoutAttributes(forAppearing: .cell(first))
        #expect(staying?.frame == Rect(x: 0, y: 10, width: 320, height: 10))
        layout.finalizeCollectionViewUpdates()
        #expect(layout.finalLayoutAttributes(forDisappearing: .cell(first)) == nil)
    }

    @Test func rowsOfInsertedSectionsComeAsTheOptionOfTheSectionSays() throws {
        let host = ScriptedHost([.uniform(2, 1, 10)])
        let layout = ListLayout()
        _ = host.lay(layout)
        var changes = HierarchyChangeSet()
        changes.insertSections([0], animation: .leading)
        let update = try changes.validated(from: [2], to: [1, 2])
        host.sections.insert(.uniform(1, 1, 30), at: 0)
        let context = LayoutInvalidationContext()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
        let coming = layout.initialLayoutAttributes(
            forAppearing: .cell(ItemPath(section: 0, item: 0))
        )
        #expect(coming?.frame == Rect(x: -320, y: 0, width: 320, height: 30))
        let staying = layout.initialLayoutAttributes(
            forAppearing: .cell(ItemPath(section: 1, item: 1))
        )
        #expect(staying?.frame == Rect(x: 0, y: 10, width: 320, height: 10))
    }

    @Test func heightsThatAreNoneCountAsZero() {
        let host = ScriptedHost([.uniform(1, 1, .nan), .uniform(2, 1, -3)])
        host.sections[1].header = .infinity
        let layout = host.lay(ListLayout())
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 0))
        #expect(layout.errors.map(\.code) == [.itemSize, .supplementarySize, .itemSize, .itemSize])
        host.sections = [.uniform(100, 1, -1)]
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.errorCount == 100 && layout.errors.count == 64)
    }

    @Test func aRowTakesTheHeightThatItsViewAsksFor() throws {
        let host = ScriptedHost([.uniform(3, 1, 10)])
        let layout = ListLayout()
        layout.estimatesHeights = true
        layout.attach(to: host)
        layout.prepare()
        host.bounds.origin.y = 10
        let path = ItemPath(section: 0, item: 0)
        let original = try #require(layout.layoutAttributesForItem(at: path))
        var preferred = original
        preferred.size.height = 25
        #expect(
            layout.shouldInvalidateLayout(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        )
        let context = layout.invalidationContext(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: original
        )
        #expect(context.contentSizeAdjustment == Size(width: 0, height: 15))
        #expect(context.contentOffsetAdjustment == Point(x: 0, y: 15))
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(layout.collectionViewContentSize.height == 45)
    }
}
