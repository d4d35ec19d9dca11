// The shape after an update, from the shape before and from what a reader cannot know: how many fresh items
// a section arrives with. Nothing about the record is certain yet; validation judges what comes of it.

extension UpdateRecord {
    /// The shape after the update, or nil where the sections cannot be as the record says. A count may come
    /// out negative, which validation rejects.
    ///
    /// Complexity: O(k log k) for k edits, and a copy of the counts where one changes.
    func newShape(after oldShape: HierarchyShape) -> HierarchyShape? {
        guard let sections = sectionMapping(of: oldShape) else { return nil }
        let isStill = sections.isIdentity && sectionReloads.isEmpty
        if isStill, itemDeletes.isEmpty, itemInserts.isEmpty, itemMoves.isEmpty { return oldShape }
        var counts = oldShape.itemCounts
        if !sections.isIdentity { counts = sections.carry(counts, filling: 0) }
        for edit in sectionInserts { counts[edit.section] = edit.freshItemCount }
        for edit in sectionReloads {
            guard let section = sections.newIndex(for: edit.section) else { return nil }
            counts[section] = edit.freshItemCount
        }
        // Whoever leaves a section that is replaced takes nothing from its replacement.
        let replaced = sectionReloads.map(\.section)
        func change(_ section: Int?, by difference: Int) {
            guard let section, counts.indices.contains(section) else { return }
            counts[section] &+= difference
        }
        for edit in itemDeletes { change(sections.newIndex(for: edit.path.section), by: -1) }
        for edit in itemInserts { change(edit.path.section, by: 1) }
        for edit in itemMoves {
            if replaced.sortedPosition(of: edit.path.section, by: \.self) == nil {
                change(sections.newIndex(for: edit.path.section), by: -1)
            }
            change(edit.associatedWith?.section, by: 1)
        }
        return counts == oldShape.itemCounts ? oldShape : HierarchyShape(counts)
    }

    /// Where sections go, or nil where some are not there, or are meant twice.
    private func sectionMapping(of oldShape: HierarchyShape) -> IndexMapping? {
        let oldCount = oldShape.numberOfSections
        let removed = (sectionDeletes + sectionMoves).map(\.section).sorted()
        let inserted = (sectionInserts.map(\.section) + sectionMoves.compactMap(\.associatedWith))
            .sorted()
        // Not below zero, since no more than all can be removed once each is.
        let newCount = oldCount - removed.count + inserted.count
        guard removed.areDistinct(below: oldCount), inserted.areDistinct(below: newCount) else {
            return nil
        }
        return IndexMapping(
            oldCount: oldCount,
            newCount: newCount,
            removed: removed,
            inserted: inserted,
            moves: sectionMoves.map {
                IndexMapping.Move(oldIndex: $0.section, newIndex: $0.associatedWith ?? $0.section)
            }
        )
    }
}

extension [Int] {
    /// Whether ascending integers are indexes below `count`, each once.
    fileprivate func areDistinct(below count: Int) -> Bool {
        guard let first, let last else { return true }
        return first >= 0 && last < count && !zip(self, dropFirst()).contains { $0 == $1 }
    }
}
