// What is to be shown again, although it stays: lists beside the order.

extension CollectionSnapshot {
    /// Marks items whose cells are to be made again when the snapshot is applied.
    ///
    /// An item that is marked for reconfiguring is marked for reloading instead.
    ///
    /// Throws where an item is not in the snapshot, or occurs twice in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func reloadItems(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        let items = Array(items)
        try checkSupplied(items)
        let unknown = items.filter { !containsItem($0) }
        guard unknown.isEmpty else { throw .unknownReload(unknown, areSections: false) }
        reloadedItems.insert(items)
        reconfiguredItems.remove(items)
    }

    /// Marks items whose cells are to show new content when the snapshot is applied; reloading wins.
    ///
    /// Throws where an item is not in the snapshot, or occurs twice in `items`.
    ///
    /// Complexity: O(m log n) for m items.
    @inlinable
    public mutating func reconfigureItems(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        let items = Array(items)
        try checkSupplied(items)
        let unknown = items.filter { !containsItem($0) }
        guard unknown.isEmpty else { throw .unknownReconfigure(unknown) }
        reconfiguredItems.insert(items.filter { !reloadedItems.contains($0) })
    }

    /// Marks sections to be shown again whole when the snapshot is applied.
    ///
    /// Throws where a section is not in the snapshot, or occurs twice in `sections`.
    ///
    /// Complexity: O(m log sections) for m sections.
    @inlinable
    public mutating func reloadSections(
        _ sections: some Sequence<SectionID>
    ) throws(SnapshotError) {
        let sections = Array(sections)
        try checkSupplied(sections: sections)
        let unknown = sections.filter { !containsSection($0) }
        guard unknown.isEmpty else { throw .unknownReload(unknown, areSections: true) }
        reloadedSections.insert(sections)
    }

    /// Takes all marks away: what is to be done when a snapshot has been applied.
    @inlinable
    public mutating func removeAllMarks() {
        reloadedSections = MarkedIdentifiers()
        reloadedItems = MarkedIdentifiers()
        reconfiguredItems = MarkedIdentifiers()
    }

    /// This snapshot with the marks of another too, as far as what they name is there; reloading wins.
    ///
    /// The mark of a section is also one of the items that were in it: those that are in another section here are
    /// reloaded one by one.
    ///
    /// Complexity: O(m log n) for m marks of the other and items in its marked sections.
    @inlinable
    package func takingOverMarks(of other: Self) -> Self {
        var snapshot = self
        var items = other.reloadedItemIdentifiers.filter { containsItem($0) }
        for section in other.reloadedSectionIdentifiers {
            items += ((try? other.itemIdentifiers(inSection: section)) ?? []).filter { item in
                sectionIdentifier(containingItem: item).map { $0 != section } ?? false
            }
        }
        snapshot.reloadedItems.insert(items)
        snapshot.reconfiguredItems.remove(items)
        snapshot.reconfiguredItems.insert(
            other.reconfiguredItemIdentifiers.filter {
                containsItem($0) && !snapshot.reloadedItems.contains($0)
            }
        )
        snapshot.reloadedSections.insert(
            other.reloadedSectionIdentifiers.filter { containsSection($0) }
        )
        return snapshot
    }
}
