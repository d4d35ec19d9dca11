// The three checks of edits from outside, in the order in which they run.

/// Edits from outside that stand in the fixed order; nothing else is known about them.
struct OutsideEdits {
    /// All of them, in order.
    private var edits: [HierarchyEdit] = []

    // The same by run. The runs follow each other, so an edit's index is that in its run plus the
    // lengths of the runs before.
    private var itemRemovals: [ItemEdit] = []
    private var sectionRemovals: [SectionEdit] = []
    private var sectionInsertions: [SectionEdit] = []
    private var itemInsertions: [ItemEdit] = []

    // MARK: Order

    init(inFixedOrder sequence: some Sequence<HierarchyEdit>) throws(HierarchyUpdateError) {
        for edit in sequence {
            if let last = edits.last, !last.precedes(edit) {
                throw HierarchyUpdateError(
                    .editOutOfOrder,
                    "edit \(edits.count) is out of order: after \(last) must come"
                        + " \(last.successors), but \(edit) was found",
                    operationIndex: edits.count,
                    path: edit.itemPath,
                    section: edit.section,
                    hint: "Items are removed descending, then sections descending; sections are"
                        + " inserted ascending, then items ascending; each place once",
                    summary: "edit \(edits.count) is out of order: \(edit) after \(last)"
                )
            }
            edits.append(edit)
            switch edit {
            case .removeItem(let edit): itemRemovals.append(edit)
            case .removeSection(let edit): sectionRemovals.append(edit)
            case .insertSection(let edit): sectionInsertions.append(edit)
            case .insertItem(let edit): itemInsertions.append(edit)
            }
        }
    }

    // MARK: Links

    /// Every role is one that its run can have, and halves name each other.
    func checkLinks(freshIn newShape: HierarchyShape) throws(HierarchyUpdateError) {
        for (index, edit) in edits.enumerated() {
            guard let fault = linkFault(of: edit) ?? freshFault(of: edit, in: newShape) else {
                continue
            }
            throw HierarchyUpdateError(
                .editUnlinked,
                "edit \(index), \(edit), \(fault)",
                operationIndex: index,
                path: edit.itemPath,
                section: edit.section,
                hint:
                    "Deletes are removed and inserts inserted, without an associated edit; of a reload"
                    + " or move there are two halves with each other's place as associated edit",
                summary: "edit \(index) \(fault)"
            )
        }
    }

    private func linkFault(of edit: HierarchyEdit) -> String? {
        switch edit {
        case .removeItem(let edit):
            fault(.delete, edit.role, at: edit.path, edit.associatedWith) { newPath in
                itemInsertions.sortedPosition(of: newPath, by: \.path)
                    .map { (itemInsertions[$0].role, itemInsertions[$0].associatedWith) }
            }
        case .removeSection(let edit):
            fault(.delete, edit.role, at: edit.section, edit.associatedWith) { newSection in
                sectionInsertions.sortedPosition(of: newSection, by: \.section)
                    .map { (sectionInsertions[$0].role, sectionInsertions[$0].associatedWith) }
            }
        case .insertSection(let edit):
            fault(.insert, edit.role, at: edit.section, edit.associatedWith) { oldSection in
                let position = partitionPoint(sectionRemovals.count) {
                    sectionRemovals[$0].section <= oldSection
                }
                guard position < sectionRemovals.count,
                    sectionRemovals[position].section == oldSection
                else { return nil }
                return (sectionRemovals[position].role, sectionRemovals[position].associatedWith)
            }
        case .insertItem(let edit):
            fault(.insert, edit.role, at: edit.path, edit.associatedWith) { oldPath in
                let position = partitionPoint(itemRemovals.count) {
                    itemRemovals[$0].path <= oldPath
                }
                guard position < itemRemovals.count, itemRemovals[position].path == oldPath else {
                    return nil
                }
                return (itemRemovals[position].role, itemRemovals[position].associatedWith)
            }
        }
    }

    /// What is wrong with one half, given the role without an associated edit that its run can have and
    /// a way to find the other half.
    private func fault<Place: Equatable>(
        _ lonelyRole: EditRole,
        _ role: EditRole,
        at place: Place,
        _ associatedWith: Place?,
        otherHalf: (Place) -> (role: EditRole, associatedWith: Place?)?
    ) -> String? {
        switch role {
        case .delete, .insert:
            if role != lonelyRole { return "must be \(named(lonelyRole)), a reload or a move" }
            return associatedWith.map { "must have no associated edit, but has \($0)" }
        case .reload, .move:
            guard let associatedWith else { return "must name its other half, but names none" }
            guard let half = otherHalf(associatedWith) else {
                return "must have its other half at \(associatedWith), but there is none"
            }
            if half.role == role, half.associatedWith == place { return nil }
            let found = half.associatedWith.map { " with \($0)" } ?? ""
            return "must have its other half at \(associatedWith), but that is"
                + " \(named(half.role))\(found)"
        }
    }

