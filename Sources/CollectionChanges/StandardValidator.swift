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
    var itemRemovals: [ItemRemoval] = []
    /// Deletes and reloads of sections, ascending by old index; reloads without repetition.
    var sectionRemovals: [SectionRemoval] = []
    /// Moves without repetition, ascending by new path.
    var itemMovesByTarget: [RecordedEdits.ItemMoveRecord] = []
    /// Moves without repetition, ascending by new index.
    var sectionMovesByTarget: [RecordedEdits.SectionMoveRecord] = []

    struct ItemRemoval {
        var record: RecordedEdits.ItemRecord
        var isReload: Bool
        var path: ItemPath { record.path }
    }

    struct SectionRemoval {
        var record: RecordedEdits.SectionRecord
        var isReload: Bool
        var section: Int { record.section }
    }

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
        if raisesEarlyFaults { try checkEarlyItemCounts(sections) }
        return build(sections)
    }

    /// Reloads join the deletes; of a reload repeated, the last recorded one stays.
    private mutating func mergeRemovals() {
        itemRemovals.reserveCapacity(edits.itemDeletes.count + edits.itemReloads.count)
        for record in edits.itemDeletes {
            itemRemovals.append(ItemRemoval(record: record, isReload: false))
        }
        for (index, record) in edits.itemReloads.enumerated() {
            let next = index + 1
            if next < edits.itemReloads.count, edits.itemReloads[next].path == record.path {
                continue
            }
            itemRemovals.append(ItemRemoval(record: record, isReload: true))
        }
        if !edits.itemReloads.isEmpty, !edits.itemDeletes.isEmpty {
            itemRemovals.sort { $0.path < $1.path }
        }
        for record in edits.sectionDeletes {
            sectionRemovals.append(SectionRemoval(record: record, isReload: false))
        }
        for (index, record) in edits.sectionReloads.enumerated() {
            let next = index + 1
            if next < edits.sectionReloads.count,
                edits.sectionReloads[next].section == record.section
            {
                continue
            }
            sectionRemovals.append(SectionRemoval(record: record, isReload: true))
        }
        if !edits.sectionReloads.isEmpty, !edits.sectionDeletes.isEmpty {
            sectionRemovals.sort { $0.section < $1.section }
        }
    }

    /// The same move recorded twice is one move.
    private mutating func dropRepeatedMoves() {
        if edits.itemMoves.count > 1 {
            var kept: [RecordedEdits.ItemMoveRecord] = []
            kept.reserveCapacity(edits.itemMoves.count)
            for move in edits.itemMoves {
                if let last = kept.last, last.oldPath == move.oldPath, last.newPath == move.newPath
                {
                    kept[kept.count - 1] = move
                } else {
                    kept.append(move)
                }
            }
            edits.itemMoves = kept
        }
        itemMovesByTarget = edits.itemMoves
        if itemMovesByTarget.count > 1 { itemMovesByTarget.sort { $0.newPath < $1.newPath } }
        if edits.sectionMoves.count > 1 {
            var kept: [RecordedEdits.SectionMoveRecord] = []
            for move in edits.sectionMoves {
                if let last = kept.last, last.oldSection == move.oldSection,
                    last.newSection == move.newSection
                {
                    kept[kept.count - 1] = move
                } else {
                    kept.append(move)
                }
            }
            edits.sectionMoves = kept
        }
        sectionMovesByTarget = edits.sectionMoves
        if sectionMovesByTarget.count > 1 {
            sectionMovesByTarget.sort { $0.newSection < $1.newSection }
        }
    }

    /// The mapping of sections. Reloads keep their place, so they are no part of it, except those
    /// that are to be `replaced`: taken out for good and put in elsewhere.
    ///
    /// Before the counts are checked only the way from old to new is good for anything.
    func sectionMapping(
        replacing replaced: [(oldSection: Int, newSection: Int)] = []
    ) -> IndexMapping {
        let moves = edits.sectionMoves
        var takenOut = edits.sectionDeletes.map(\.section)
        var putIn = edits.sectionInserts.map(\.section)
        if !moves.isEmpty || !replaced.isEmpty {
            takenOut.append(contentsOf: moves.lazy.map(\.oldSection))
            takenOut.append(contentsOf: replaced.lazy.map(\.oldSection))
            takenOut.sort()
            putIn.append(contentsOf: moves.lazy.map(\.newSection))
            putIn.append(contentsOf: replaced.lazy.map(\.newSection))
            putIn.sort()
        }
        return IndexMapping(
            oldCount: oldShape.numberOfSections,
            newCount: newShape.numberOfSections,
            takenOut: takenOut,
            putIn: putIn,
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
