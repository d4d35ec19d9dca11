/// A change set that was checked against the shapes before and after it, with its edits in the
/// fixed order and its index mappings.
///
/// Only validation makes one, so whoever holds one may rely on it. Its edits form four runs, and
/// applying them one after the other to an array of arrays gives exactly the new state:
///
/// 1. `itemTakeOuts`, descending by old path: deletes, reloads and move sources, also out of
///    deleted sections;
/// 2. `sectionTakeOuts`, descending by old index: deletes, reloads and move sources, a moved section
///    carrying what is left in it;
/// 3. `sectionPutIns`, ascending by new index: an inserted or reloaded section arrives with
///    `freshItemCount` fresh items, a moved one with what it carries;
/// 4. `itemPutIns`, ascending by new path: inserts, reloads and move targets, also into inserted
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
            isEmpty: Bool,
            isReloadData: Bool,
            edits: Edits,
            reconfigurations: [ItemReconfiguration],
            supplementaryReloads: [SupplementaryReload],
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

    /// Whether everything is replaced; the edits are then a delete of every old section and an
    /// insert of every new one, and the mappings are empty.
    public var isReloadData: Bool { storage.isReloadData }

    /// Every edit in the fixed order.
    public var edits: Edits { storage.edits }

    /// The first run: items taken out, descending by old path.
    public var itemTakeOuts: [ItemEdit] { storage.edits.itemTakeOuts }

    /// The second run: sections taken out, descending by old index.
    public var sectionTakeOuts: [SectionEdit] { storage.edits.sectionTakeOuts }

    /// The third run: sections put in, ascending by new index.
    public var sectionPutIns: [SectionEdit] { storage.edits.sectionPutIns }

    /// The fourth run: items put in, ascending by new path.
    public var itemPutIns: [ItemEdit] { storage.edits.itemPutIns }

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
        let takeOuts = itemTakeOuts
        let position = partitionPoint(takeOuts.count) { takeOuts[$0].path <= oldPath }
        if position < takeOuts.count, takeOuts[position].path == oldPath {
            return takeOuts[position].counterpart
        }
        guard !isTakenOutForGood(oldSection: oldPath.section),
            let newSection = newSection(for: oldPath.section)
        else { return nil }
        // Reloads keep their place among the survivors, so that it does no harm to count them with
        // what is taken out on one side and put in on the other.
        let end = partitionPoint(takeOuts.count) { takeOuts[$0].path.section < oldPath.section }
        let putIns = itemPutIns
        let placed = putIns.positions(inSection: newSection) { $0.path.section }
        let newItem = unlistedInteger(
            rank: oldPath.item - (end - position),
            among: placed.count
        ) { putIns[placed.lowerBound + $0].path.item }
        return ItemPath(section: newSection, item: newItem)
    }

    /// Where the item at `newPath` was, or nil if it is new or does not exist.
    ///
    /// The reverse of `newPath(for:)`. Complexity: O(log k).
    public func oldPath(for newPath: ItemPath) -> ItemPath? {
        guard newShape.contains(newPath) else { return nil }
        let putIns = itemPutIns
        let position = partitionPoint(putIns.count) { putIns[$0].path >= newPath }
        if position < putIns.count, putIns[position].path == newPath {
            return putIns[position].counterpart
        }
        guard let oldSection = oldSection(for: newPath.section),
            !isTakenOutForGood(oldSection: oldSection)
        else { return nil }
        let start = partitionPoint(putIns.count) {
            putIns[$0].path.section >= newPath.section
        }
        let removed = itemTakeOuts(inOldSection: oldSection)
        let oldItem = unlistedInteger(
            rank: newPath.item - (position - start),
            among: removed.count
        ) { removed[removed.endIndex - 1 - $0].path.item }
        return ItemPath(section: oldSection, item: oldItem)
    }

    /// Whether `oldSection` is deleted or reloaded, so that what was in it is gone.
    private func isTakenOutForGood(oldSection: Int) -> Bool {
        let takeOuts = sectionTakeOuts
        let position = partitionPoint(takeOuts.count) { takeOuts[$0].section <= oldSection }
        return position < takeOuts.count && takeOuts[position].section == oldSection
            && takeOuts[position].role != .move
    }
}

extension ValidatedChangeSet {
    /// The part of the first run that concerns one old section, descending.
    package func itemTakeOuts(inOldSection section: Int) -> ArraySlice<ItemEdit> {
        let takeOuts = itemTakeOuts
        let start = partitionPoint(takeOuts.count) { takeOuts[$0].path.section <= section }
        let end = partitionPoint(takeOuts.count) { takeOuts[$0].path.section < section }
        return takeOuts[start..<end]
    }

    /// The edit of the third run at one new index, if there is one.
    package func sectionPutIn(at newSection: Int) -> SectionEdit? {
        let putIns = sectionPutIns
        return putIns.sortedPosition(of: newSection, by: { $0.section }).map { putIns[$0] }
    }
}
