// The first phases: faults that show in the record and the shapes alone, before any counting.
// Texts contain UIKit's own.

extension StandardValidator {
    // MARK: Reload conflicts

    /// A reload deletes, so it must not meet a delete of the same item or section, nor of the
    /// section that the item is in.
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

    /// The reload of a section that is also deleted, though it does not even exist.
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

    /// Those of the sections that some operations name which did not exist before the update.
    ///
    /// They stay a set, because there may be more of them than could be listed.
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

    /// Descending, a section before the items in it.
    func checkDeletes() throws(HierarchyUpdateError) {
        var item = itemRemovals.count - 1
        var section = sectionRemovals.count - 1
        while item >= 0 || section >= 0 {
            let sectionIsNext =
                section >= 0
                && (item < 0 || sectionRemovals[section].section >= itemRemovals[item].path.section)
            if sectionIsNext {
                try checkSectionRemoval(at: section)
                section -= 1
            } else {
                try checkItemRemoval(at: item)
                item -= 1
            }
        }
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
                hint: "What is moved is neither deleted nor reloaded; leave one of the two out"
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
                hint: "What is moved is neither deleted nor reloaded; leave one of the two out"
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

    /// Ascending, a section after the items in it.
    func checkInserts() throws(HierarchyUpdateError) {
        let items = edits.itemInserts
        let sections = edits.sectionInserts
        var item = 0
        var section = 0
        while item < items.count || section < sections.count {
            let itemIsNext =
                item < items.count
                && (section == sections.count
                    || items[item].path.section <= sections[section].section)
            if itemIsNext {
                try checkItemInsert(at: item)
                item += 1
            } else {
                try checkSectionInsert(at: section)
                section += 1
            }
        }
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
                hint: "What is moved is not inserted; leave one of the two out, or correct it"
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
                hint: "What is moved is not inserted; leave one of the two out, or correct it"
            )
        }
        let next = position + 1
        if next < edits.sectionInserts.count, edits.sectionInserts[next].section == section {
            throw fault(.duplicateInsertSection, "attempt to insert section \(section) twice")
        }
    }
}

/// Makes the errors about one operation, which have its place and the rule for it in common.
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
