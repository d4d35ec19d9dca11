// The phase of moves: both ends exist, and no two moves share one.

extension StandardValidator {
    /// Ascending by source, the items of a section before the section; then targets ascending.
    func checkMoves() throws(HierarchyUpdateError) {
        var item = 0
        var section = 0
        while item < edits.itemMoves.count || section < edits.sectionMoves.count {
            let itemIsNext =
                item < edits.itemMoves.count
                && (section == edits.sectionMoves.count
                    || edits.itemMoves[item].oldPath.section
                        <= edits.sectionMoves[section].oldSection)
            if itemIsNext {
                try checkItemMove(at: item)
                item += 1
            } else {
                try checkSectionMove(at: section)
                section += 1
            }
        }
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
            // The doubled "to" is Apple's.
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
