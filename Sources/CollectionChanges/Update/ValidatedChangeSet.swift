/// A change set that was checked against the shapes before and after it, with its edits in the
/// fixed order and its index mappings.
///
/// Only validation makes one, or what gives no other than validation would: a difference of two states, and the algebra
/// of updates. So whoever holds one may rely on it. Its edits form four runs, and
/// applying them one after the other to an array of arrays gives exactly the new state:
///
/// 1. `itemRemovals`, descending by old path: deletes, reloads and move sources, also out of
///    deleted sections;
/// 2. `sectionRemovals`, descending by old index: deletes, reloads and move sources, a moved section
///    carrying what is left in it;
/// 3. `sectionInsertions`, ascending by new index: an inserted or reloaded section arrives with
///    `freshItemCount` fresh items, a moved one with what it carries;
/// 4. `itemInsertions`, ascending by new path: inserts, reloads and move targets, also into inserted
///    sections.
///
/// Deletes and reloads in deleted or reloaded sections, and inserts in inserted or reloaded ones, do
/// not appear: the section's own edit covers them. Reconfigurations are not edits; they hold after
/// the four runs.
///
/// Complexity: the value shares one immutable allocation; copying it is one retain.
///
/// Source: the order is that of Texture's change set and of UICollectionView, with moves kept whole.
public struct ValidatedChangeSet: Sendable {
    private let storage: Storage

    final class Storage: Sendable {
        let oldShape: HierarchyShape
        let newShape: HierarchyShape
        let isEmpty: Bool
        let isReloadData: Bool
        let edits: Edits
        let reconfigurations: [ItemReconfiguration]
        let supplementaryReloads: [SupplementaryReload]
        let sections: IndexMapping

        init(
            oldShape: HierarchyShape,
            newShape: HierarchyShape,
            isEmpty: Bool = false,
            isReloadData: Bool = false,
            edits: Edits,
            reconfigurations: [ItemReconfiguration] = [],
            supplementaryReloads: [SupplementaryReload] = [],
            sections: IndexMapping
        ) {
            self.oldShape = oldShape
            self.newShape = newShape
            self.isEmpty = isEmpty
            self.isReloadData = isReloadData
            self.edits = edits
            self.reconfigurations = reconfigurations
            self.supplementaryReloads = supplementaryReloads
            self.sections = sections
        }
    }

    init(_ storage: Storage) { self.storage = storage }

    /// The shape before the update.
    public var oldShape: HierarchyShape { storage.oldShape }

    /// The shape after the update.
    public var newShape: HierarchyShape { storage.newShape }

    /// Whether nothing was recorded.
    public var isEmpty: Bool { storage.isEmpty }

    /// Whether it is more than a new name for the same state.
    var changesSomething: Bool {
        isReloadData || !edits.isEmpty || !reconfigurations.isEmpty || !supplementaryReloads.isEmpty
    }

    /// Whether everything is replaced; the edits are then a delete of every old section and an
    /// insert of every new one, and the mappings are empty.
    public var isReloadData: Bool { storage.isReloadData }

    /// Whether it is not only equal to another one, but the same value.
    func isIdentical(to other: ValidatedChangeSet) -> Bool { storage === other.storage }

    /// Every edit in the fixed order.
    public var edits: Edits { storage.edits }

    /// The first run: items removed, descending by old path.
    public var itemRemovals: [ItemEdit] { storage.edits.itemRemovals }

    /// The second run: sections removed, descending by old index.
    public var sectionRemovals: [SectionEdit] { storage.edits.sectionRemovals }

    /// The third run: sections inserted, ascending by new index.
    public var sectionInsertions: [SectionEdit] { storage.edits.sectionInsertions }

    /// The fourth run: items inserted, ascending by new path.
    public var itemInsertions: [ItemEdit] { storage.edits.itemInsertions }

    /// The items that are updated in place, ascending by new path.
    public var reconfigurations: [ItemReconfiguration] { storage.reconfigurations }

    /// The supplementary elements to ask for again, ascending by new section, then by kind.
    public var supplementaryReloads: [SupplementaryReload] { storage.supplementaryReloads }

    /// Where sections went. A reloaded section keeps its place and so maps to its new index.
    public var sectionMapping: IndexMapping { storage.sections }
}

// MARK: - Item mapping

