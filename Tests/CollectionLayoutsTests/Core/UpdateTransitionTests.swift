import TestSupport
import Testing

@testable import CollectionLayouts

/// Where views come from and go to in an update.
@Suite("Updates under way")
struct UpdateTransitionTests {
    /// What an element is, wherever it is: a section's or an item's identity, and the kind of view.
    private struct Identity: Hashable {
        let id: Int
        let category: ElementCategory
        let number: Int
    }

    private func everything(_ layout: CollectionLayout, _ host: SectionTestHost)
        -> [Identity: LayoutAttributes]
    {
        var all: [Identity: LayoutAttributes] = [:]
        for attributes in layout.layoutAttributesForElements(in: everywhere) {
            let (path, section) = (
                attributes.indexPath, host.sections[attributes.indexPath.section]
            )
            let identity =
                attributes.representedElementCategory == .cell
                ? Identity(id: section.items[path.item].id, category: .cell, number: 0)
                : Identity(
                    id: section.id,
                    category: attributes.representedElementCategory,
                    number: path.item
                )
            all[identity] = attributes
        }
        return all
    }

    @Test
    func survivorsComeFromWhereTheyWereAndGoWhereTheyAre() throws {
        var random = SeededNumbers(seed: 31)
        for round in 0..<Effort.number(150, usually: 40) {
            let composition = RandomComposition(&random)
            let host = composition.host
            let layout = composition.makeLayout()
            if random.chance(0.3) { layout.features = [StickyHeaders()] }
            layout.prepare()
            let before = everything(layout, host)
            let draft = RandomUpdate(from: host.shape, &random, rate: 0.2)
            let update = try draft.changes.validated(from: host.shape, to: draft.newShape)
            host.apply(update, &random)
            layout.prepare(applying: update)
            layout.prepare(forCollectionViewUpdates: [])
            let after = everything(layout, host)
            for (identity, now) in after {
                var expected = before[identity] ?? now
                if before[identity] == nil { expected.alpha = 0 }
                expected.place = now.place
                #expect(
                    layout.initialLayoutAttributes(forAppearing: now.place) == expected,
                    "round \(round)"
                )
            }
            for (identity, was) in before {
                var expected = after[identity] ?? was
                if after[identity] == nil { expected.alpha = 0 }
                expected.place = was.place
                #expect(
                    layout.finalLayoutAttributes(forDisappearing: was.place) == expected,
                    "round \(round)"
                )
            }
            layout.finalizeCollectionViewUpdates()
            #expect(everything(layout, host) == after)
            if let place = after.values.first?.place {
                #expect(layout.initialLayoutAttributes(forAppearing: place) == nil)
            }
            if let place = before.values.first?.place {
                #expect(layout.finalLayoutAttributes(forDisappearing: place) == nil)
            }
        }
    }

    /// Deletes the first of a hundred items of one section, and moves the last to its place.
    private func update(_ layout: CollectionLayout, _ host: ScriptedHost) throws {
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [ItemPath(section: 0, item: 0)])
        changes.moveItem(at: ItemPath(section: 0, item: 99), to: ItemPath(section: 0, item: 0))
        let update = try changes.validated(from: [100], to: [99])
        let last = host.sections[0].items.removeLast()
        host.sections[0].items[0] = last
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
        layout.prepare(forCollectionViewUpdates: [])
    }

    private func item(_ item: Int) -> LayoutPlace { .cell(ItemPath(section: 0, item: item)) }

    @Test(arguments: [false, true])
    func aRowThatMovesIntoSightComesFromOutOfSight(isList: Bool) throws {
        let host = ScriptedHost([.uniform(100, 320, 40)])
        host.sections[0].line = 0
        let layout = host.lay(isList ? ListLayout() : FlowLayout() as CollectionLayout)
        try update(layout, host)
        let coming = try #require(layout.initialLayoutAttributes(forAppearing: item(0)))
        #expect(coming.frame == Rect(x: 0, y: 99 * 40, width: 320, height: 40))
        #expect(coming.alpha == 1 && coming.place == item(0))
        let going = try #require(layout.finalLayoutAttributes(forDisappearing: item(99)))
        #expect(going.frame == Rect(x: 0, y: 0, width: 320, height: 40) && going.alpha == 1)
        let deleted = try #require(layout.finalLayoutAttributes(forDisappearing: item(0)))
        #expect(deleted.frame == going.frame && deleted.alpha == 0)
        #expect(layout.collectionViewContentSize.height == 99 * 40)
    }

    @Test
    func aLayoutThatKeepsNothingOfItsOwnRemembersWhatWasShown() throws {
        let host = ScriptedHost([.uniform(100, 1, 1)], width: 100, height: 100)
        let layout = host.lay(PagerLayout())
        host.bounds.origin.x = 9_900
        try update(layout, host)
        #expect(layout.initialLayoutAttributes(forAppearing: item(0))?.frame.minX == 9_900)
        // What was not shown fades in, and out, at its place.
        let unknown = try #require(layout.initialLayoutAttributes(forAppearing: item(5)))
        #expect(unknown.frame.minX == 500 && unknown.alpha == 0)
        #expect(layout.finalLayoutAttributes(forDisappearing: item(0)) == nil)
    }

    @Test
    func anotherInvalidationOfEverythingEndsWhatWasUnderWay() throws {
        let host = ScriptedHost([.uniform(100, 320, 40)])
        let layout = host.lay(FlowLayout())
        try update(layout, host)
        let context = FlowLayoutInvalidationContext()
        context.invalidatesEverything = true
        layout.invalidateLayout(with: context)
        #expect(layout.initialLayoutAttributes(forAppearing: item(0)) == nil)
    }

    @Test
    func aReloadOfAllDataMovesNothing() throws {
        let host = ScriptedHost([.uniform(3, 320, 40)])
        let layout = host.lay(FlowLayout())
        var changes = HierarchyChangeSet()
        changes.reloadData()
        layout.prepare(applying: try changes.validated(from: [3], to: [3]))
        #expect(layout.initialLayoutAttributes(forAppearing: item(0)) == nil)
    }

    @Test
    func aSubclassSaysItself() {
        final class Own: PagerLayout {
            override func initialLayoutAttributes(forAppearing place: LayoutPlace)
                -> LayoutAttributes?
            {
                layoutAttributesBeforeUpdate(for: place)
            }
        }
        #expect(Own().initialLayoutAttributes(forAppearing: item(0)) == nil)
    }
}
