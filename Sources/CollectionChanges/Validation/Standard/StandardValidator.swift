// Validation by the rules of UICollectionView, for the profiles `standard` and `strict`. The phases
// are in other files, in the order in which they run. This file runs them and prepares the sorted
// edits.

/// The validation of one change set. A validator is made for one change set and dropped afterwards.
struct StandardValidator {
    let operations: [HierarchyChangeSet.Operation]
    let oldShape: HierarchyShape
    let newShape: HierarchyShape

    /// Whether to report faults that only early releases of UIKit, or its bugs, raise exceptions
    /// for.
    let raisesEarlyFaults: Bool

    var edits: RecordedEdits

    /// Deletes and reloads of items, ascending by old path; reloads without repetition.
    var itemRemovals: [RecordedEdits.ItemRecord] = []
    /// Deletes and reloads of sections, ascending by old index; reloads without repetition.
    var sectionRemovals: [RecordedEdits.SectionRecord] = []
    /// Moves without repetition, ascending by new path.
    var itemMovesByTarget: [RecordedEdits.ItemMoveRecord] = []
    /// Moves without repetition, ascending by new index.
    var sectionMovesByTarget: [RecordedEdits.SectionMoveRecord] = []

    init(
        _ operations: [HierarchyChangeSet.Operation],
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        raisesEarlyFaults: Bool
    ) {
        self.operations = operations
        self.oldShape = oldShape
        self.newShape = newShape
        self.raisesEarlyFaults = raisesEarlyFaults
        edits = RecordedEdits(operations, old: oldShape, new: newShape)
    }

    mutating func validate() throws(HierarchyUpdateError) -> ValidatedChangeSet {
        if let animation = edits.reloadData {
            return .reloadingData(from: oldShape, to: newShape, animation: animation)
        }
        // Not an argument of the next call, because that call would be evaluated on the state
        // before the check.
        let sections = try check()
        return build(sections)
    }

    /// Finds the first fault without building an update.
    ///
    /// - Returns: The mapping of sections.
    @discardableResult
    mutating func check() throws(HierarchyUpdateError) -> IndexMapping {
        mergeRemovals()
        dropRepeatedMoves()
        try checkReloadConflicts()
        try checkDeletes()
        try checkInserts()
        try checkMoves()
        let sections = sectionMapping()
        if raisesEarlyFaults { try checkEarlyFaults(sections) }
        try edits.checkInPlaceUpdates(from: oldShape, to: newShape)
        try checkSectionCount()
        try checkItemCounts(sections)
        if raisesEarlyFaults { try checkEarlyItemCounts() }
        return sections
    }

    /// Adds the reloads to the deletes; of repeated reloads, the last recorded one is kept.
    private mutating func mergeRemovals() {
        // Usually there are no reloads, and then this only shares the array.
        itemRemovals = edits.itemDeletes
        if !edits.itemReloads.isEmpty {
            edits.itemReloads.appendLastOfEqualNeighbours(to: &itemRemovals) {
                $0.path == $1.path
            }
            itemRemovals.sort { $0.path < $1.path }
        }
        sectionRemovals = edits.sectionDeletes
        if !edits.sectionReloads.isEmpty {
            edits.sectionReloads.appendLastOfEqualNeighbours(to: &sectionRemovals) {
                $0.section == $1.section
            }
            sectionRemovals.sort { $0.section < $1.section }
        }
    }

    /// Removes repeated moves; the same move recorded twice is one move.
    private mutating func dropRepeatedMoves() {
        if !edits.itemMoves.isEmpty {
            edits.itemMoves.keepLastOfEqualNeighbours {
                $0.oldPath == $1.oldPath && $0.newPath == $1.newPath
            }
            itemMovesByTarget = edits.itemMoves.sorted { $0.newPath < $1.newPath }
        }
        if !edits.sectionMoves.isEmpty {
            edits.sectionMoves.keepLastOfEqualNeighbours {
                $0.oldSection == $1.oldSection && $0.newSection == $1.newSection
            }
            sectionMovesByTarget = edits.sectionMoves.sorted { $0.newSection < $1.newSection }
        }
    }

