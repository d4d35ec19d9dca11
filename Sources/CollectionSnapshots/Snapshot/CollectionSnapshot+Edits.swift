import CollectionChanges
import PersistentTrees

// Each edit performs all checks first; an edit that throws changes nothing.

extension CollectionSnapshot {
    /// Adds items at the end of the last section; items that are already in the snapshot move
    /// there.
    ///
    /// Throws if there is no section, or if an item occurs twice in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func appendItems(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        let supplied = try checkSupplied(Array(items))
        guard numberOfSections > 0 else { throw .noSections }
        append(supplied, toSectionAt: numberOfSections - 1)
    }

    /// Adds items at the end of a section; items that are already in the snapshot move there.
    ///
    /// Throws if the section does not exist, or if an item occurs twice in `items`.
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

    /// Inserts items before an item; items that are already in the snapshot move there.
    ///
    /// Throws if `anchor` is not in the snapshot or is one of `items`, or if an item occurs twice
    /// in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func insertItems(
        _ items: some Sequence<ItemID>,
        beforeItem anchor: ItemID
    ) throws(SnapshotError) {
        insert(try checkInsertion(of: Array(items), beside: anchor), beside: anchor, offset: 0)
    }

    /// Inserts items after an item, in their order; items that are already in the snapshot move
    /// there.
    ///
    /// Throws if `anchor` is not in the snapshot or is one of `items`, or if an item occurs twice
    /// in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func insertItems(
        _ items: some Sequence<ItemID>,
        afterItem anchor: ItemID
    ) throws(SnapshotError) {
        insert(try checkInsertion(of: Array(items), beside: anchor), beside: anchor, offset: 1)
    }

    /// Removes items; items that are not in the snapshot are ignored.
    ///
    /// Throws if an item occurs twice in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func deleteItems(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        let existing = existing(try checkSupplied(Array(items)))
        detach(existing)
        forget(existing)
    }

    /// Removes all items and all sections.
    @inlinable
    public mutating func deleteAllItems() { self = Self() }

    /// Moves an item before another one, which may be in another section.
    ///
    /// Throws if one of them is not in the snapshot, or if both are the same.
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

    /// Moves an item after another one, which may be in another section.
    ///
    /// Throws if one of them is not in the snapshot, or if both are the same.
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

    // MARK: Helpers for items

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

    // MARK: Sections

    /// Adds empty sections at the end.
    ///
    /// Throws if a section is already in the snapshot, or occurs twice in `sections`.
    ///
    /// Complexity: O(m log sections) for m sections.
    @inlinable
    public mutating func appendSections(
        _ sections: some Sequence<SectionID>
    ) throws(SnapshotError) {
        let sections = Array(sections)
        try checkSupplied(sections: sections)
        try checkNew(sections)
        insertNew(sections, at: numberOfSections)
    }

    /// Inserts empty sections before a section.
    ///
    /// Throws if `anchor` is not in the snapshot or is one of `sections`, or if one of them is
    /// already in the snapshot or occurs twice.
    ///
    /// Complexity: O(m log sections) for m sections.
    @inlinable
    public mutating func insertSections(
        _ sections: some Sequence<SectionID>,
        beforeSection anchor: SectionID
    ) throws(SnapshotError) {
        let sections = Array(sections)
        insertNew(sections, at: try indexForInserting(sections, beside: anchor))
    }

    /// Inserts empty sections after a section, in their order.
    ///
    /// Throws if `anchor` is not in the snapshot or is one of `sections`, or if one of them is
    /// already in the snapshot or occurs twice.
    ///
    /// Complexity: O(m log sections) for m sections.
    @inlinable
    public mutating func insertSections(
        _ sections: some Sequence<SectionID>,
        afterSection anchor: SectionID
    ) throws(SnapshotError) {
        let sections = Array(sections)
        insertNew(sections, at: try indexForInserting(sections, beside: anchor) + 1)
    }

    /// Removes sections with their items; sections that are not in the snapshot are ignored.
    ///
    /// Throws if a section occurs twice in `sections`.
    ///
    /// Complexity: O(m log n) for m sections and items.
    @inlinable
    public mutating func deleteSections(
        _ sections: some Sequence<SectionID>
    ) throws(SnapshotError) {
        let sections = Array(sections)
        try checkSupplied(sections: sections)
        remove(sections.filter { containsSection($0) })
    }

    /// Moves a section with its items before another section.
    ///
    /// Throws if one of them is not in the snapshot, or if both are the same.
    ///
    /// Complexity: O(log sections).
    @inlinable
    public mutating func moveSection(
        _ section: SectionID,
        beforeSection target: SectionID
    ) throws(SnapshotError) {
        try move(section, beside: target, offset: 0)
    }

    /// Moves a section with its items after another section.
    ///
    /// Throws if one of them is not in the snapshot, or if both are the same.
    ///
    /// Complexity: O(log sections).
    @inlinable
    public mutating func moveSection(
        _ section: SectionID,
        afterSection target: SectionID
    ) throws(SnapshotError) {
        try move(section, beside: target, offset: 1)
    }

    // MARK: Helpers for sections

    /// Checks the sections, and returns the index of the anchor.
    @inlinable
    func indexForInserting(
        _ sections: [SectionID],
        beside anchor: SectionID
    ) throws(SnapshotError) -> Int {
        try checkSupplied(sections: sections)
        guard !sections.contains(anchor) else {
            throw .destination(anchor, among: sections, areSections: true)
        }
        guard let index = indexOfSection(anchor) else { throw .unknownSectionAnchor(anchor) }
        try checkNew(sections)
        return index
    }

    @inlinable
    mutating func move(
        _ section: SectionID,
        beside target: SectionID,
        offset: Int
    ) throws(SnapshotError) {
        guard section != target else { throw .movedToItself(section, isSection: true) }
        guard let old = indexOfSection(section) else {
            throw .unknownMove(section, isTarget: false, isSection: true)
        }
        guard let anchor = indexOfSection(target) else {
            throw .unknownMove(target, isTarget: true, isSection: true)
        }
        var newEntries = entries.transaction()
        let entry = newEntries.remove(at: old)
        entries = newEntries.commit()
        insert([entry], at: anchor + offset - (old < anchor ? 1 : 0))
    }
}

