// Builds the four runs from a record that passed every check.

extension StandardValidator {
    func build(_ sections: IndexMapping) -> ValidatedChangeSet {
        let haveSections = edits.haveSections
        let insertedSections = haveSections ? insertedSections(sections) : []
        let survival = itemSurvival
        func newPath(ofSurvivorAt oldPath: ItemPath) -> ItemPath {
            // The item's section survives; otherwise the item would have been dropped before.
            let section = sections.newIndex(for: oldPath.section) ?? oldPath.section
            return ItemPath(section: section, item: survival.newItem(for: oldPath, in: section))
        }
        let (removals, insertions) = itemRuns(insertedSections, newPath)
        let runs = ValidatedChangeSet.Edits(
            itemRemovals: removals,
            sectionRemovals: haveSections ? sectionRemovals(sections) : [],
            sectionInsertions: haveSections
                ? sectionInsertions(sections, filledBy: insertions) : [],
            itemInsertions: insertions
        )
        let storage = ValidatedChangeSet.Storage(
            oldShape: oldShape,
            newShape: newShape,
            isEmpty: operations.isEmpty,
            edits: runs,
            reconfigurations: reconfigurations(runs, newPath),
            supplementaryReloads: edits.sortedSupplementaryReloads(),
            sections: sections
        )
        return ValidatedChangeSet(storage)
    }

    private var isReconfiguring: Bool {
        !edits.itemReconfigurations.isEmpty || !edits.sectionReconfigurations.isEmpty
    }

    /// The positions of the items that stay, which are needed only if items are reloaded or
    /// reconfigured. It may contain edits in sections that are gone or new; this does no harm,
    /// because no item stays there.
    private var itemSurvival: ItemSurvival {
        guard !edits.itemReloads.isEmpty || isReconfiguring else {
            return ItemSurvival(removed: [], inserted: [])
        }
        // Two sorted lists in sequence are sorted by merging.
        let removed = edits.itemDeletes.map { $0.path } + edits.itemMoves.map { $0.oldPath }
        let inserted = edits.itemInserts.map { $0.path } + itemMovesByTarget.map { $0.newPath }
        return ItemSurvival(removed: removed.sorted(), inserted: inserted.sorted())
    }

    private func itemRuns(
        _ insertedSections: [Int],
        _ newPathOfSurvivor: (ItemPath) -> ItemPath
    ) -> (removals: [ItemEdit], insertions: [ItemEdit]) {
        let moves = edits.itemMoves
        var removals: [ItemEdit] = []
        var insertions: [ItemEdit] = []
        removals.reserveCapacity(itemRemovals.count + moves.count)
        insertions.reserveCapacity(
            edits.itemInserts.count + itemRemovals.count - edits.itemDeletes.count + moves.count
        )
        for record in edits.itemInserts
        where insertedSections.sortedPosition(of: record.path.section, by: { $0 }) == nil {
            insertions.append(
                ItemEdit(path: record.path, role: .insert, animation: record.animation)
            )
        }
        for removal in itemRemovals.reversed() where !isRemoved(section: removal.path.section) {
            if removal.isReload {
                let newPath = newPathOfSurvivor(removal.path)
                removals.append(half(removal.path, .reload, newPath, removal.animation))
                insertions.append(half(newPath, .reload, removal.path, removal.animation))
            } else {
                removals.append(half(removal.path, .delete, nil, removal.animation))
            }
        }
        for move in moves {
            removals.append(half(move.oldPath, .move, move.newPath, move.animation))
        }
        for move in itemMovesByTarget {
            insertions.append(half(move.newPath, .move, move.oldPath, move.animation))
        }
        // Each kind is already in order, so there is little left to sort, and nothing for a single
        // kind.
        removals.sort { $0.path > $1.path }
        insertions.sort { $0.path < $1.path }
        return (removals, insertions)
    }

    private func half(
        _ path: ItemPath,
        _ role: EditRole,
        _ associatedWith: ItemPath?,
        _ animation: AnimationOption
    ) -> ItemEdit {
        ItemEdit(path: path, role: role, associatedWith: associatedWith, animation: animation)
    }

