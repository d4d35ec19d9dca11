// The first phases find faults that are visible from the record and the shapes alone, without any
// counting. The texts contain UIKit's own.

extension StandardValidator {
    // MARK: Reload conflicts

    /// Checks that no reload conflicts with a delete of the same item or section, or of the item's
    /// section. A reload is also a delete.
    func checkReloadConflicts() throws(HierarchyUpdateError) {
        guard !edits.itemReloads.isEmpty || !edits.sectionReloads.isEmpty else { return }
        let missingDeletes = missingSections {
            if case .deleteSections(let sections, _) = $0 { sections } else { nil }
        }
        func isDeleted(_ section: Int) -> Bool {
            edits.sectionDeletes.sortedPosition(of: section, by: \.section) != nil
                || missingDeletes.contains(section)
        }
        let item = edits.itemReloads.first { reload in
            edits.itemDeletes.sortedPosition(of: reload.path, by: \.path) != nil
                || isDeleted(reload.path.section)
        }
        let section =
            edits.sectionReloads.first { isDeleted($0.section) }
            .map { (section: $0.section, operation: Int($0.operation)) }
            ?? missingReload(conflictingWith: missingDeletes)
        if let item, section == nil || item.path.section <= section!.section {
            throw HierarchyUpdateError(
                .deleteAndReloadItem,
                "attempt to delete and reload the same index path (\(item.path))",
                operationIndex: Int(item.operation),
                path: item.path,
                hint: "Leave out the reload of an item that is deleted, alone or with its section"
            )
        }
        if let section {
            throw HierarchyUpdateError(
                .deleteAndReloadSection,
                "attempt to delete and reload the same index path (\(section.section))",
                operationIndex: section.operation,
                section: section.section,
                hint: "Leave out the reload of a section that is deleted"
            )
        }
    }

    /// Returns the reload of a missing section that is also deleted.
    private func missingReload(
        conflictingWith missingDeletes: SectionSet
    ) -> (section: Int, operation: Int)? {
        let missingReloads = missingSections {
            if case .reloadSections(let sections, _) = $0 { sections } else { nil }
        }
        guard let section = missingReloads.firstMember(alsoIn: missingDeletes) else { return nil }
        for (index, operation) in operations.enumerated() {
            if case .reloadSections(let sections, _) = operation, sections.contains(section) {
                return (section, index)
            }
        }
        return nil
    }

    /// Returns the sections in some operations that did not exist before the update.
    ///
    /// They stay a set, because there may be too many of them to list.
    private func missingSections(
        namedBy sectionsOf: (HierarchyChangeSet.Operation) -> SectionSet?
    ) -> SectionSet {
        let existing = 0..<oldShape.numberOfSections
        var runs: [ClosedRange<Int>] = []
        for operation in operations {
            if let sections = sectionsOf(operation) { runs += sections.runs(outside: existing) }
        }
        return SectionSet(uniting: runs)
    }

    // MARK: Deletes

    /// Checks deletes in descending order, a section before its items.
    func checkDeletes() throws(HierarchyUpdateError) {
        var left = sectionRemovals.count
        for item in itemRemovals.indices.reversed() {
            while left > 0, sectionRemovals[left - 1].section >= itemRemovals[item].path.section {
                left -= 1
                try checkSectionRemoval(at: left)
            }
            try checkItemRemoval(at: item)
        }
        for position in (0..<left).reversed() { try checkSectionRemoval(at: position) }
    }

    private func checkSectionRemoval(at position: Int) throws(HierarchyUpdateError) {
        let removal = sectionRemovals[position]
        let section = removal.section
        let fault = OperationFault(
            operation: Int(removal.operation),
            section: section,
            hint: "Deletes and reloads use the indexes before the update"
        )
        let count = oldShape.numberOfSections
        guard section >= 0, section < count else {
            throw fault(
                .deleteSectionRange,
                "attempt to delete section \(section), but there are only \(count) sections"
                    + " before the update"
            )
        }
        if edits.sectionMoves.sortedPosition(of: section, by: \.oldSection) != nil {
            throw fault(
                .deleteAndMoveSection,
                "attempt to perform a delete and a move from the same section (\(section))",
                hint: "A move source must not be deleted or reloaded too; leave out one of the two"
            )
        }
        if position > 0, sectionRemovals[position - 1].section == section {
            throw fault(.duplicateDeleteSection, "attempt to delete section \(section) twice")
        }
    }

