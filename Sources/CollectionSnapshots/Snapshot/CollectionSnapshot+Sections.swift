import PersistentTrees

// Edits of sections. Each checks everything first, and changes nothing where it throws.

extension CollectionSnapshot {
    /// Adds sections without items at the end.
    ///
    /// Throws where a section is in the snapshot, or occurs twice in `sections`.
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

    /// Puts sections without items before a section.
    ///
    /// Throws where `anchor` is not in the snapshot or is among `sections`, or one of those is in the
    /// snapshot or occurs twice.
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

    /// Puts sections without items behind a section, in their order.
    ///
    /// Throws where `anchor` is not in the snapshot or is among `sections`, or one of those is in the
    /// snapshot or occurs twice.
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

    /// Removes sections with their items; what is not in the snapshot is ignored.
    ///
    /// Throws where a section occurs twice in `sections`.
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

    /// Moves a section before another, with its items.
    ///
    /// Throws where one of them is not in the snapshot, or both are the same.
    ///
    /// Complexity: O(log sections).
    @inlinable
    public mutating func moveSection(
        _ section: SectionID,
        beforeSection target: SectionID
    ) throws(SnapshotError) {
        try move(section, beside: target, offset: 0)
    }

    /// Moves a section behind another, with its items.
    ///
    /// Throws where one of them is not in the snapshot, or both are the same.
    ///
    /// Complexity: O(log sections).
    @inlinable
    public mutating func moveSection(
        _ section: SectionID,
        afterSection target: SectionID
    ) throws(SnapshotError) {
        try move(section, beside: target, offset: 1)
    }
}

// MARK: - Parts

extension CollectionSnapshot {
    /// The index of the anchor.
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
