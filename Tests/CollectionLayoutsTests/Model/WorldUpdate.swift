import TestSupport

@testable import CollectionLayouts

/// A random change of a world with edits of every kind, its recorded change set, and its meaning in
/// terms of identities instead of indexes.
struct WorldUpdate {
    let update: ValidatedChangeSet
    let sections: [WorldSection]
    private let oldSections: [WorldSection]

    /// The inserted, moved and updated items, which a layout must query.
    private(set) var touchedItems: Set<Int> = []
    /// The kept sections with any change.
    private(set) var touchedSections: Set<Int> = []
    /// The reloaded kinds, by section.
    private(set) var reloadedKinds: [Int: [SupplementaryKind: AnimationOption]] = [:]
    /// The kept sections with inserted, removed or updated items.
    private(set) var editedSections: Set<Int> = []
    /// The items that moved without another change, which keep the heights of their rows.
    private(set) var movedRows: Set<Int> = []

    private var oldOptions: [ItemPath: AnimationOption] = [:]
    private var newOptions: [ItemPath: AnimationOption] = [:]
    private var oldSectionOptions: [Int: AnimationOption] = [:]
    private var newSectionOptions: [Int: AnimationOption] = [:]
    private var updateOptions: [Int: AnimationOption] = [:]
    private let oldItemPaths: [Int: ItemPath]
    private let newItemPaths: [Int: ItemPath]
    private let oldSectionIndexes: [Int: Int]
    private let newSectionIndexes: [Int: Int]

    init(of world: World) throws {
        oldSections = world.sections
        update = try Self.draw(world)
        let (items, update) = (oldSections.map(\.items), update)
        var newItems = try update.apply(to: items) { _ in world.makeItem() }
        for path in update.reconfigurations.map(\.newPath) {
            world.change(&newItems[path.section][path.item])
        }
        sections = newItems.enumerated().map { index, items in
            let old = update.isNew(index) ? nil : update.oldSection(for: index)
            var section = old.map { world.sections[$0] } ?? world.makeSection()
            section.items = items
            return section
        }
        oldItemPaths = Self.paths(oldSections)
        newItemPaths = Self.paths(sections)
        oldSectionIndexes = Self.indexes(oldSections)
        newSectionIndexes = Self.indexes(sections)
        noteItems()
        noteSections()
    }

    private static func paths(_ sections: [WorldSection]) -> [Int: ItemPath] {
        var paths: [Int: ItemPath] = [:]
        for (index, section) in sections.enumerated() {
            for (item, value) in section.items.enumerated() {
                paths[value.id] = ItemPath(index, item)
            }
        }
        return paths
    }

    private static func indexes(_ sections: [WorldSection]) -> [Int: Int] {
        var indexes: [Int: Int] = [:]
        for (index, section) in sections.enumerated() { indexes[section.id] = index }
        return indexes
    }

    private static func draw(_ world: World) throws -> ValidatedChangeSet {
        let draw = world.draw
        let old = HierarchyShape(world.sections.map(\.items.count))
        let rate = draw.one(of: [0, 0.1, 0.3])
        let drawn = RandomUpdate(from: old, &draw.numbers, rate: rate)
        var operations = drawn.changes.apart(draw.option)
        // Some moved items are updated too.
        for case .moveItem(let path, _, _) in operations where draw.chance(0.3) {
            operations.append(.reconfigureItems([path], draw.option()))
        }
        let first = try drawn.changes.validated(from: old, to: drawn.newShape)
        for index in drawn.newShape.itemCounts.indices where !first.isNew(index) {
            guard draw.chance(0.15) else { continue }
            let kind = draw.one(of: [SupplementaryKind.header, .footer, .badge])
            operations.append(.reloadSupplementaries(kind, in: [index], draw.option()))
        }
        return try HierarchyChangeSet(draw.shuffled(operations))
            .validated(from: old, to: drawn.newShape)
    }