    private func checkItemRemoval(at position: Int) throws(HierarchyUpdateError) {
        let removal = itemRemovals[position]
        let path = removal.path
        let fault = OperationFault(
            operation: Int(removal.operation),
            path: path,
            hint: "Deletes and reloads use the paths before the update"
        )
        guard let count = oldShape.numberOfItems(inSection: path.section) else {
            throw fault(
                .deleteItemSectionRange,
                "attempt to delete item \(path.item) from section \(path.section), but there are"
                    + " only \(oldShape.numberOfSections) sections before the update"
            )
        }
        guard path.item >= 0, path.item < count else {
            throw fault(
                .deleteItemRange,
                "attempt to delete item \(path.item) from section \(path.section) which only"
                    + " contains \(count) items before the update"
            )
        }
        if edits.itemMoves.sortedPosition(of: path, by: \.oldPath) != nil {
            throw fault(
                .deleteAndMoveItem,
                "attempt to perform a delete and a move from the same index path (\(path))",
                hint: "A move source must not be deleted or reloaded too; leave out one of the two"
            )
        }
        if position > 0, itemRemovals[position - 1].path == path {
            throw fault(
                .duplicateDeleteItem,
                "attempt to delete item \(path.item) from section \(path.section) twice"
            )
        }
    }

    // MARK: Inserts

    /// Checks inserts in ascending order, a section after its items.
    func checkInserts() throws(HierarchyUpdateError) {
        let items = edits.itemInserts
        let sections = edits.sectionInserts
        var section = 0
        for item in items.indices {
            while section < sections.count, sections[section].section < items[item].path.section {
                try checkSectionInsert(at: section)
                section += 1
            }
            try checkItemInsert(at: item)
        }
        for position in section..<sections.count { try checkSectionInsert(at: position) }
    }

    private func checkItemInsert(at position: Int) throws(HierarchyUpdateError) {
        let insert = edits.itemInserts[position]
        let path = insert.path
        let fault = OperationFault(
            operation: Int(insert.operation),
            path: path,
            hint: "Inserts use the paths after the whole update"
        )
        guard let count = newShape.numberOfItems(inSection: path.section) else {
            throw fault(
                .insertItemSectionRange,
                "attempt to insert item \(path.item) into section \(path.section), but there are"
                    + " only \(newShape.numberOfSections) sections after the update"
            )
        }
        guard path.item >= 0, path.item < count else {
            throw fault(
                .insertItemRange,
                "attempt to insert item \(path.item) into section \(path.section), but there are"
                    + " only \(count) items in section \(path.section) after the update"
            )
        }
        if itemMovesByTarget.sortedPosition(of: path, by: \.newPath) != nil {
            throw fault(
                .insertAndMoveItem,
                "attempt to perform an insert and a move to the same index path (\(path))",
                hint: "A move target must not be inserted too; leave out or correct one of the two"
            )
        }
        let next = position + 1
        if next < edits.itemInserts.count, edits.itemInserts[next].path == path {
            throw fault(
                .duplicateInsertItem,
                "attempt to insert item \(path.item) into section \(path.section) twice"
            )
        }
    }

    private func checkSectionInsert(at position: Int) throws(HierarchyUpdateError) {
        let insert = edits.sectionInserts[position]
        let section = insert.section
        let fault = OperationFault(
            operation: Int(insert.operation),
            section: section,
            hint: "Inserts use the indexes after the whole update"
        )
        let count = newShape.numberOfSections
        guard section >= 0, section < count else {
            throw fault(
                .insertSectionRange,
                "attempt to insert section \(section) but there are only \(count) sections after"
                    + " the update"
            )
        }
        if sectionMovesByTarget.sortedPosition(of: section, by: \.newSection) != nil {
            throw fault(
                .insertAndMoveSection,
                "attempt to perform an insert and a move to the same section (\(section))",
                hint: "A move target must not be inserted too; leave out or correct one of the two"
            )
        }
        let next = position + 1
        if next < edits.sectionInserts.count, edits.sectionInserts[next].section == section {
            throw fault(.duplicateInsertSection, "attempt to insert section \(section) twice")
        }
    }
}

/// The common values of all errors about one operation: its place and the rule for it.
struct OperationFault {
    let operation: Int
    var path: ItemPath?
    var section: Int?
    let hint: String

    func callAsFunction(
        _ code: HierarchyUpdateError.Code,
        _ text: String,
        path: ItemPath? = nil,
        section: Int? = nil,
        hint: String? = nil
    ) -> HierarchyUpdateError {
        HierarchyUpdateError(
            code,
            text,
            operationIndex: operation,
            path: path ?? self.path,
            section: section ?? self.section,
            hint: hint ?? self.hint
        )
    }
}

// The phase that checks moves: both ends of a move must exist, and no two moves may share one.

