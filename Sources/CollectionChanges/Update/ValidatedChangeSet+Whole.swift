// Updates that no record has to be judged for: everything is replaced, or nothing is.

extension ValidatedChangeSet {
    /// The update that replaces everything.
    package static func reloadingData(
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        animation: AnimationOption = .automatic
    ) -> ValidatedChangeSet {
        let removals = oldShape.itemCounts.indices.reversed().map {
            SectionEdit(section: $0, role: .delete, animation: animation)
        }
        let insertions = newShape.itemCounts.enumerated().map {
            SectionEdit(
                section: $0.offset,
                role: .insert,
                freshItemCount: $0.element,
                animation: animation
            )
        }
        let storage = Storage(
            oldShape: oldShape,
            newShape: newShape,
            isReloadData: true,
            edits: Edits(sectionRemovals: removals, sectionInsertions: insertions),
            // No section is the same afterwards, whatever its index.
            sections: IndexMapping(
                oldCount: 0,
                newCount: 0,
                removed: [],
                inserted: [],
                moves: []
            )
        )
        return ValidatedChangeSet(storage)
    }

    /// The update that edits nothing.
    package static func unchanged(_ shape: HierarchyShape) -> ValidatedChangeSet {
        let storage = Storage(
            oldShape: shape,
            newShape: shape,
            isEmpty: true,
            edits: Edits(),
            sections: IndexMapping(
                oldCount: shape.numberOfSections,
                newCount: shape.numberOfSections,
                removed: [],
                inserted: [],
                moves: []
            )
        )
        return ValidatedChangeSet(storage)
    }
}

extension ValidatedChangeSet {
    /// The items that an inserted or reloaded section arrives with, in runs of neighbours, ascending;
    /// those between them are inserted singly.
    ///
    /// Complexity: O(log k) and the items that are inserted singly.
    package func freshItems(ofSection edit: SectionEdit) -> [Range<Int>] {
        guard edit.role != .move, let count = newShape.numberOfItems(inSection: edit.section) else {
            return []
        }
        var runs: [Range<Int>] = []
        var start = 0
        let filled = itemInsertions.positions(inSection: edit.section) { $0.path.section }
        for position in filled {
            let item = itemInsertions[position].path.item
            if item > start { runs.append(start..<item) }
            start = item + 1
        }
        if count > start { runs.append(start..<count) }
        return runs
    }
}