    private func named(_ role: EditRole) -> String { role == .insert ? "an insert" : "a \(role)" }

    private func freshFault(of edit: HierarchyEdit, in newShape: HierarchyShape) -> String? {
        let section: SectionEdit
        var expected = 0
        switch edit {
        case .removeItem, .insertItem: return nil
        case .removeSection(let edit): section = edit
        case .insertSection(let edit):
            section = edit
            if edit.role == .move { break }
            // A section that does not exist is for validation to report.
            guard let count = newShape.numberOfItems(inSection: edit.section) else { return nil }
            expected =
                count - itemInsertions.positions(inSection: edit.section) { $0.path.section }.count
        }
        if section.freshItemCount == expected { return nil }
        return "must bring \(expected) fresh items, but brings \(section.freshItemCount)"
    }

    // MARK: Validation

    /// The update of the operations that the edits amount to, if its edits are these.
    func validated(
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        limits: ShapeLimits
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        var changes = HierarchyChangeSet()
        var editIndexes: [Int] = []
        for (index, edit) in edits.enumerated() {
            guard let operation = edit.operation else { continue }
            changes.record(operation)
            editIndexes.append(index)
        }
        let update: ValidatedChangeSet
        do {
            update = try changes.validated(from: oldShape, to: newShape, limits: limits)
        } catch {
            throw error.reported(at: error.operationIndex.map { editIndexes[$0] })
        }
        try check(update.edits)
        return update
    }

    private func check(_ expected: ValidatedChangeSet.Edits) throws(HierarchyUpdateError) {
        // No more can be expected than there are: each operation is that of an edit, whose other
        // half, if it has one, is there too.
        for (index, edit) in edits.enumerated() {
            let expectedEdit = expected.dropFirst(index).first
            if edit == expectedEdit { continue }
            throw HierarchyUpdateError(
                .editMismatch,
                "edit \(index) must be \(expectedEdit?.description ?? "absent"), but is \(edit)",
                operationIndex: index,
                path: edit.itemPath,
                section: edit.section,
                hint: "Deletes and reloads in sections that are removed for good, and inserts in"
                    + " fresh ones, are left out; a reload stays in its place; both halves of an"
                    + " edit have one animation",
                summary: "edit \(index) must be \(expectedEdit?.description ?? "absent")"
            )
        }
    }
}

extension HierarchyEdit {
    /// Whether `self` may stand directly before `next` in the fixed order.
    fileprivate func precedes(_ next: HierarchyEdit) -> Bool {
        switch (self, next) {
        case (.removeItem(let edit), .removeItem(let next)): edit.path > next.path
        case (.removeSection(let edit), .removeSection(let next)): edit.section > next.section
        case (.insertSection(let edit), .insertSection(let next)): edit.section < next.section
        case (.insertItem(let edit), .insertItem(let next)): edit.path < next.path
        default: run < next.run
        }
    }

    private var run: Int {
        switch self {
        case .removeItem: 0
        case .removeSection: 1
        case .insertSection: 2
        case .insertItem: 3
        }
    }

    /// What may follow, in words.
    fileprivate var successors: String {
        switch self {
        case .removeItem(let edit): "an item removed below \(edit.path), or a later run"
        case .removeSection(let edit): "a section removed below \(edit.section), or a later run"
        case .insertSection(let edit):
            "a section inserted above \(edit.section), or an item inserted"
        case .insertItem(let edit): "an item inserted above \(edit.path)"
        }
    }

    fileprivate var itemPath: ItemPath? {
        switch self {
        case .removeItem(let edit), .insertItem(let edit): edit.path
        case .removeSection, .insertSection: nil
        }
    }

    fileprivate var section: Int {
        switch self {
        case .removeItem(let edit), .insertItem(let edit): edit.path.section
        case .removeSection(let edit), .insertSection(let edit): edit.section
        }
    }

    /// The operation that brings about this edit, and its other half if there is one; nil for
    /// second halves.
    fileprivate var operation: HierarchyChangeSet.Operation? {
        switch self {
        case .removeItem(let edit):
            if let newPath = edit.associatedWith, edit.role == .move {
                return .moveItem(at: edit.path, to: newPath, edit.animation)
            }
            return edit.role == .reload
                ? .reloadItems([edit.path], edit.animation)
                : .deleteItems([edit.path], edit.animation)
        case .removeSection(let edit):
            if let newSection = edit.associatedWith, edit.role == .move {
                return .moveSection(edit.section, toSection: newSection, edit.animation)
            }
            let section = SectionSet(edit.section)
            return edit.role == .reload
                ? .reloadSections(section, edit.animation)
                : .deleteSections(section, edit.animation)
        case .insertSection(let edit):
            guard edit.role == .insert else { return nil }
            return .insertSections(SectionSet(edit.section), edit.animation)
        case .insertItem(let edit):
            guard edit.role == .insert else { return nil }
            return .insertItems([edit.path], edit.animation)
        }
    }
}
