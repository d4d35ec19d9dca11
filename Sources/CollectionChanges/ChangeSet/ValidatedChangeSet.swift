/// A change set that was checked against the shapes before and after it, with its edits in the
/// fixed order and its index mappings.
///
/// Every value is valid. Values are made only by validation, or by operations that return what
/// validation would return: differences of two states, and the algebra of updates. The edits form
/// four runs. Applying them in order to an array of arrays produces exactly the new state:
///
/// 1. `itemRemovals`, descending by old path: deletes, reloads and move sources, even from deleted
///    sections;
/// 2. `sectionRemovals`, descending by old index: deletes, reloads and move sources; a moved
///    section keeps the items that remain in it;
/// 3. `sectionInsertions`, ascending by new index: an inserted or reloaded section arrives with
///    `newItemCount` new items, a moved one with the items that it kept;
/// 4. `itemInsertions`, ascending by new path: inserts, reloads and move targets, also into
///    inserted sections.
///
/// Deletes and reloads in deleted or reloaded sections, and inserts in inserted or reloaded ones,
/// do not appear: the section's own edit covers them. Reconfigurations are not edits; they apply
/// after the four runs.
///
/// Complexity: the value shares one immutable allocation; copying it is one retain.
///
/// Source: the order is that of Texture's change set and of UICollectionView, with moves kept
/// whole.
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

    /// Whether the change set contains no operations.
    public var isEmpty: Bool { storage.isEmpty }

    /// Whether the update changes anything, and is not only a new version of the same state.
    var changesSomething: Bool {
        isReloadData || !edits.isEmpty || !reconfigurations.isEmpty || !supplementaryReloads.isEmpty
    }

    /// Whether everything is replaced. The edits are then a delete of every old section and an
    /// insert of every new one, and the mappings are empty.
    public var isReloadData: Bool { storage.isReloadData }

    /// Returns whether both values share their storage and are not merely equal.
    func isIdentical(to other: ValidatedChangeSet) -> Bool { storage === other.storage }

    /// All edits in the fixed order.
    public var edits: Edits { storage.edits }

    /// The first run: removed items, descending by old path.
    public var itemRemovals: [ItemEdit] { storage.edits.itemRemovals }

    /// The second run: removed sections, descending by old index.
    public var sectionRemovals: [SectionEdit] { storage.edits.sectionRemovals }

    /// The third run: inserted sections, ascending by new index.
    public var sectionInsertions: [SectionEdit] { storage.edits.sectionInsertions }

    /// The fourth run: inserted items, ascending by new path.
    public var itemInsertions: [ItemEdit] { storage.edits.itemInsertions }

    /// The items that are updated in place, ascending by new path.
    public var reconfigurations: [ItemReconfiguration] { storage.reconfigurations }

    /// The supplementary elements to request again, ascending by new section, then by kind.
    public var supplementaryReloads: [SupplementaryReload] { storage.supplementaryReloads }

    /// The mapping between old and new section indexes. A reloaded section maps to its new index.
    public var sectionMapping: IndexMapping { storage.sections }

    // MARK: Item mapping

    /// Returns the new index of the section at `oldSection`, or `nil` if it was removed or never
    /// existed.
    ///
    /// A reloaded section maps to the index of its replacement. Complexity: O(log k).
    public func newSection(for oldSection: Int) -> Int? {
        storage.sections.newIndex(for: oldSection)
    }

    /// Returns the old index of the section at `newSection`, or `nil` if it is new or does not
    /// exist.
    ///
    /// A reloaded section maps to the index of the section that it replaced. Complexity: O(log k).
    public func oldSection(for newSection: Int) -> Int? {
        storage.sections.oldIndex(for: newSection)
    }

    /// Returns the new path of the item at `oldPath`, or `nil` if it was removed or never existed.
    ///
    /// A reloaded item maps to the path of its replacement. The items of a deleted or reloaded
    /// section map to `nil`, except those that were moved out of it. Complexity: O(log k).
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
        // Reloads keep their place among the survivors, so it does no harm to count them among the
        // removed items on one side and among the inserted ones on the other.
        let end = partitionPoint(removals.count) { removals[$0].path.section < oldPath.section }
        let insertions = itemInsertions
        let placed = insertions.positions(inSection: newSection) { $0.path.section }
        let newItem = unlistedInteger(
            rank: oldPath.item - (end - position),
            among: placed.count
        ) { insertions[placed.lowerBound + $0].path.item }
        return ItemPath(section: newSection, item: newItem)
    }

    /// Returns the old path of the item at `newPath`, or `nil` if it is new or does not exist.
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

    /// Returns whether `oldSection` is deleted or reloaded, so that the items in it are gone.
    private func isRemovedForGood(oldSection: Int) -> Bool {
        sectionRemoval(at: oldSection).map { $0.role != .move } ?? false
    }

    /// Returns the part of the first run that concerns one old section, descending.
    package func itemRemovals(inOldSection section: Int) -> ArraySlice<ItemEdit> {
        let removals = itemRemovals
        let start = partitionPoint(removals.count) { removals[$0].path.section <= section }
        let end = partitionPoint(removals.count) { removals[$0].path.section < section }
        return removals[start..<end]
    }

    /// Returns the edit of the first run at one old path, if there is one.
    package func itemRemoval(at oldPath: ItemPath) -> ItemEdit? {
        let removals = itemRemovals
        return removals.descendingPosition(of: oldPath, by: \.path).map { removals[$0] }
    }

    /// Returns the edit of the second run at one old index, if there is one.
    package func sectionRemoval(at oldSection: Int) -> SectionEdit? {
        let removals = sectionRemovals
        return removals.descendingPosition(of: oldSection, by: \.section).map { removals[$0] }
    }

    /// Returns the edit of the third run at one new index, if there is one.
    package func sectionInsertion(at newSection: Int) -> SectionEdit? {
        let insertions = sectionInsertions
        return insertions.sortedPosition(of: newSection, by: { $0.section }).map { insertions[$0] }
    }

    /// The edits of an update in the fixed order, as one collection over the four runs.
    public struct Edits: RandomAccessCollection, Sendable {
        var itemRemovals: [ItemEdit] = []
        var sectionRemovals: [SectionEdit] = []
        var sectionInsertions: [SectionEdit] = []
        var itemInsertions: [ItemEdit] = []

        /// The first position; always 0.
        public var startIndex: Int { 0 }

        /// The number of edits; a reload or move counts as two.
        public var endIndex: Int {
            itemRemovals.count + sectionRemovals.count + sectionInsertions.count
                + itemInsertions.count
        }

        /// The edit at `position` in the fixed order. The position must be one of the indices.
        public subscript(position: Int) -> HierarchyEdit {
            var position = position
            if position < itemRemovals.count { return .removeItem(itemRemovals[position]) }
            position -= itemRemovals.count
            if position < sectionRemovals.count {
                return .removeSection(sectionRemovals[position])
            }
            position -= sectionRemovals.count
            if position < sectionInsertions.count {
                return .insertSection(sectionInsertions[position])
            }
            return .insertItem(itemInsertions[position - sectionInsertions.count])
        }
    }

    /// The edits of `itemRemovals`, split wherever the animation changes; a gap between their paths
    /// does not split a group.
    public var itemRemovalGroups: [ArraySlice<ItemEdit>] {
        itemRemovals.runs(by: \.animation).map(\.elements)
    }

    /// The edits of `sectionRemovals`, split wherever the animation changes.
    public var sectionRemovalGroups: [ArraySlice<SectionEdit>] {
        sectionRemovals.runs(by: \.animation).map(\.elements)
    }

    /// The edits of `sectionInsertions`, split wherever the animation changes.
    public var sectionInsertionGroups: [ArraySlice<SectionEdit>] {
        sectionInsertions.runs(by: \.animation).map(\.elements)
    }

    /// The edits of `itemInsertions`, split wherever the animation changes.
    public var itemInsertionGroups: [ArraySlice<ItemEdit>] {
        itemInsertions.runs(by: \.animation).map(\.elements)
    }

    /// Returns the new paths of the items that an inserted or reloaded section arrives with,
    /// ascending.
    ///
    /// These are all its paths except those that the fourth run fills.
    package func newItemPaths(ofSection edit: SectionEdit) -> [ItemPath] {
        newItems(ofSection: edit).flatMap { items in
            items.map { ItemPath(section: edit.section, item: $0) }
        }
    }

    /// Returns the items that an inserted or reloaded section arrives with, in runs of neighbours,
    /// ascending. The items between the runs are inserted individually.
    ///
    /// Complexity: O(log k) plus the number of items that are inserted individually.
    package func newItems(ofSection edit: SectionEdit) -> [Range<Int>] {
        guard edit.role != .move, let count = newShape.numberOfItems(inSection: edit.section) else {
            return []
        }
        var runs: [Range<Int>] = []
        var start = 0
        let filled = itemInsertions.positions(inSection: edit.section) { $0.path.section }
        for position in filled {
            let item = itemInsertions[position].path.item
            if item > start { runs.append(start..<item) }
            start = item + 1
        }
        if count > start { runs.append(start..<count) }
        return runs
    }
}

