// The three checks of edits from outside, in the order in which they run.

/// Edits from outside that stand in the fixed order; nothing else is known about them.
struct OutsideEdits {
    /// All of them, in order.
    private var edits: [HierarchyEdit] = []

    // The same by run. The runs follow each other, so an edit's index is that in its run plus the
    // lengths of the runs before.
    private var itemTakeOuts: [ItemEdit] = []
    private var sectionTakeOuts: [SectionEdit] = []
    private var sectionPutIns: [SectionEdit] = []
    private var itemPutIns: [ItemEdit] = []

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
                    hint: "Items are taken out descending, then sections descending; sections are"
                        + " put in ascending, then items ascending; each place once"
                )
            }
            edits.append(edit)
            switch edit {
            case .takeOutItem(let edit): itemTakeOuts.append(edit)
            case .takeOutSection(let edit): sectionTakeOuts.append(edit)
            case .putInSection(let edit): sectionPutIns.append(edit)
            case .putInItem(let edit): itemPutIns.append(edit)
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
                hint: "Deletes are taken out and inserts put in, without a counterpart; of a reload"
                    + " or move there are two halves with each other's place as counterpart"
            )
        }
    }

    private func linkFault(of edit: HierarchyEdit) -> String? {
        switch edit {
        case .takeOutItem(let edit):
            fault(.delete, edit.role, at: edit.path, edit.counterpart) { newPath in
                itemPutIns.sortedPosition(of: newPath, by: \.path)
                    .map { (itemPutIns[$0].role, itemPutIns[$0].counterpart) }
            }
        case .takeOutSection(let edit):
            fault(.delete, edit.role, at: edit.section, edit.counterpart) { newSection in
                sectionPutIns.sortedPosition(of: newSection, by: \.section)
                    .map { (sectionPutIns[$0].role, sectionPutIns[$0].counterpart) }
            }
        case .putInSection(let edit):
            fault(.insert, edit.role, at: edit.section, edit.counterpart) { oldSection in
                let position = partitionPoint(sectionTakeOuts.count) {
                    sectionTakeOuts[$0].section <= oldSection
                }
                guard position < sectionTakeOuts.count,
                    sectionTakeOuts[position].section == oldSection
                else { return nil }
                return (sectionTakeOuts[position].role, sectionTakeOuts[position].counterpart)
            }
        case .putInItem(let edit):
            fault(.insert, edit.role, at: edit.path, edit.counterpart) { oldPath in
                let position = partitionPoint(itemTakeOuts.count) {
                    itemTakeOuts[$0].path <= oldPath
                }
                guard position < itemTakeOuts.count, itemTakeOuts[position].path == oldPath else {
                    return nil
                }
                return (itemTakeOuts[position].role, itemTakeOuts[position].counterpart)
            }
        }
    }

    /// What is wrong with one half, given the role without a counterpart that its run can have and
    /// a way to find the other half.
    private func fault<Place: Equatable>(
        _ lonelyRole: EditRole,
        _ role: EditRole,
        at place: Place,
        _ counterpart: Place?,
        otherHalf: (Place) -> (role: EditRole, counterpart: Place?)?
    ) -> String? {
        switch role {
        case .delete, .insert:
            if role != lonelyRole { return "must be \(named(lonelyRole)), a reload or a move" }
            return counterpart.map { "must have no counterpart, but has \($0)" }
        case .reload, .move:
            guard let counterpart else { return "must name its other half, but names none" }
            guard let half = otherHalf(counterpart) else {
                return "must have its other half at \(counterpart), but there is none"
            }
            if half.role == role, half.counterpart == place { return nil }
            let found = half.counterpart.map { " with \($0)" } ?? ""
            return "must have its other half at \(counterpart), but that is"
                + " \(named(half.role))\(found)"
        }
    }

    private func named(_ role: EditRole) -> String { role == .insert ? "an insert" : "a \(role)" }

    private func freshFault(of edit: HierarchyEdit, in newShape: HierarchyShape) -> String? {
        let section: SectionEdit
        var expected = 0
        switch edit {
        case .takeOutItem, .putInItem: return nil
        case .takeOutSection(let edit): section = edit
        case .putInSection(let edit):
            section = edit
            if edit.role == .move { break }
            // A section that does not exist is for validation to report.
            guard let count = newShape.numberOfItems(inSection: edit.section) else { return nil }
            expected =
                count - itemPutIns.positions(inSection: edit.section) { $0.path.section }.count
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
                hint: "Deletes and reloads in sections that are taken out for good, and inserts in"
                    + " fresh ones, are left out; a reload stays in its place; both halves of an"
                    + " edit have one animation"
            )
        }
    }
}

extension HierarchyEdit {
    /// Whether `self` may stand directly before `next` in the fixed order.
    fileprivate func precedes(_ next: HierarchyEdit) -> Bool {
        switch (self, next) {
        case (.takeOutItem(let edit), .takeOutItem(let next)): edit.path > next.path
        case (.takeOutSection(let edit), .takeOutSection(let next)): edit.section > next.section
        case (.putInSection(let edit), .putInSection(let next)): edit.section < next.section
        case (.putInItem(let edit), .putInItem(let next)): edit.path < next.path
        default: run < next.run
        }
    }

    private var run: Int {
        switch self {
        case .takeOutItem: 0
        case .takeOutSection: 1
        case .putInSection: 2
        case .putInItem: 3
        }
    }

    /// What may follow, in words.
    fileprivate var successors: String {
        switch self {
        case .takeOutItem(let edit): "an item taken out below \(edit.path), or a later run"
        case .takeOutSection(let edit): "a section taken out below \(edit.section), or a later run"
        case .putInSection(let edit): "a section put in above \(edit.section), or an item put in"
        case .putInItem(let edit): "an item put in above \(edit.path)"
        }
    }

    fileprivate var itemPath: ItemPath? {
        switch self {
        case .takeOutItem(let edit), .putInItem(let edit): edit.path
        case .takeOutSection, .putInSection: nil
        }
    }

    fileprivate var section: Int {
        switch self {
        case .takeOutItem(let edit), .putInItem(let edit): edit.path.section
        case .takeOutSection(let edit), .putInSection(let edit): edit.section
        }
    }

    /// The operation that brings about this edit, and its other half if there is one; nil for
    /// second halves.
    fileprivate var operation: HierarchyChangeSet.Operation? {
        switch self {
        case .takeOutItem(let edit):
            if let newPath = edit.counterpart, edit.role == .move {
                return .moveItem(from: edit.path, to: newPath, edit.animation)
            }
            return edit.role == .reload
                ? .reloadItems([edit.path], edit.animation)
                : .deleteItems([edit.path], edit.animation)
        case .takeOutSection(let edit):
            if let newSection = edit.counterpart, edit.role == .move {
                return .moveSection(from: edit.section, to: newSection, edit.animation)
            }
            let section = SectionSet(edit.section)
            return edit.role == .reload
                ? .reloadSections(section, edit.animation)
                : .deleteSections(section, edit.animation)
        case .putInSection(let edit):
            guard edit.role == .insert else { return nil }
            return .insertSections(SectionSet(edit.section), edit.animation)
        case .putInItem(let edit):
            guard edit.role == .insert else { return nil }
            return .insertItems([edit.path], edit.animation)
        }
    }
}