extension StandardValidator {
    /// Checks moves, ascending by source, the items of a section before the section; then their
    /// targets, ascending.
    func checkMoves() throws(HierarchyUpdateError) {
        let (items, sections) = (edits.itemMoves, edits.sectionMoves)
        var section = 0
        for item in items.indices {
            while section < sections.count,
                sections[section].oldSection < items[item].oldPath.section
            {
                try checkSectionMove(at: section)
                section += 1
            }
            try checkItemMove(at: item)
        }
        for position in section..<sections.count { try checkSectionMove(at: position) }
        try checkItemMoveTargets()
        try checkSectionMoveTargets()
    }

    private func checkItemMove(at position: Int) throws(HierarchyUpdateError) {
        let move = edits.itemMoves[position]
        let (old, new) = (move.oldPath, move.newPath)
        let fault = OperationFault(
            operation: Int(move.operation),
            hint: "A move goes from a path before the update to a path after it"
        )
        guard let oldCount = oldShape.numberOfItems(inSection: old.section) else {
            throw fault(
                .moveItemSourceSectionRange,
                "attempt to move index path (\(old)) from a section that does not exist - there"
                    + " are only \(oldShape.numberOfSections) sections before the update",
                path: old
            )
        }
        guard old.item >= 0, old.item < oldCount else {
            throw fault(
                .moveItemSourceRange,
                "attempt to move index path (\(old)) that does not exist - there are only"
                    + " \(oldCount) items in section \(old.section) before the update",
                path: old
            )
        }
        guard let newCount = newShape.numberOfItems(inSection: new.section) else {
            throw fault(
                .moveItemTargetSectionRange,
                "attempt to move index path (\(old)) to index path (\(new)) in section that does"
                    + " not exist - there are only \(newShape.numberOfSections) sections after the"
                    + " update",
                path: new
            )
        }
        guard new.item >= 0, new.item < newCount else {
            throw fault(
                .moveItemTargetRange,
                "attempt to move index path (\(old)) to index path (\(new)) that does not exist -"
                    + " there are only \(newCount) items in section \(new.section) after the update",
                path: new
            )
        }
        let next = position + 1
        if next < edits.itemMoves.count, edits.itemMoves[next].oldPath == old {
            throw fault(
                .moveItemToTwoPlaces,
                "attempt to move item at index path \(old) to both \(new) and"
                    + " \(edits.itemMoves[next].newPath)",
                path: old
            )
        }
    }

    private func checkSectionMove(at position: Int) throws(HierarchyUpdateError) {
        let move = edits.sectionMoves[position]
        let (old, new) = (move.oldSection, move.newSection)
        let fault = OperationFault(
            operation: Int(move.operation),
            hint: "A move goes from an index before the update to an index after it"
        )
        let oldCount = oldShape.numberOfSections
        guard old >= 0, old < oldCount else {
            throw fault(
                .moveSectionSourceRange,
                "attempt to move section \(old), but there are only \(oldCount) sections before"
                    + " the update",
                section: old
            )
        }
        let newCount = newShape.numberOfSections
        guard new >= 0, new < newCount else {
            // The doubled "to" is in Apple's text.
            throw fault(
                .moveSectionTargetRange,
                "attempt to to move section \(old) to section \(new), but there are only"
                    + " \(newCount) sections after the update",
                section: new
            )
        }
        let next = position + 1
        if next < edits.sectionMoves.count, edits.sectionMoves[next].oldSection == old {
            throw fault(
                .moveSectionToTwoPlaces,
                "attempt to move section \(old) to both section \(new) and section"
                    + " \(edits.sectionMoves[next].newSection)",
                section: old
            )
        }
    }

    private func checkItemMoveTargets() throws(HierarchyUpdateError) {
        for position in itemMovesByTarget.indices.dropFirst() {
            let (first, second) = (itemMovesByTarget[position - 1], itemMovesByTarget[position])
            guard first.newPath == second.newPath else { continue }
            throw HierarchyUpdateError(
                .moveTwoItemsToOnePlace,
                "attempt to move both item at index path \(first.oldPath) and \(second.oldPath) to"
                    + " \(second.newPath)",
                operationIndex: Int(second.operation),
                path: second.newPath
            )
        }
    }

    private func checkSectionMoveTargets() throws(HierarchyUpdateError) {
        for position in sectionMovesByTarget.indices.dropFirst() {
            let (first, second) = (
                sectionMovesByTarget[position - 1], sectionMovesByTarget[position]
            )
            guard first.newSection == second.newSection else { continue }
            throw HierarchyUpdateError(
                .moveTwoSectionsToOnePlace,
                "attempt to move both section \(first.oldSection) and section"
                    + " \(second.oldSection) to section \(second.newSection)",
                operationIndex: Int(second.operation),
                section: second.newSection
            )
        }
    }
}