    /// Returns the mapping of sections. Reloads keep their place, so the mapping does not contain
    /// them, except those in `replaced`, which are removed and inserted elsewhere.
    ///
    /// Before the counts are checked, only the mapping from old to new indexes is usable.
    func sectionMapping(
        replacing replaced: [(oldSection: Int, newSection: Int)] = []
    ) -> IndexMapping {
        let (oldCount, newCount) = (oldShape.numberOfSections, newShape.numberOfSections)
        if !edits.haveSections { return IndexMapping(oldCount: oldCount, newCount: newCount) }
        let moves = edits.sectionMoves
        let removed =
            edits.sectionDeletes.map { $0.section } + moves.map { $0.oldSection }
            + replaced.map { $0.oldSection }
        let inserted =
            edits.sectionInserts.map { $0.section } + moves.map { $0.newSection }
            + replaced.map { $0.newSection }
        let pairs = moves.map {
            IndexMapping.Move(oldIndex: $0.oldSection, newIndex: $0.newSection)
        }
        return IndexMapping(
            oldCount: oldCount,
            newCount: newCount,
            removed: removed.sorted(),
            inserted: inserted.sorted(),
            moves: pairs
        )
    }

    func isRemoved(section: Int) -> Bool {
        !sectionRemovals.isEmpty
            && sectionRemovals.sortedPosition(of: section, by: \.section) != nil
    }
}

extension Array {
    /// Appends the elements to `result`; of equal neighbours, only the last.
    fileprivate func appendLastOfEqualNeighbours(
        to result: inout [Element],
        _ areSame: (Element, Element) -> Bool
    ) {
        result.reserveCapacity(result.count + count)
        for position in indices {
            let next = position + 1
            if next < count, areSame(self[position], self[next]) { continue }
            result.append(self[position])
        }
    }

    /// Keeps only the last of equal neighbours.
    fileprivate mutating func keepLastOfEqualNeighbours(_ areSame: (Element, Element) -> Bool) {
        var kept: [Element] = []
        appendLastOfEqualNeighbours(to: &kept, areSame)
        self = kept
    }
}

// The additional checks of `strict`: faults that only early releases of UIKit raise exceptions for,
// and faults caused by a behaviour of every release. UIKit splits a reload into a delete and an
// insert, and places the insert as if there were no moves. This "naive" place is not always the
// true one. UIKit then checks and counts the result.

extension StandardValidator {
    /// Checks item moves across deleted, inserted and reloaded sections, and reloads whose naive
    /// place is taken or missing.
    func checkEarlyFaults(_ sections: IndexMapping) throws(HierarchyUpdateError) {
        // A section is new at both places: `standard` uses the true one, UIKit the naive one.
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
            let isNew =
                edits.sectionInserts.sortedPosition(of: target, by: \.section) != nil
                || reloadTargets.contains(target)
            if isNew {
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

    /// Checks the item counts of every section again, as UIKit counts them.
    ///
    /// All releases count with reloads at their naive places. Early releases count a move as
    /// leaving or entering a section only if the section numbers at its two ends differ, which is
    /// wrong if the sections themselves have changed places.
    func checkEarlyItemCounts() throws(HierarchyUpdateError) {
        let naiveSections = sectionMapping(replacing: naiveSectionReloads)
        for removal in reloadsOfItemsInKeptSections {
            // UIKit drops the reload of an item that has no cell, so each reload must cancel out on
            // its own.
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

    /// Returns the index at which UIKit puts a reloaded section: shifted by deletes and inserts,
    /// but not by moves.
    private func naiveNewSection(for oldSection: Int) -> Int {
        let deletes = edits.sectionDeletes
        let inserts = edits.sectionInserts
        let below = rank(of: oldSection, among: deletes.count) { deletes[$0].section }
        return unlistedInteger(rank: oldSection - below, among: inserts.count) {
            inserts[$0].section
        }
    }
}
