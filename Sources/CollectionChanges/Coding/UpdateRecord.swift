// The binary form of an update contains the shortest record from which validation rebuilds the four
// runs, not the runs themselves. A reload or move is listed once. A reload has no new place, and an
// inserted or reloaded section has only its number of items. The new shape is derived from the old
// one.

/// An update as sorted lists of its changes, each listed once.
struct UpdateRecord {
    /// The deleted items, ascending by old path.
    var itemDeletes: [ItemEdit] = []
    /// The inserted items, ascending by new path.
    var itemInserts: [ItemEdit] = []
    /// The reloaded items, ascending by old path.
    var itemReloads: [ItemEdit] = []
    /// The moved items, ascending by old path; the associated path is the new one.
    var itemMoves: [ItemEdit] = []
    /// The reconfigured items, ascending by old path.
    var reconfigurations: [ItemEdit] = []
    /// The deleted sections, ascending by old index.
    var sectionDeletes: [SectionEdit] = []
    /// The inserted sections, ascending by new index, with the number of new items.
    var sectionInserts: [SectionEdit] = []
    /// The reloaded sections, ascending by old index, with the number of new items.
    var sectionReloads: [SectionEdit] = []
    /// The moved sections, ascending by old index; the associated index is the new one.
    var sectionMoves: [SectionEdit] = []
    /// The reloaded supplementary elements, ascending by kind, then by new section.
    var supplementaryReloads: [SupplementaryReload] = []

    /// Creates the record of an update that is not a `reloadData`.
    init(of update: ValidatedChangeSet) {
        // The removals are in descending order.
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
            case .reload: sectionReloads.append(Self.withNewItems(edit, of: update))
            case .move: sectionMoves.append(edit)
            case .delete, .insert: sectionDeletes.append(edit)
            }
        }
        for edit in update.sectionInsertions where edit.role == .insert {
            sectionInserts.append(edit)
        }
        reconfigurations = update.reconfigurations.map {
            ItemEdit(path: $0.oldPath, role: .reload, animation: $0.animation)
        }
        // They are ordered by new path, which is usually almost the same order.
        reconfigurations.sort { $0.path < $1.path }
        supplementaryReloads = update.supplementaryReloads.sorted {
            ($0.kind, $0.newSection) < ($1.kind, $1.newSection)
        }
    }

    /// Returns the removal of a reloaded section with the number of new items, which only the
    /// insertion contains.
    private static func withNewItems(
        _ removal: SectionEdit,
        of update: ValidatedChangeSet
    ) -> SectionEdit {
        var edit = removal
        let insertion = removal.associatedWith.flatMap { update.sectionInsertion(at: $0) }
        edit.newItemCount = insertion?.newItemCount ?? 0
        return edit
    }

    /// The number of edits of an update that makes exactly these changes.
    var editCount: Int {
        itemDeletes.count + itemInserts.count + 2 * (itemReloads.count + itemMoves.count)
            + sectionDeletes.count + sectionInserts.count
            + 2 * (sectionReloads.count + sectionMoves.count)
    }

    // MARK: Operations

    /// The record that validation turns into the update. It is never empty, because an empty record
    /// means that nothing was recorded.
    var changes: HierarchyChangeSet {
        let operations = self.operations
        return HierarchyChangeSet(operations.isEmpty ? [.deleteItems([], .automatic)] : operations)
    }

    fileprivate var operations: [HierarchyChangeSet.Operation] {
        var operations: [HierarchyChangeSet.Operation] = []
        append(itemDeletes, to: &operations) { .deleteItems($0, $1) }
        append(itemReloads, to: &operations) { .reloadItems($0, $1) }
        for edit in itemMoves {
            let newPath = edit.associatedWith ?? edit.path
            operations.append(.moveItem(at: edit.path, to: newPath, edit.animation))
        }
        append(sectionDeletes, to: &operations) { .deleteSections($0, $1) }
        append(sectionReloads, to: &operations) { .reloadSections($0, $1) }
        for edit in sectionMoves {
            let newSection = edit.associatedWith ?? edit.section
            operations.append(.moveSection(edit.section, toSection: newSection, edit.animation))
        }
        append(sectionInserts, to: &operations) { .insertSections($0, $1) }
        append(itemInserts, to: &operations) { .insertItems($0, $1) }
        append(reconfigurations, to: &operations) { .reconfigureItems($0, $1) }
        for (kind, reloads) in supplementaryReloads.runs(by: \.kind) {
            for (animation, reloads) in reloads.runs(by: \.animation) {
                let sections = SectionSet(reloads.map(\.newSection))
                operations.append(.reloadSupplementaries(kind, in: sections, animation))
            }
        }
        return operations
    }

    /// Appends one operation for neighbours with the same option, because an operation costs more
    /// than its paths.
    private func append(
        _ edits: [ItemEdit],
        to operations: inout [HierarchyChangeSet.Operation],
        _ operation: ([ItemPath], AnimationOption) -> HierarchyChangeSet.Operation
    ) {
        for (animation, edits) in edits.runs(by: \.animation) {
            operations.append(operation(edits.map(\.path), animation))
        }
    }

    private func append(
        _ edits: [SectionEdit],
        to operations: inout [HierarchyChangeSet.Operation],
        _ operation: (SectionSet, AnimationOption) -> HierarchyChangeSet.Operation
    ) {
        for (animation, edits) in edits.runs(by: \.animation) {
            operations.append(operation(SectionSet(edits.lazy.map(\.section)), animation))
        }
    }
}

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
        self.init(
            update.isReloadData
                ? [.reloadData(update.reloadDataAnimation)] : UpdateRecord(of: update).operations
        )
    }
}

// The new shape is derived from the old shape and from the only values that a reader cannot derive:
// the numbers of new items in inserted and reloaded sections. The record is unchecked at this
// point; validation checks the result.

extension UpdateRecord {
    /// Returns the shape after the update, or `nil` if the sections of the record are invalid. A
    /// count may be negative, which validation rejects.
    ///
    /// Complexity: O(k log k) for k edits, plus a copy of the counts if one changes.
    func newShape(after oldShape: HierarchyShape) -> HierarchyShape? {
        guard let sections = sectionMapping(of: oldShape) else { return nil }
        let isStill = sections.isIdentity && sectionReloads.isEmpty
        if isStill, itemDeletes.isEmpty, itemInserts.isEmpty, itemMoves.isEmpty { return oldShape }
        var counts = oldShape.itemCounts
        if !sections.isIdentity { counts = sections.carry(counts, filling: 0) }
        for edit in sectionInserts { counts[edit.section] = edit.newItemCount }
        for edit in sectionReloads {
            guard let section = sections.newIndex(for: edit.section) else { return nil }
            counts[section] = edit.newItemCount
        }
        // An item that leaves a reloaded section does not reduce the count of its replacement.
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

    /// Returns the mapping of section indexes, or `nil` if a section does not exist or is listed
    /// twice.
    private func sectionMapping(of oldShape: HierarchyShape) -> IndexMapping? {
        let oldCount = oldShape.numberOfSections
        let removed = (sectionDeletes + sectionMoves).map(\.section).sorted()
        let inserted = (sectionInserts.map(\.section) + sectionMoves.compactMap(\.associatedWith))
            .sorted()
        // Cannot be negative if the removed sections are distinct and exist.
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
    /// Returns whether these ascending integers are distinct indexes below `count`.
    fileprivate func areDistinct(below count: Int) -> Bool {
        guard let first, let last else { return true }
        return first >= 0 && last < count && !zip(self, dropFirst()).contains { $0 == $1 }
    }
}