// Updates that need no validation: everything is replaced, or nothing changes.

extension ValidatedChangeSet {
    /// Returns the update that replaces everything.
    package static func reloadingData(
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        animation: AnimationOption = .automatic
    ) -> ValidatedChangeSet {
        let removals = oldShape.itemCounts.indices.reversed().map {
            SectionEdit(section: $0, role: .delete, animation: animation)
        }
        let insertions = newShape.itemCounts.enumerated().map {
            SectionEdit(
                section: $0.offset,
                role: .insert,
                newItemCount: $0.element,
                animation: animation
            )
        }
        let storage = Storage(
            oldShape: oldShape,
            newShape: newShape,
            isReloadData: true,
            edits: Edits(sectionRemovals: removals, sectionInsertions: insertions),
            // No section is the same afterwards, even if its index is.
            sections: IndexMapping(oldCount: 0, newCount: 0)
        )
        return ValidatedChangeSet(storage)
    }

    /// Returns the update that changes nothing.
    package static func unchanged(_ shape: HierarchyShape) -> ValidatedChangeSet {
        let storage = Storage(
            oldShape: shape,
            newShape: shape,
            isEmpty: true,
            edits: Edits(),
            sections: IndexMapping(
                oldCount: shape.numberOfSections,
                newCount: shape.numberOfSections
            )
        )
        return ValidatedChangeSet(storage)
    }
}

