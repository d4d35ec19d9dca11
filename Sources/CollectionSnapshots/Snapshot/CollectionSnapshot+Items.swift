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
        let items = Array(items)
        try checkSupplied(items)
        guard numberOfSections > 0 else { throw .noSections }
        append(items, toSectionAt: numberOfSections - 1)
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
        let items = Array(items)
        try checkSupplied(items)
        guard let index = indexOfSection(section) else {
            throw .unknownDestination(section: section)
        }
        append(items, toSectionAt: index)
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
        let items = Array(items)
        try checkInsertion(of: items, beside: anchor)
        insert(items, beside: anchor, offset: 0)
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
        let items = Array(items)
        try checkInsertion(of: items, beside: anchor)
        insert(items, beside: anchor, offset: 1)
    }

    /// Removes items; what is not in the snapshot is ignored.
    ///
    /// Throws where an item occurs twice in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func deleteItems(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        let items = Array(items)
        try checkSupplied(items)
        let existing = items.filter { containsItem($0) }
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
        insert([item], beside: target, offset: 0)
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
        insert([item], beside: target, offset: 1)
    }
}

// MARK: - Parts

extension CollectionSnapshot {
    @inlinable
    func checkInsertion(of items: [ItemID], beside anchor: ItemID) throws(SnapshotError) {
        try checkSupplied(items)
        guard !items.contains(anchor) else {
            throw .destination(anchor, among: items, areSections: false)
        }
        guard containsItem(anchor) else { throw .unknownDestination(item: anchor) }
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
    mutating func append(_ items: [ItemID], toSectionAt section: Int) {
        detach(items.filter { containsItem($0) })
        insert(items, at: ItemPath(section: section, item: entries[section].items.count))
    }

    @inlinable
    mutating func insert(_ items: [ItemID], beside anchor: ItemID, offset: Int) {
        detach(items.filter { containsItem($0) })
        guard var path = path(of: anchor) else { fatalError("an anchor went with its neighbours") }
        path.item += offset
        insert(items, at: path)
    }
}
