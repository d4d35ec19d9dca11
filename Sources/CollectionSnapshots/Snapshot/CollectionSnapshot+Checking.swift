// What edits check before anything changes.

extension CollectionSnapshot {
    /// Throws where items occur twice, or are too many beside those that are there.
    @inlinable
    func checkSupplied(_ items: [ItemID]) throws(SnapshotError) {
        guard items.count <= IdentifierTable<ItemID>.limit - numberOfItems else { throw .tooMany }
        if items.count > 1 {
            let table = IdentifierTable(items)
            guard table.duplicates.isEmpty else {
                throw .duplicates(table.duplicateIdentifiers, areSections: false)
            }
        }
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