// MARK: - Checks before an edit

/// The items that an edit received, each of them once.
@usableFromInline
struct SuppliedItems<ItemID: Hashable & Sendable> {
    @usableFromInline let items: [ItemID]
    /// A table of the items; `nil` for at most one item, which cannot occur twice.
    @usableFromInline let table: IdentifierTable<ItemID>?

    @inlinable
    init(_ items: [ItemID], _ table: IdentifierTable<ItemID>?) {
        self.items = items
        self.table = table
    }
}

extension CollectionSnapshot {
    /// Returns the items, or throws if some occur twice or if the snapshot would have too many.
    @inlinable @discardableResult
    func checkSupplied(_ items: [ItemID]) throws(SnapshotError) -> SuppliedItems<ItemID> {
        guard items.count <= IdentifierTable<ItemID>.limit - numberOfItems else { throw .tooMany }
        if items.count <= 1 { return SuppliedItems(items, nil) }
        let table = IdentifierTable(items)
        guard table.duplicates.isEmpty else {
            throw .duplicates(table.duplicateIdentifiers, areSections: false)
        }
        return SuppliedItems(items, table)
    }

    /// Returns the items that are already in the snapshot, in any order.
    @inlinable
    func existing(_ supplied: SuppliedItems<ItemID>) -> [ItemID] {
        supplied.table.map { itemIndex.identifiers(in: $0) }
            ?? supplied.items.filter { containsItem($0) }
    }

    /// Throws if sections occur twice, or if the snapshot would have too many.
    @inlinable
    func checkSupplied(sections: [SectionID]) throws(SnapshotError) {
        guard sections.count <= IdentifierTable<SectionID>.limit - numberOfSections else {
            throw .tooMany
        }
        if sections.count > 1 {
            let table = IdentifierTable(sections)
            guard table.duplicates.isEmpty else {
                throw .duplicates(table.duplicateIdentifiers, areSections: true)
            }
        }
    }

    /// Throws if a section is already in the snapshot.
    @inlinable
    func checkNew(_ sections: [SectionID]) throws(SnapshotError) {
        let existing = sections.filter { containsSection($0) }
        guard existing.isEmpty else { throw .existing(existing) }
    }
}
