extension HierarchyChangeSet {
    /// Creates the record whose validation returns `update`.
    ///
    /// Use it to display, encode or edit an update that was composed, inverted or rebased and
    /// therefore has no record of its own.
    ///
    /// Validating the record in the `standard` profile between the update's shapes returns the
    /// update's four runs, reconfigurations and reloads of supplementary elements, with their
    /// animation options. The record omits edits that are covered by an edit of their section, and
    /// it combines neighbours with the same animation option into one operation. For a `reloadData`
    /// update the record contains one `reloadData` operation.
    ///
    /// ```swift
    /// let undo = HierarchyChangeSet(recording: update.inverted)
    /// ```
    ///
    /// Complexity: O(k) for k edits.
    public init(recording update: ValidatedChangeSet) {
        self.init()
        if update.isReloadData {
            record(.reloadData(update.reloadDataAnimation))
            return
        }
        recordItemRemovals(update)
        recordSections(update)
        for group in runs(of: update.itemInsertions.filter { $0.role == .insert }, by: \.animation)
        {
            record(.insertItems(group.map(\.path), group[group.startIndex].animation))
        }
        for group in runs(of: update.reconfigurations, by: \.animation) {
            record(.reconfigureItems(group.map(\.oldPath), group[group.startIndex].animation))
        }
        recordSupplementaryReloads(update)
    }

    private mutating func recordItemRemovals(_ update: ValidatedChangeSet) {
        let removals = Array(update.itemRemovals.reversed())
        for group in runs(of: removals.filter { $0.role == .delete }, by: \.animation) {
            record(.deleteItems(group.map(\.path), group[group.startIndex].animation))
        }
        for group in runs(of: removals.filter { $0.role == .reload }, by: \.animation) {
            record(.reloadItems(group.map(\.path), group[group.startIndex].animation))
        }
        for edit in removals where edit.role == .move {
            guard let newPath = edit.associatedWith else { continue }
            record(.moveItem(at: edit.path, to: newPath, edit.animation))
        }
    }

    private mutating func recordSections(_ update: ValidatedChangeSet) {
        let removals = Array(update.sectionRemovals.reversed())
        for group in runs(of: removals.filter { $0.role == .delete }, by: \.animation) {
            let animation = group[group.startIndex].animation
            record(.deleteSections(SectionSet(group.map(\.section)), animation))
        }
        for group in runs(of: removals.filter { $0.role == .reload }, by: \.animation) {
            let animation = group[group.startIndex].animation
            record(.reloadSections(SectionSet(group.map(\.section)), animation))
        }
        for edit in removals where edit.role == .move {
            guard let newSection = edit.associatedWith else { continue }
            record(.moveSection(edit.section, toSection: newSection, edit.animation))
        }
        let inserts = update.sectionInsertions.filter { $0.role == .insert }
        for group in runs(of: inserts, by: \.animation) {
            let animation = group[group.startIndex].animation
            record(.insertSections(SectionSet(group.map(\.section)), animation))
        }
    }

    private mutating func recordSupplementaryReloads(_ update: ValidatedChangeSet) {
        var reloads = update.supplementaryReloads
        reloads.sort { ($0.kind, $0.newSection) < ($1.kind, $1.newSection) }
        for kind in runs(of: reloads, by: \.kind) {
            for group in runs(of: Array(kind), by: \.animation) {
                let first = group[group.startIndex]
                let sections = SectionSet(group.map(\.newSection))
                record(.reloadSupplementaries(first.kind, in: sections, first.animation))
            }
        }
    }

    /// Returns the elements in groups of neighbours that have the same `key`.
    private func runs<Element, Key: Equatable>(
        of elements: [Element],
        by key: (Element) -> Key
    ) -> [ArraySlice<Element>] {
        var groups: [ArraySlice<Element>] = []
        var start = 0
        for end in elements.indices.dropFirst() where key(elements[end]) != key(elements[start]) {
            groups.append(elements[start..<end])
            start = end
        }
        if start < elements.count { groups.append(elements[start...]) }
        return groups
    }
}