extension ValidatedChangeSet {
    /// Where the section at `oldSection` is now, or nil if it is gone or never was.
    ///
    /// A reloaded section maps to the place of its replacement. Complexity: O(log k).
    public func newSection(for oldSection: Int) -> Int? {
        storage.sections.newIndex(for: oldSection)
    }

    /// Where the section at `newSection` was, or nil if it is new or does not exist.
    ///
    /// A reloaded section maps to the place of its former self. Complexity: O(log k).
    public func oldSection(for newSection: Int) -> Int? {
        storage.sections.oldIndex(for: newSection)
    }

    /// Where the item at `oldPath` is now, or nil if it is gone or never was.
    ///
    /// A reloaded item maps to the place of its replacement; the items of a deleted or reloaded
    /// section map to nil, except those that were moved out of it. Complexity: O(log k).
    public func newPath(for oldPath: ItemPath) -> ItemPath? {
        guard oldShape.contains(oldPath) else { return nil }
        let removals = itemRemovals
        let position = partitionPoint(removals.count) { removals[$0].path <= oldPath }
        if position < removals.count, removals[position].path == oldPath {
            return removals[position].associatedWith
        }
        guard !isRemovedForGood(oldSection: oldPath.section),
            let newSection = newSection(for: oldPath.section)
        else { return nil }
        // Reloads keep their place among the survivors, so that it does no harm to count them with
        // what is removed on one side and inserted on the other.
        let end = partitionPoint(removals.count) { removals[$0].path.section < oldPath.section }
        let insertions = itemInsertions
        let placed = insertions.positions(inSection: newSection) { $0.path.section }
        let newItem = unlistedInteger(
            rank: oldPath.item - (end - position),
            among: placed.count
        ) { insertions[placed.lowerBound + $0].path.item }
        return ItemPath(section: newSection, item: newItem)
    }

    /// Where the item at `newPath` was, or nil if it is new or does not exist.
    ///
    /// The reverse of `newPath(for:)`. Complexity: O(log k).
    public func oldPath(for newPath: ItemPath) -> ItemPath? {
        guard newShape.contains(newPath) else { return nil }
        let insertions = itemInsertions
        let position = partitionPoint(insertions.count) { insertions[$0].path >= newPath }
        if position < insertions.count, insertions[position].path == newPath {
            return insertions[position].associatedWith
        }
        guard let oldSection = oldSection(for: newPath.section),
            !isRemovedForGood(oldSection: oldSection)
        else { return nil }
        let start = partitionPoint(insertions.count) {
            insertions[$0].path.section >= newPath.section
        }
        let removed = itemRemovals(inOldSection: oldSection)
        let oldItem = unlistedInteger(
            rank: newPath.item - (position - start),
            among: removed.count
        ) { removed[removed.endIndex - 1 - $0].path.item }
        return ItemPath(section: oldSection, item: oldItem)
    }

    /// Whether `oldSection` is deleted or reloaded, so that what was in it is gone.
    private func isRemovedForGood(oldSection: Int) -> Bool {
        sectionRemoval(at: oldSection).map { $0.role != .move } ?? false
    }
}

extension ValidatedChangeSet {
    /// The part of the first run that concerns one old section, descending.
    package func itemRemovals(inOldSection section: Int) -> ArraySlice<ItemEdit> {
        let removals = itemRemovals
        let start = partitionPoint(removals.count) { removals[$0].path.section <= section }
        let end = partitionPoint(removals.count) { removals[$0].path.section < section }
        return removals[start..<end]
    }

    /// The edit of the first run at one old path, if there is one.
    package func itemRemoval(at oldPath: ItemPath) -> ItemEdit? {
        let removals = itemRemovals
        let position = partitionPoint(removals.count) { removals[$0].path <= oldPath }
        guard position < removals.count, removals[position].path == oldPath else { return nil }
        return removals[position]
    }

    /// The edit of the second run at one old index, if there is one.
    package func sectionRemoval(at oldSection: Int) -> SectionEdit? {
        let removals = sectionRemovals
        let position = partitionPoint(removals.count) { removals[$0].section <= oldSection }
        guard position < removals.count, removals[position].section == oldSection else {
            return nil
        }
        return removals[position]
    }

    /// The edit of the third run at one new index, if there is one.
    package func sectionInsertion(at newSection: Int) -> SectionEdit? {
        let insertions = sectionInsertions
        return insertions.sortedPosition(of: newSection, by: { $0.section }).map { insertions[$0] }
    }
}