    /// Returns the new indexes of inserted and reloaded sections, ascending.
    private func insertedSections(_ sections: IndexMapping) -> [Int] {
        let inserted = edits.sectionInserts.map { $0.section }
        // Deleted sections have no new index.
        let reloaded = sectionRemovals.compactMap { sections.newIndex(for: $0.section) }
        return (inserted + reloaded).sorted()
    }

    private func sectionRemovals(_ sections: IndexMapping) -> [SectionEdit] {
        let removals = sectionRemovals.map { removal in
            SectionEdit(
                section: removal.section,
                role: removal.isReload ? .reload : .delete,
                associatedWith: sections.newIndex(for: removal.section),
                animation: removal.animation
            )
        }
        let moves = edits.sectionMoves.map { move in
            SectionEdit(
                section: move.oldSection,
                role: .move,
                associatedWith: move.newSection,
                animation: move.animation
            )
        }
        return (removals + moves).sorted { $0.section > $1.section }
    }

    private func sectionInsertions(
        _ sections: IndexMapping,
        filledBy itemInsertions: [ItemEdit]
    ) -> [SectionEdit] {
        func newItemCount(_ newSection: Int) -> Int {
            newShape.itemCounts[newSection]
                - itemInsertions.positions(inSection: newSection) { $0.path.section }.count
        }
        let inserts = edits.sectionInserts.map { record in
            SectionEdit(
                section: record.section,
                role: .insert,
                newItemCount: newItemCount(record.section),
                animation: record.animation
            )
        }
        let reloads = sectionRemovals.compactMap { removal in
            sections.newIndex(for: removal.section).map { newSection in
                SectionEdit(
                    section: newSection,
                    role: .reload,
                    associatedWith: removal.section,
                    newItemCount: newItemCount(newSection),
                    animation: removal.animation
                )
            }
        }
        let moves = edits.sectionMoves.map { move in
            SectionEdit(
                section: move.newSection,
                role: .move,
                associatedWith: move.oldSection,
                animation: move.animation
            )
        }
        return (inserts + reloads + moves).sorted { $0.section < $1.section }
    }

    /// Returns the reconfigurations of items and of the items of sections, once each, without items
    /// that are deleted or replaced.
    private func reconfigurations(
        _ runs: ValidatedChangeSet.Edits,
        _ newPathOfSurvivor: (ItemPath) -> ItemPath
    ) -> [ItemReconfiguration] {
        guard isReconfiguring else { return [] }
        var result: [ItemReconfiguration] = []
        for record in edits.reconfiguredItems(of: oldShape) {
            let oldPath = record.path
            let newPath: ItemPath
            if let position = runs.itemRemovals.descendingPosition(of: oldPath, by: \.path) {
                let removal = runs.itemRemovals[position]
                guard removal.role == .move, let target = removal.associatedWith else { continue }
                newPath = target
            } else {
                guard !isRemoved(section: oldPath.section) else { continue }
                newPath = newPathOfSurvivor(oldPath)
            }
            result.append(
                ItemReconfiguration(oldPath: oldPath, newPath: newPath, animation: record.animation)
            )
        }
        return result.sorted { $0.newPath < $1.newPath }
    }
}

// The last phases check whether the counts add up.

extension StandardValidator {
    func checkSectionCount() throws(HierarchyUpdateError) {
        let sum = CountArithmetic(
            before: oldShape.numberOfSections,
            after: newShape.numberOfSections,
            inserted: edits.sectionInserts.count,
            deleted: edits.sectionDeletes.count
        )
        guard sum.expected != sum.after else { return }
        throw HierarchyUpdateError(
            .sectionCount,
            "Invalid update: invalid number of sections. The number of sections contained in the"
                + " collection view after the update (\(sum.after)) must be equal to the number of"
                + " sections contained in the collection view before the update (\(sum.before)),"
                + " plus or minus the number of sections inserted or deleted (\(sum.inserted)"
                + " inserted, \(sum.deleted) deleted)",
            arithmetic: sum
        )
    }

