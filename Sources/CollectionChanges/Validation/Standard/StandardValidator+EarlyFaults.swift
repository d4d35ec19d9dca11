// What `strict` adds: faults that only early releases of UIKit raise for, and those that come from
// a habit of every release. UIKit takes a reload apart into a delete and an insert, and places the
// insert as if there were no moves: at the "naive" place, which is not always the true one. It then
// checks and counts with what it made.

extension StandardValidator {
    /// Item moves across deleted, inserted and reloaded sections, and reloads whose naive place is
    /// taken or missing.
    func checkEarlyFaults(_ sections: IndexMapping) throws(HierarchyUpdateError) {
        // Fresh at either place: the true one is what `standard` means, the naive one UIKit's.
        let reloadTargets = Set(
            naiveSectionReloads.flatMap { [$0.newSection, sections.newIndex(for: $0.oldSection)] }
        )
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
                    hint: naiveReloadHint
                )
            }
            if target >= newShape.numberOfSections {
                throw HierarchyUpdateError(
                    .insertSectionRange,
                    "attempt to insert section \(target) but there are only"
                        + " \(newShape.numberOfSections) sections after the update",
                    operationIndex: Int(reload.operation),
                    section: target,
                    hint: naiveReloadHint
                )
            }
        }
    }

    private func checkNaiveItemReloads() throws(HierarchyUpdateError) {
        let deletes = edits.itemDeletes.map(\.path)
        let inserts = edits.itemInserts.map(\.path)
        let survival = ItemSurvival(removed: deletes, inserted: inserts)
        for removal in reloadsOfItemsInKeptSections {
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
                    operationIndex: Int(removal.operation),
                    path: target,
                    hint: naiveReloadHint
                )
            }
        }
    }

    // MARK: Counts

    /// The items of every section once more, as UIKit counts them.
    ///
    /// All releases count with reloads at their naive places. Early ones count a move as leaving or
    /// entering a section only when the section's number differs at its two ends, which is wrong
    /// where sections themselves have changed places.
    func checkEarlyItemCounts() throws(HierarchyUpdateError) {
        let naiveSections = sectionMapping(replacing: naiveSectionReloads)
        for removal in reloadsOfItemsInKeptSections {
            // UIKit drops the reload of an item that has no cell, so each must cancel out by
            // itself.
            let oldSection = removal.path.section
            guard let newSection = naiveSections.newIndex(for: oldSection),
                newSection != naiveNewSection(for: oldSection)
            else { continue }
            throw itemCountFault(
                oldSection: oldSection,
                newSection: newSection,
                reloaded: 1,
                comparingMovesByNumber: false,
                hint: naiveReloadHint
            )
        }
        try checkItemCounts(naiveSections, hint: naiveReloadHint)
        try checkItemCounts(
            naiveSections,
            comparingMovesByNumber: true,
            hint: "Early UIKit compares the numbers of sections to see whether an item leaves"
                + " its section; move items and sections in separate updates"
        )
    }

    // MARK: Naive places

    private var naiveReloadHint: String {
        "UIKit ignores moves when it places a reload; reload in a second update"
    }

    private var reloadsOfItemsInKeptSections: some Sequence<RecordedEdits.ItemRecord> {
        itemRemovals.lazy.filter { $0.isReload && !isRemoved(section: $0.path.section) }
    }

    private var naiveSectionReloads: [(oldSection: Int, newSection: Int)] {
        sectionRemovals.filter(\.isReload).map { ($0.section, naiveNewSection(for: $0.section)) }
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
