// Validation as UICollectionView does it, for the profiles `standard` and `strict`. The phases stand
// in their own files in the order in which they run; this one drives them and sorts the result into
// the four runs.

/// Judges one change set; made for it and dropped afterwards.
struct StandardValidator {
    let operations: [HierarchyChangeSet.Operation]
    let oldShape: HierarchyShape
    let newShape: HierarchyShape

    /// Whether to raise also for what only early releases of UIKit, or its bugs, raise for.
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
        // Not as an argument of the next call, which would see what there was before it.
        let sections = try check()
        return build(sections)
    }

    /// Finds the first fault, and builds nothing.
    ///
    /// - Returns: where the sections end up.
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
        try checkInPlaceUpdates()
        try checkSectionCount()
        try checkItemCounts(sections)
        if raisesEarlyFaults { try checkEarlyItemCounts() }
        return sections
    }

    /// Reloads join the deletes; of a reload repeated, the last recorded one stays.
    private mutating func mergeRemovals() {
        // Mostly there are no reloads, and then this is no more than another name for the array.
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

    /// The same move recorded twice is one move.
    private mutating func dropRepeatedMoves() {
        edits.itemMoves.keepLastOfEqualNeighbours {
            $0.oldPath == $1.oldPath && $0.newPath == $1.newPath
        }
        itemMovesByTarget = edits.itemMoves.sorted { $0.newPath < $1.newPath }
        edits.sectionMoves.keepLastOfEqualNeighbours {
            $0.oldSection == $1.oldSection && $0.newSection == $1.newSection
        }
        sectionMovesByTarget = edits.sectionMoves.sorted { $0.newSection < $1.newSection }
    }

    /// The mapping of sections. Reloads keep their place, so they are no part of it, except those
    /// that are to be `replaced`: removed for good and inserted elsewhere.
    ///
    /// Before the counts are checked only the way from old to new is good for anything.
    func sectionMapping(
        replacing replaced: [(oldSection: Int, newSection: Int)] = []
    ) -> IndexMapping {
        let moves = edits.sectionMoves
        let removed =
            edits.sectionDeletes.map { $0.section } + moves.map { $0.oldSection }
            + replaced.map { $0.oldSection }
        let inserted =
            edits.sectionInserts.map { $0.section } + moves.map { $0.newSection }
            + replaced.map { $0.newSection }
        return IndexMapping(
            oldCount: oldShape.numberOfSections,
            newCount: newShape.numberOfSections,
            removed: removed.sorted(),
            inserted: inserted.sorted(),
            moves: moves.map {
                IndexMapping.Move(oldIndex: $0.oldSection, newIndex: $0.newSection)
            }
        )
    }

    func isRemoved(section: Int) -> Bool {
        !sectionRemovals.isEmpty
            && sectionRemovals.sortedPosition(of: section, by: \.section) != nil
    }
}

extension Array {
    /// Appends the elements to `result`, of neighbours that are the same only the last.
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

    /// Keeps of neighbours that are the same only the last.
    fileprivate mutating func keepLastOfEqualNeighbours(_ areSame: (Element, Element) -> Bool) {
        var kept: [Element] = []
        appendLastOfEqualNeighbours(to: &kept, areSame)
        self = kept
    }
}