    /// Checks, for every section that exists before and after, ascending by new index: the old
    /// count, minus the items that left, plus the items that arrived, must be the new count.
    ///
    /// - Parameters:
    ///   - sections: The mapping of sections.
    ///   - comparingMovesByNumber: If `true`, an item leaves its section if the section numbers at
    ///     the two ends of its move differ, as in early UIKit; otherwise if the sections differ.
    ///   - hint: The hint of the error.
    func checkItemCounts(
        _ sections: IndexMapping,
        comparingMovesByNumber: Bool = false,
        hint: String? = nil
    ) throws(HierarchyUpdateError) {
        let comparison = itemCountComparison(leavingOutMovesWithinNumber: comparingMovesByNumber)
        for stretch in sections.stretches() {
            var start = 0
            while let position = comparison.firstFault(in: stretch, from: start) {
                // A reloaded section may have any number of items.
                start = position + 1
                let oldSection = stretch.oldStart + position
                if isRemoved(section: oldSection) { continue }
                throw itemCountFault(
                    oldSection: oldSection,
                    newSection: stretch.newStart + position,
                    comparingMovesByNumber: comparingMovesByNumber,
                    hint: hint
                )
            }
        }
    }

    private func itemCountComparison(leavingOutMovesWithinNumber: Bool) -> ItemCountComparison {
        var leaving: [SectionTally] = []
        leaving.reserveCapacity(min(edits.itemDeletes.count, oldShape.numberOfSections))
        leaving.append(countsOf: edits.itemDeletes) { $0.path.section }
        var coming: [SectionTally] = []
        coming.reserveCapacity(min(edits.itemInserts.count, newShape.numberOfSections))
        coming.append(countsOf: edits.itemInserts) { $0.path.section }
        func counts(_ move: RecordedEdits.ItemMoveRecord) -> Bool {
            !leavingOutMovesWithinNumber || move.oldPath.section != move.newPath.section
        }
        leaving.append(countsOf: edits.itemMoves.filter(counts)) { $0.oldPath.section }
        leaving.sort { $0.section < $1.section }
        coming.append(countsOf: itemMovesByTarget.filter(counts)) { $0.newPath.section }
        coming.sort { $0.section < $1.section }
        return ItemCountComparison(
            old: oldShape.itemCounts,
            new: newShape.itemCounts,
            leaving: leaving,
            coming: coming
        )
    }

    /// Returns the error for a section whose item count does not add up.
    ///
    /// - Parameters:
    ///   - oldSection: The old index of the section.
    ///   - newSection: The new index of the section.
    ///   - reloaded: The number of reloads that count as deletes here and as inserts elsewhere.
    ///   - comparingMovesByNumber: Whether moves are compared by section number, as in early UIKit.
    ///   - hint: The hint of the error.
    func itemCountFault(
        oldSection: Int,
        newSection: Int,
        reloaded: Int = 0,
        comparingMovesByNumber: Bool,
        hint: String?
    ) -> HierarchyUpdateError {
        // Moves within the section cancel out, and UIKit does not count them.
        let leaving = edits.itemMoves.count {
            $0.oldPath.section == oldSection
                && $0.newPath.section != (comparingMovesByNumber ? oldSection : newSection)
        }
        let coming = edits.itemMoves.count {
            $0.newPath.section == newSection
                && $0.oldPath.section != (comparingMovesByNumber ? newSection : oldSection)
        }
        let sum = CountArithmetic(
            before: oldShape.itemCounts[oldSection],
            after: newShape.itemCounts[newSection],
            inserted: edits.itemInserts.count { $0.path.section == newSection },
            deleted: edits.itemDeletes.count { $0.path.section == oldSection } + reloaded,
            movedIn: coming,
            movedOut: leaving
        )
        return HierarchyUpdateError(
            .itemCount,
            "Invalid update: invalid number of items in section \(newSection). The number of items"
                + " contained in an existing section after the update (\(sum.after)) must be equal"
                + " to the number of items contained in that section before the update"
                + " (\(sum.before)), plus or minus the number of items inserted or deleted from that"
                + " section (\(sum.inserted) inserted, \(sum.deleted) deleted) and plus or minus the"
                + " number of items moved into or out of that section (\(sum.movedIn) moved in,"
                + " \(sum.movedOut) moved out)",
            section: newSection,
            arithmetic: sum,
            hint: hint
        )
    }
}
