import CollectionChanges
import PersistentTrees

// Edits of items. Each checks everything first, and changes nothing where it throws.

extension CollectionSnapshot {
    /// Adds items at the end of the last section; those that are in the snapshot are moved there.
    ///
    /// Throws where there is no section, or an item occurs twice in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func appendItems(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        let supplied = try checkSupplied(Array(items))
        guard numberOfSections > 0 else { throw .noSections }
        append(supplied, toSectionAt: numberOfSections - 1)
    }

    /// Adds items at the end of a section; those that are in the snapshot are moved there.
    ///
    /// Throws where there is no such section, or an item occurs twice in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func appendItems(
        _ items: some Sequence<ItemID>,
        toSection section: SectionID
    ) throws(SnapshotError) {
        let supplied = try checkSupplied(Array(items))
        guard let index = indexOfSection(section) else {
            throw .unknownDestination(section: section)
        }
        append(supplied, toSectionAt: index)
    }

    /// Puts items before an item; those that are in the snapshot are moved there.
    ///
    /// Throws where `anchor` is not in the snapshot or among `items`, or an item occurs twice in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func insertItems(
        _ items: some Sequence<ItemID>,
        beforeItem anchor: ItemID
    ) throws(SnapshotError) {
        insert(try checkInsertion(of: Array(items), beside: anchor), beside: anchor, offset: 0)
    }

    /// Puts items behind an item, in their order; those that are in the snapshot are moved there.
    ///
    /// Throws where `anchor` is not in the snapshot or among `items`, or an item occurs twice in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func insertItems(
        _ items: some Sequence<ItemID>,
        afterItem anchor: ItemID
    ) throws(SnapshotError) {
        insert(try checkInsertion(of: Array(items), beside: anchor), beside: anchor, offset: 1)
    }

    /// Removes items; what is not in the snapshot is ignored.
    ///
    /// Throws where an item occurs twice in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func deleteItems(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        let existing = existing(try checkSupplied(Array(items)))
        detach(existing)
        forget(existing)
    }

    /// Removes all items, and all sections too.
    @inlinable
    public mutating func deleteAllItems() { self = Self() }

    /// Moves an item before another, also into another section.
    ///
    /// Throws where one of them is not in the snapshot, or both are the same.
    ///
    /// Complexity: O(log n).
    @inlinable
    public mutating func moveItem(
        _ item: ItemID,
        beforeItem target: ItemID
    ) throws(SnapshotError) {
        try checkMove(of: item, beside: target)
        insert(SuppliedItems([item], nil), beside: target, offset: 0)
    }

    /// Moves an item behind another, also into another section.
    ///
    /// Throws where one of them is not in the snapshot, or both are the same.
    ///
    /// Complexity: O(log n).
    @inlinable
    public mutating func moveItem(
        _ item: ItemID,
        afterItem target: ItemID
    ) throws(SnapshotError) {
        try checkMove(of: item, beside: target)
        insert(SuppliedItems([item], nil), beside: target, offset: 1)
    }
}

extension CollectionSnapshot {
    /// Moves an item to the end of a section, which may be empty.
    ///
    /// Throws where the item or the section is not in the snapshot.
    ///
    /// Complexity: O(log n).
    @inlinable
    public mutating func moveItem(
        _ item: ItemID,
        toSection section: SectionID
    ) throws(SnapshotError) {
        guard containsItem(item) else {
            throw .unknownMove(item, isTarget: false, isSection: false)
        }
        try appendItems([item], toSection: section)
    }
}

// MARK: - Parts

extension CollectionSnapshot {
    @inlinable
    func checkInsertion(
        of items: [ItemID],
        beside anchor: ItemID
    ) throws(SnapshotError) -> SuppliedItems<ItemID> {
        let supplied = try checkSupplied(items)
        guard !items.contains(anchor) else {
            throw .destination(anchor, among: items, areSections: false)
        }
        guard containsItem(anchor) else { throw .unknownDestination(item: anchor) }
        return supplied
    }

    @inlinable
    func checkMove(of item: ItemID, beside target: ItemID) throws(SnapshotError) {
        guard item != target else { throw .movedToItself(item, isSection: false) }
        guard containsItem(item) else {
            throw .unknownMove(item, isTarget: false, isSection: false)
        }
        guard containsItem(target) else {
            throw .unknownMove(target, isTarget: true, isSection: false)
        }
    }

    @inlinable
    mutating func append(_ supplied: SuppliedItems<ItemID>, toSectionAt section: Int) {
        detach(existing(supplied))
        insert(supplied, at: ItemPath(section: section, item: entries[section].items.count))
    }

    @inlinable
    mutating func insert(_ supplied: SuppliedItems<ItemID>, beside anchor: ItemID, offset: Int) {
        detach(existing(supplied))
        guard var path = path(of: anchor) else { fatalError("an anchor went with its neighbours") }
        path.item += offset
        insert(supplied, at: path)
    }
}
