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
        var draft = Draft(world)
        draft.decide()
        draft.arrange()
        draft.record()
        oldSections = world.sections
        sections = draft.rows.map(\.section)
        touchedItems = draft.touchedItems
        editedSections = draft.editedSections
        movedRows = draft.movedItems.subtracting(draft.updateOptions.keys)
        reloadedKinds = draft.reloadedKinds
        touchedSections = draft.editedSections.union(draft.reloadedKinds.keys)
        (oldOptions, newOptions) = (draft.oldOptions, draft.newOptions)
        (oldSectionOptions, newSectionOptions) = (draft.oldSections, draft.newSections)
        updateOptions = draft.updateOptions
        oldItemPaths = Self.paths(oldSections)
        newItemPaths = Self.paths(sections)
        oldSectionIndexes = Self.indexes(oldSections)
        newSectionIndexes = Self.indexes(sections)
        update = try draft.changes.validated(
            from: HierarchyShape(oldSections.map(\.items.count)),
            to: HierarchyShape(sections.map(\.items.count))
        )
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

/// A change while it is drawn.
private struct Draft {
    let world: World
    let draw: Draw
    var rows: [Row] = []
    private var movedRows: [Row] = []
    /// Removed items that are to be inserted elsewhere, with their old paths.
    private var loose: [(item: WorldItem, from: ItemPath?)] = []
    private var arrivals: [Int: ItemPath] = [:]
    private var insertions: Set<Int> = []
    private var operations: [HierarchyChangeSet.Operation] = []
    var touchedItems: Set<Int> = []
    var movedItems: Set<Int> = []
    var editedSections: Set<Int> = []
    var reloadedKinds: [Int: [SupplementaryKind: AnimationOption]] = [:]
    var oldOptions: [ItemPath: AnimationOption] = [:]
    var newOptions: [ItemPath: AnimationOption] = [:]
    var oldSections: [Int: AnimationOption] = [:]
    var newSections: [Int: AnimationOption] = [:]
    var updateOptions: [Int: AnimationOption] = [:]
    private var reloadOptions: [Int: AnimationOption] = [:]

    struct Row {
        var section: WorldSection
        var origin: Int?
        var isNew = false
        var isMoved = false
    }

    init(_ world: World) { (self.world, draw) = (world, world.draw) }

    var changes: HierarchyChangeSet {
        HierarchyChangeSet(draw.shuffled(operations))
    }

    /// Decides the fate of the existing sections and items.
    mutating func decide() {
        let rate = draw.one(of: [0, 0.1, 0.3])
        for (index, old) in world.sections.enumerated() {
            let fate = draw.below(12)
            let option = draw.option()
            var row = Row(section: old, origin: index)
            row.section.items = []
            for (item, value) in old.items.enumerated() {
                let path = ItemPath(index, item)
                decide(value, path, &row, leaves: fate <= 1, draw.chance(rate))
            }
            switch fate {
            case 0:
                operations.append(.deleteSections([index], option))
                oldSections[index] = option
            case 1:
                operations.append(.reloadSections([index], option))
                (oldSections[index], reloadOptions[index]) = (option, option)
                row.section = world.makeSection()
                row.isNew = true
                rows.append(row)
            case 2:
                row.isMoved = true
                movedRows.append(row)
            default: rows.append(row)
            }
        }
    }

    private mutating func decide(
        _ value: WorldItem,
        _ path: ItemPath,
        _ row: inout Row,
        leaves: Bool,
        _ isTouched: Bool
    ) {
        let option = draw.option()
        var value = value
        let fate = isTouched ? draw.below(leaves ? 2 : 5) : 5
        if fate == 4 || fate == 1 && draw.chance(0.3) {
            world.change(&value)
            operations.append(.reconfigureItems([path], option))
            updateOptions[value.id] = option
            touchedItems.insert(value.id)
        }
        // Options of moves are drawn at their targets.
        if (1...4).contains(fate) { editedSections.insert(row.section.id) }
        switch fate {
        case 1: loose.append((value, path))
        case 2:
            operations.append(.deleteItems([path], option))
            oldOptions[path] = option
        case 3:
            operations.append(.reloadItems([path], option))
            oldOptions[path] = option
            let newItem = world.makeItem()
            touchedItems.insert(newItem.id)
            row.section.items.append(newItem)
            reloadOptionsOfItems[newItem.id] = option
        default:
            row.section.items.append(value)
        }
    }

    private var reloadOptionsOfItems: [Int: AnimationOption] = [:]

    /// Places the moved and inserted sections and items.
    mutating func arrange() {
        for row in movedRows { rows.insert(row, at: draw.below(rows.count + 1)) }
        if rows.isEmpty || draw.chance(0.3) {
            let row = Row(section: world.makeSection(), isNew: true)
            rows.insert(row, at: draw.below(rows.count + 1))
        }
        for _ in 0..<draw.below(4) { loose.append((world.makeItem(), nil)) }
        for (item, from) in loose {
            let index = draw.below(rows.count)
            let position = draw.below(rows[index].section.items.count + 1)
            rows[index].section.items.insert(item, at: position)
            touchedItems.insert(item.id)
            if let from {
                arrivals[item.id] = from
                movedItems.insert(item.id)
            } else if !rows[index].isNew {
                insertions.insert(item.id)
            }
            if !rows[index].isNew { editedSections.insert(rows[index].section.id) }
        }
    }

    mutating func record() {
        for (index, row) in rows.enumerated() {
            if row.isNew || row.isMoved { recordSection(row, index) }
            for (item, value) in row.section.items.enumerated() {
                let (path, option) = (ItemPath(index, item), draw.option())
                if let from = arrivals[value.id] {
                    operations.append(.moveItem(at: from, to: path, option))
                    (oldOptions[from], newOptions[path]) = (option, option)
                } else if insertions.contains(value.id) {
                    operations.append(.insertItems([path], option))
                    newOptions[path] = option
                } else if let option = reloadOptionsOfItems[value.id] {
                    newOptions[path] = option
                }
            }
            guard !row.isNew, draw.chance(0.15) else { continue }
            let kinds: [SupplementaryKind] = [.header, .footer, .badge]
            let (kind, option) = (draw.one(of: kinds), draw.option())
            operations.append(.reloadSupplementaries(kind, in: [index], option))
            reloadedKinds[row.section.id] = [kind: option]
        }
    }

    private mutating func recordSection(_ row: Row, _ index: Int) {
        guard let origin = row.origin else {
            let option = draw.option()
            operations.append(.insertSections([index], option))
            newSections[index] = option
            return
        }
        if let option = reloadOptions[origin] {
            newSections[index] = option
            return
        }
        let option = draw.option()
        operations.append(.moveSection(origin, toSection: index, option))
        (oldSections[origin], newSections[index]) = (option, option)
    }
}
