// The phase of moves, and what only early releases of UIKit raise for.

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
        func fault(
            _ code: HierarchyUpdateError.Code,
            _ path: ItemPath,
            _ text: String
        ) -> HierarchyUpdateError {
            HierarchyUpdateError(
                code,
                text,
                operationIndex: Int(move.operation),
                path: path,
                hint: "A move goes from a path before the update to a path after it"
            )
        }
        guard let oldCount = oldShape.numberOfItems(inSection: old.section) else {
            throw fault(
                .moveItemSourceSectionRange,
                old,
                "attempt to move index path (\(old)) from a section that does not exist - there"
                    + " are only \(oldShape.numberOfSections) sections before the update"
            )
        }
        guard old.item >= 0, old.item < oldCount else {
            throw fault(
                .moveItemSourceRange,
                old,
                "attempt to move index path (\(old)) that does not exist - there are only"
                    + " \(oldCount) items in section \(old.section) before the update"
            )
        }
        guard let newCount = newShape.numberOfItems(inSection: new.section) else {
            throw fault(
                .moveItemTargetSectionRange,
                new,
                "attempt to move index path (\(old)) to index path (\(new)) in section that does"
                    + " not exist - there are only \(newShape.numberOfSections) sections after the"
                    + " update"
            )
        }
        guard new.item >= 0, new.item < newCount else {
            throw fault(
                .moveItemTargetRange,
                new,
                "attempt to move index path (\(old)) to index path (\(new)) that does not exist -"
                    + " there are only \(newCount) items in section \(new.section) after the update"
            )
        }
        let next = position + 1
        if next < edits.itemMoves.count, edits.itemMoves[next].oldPath == old {
            throw fault(
                .moveItemToTwoPlaces,
                old,
                "attempt to move item at index path \(old) to both \(new) and"
                    + " \(edits.itemMoves[next].newPath)"
            )
        }
    }

    private func checkSectionMove(at position: Int) throws(HierarchyUpdateError) {
        let move = edits.sectionMoves[position]
        let (old, new) = (move.oldSection, move.newSection)
        func fault(
            _ code: HierarchyUpdateError.Code,
            _ section: Int,
            _ text: String
        ) -> HierarchyUpdateError {
            HierarchyUpdateError(
                code,
                text,
                operationIndex: Int(move.operation),
                section: section,
                hint: "A move goes from an index before the update to an index after it"
            )
        }
        let oldCount = oldShape.numberOfSections
        guard old >= 0, old < oldCount else {
            throw fault(
                .moveSectionSourceRange,
                old,
                "attempt to move section \(old), but there are only \(oldCount) sections before"
                    + " the update"
            )
        }
        let newCount = newShape.numberOfSections
        guard new >= 0, new < newCount else {
            // The doubled "to" is Apple's.
            throw fault(
                .moveSectionTargetRange,
                new,
                "attempt to to move section \(old) to section \(new), but there are only"
                    + " \(newCount) sections after the update"
            )
        }
        let next = position + 1
        if next < edits.sectionMoves.count, edits.sectionMoves[next].oldSection == old {
            throw fault(
                .moveSectionToTwoPlaces,
                old,
                "attempt to move section \(old) to both section \(new) and section"
                    + " \(edits.sectionMoves[next].newSection)"
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

    // MARK: Early faults

    /// Item moves across deleted, inserted and reloaded sections, and reloads whose place, when
    /// moves are left out of the reckoning as UIKit leaves them out, is taken or missing.
    func checkEarlyFaults() throws(HierarchyUpdateError) {
        let reloadTargets = naiveReloadTargets(ofSections: edits.sectionReloads.map(\.section))
        for move in edits.itemMoves {
            if isRemoved(section: move.oldPath.section) {
                throw HierarchyUpdateError(
                    .moveOutOfDeletedSection,
                    "cannot move an item from a deleted section (\(move.oldPath.section))",
                    operationIndex: Int(move.operation),
                    path: move.oldPath
                )
            }
            let target = move.newPath.section
            let isFresh =
                edits.sectionInserts.sortedPosition(of: target, by: \.section) != nil
                || reloadTargets.contains(target)
            if isFresh {
                throw HierarchyUpdateError(
                    .moveIntoInsertedSection,
                    "cannot move an item into a newly inserted section (\(target))",
                    operationIndex: Int(move.operation),
                    path: move.newPath
                )
            }
        }
        if !edits.sectionMoves.isEmpty { try checkNaiveSectionReloads() }
        if !edits.itemMoves.isEmpty || !edits.sectionMoves.isEmpty { try checkNaiveItemReloads() }
    }

    private func checkNaiveSectionReloads() throws(HierarchyUpdateError) {
        for reload in edits.sectionReloads {
            let target = naiveNewSection(for: reload.section)
            if sectionMovesByTarget.sortedPosition(of: target, by: \.newSection) != nil {
                throw HierarchyUpdateError(
                    .insertAndMoveSection,
                    "attempt to perform an insert and a move to the same section (\(target))",
                    operationIndex: Int(reload.operation),
                    section: target,
                    hint: "UIKit does not reckon with moves when it places a reload; reload in a"
                        + " second update"
                )
            }
            if target >= newShape.numberOfSections {
                throw HierarchyUpdateError(
                    .insertSectionRange,
                    "attempt to insert section \(target) but there are only"
                        + " \(newShape.numberOfSections) sections after the update",
                    operationIndex: Int(reload.operation),
                    section: target,
                    hint: "UIKit does not reckon with moves when it places a reload; reload in a"
                        + " second update"
                )
            }
        }
    }

    private func checkNaiveItemReloads() throws(HierarchyUpdateError) {
        let deletes = edits.itemDeletes.map(\.path)
        let inserts = edits.itemInserts.map(\.path)
        let survival = ItemSurvival(takenOut: deletes, putIn: inserts)
        for removal in itemRemovals where removal.isReload {
            guard !isRemoved(section: removal.path.section) else { continue }
            let section = naiveNewSection(for: removal.path.section)
            let target = ItemPath(
                section: section,
                item: survival.newItem(for: removal.path, in: section)
            )
            let isTaken = itemMovesByTarget.sortedPosition(of: target, by: \.newPath) != nil
            if isTaken || !newShape.contains(target) {
                throw HierarchyUpdateError(
                    isTaken ? .insertAndMoveItem : .insertItemRange,
                    isTaken
                        ? "attempt to perform an insert and a move to the same index path (\(target))"
                        : "attempt to insert item \(target.item) into section \(target.section), but"
                            + " there are only \(newShape.numberOfItems(inSection: section) ?? 0)"
                            + " items in section \(target.section) after the update",
                    operationIndex: Int(removal.record.operation),
                    path: target,
                    hint: "UIKit does not reckon with moves when it places a reload; reload in a"
                        + " second update"
                )
            }
        }
    }

    private func naiveReloadTargets(ofSections sections: [Int]) -> Set<Int> {
        Set(sections.map(naiveNewSection(for:)))
    }

    /// Where UIKit puts a reloaded section: shifted by deletes and inserts, but not by moves.
    private func naiveNewSection(for oldSection: Int) -> Int {
        let deletes = edits.sectionDeletes
        let inserts = edits.sectionInserts
        let below = rank(of: oldSection, among: deletes.count) { deletes[$0].section }
        return unlistedInteger(rank: oldSection - below, among: inserts.count) {
            inserts[$0].section
        }
    }
}