// Edits that do not come from validation: built by hand, or decoded. Nothing about them is trusted;
// only the edits that validation would return for the same change are accepted.

extension ValidatedChangeSet {
    /// Creates an update from edits that are already in the fixed order, if they are exactly the
    /// edits that validation would return.
    ///
    /// Use it for edits that were sent from another process or written by hand. If you have a
    /// record of operations, validate that instead; validation sorts the edits. Three things are
    /// checked, one after the other over the whole sequence:
    ///
    /// - The edits are in the fixed order, strictly descending or ascending within each of the four
    ///   runs.
    /// - Each edit has a role that its run allows; the two halves of reloads and moves refer to
    ///   each other; and sections arrive with the right number of new items.
    /// - The change is valid in the `standard` profile, and has exactly these edits.
    ///
    /// The first fault is thrown.
    ///
    /// ```swift
    /// let edits: [HierarchyEdit] = [
    ///     .removeItem(ItemEdit(path: ItemPath(section: 0, item: 2), role: .delete)),
    ///     .insertSection(SectionEdit(section: 1, role: .insert, newItemCount: 5)),
    /// ]
    /// let update = try ValidatedChangeSet(checking: edits, from: [3, 1], to: [2, 5, 1])
    /// ```
    ///
    /// Removals have old paths and insertions new ones; any integers are accepted as input.
    /// Reconfigurations and reloads of supplementary elements are not edits, so the update has
    /// none. A reload of everything becomes deletes and inserts of all sections.
    ///
    /// Threading: a pure function, callable from any thread.
    ///
    /// Complexity: O(k log k + s) for k edits and s sections.
    ///
    /// - Parameters:
    ///   - edits: The edits. The sequence is read once, up to the first edit that is out of order.
    ///   - oldShape: The shape before the update.
    ///   - newShape: The shape after the update.
    ///   - limits: The maximum size of both shapes.
    /// - Throws: `editOutOfOrder`, `editUnlinked`, any fault of validation, or `editMismatch`;
    ///   `operationIndex` is the index of the faulty edit in `edits`.
    public init(
        checking edits: some Sequence<HierarchyEdit>,
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        limits: ShapeLimits = ShapeLimits()
    ) throws(HierarchyUpdateError) {
        do {
            let outside = try ExternalEdits(inFixedOrder: edits)
            try limits.check(oldShape)
            try limits.check(newShape)
            try outside.checkLinks(insertedIn: newShape)
            self = try outside.validated(from: oldShape, to: newShape, limits: limits)
        } catch {
            throw error.between(oldShape, newShape)
        }
    }
}
