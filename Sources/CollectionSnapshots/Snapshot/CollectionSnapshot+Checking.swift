// What edits check before anything changes.

/// Items that an edit was given, none of them twice.
@usableFromInline
struct SuppliedItems<ItemID: Hashable & Sendable> {
    @usableFromInline let items: [ItemID]
    /// Nil where there is one item at most, which cannot occur twice.
    @usableFromInline let table: IdentifierTable<ItemID>?

    @inlinable
    init(_ items: [ItemID], _ table: IdentifierTable<ItemID>?) {
        self.items = items
        self.table = table
    }
}

extension CollectionSnapshot {
    /// The items, or an error where some occur twice, or are too many beside those that are there.
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

    /// Those of the items that are in the snapshot, in any order.
    @inlinable
    func existing(_ supplied: SuppliedItems<ItemID>) -> [ItemID] {
        supplied.table.map { itemIndex.identifiers(in: $0) }
            ?? supplied.items.filter { containsItem($0) }
    }

    /// Throws where sections occur twice, or are too many beside those that are there.
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

    /// Throws where a section is there already.
    @inlinable
    func checkNew(_ sections: [SectionID]) throws(SnapshotError) {
        let existing = sections.filter { containsSection($0) }
        guard existing.isEmpty else { throw .existing(existing) }
    }
}
