// What the binary form of an update holds: not the four runs, but the shortest record that validation makes
// them of again. A reload or move is in it once, a reload without its new place, a section that arrives with
// its number of items; the new shape follows from the old one.

/// An update as the sorted lists of what happened, each thing once.
struct UpdateRecord {
    /// Ascending by old path.
    var itemDeletes: [ItemEdit] = []
    /// Ascending by new path.
    var itemInserts: [ItemEdit] = []
    /// Ascending by old path.
    var itemReloads: [ItemEdit] = []
    /// Ascending by old path; the associated path is the new one.
    var itemMoves: [ItemEdit] = []
    /// Ascending by old path.
    var reconfigurations: [ItemEdit] = []
    /// Ascending by old index.
    var sectionDeletes: [SectionEdit] = []
    /// Ascending by new index, with the number of fresh items.
    var sectionInserts: [SectionEdit] = []
    /// Ascending by old index, with the number of fresh items.
    var sectionReloads: [SectionEdit] = []
    /// Ascending by old index; the associated index is the new one.
    var sectionMoves: [SectionEdit] = []
    /// Ascending by kind, then by new section.
    var supplementaryReloads: [SupplementaryReload] = []

    init() {}

    /// The record of an update that is no whole reload.
    init(of update: ValidatedChangeSet) {
        // The removals descend.
        for edit in update.itemRemovals.reversed() {
            switch edit.role {
            case .reload: itemReloads.append(edit)
            case .move: itemMoves.append(edit)
            case .delete, .insert: itemDeletes.append(edit)
            }
        }
        for edit in update.itemInsertions where edit.role == .insert { itemInserts.append(edit) }
        for edit in update.sectionRemovals.reversed() {
            switch edit.role {
            case .reload: sectionReloads.append(Self.withFreshItems(edit, of: update))
            case .move: sectionMoves.append(edit)
            case .delete, .insert: sectionDeletes.append(edit)
            }
        }
        for edit in update.sectionInsertions where edit.role == .insert {
            sectionInserts.append(edit)
        }
        listReconfigurations(update.reconfigurations)
        listSupplementaryReloads(update.supplementaryReloads)
    }

    /// A section's second half has the number of its items, which the first half does not.
    private static func withFreshItems(
        _ removal: SectionEdit,
        of update: ValidatedChangeSet
    ) -> SectionEdit {
        var edit = removal
        let insertion = removal.associatedWith.flatMap { update.sectionInsertion(at: $0) }
        edit.freshItemCount = insertion?.freshItemCount ?? 0
        return edit
    }

    mutating func listReconfigurations(_ updated: [ItemReconfiguration]) {
        reconfigurations = updated.map {
            ItemEdit(path: $0.oldPath, role: .reload, animation: $0.animation)
        }
        // They come by new path, which mostly is the same order.
        reconfigurations.sort { $0.path < $1.path }
    }

    mutating func listSupplementaryReloads(_ reloads: [SupplementaryReload]) {
        supplementaryReloads = reloads.sorted {
            ($0.kind, $0.newSection) < ($1.kind, $1.newSection)
        }
    }

    /// How many edits and in-place updates an update has that is of all this and nothing else.
    var editCount: Int {
        itemDeletes.count + itemInserts.count + 2 * (itemReloads.count + itemMoves.count)
            + sectionDeletes.count + sectionInserts.count
            + 2 * (sectionReloads.count + sectionMoves.count)
    }
}

// MARK: - Operations

extension UpdateRecord {
    /// The record of operations that validation makes the update of; never empty, as an empty one stands for
    /// the update of which nothing was recorded.
    var changes: HierarchyChangeSet {
        var operations: [HierarchyChangeSet.Operation] = []
        append(itemDeletes, to: &operations) { .deleteItems($0, $1) }
        append(itemInserts, to: &operations) { .insertItems($0, $1) }
        append(itemReloads, to: &operations) { .reloadItems($0, $1) }
        append(reconfigurations, to: &operations) { .reconfigureItems($0, $1) }
        append(sectionDeletes, to: &operations) { .deleteSections($0, $1) }
        append(sectionInserts, to: &operations) { .insertSections($0, $1) }
        append(sectionReloads, to: &operations) { .reloadSections($0, $1) }
        for edit in itemMoves {
            let newPath = edit.associatedWith ?? edit.path
            operations.append(.moveItem(at: edit.path, to: newPath, edit.animation))
        }
        for edit in sectionMoves {
            let newSection = edit.associatedWith ?? edit.section
            operations.append(.moveSection(edit.section, toSection: newSection, edit.animation))
        }
        for reload in supplementaryReloads {
            let section = SectionSet(reload.newSection)
            operations.append(.reloadSupplementaries(reload.kind, in: section, reload.animation))
        }
        if operations.isEmpty { operations.append(.deleteItems([], .automatic)) }
        return HierarchyChangeSet(operations)
    }

    /// One operation for neighbours of equal option, since each costs more than its paths.
    private func append(
        _ edits: [ItemEdit],
        to operations: inout [HierarchyChangeSet.Operation],
        _ operation: ([ItemPath], AnimationOption) -> HierarchyChangeSet.Operation
    ) {
        for group in edits.grouped(by: \.animation) {
            operations.append(operation(group.map(\.path), group[group.startIndex].animation))
        }
    }

    private func append(
        _ edits: [SectionEdit],
        to operations: inout [HierarchyChangeSet.Operation],
        _ operation: (SectionSet, AnimationOption) -> HierarchyChangeSet.Operation
    ) {
        for group in edits.grouped(by: \.animation) {
            let sections = SectionSet(group.lazy.map(\.section))
            operations.append(operation(sections, group[group.startIndex].animation))
        }
    }
}

extension Array {
    /// The elements in groups of neighbours of equal animation option.
    func grouped(by animation: (Element) -> AnimationOption) -> [ArraySlice<Element>] {
        var groups: [ArraySlice<Element>] = []
        var start = 0
        while start < count {
            var end = start + 1
            while end < count, animation(self[end]) == animation(self[start]) { end += 1 }
            groups.append(self[start..<end])
            start = end
        }
        return groups
    }
}
