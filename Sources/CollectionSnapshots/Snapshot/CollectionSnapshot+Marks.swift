import PersistentTrees

// Marks select sections and items that stay but must be shown again.

extension CollectionSnapshot {
    /// Marks items whose cells are to be recreated when the snapshot is applied.
    ///
    /// Reloading replaces a mark for reconfiguring.
    ///
    /// Throws if an item is not in the snapshot, or occurs twice in `items`.
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

    /// Marks items whose existing cells are to show new content when the snapshot is applied. Items
    /// that are already marked for reloading keep that mark.
    ///
    /// Throws if an item is not in the snapshot, or occurs twice in `items`.
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

    /// Marks sections to show again, with all their items, when the snapshot is applied.
    ///
    /// Throws if a section is not in the snapshot, or occurs twice in `sections`.
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

    /// Removes all marks. Call this method after the snapshot has been applied.
    @inlinable
    public mutating func removeAllMarks() {
        reloadedSections = MarkedIdentifiers()
        reloadedItems = MarkedIdentifiers()
        reconfiguredItems = MarkedIdentifiers()
    }

    /// Returns this snapshot with the marks of another one added, for sections and items that this
    /// snapshot contains. Reloading takes precedence.
    ///
    /// The mark of a section also covers the items that were in it: those that are in another
    /// section here are reloaded individually.
    ///
    /// Complexity: O(m log n) for m marks of the other snapshot and items in its marked sections.
    @inlinable
    package func addingMarks(of other: Self) -> Self {
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

/// The marked identifiers, in the order in which they were marked.
///
/// Complexity: O(1) to copy; O(log n) to add or remove a mark.
@usableFromInline
struct MarkedIdentifiers<ID: Hashable & Sendable>: Sendable {
    @usableFromInline typealias Mark = LabelledIdentifier<ID>

    @usableFromInline var marks = PersistentSequence<Mark, LastLabel<Mark>>()
    @usableFromInline var labels = PersistentHashMap<ID, Int>()

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { marks.isEmpty }

    @inlinable
    var identifiers: [ID] { marks.map(\.id) }

    @inlinable
    func contains(_ id: ID) -> Bool { labels[id] != nil }

    /// Marks the identifiers that are not marked yet.
    @inlinable
    mutating func insert(_ ids: some Sequence<ID>) {
        var next = marks.summary.lastLabel + 1
        var newMarks = marks.transaction()
        var newLabels = labels.transaction()
        for id in ids where newLabels[id] == nil {
            newMarks.insert(Mark(id, label: next), at: newMarks.count)
            newLabels.updateValue(next, forKey: id)
            next += 1
        }
        marks = newMarks.commit()
        labels = newLabels.commit()
    }

    /// Removes the marks of identifiers that have one.
    @inlinable
    mutating func remove(_ ids: some Sequence<ID>) {
        guard !isEmpty else { return }
        for id in ids {
            guard let label = labels[id], let place = marks.find(label: label) else { continue }
            var newMarks = marks.transaction()
            var newLabels = labels.transaction()
            newMarks.remove(at: place.position)
            newLabels.removeValue(forKey: id)
            marks = newMarks.commit()
            labels = newLabels.commit()
        }
    }
}