    private mutating func noteItems() {
        for edit in update.itemRemovals {
            oldOptions[edit.path] = edit.animation
            editedSections.insert(oldSections[edit.path.section].id)
        }
        for edit in update.itemInsertions {
            newOptions[edit.path] = edit.animation
            editedSections.insert(sections[edit.path.section].id)
            let item = sections[edit.path.section].items[edit.path.item].id
            touchedItems.insert(item)
            if edit.role == .move { movedRows.insert(item) }
        }
        for edit in update.reconfigurations {
            editedSections.insert(oldSections[edit.oldPath.section].id)
            let item = sections[edit.newPath.section].items[edit.newPath.item].id
            updateOptions[item] = edit.animation
            touchedItems.insert(item)
            movedRows.remove(item)
        }
    }

    private mutating func noteSections() {
        for edit in update.sectionRemovals { oldSectionOptions[edit.section] = edit.animation }
        for edit in update.sectionInsertions { newSectionOptions[edit.section] = edit.animation }
        for reload in update.supplementaryReloads {
            reloadedKinds[sections[reload.newSection].id] = [reload.kind: reload.animation]
        }
        touchedSections = editedSections.union(reloadedKinds.keys)
    }

    // MARK: Places

    /// Returns the old place of a view from its new place; `nil` if the view was inserted or
    /// replaced.
    func formerPlace(of place: LayoutPlace) -> LayoutPlace? {
        counterpart(of: place, from: sections, oldItemPaths, oldSectionIndexes)
    }

    /// Returns the new place of a view from its old place; `nil` if the view was removed or
    /// replaced.
    func survivingPlace(of place: LayoutPlace) -> LayoutPlace? {
        counterpart(of: place, from: oldSections, newItemPaths, newSectionIndexes)
    }

    private func counterpart(
        of place: LayoutPlace,
        from these: [WorldSection],
        _ paths: [Int: ItemPath],
        _ indexes: [Int: Int]
    ) -> LayoutPlace? {
        guard these.indices.contains(place.path.section) else { return nil }
        let section = these[place.path.section]
        if place.category == .cell {
            guard section.items.indices.contains(place.path.item) else { return nil }
            return paths[section.items[place.path.item].id].map(LayoutPlace.cell)
        }
        if case .supplementary(let kind) = place.category,
            reloadedKinds[section.id]?[kind] != nil
        {
            return nil
        }
        return indexes[section.id].map {
            LayoutPlace(place.category, ItemPath($0, place.path.item))
        }
    }

    private static func isPlace(_ place: LayoutPlace, in sections: [WorldSection]) -> Bool {
        guard sections.indices.contains(place.path.section) else { return false }
        return place.category != .cell
            || sections[place.path.section].items.indices.contains(place.path.item)
    }

    /// Returns the option of the edit that affects the view at a new place.
    func option(new place: LayoutPlace) -> AnimationOption? {
        let index = place.path.section
        guard Self.isPlace(place, in: sections) else { return nil }
        switch place.category {
        case .cell:
            return newOptions[place.path] ?? newSectionOptions[index]
                ?? updateOptions[sections[index].items[place.path.item].id]
        case .supplementary(let kind):
            return reloadedKinds[sections[index].id]?[kind] ?? newSectionOptions[index]
        case .decoration: return newSectionOptions[index]
        }
    }

    /// Returns the option of the edit that affects the view at an old place.
    func option(old place: LayoutPlace) -> AnimationOption? {
        let index = place.path.section
        guard Self.isPlace(place, in: oldSections) else { return nil }
        switch place.category {
        case .cell:
            return oldOptions[place.path] ?? oldSectionOptions[index]
                ?? updateOptions[oldSections[index].items[place.path.item].id]
        case .supplementary(let kind):
            return reloadedKinds[oldSections[index].id]?[kind] ?? oldSectionOptions[index]
        case .decoration: return oldSectionOptions[index]
        }
    }
}

extension ValidatedChangeSet {
    fileprivate func isNew(_ newSection: Int) -> Bool {
        sectionInsertions.contains { $0.section == newSection && $0.role != .move }
    }
}
