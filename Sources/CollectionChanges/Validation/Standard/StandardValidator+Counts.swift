// The last phases: in-place updates, and whether the counts add up.

extension StandardValidator {
    /// Reconfigurations need items that exist; supplementary elements a section that does.
    func checkInPlaceUpdates() throws(HierarchyUpdateError) {
        for record in edits.itemReconfigurations where !oldShape.contains(record.path) {
            throw HierarchyUpdateError(
                .reconfigureItemRange,
                "attempt to reconfigure item at index path (\(record.path)) that does not exist"
                    + " before the update: \(oldShape)",
                operationIndex: Int(record.operation),
                path: record.path,
                hint: "Reconfigurations use the paths before the update"
            )
        }
        for record in edits.sectionReconfigurations
        where !oldShape.itemCounts.indices.contains(record.section) {
            throw HierarchyUpdateError(
                .reconfigureSectionRange,
                "attempt to reconfigure section \(record.section), but there are only"
                    + " \(oldShape.numberOfSections) sections before the update",
                operationIndex: Int(record.operation),
                section: record.section,
                hint: "Reconfigurations use the indexes before the update"
            )
        }
        for reload in edits.supplementaryReloads {
            for record in reload.sections
            where !newShape.itemCounts.indices.contains(record.section) {
                throw HierarchyUpdateError(
                    .supplementarySectionRange,
                    "attempt to reload supplementary elements of kind \(reload.kind) in section"
                        + " \(record.section), but there are only \(newShape.numberOfSections)"
                        + " sections after the update",
                    operationIndex: Int(record.operation),
                    section: record.section,
                    hint: "Reloads of supplementary elements use the indexes after the update"
                )
            }
        }
    }

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

    /// For every section that is there before and after, ascending by new index: old, minus what
    /// left, plus what came, must be new.
    ///
    /// - Parameter comparingMovesByNumber: whether an item leaves its section when the numbers
    ///   at the two ends of its move differ, as early UIKit has it, or when the sections do.
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

    /// - Parameter reloaded: how many reloads count as deletes here and as inserts elsewhere.
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
