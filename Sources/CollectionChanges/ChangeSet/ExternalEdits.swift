// The three checks of external edits, in the order in which they run.

/// External edits that are known to be in the fixed order. Nothing else about them has been
/// checked.
struct ExternalEdits {
    /// All edits, in order.
    private var edits: [HierarchyEdit] = []

    // The edits by run. The runs follow each other, so the index of an edit is its index in its run
    // plus the lengths of the previous runs.
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
                    "edit \(edits.count) is out of order: after \(last), expected"
                        + " \(last.successors), but found \(edit)",
                    operationIndex: edits.count,
                    path: edit.itemPath,
                    section: edit.section,
                    hint: "Remove items in descending order, then sections in descending order;"
                        + " insert sections in ascending order, then items in ascending order; name"
                        + " each place once",
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

    /// Checks that every role is allowed in its run, and that the two halves of an edit refer to
    /// each other.
    func checkLinks(insertedIn newShape: HierarchyShape) throws(HierarchyUpdateError) {
        for (index, edit) in edits.enumerated() {
            guard let fault = linkFault(of: edit) ?? insertionFault(of: edit, in: newShape) else {
                continue
            }
            throw HierarchyUpdateError(
                .editUnlinked,
                "edit \(index), \(edit), \(fault)",
                operationIndex: index,
                path: edit.itemPath,
                section: edit.section,
                hint:
                    "Deletes are removals and inserts are insertions, without an associated edit; a"
                    + " reload or move has two halves, each associated with the other's place",
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
                sectionRemovals.descendingPosition(of: oldSection, by: \.section)
                    .map { (sectionRemovals[$0].role, sectionRemovals[$0].associatedWith) }
            }
        case .insertItem(let edit):
            fault(.insert, edit.role, at: edit.path, edit.associatedWith) { oldPath in
                itemRemovals.descendingPosition(of: oldPath, by: \.path)
                    .map { (itemRemovals[$0].role, itemRemovals[$0].associatedWith) }
            }
        }
    }

    /// Returns a description of what is wrong with one half, or `nil` if it is correct.
    ///
    /// - Parameters:
    ///   - unpairedRole: The role in this run that has no associated edit.
    ///   - role: The role of the half.
    ///   - place: The path or index of the half.
    ///   - associatedWith: The path or index of the other half.
    ///   - otherHalf: A closure that returns the other half at a path or index.
    private func fault<Place: Equatable>(
        _ unpairedRole: EditRole,
        _ role: EditRole,
        at place: Place,
        _ associatedWith: Place?,
        otherHalf: (Place) -> (role: EditRole, associatedWith: Place?)?
    ) -> String? {
        switch role {
        case .delete, .insert:
            if role != unpairedRole { return "must be \(named(unpairedRole)), a reload or a move" }
            return associatedWith.map { "must have no associated edit, but has \($0)" }
        case .reload, .move:
            guard let associatedWith else { return "must have an associated edit, but has none" }
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

    private func insertionFault(of edit: HierarchyEdit, in newShape: HierarchyShape) -> String? {
        let section: SectionEdit
        var expected = 0
        switch edit {
        case .removeItem, .insertItem: return nil
        case .removeSection(let edit): section = edit
        case .insertSection(let edit):
            section = edit
            if edit.role == .move { break }
            // Validation reports a section that does not exist.
            guard let count = newShape.numberOfItems(inSection: edit.section) else { return nil }
            expected =
                count - itemInsertions.positions(inSection: edit.section) { $0.path.section }.count
        }
        if section.newItemCount == expected { return nil }
        return "must have \(expected) new items, but has \(section.newItemCount)"
    }

    // MARK: Validation

    /// Returns the update of the operations that the edits describe, if its edits are exactly
    /// these.
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
        // There cannot be more expected edits than given ones: each operation is that of a given
        // edit, whose other half, if it has one, is also given.
        for (index, edit) in edits.enumerated() {
            let expectedEdit = expected.dropFirst(index).first
            if edit == expectedEdit { continue }
            throw HierarchyUpdateError(
                .editMismatch,
                "edit \(index) must be \(expectedEdit?.description ?? "absent"), but is \(edit)",
                operationIndex: index,
                path: edit.itemPath,
                section: edit.section,
                hint: "Leave out deletes and reloads in deleted or reloaded sections, and inserts"
                    + " in inserted or reloaded ones; keep reloads in place; give both halves of"
                    + " an edit the same animation",
                summary: "edit \(index) must be \(expectedEdit?.description ?? "absent")"
            )
        }
    }
}

extension HierarchyEdit {
    /// Whether `self` may be directly before `next` in the fixed order.
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

    /// A description of the edits that may follow.
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

    /// The operation that causes this edit and its other half, if there is one; `nil` for second
    /// halves.
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
