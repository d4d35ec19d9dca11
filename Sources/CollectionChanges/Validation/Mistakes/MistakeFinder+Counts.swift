// Counts that do not come out.

extension MistakeFinder {
    var mistakeInSectionCount: LikelyMistake? {
        guard let sum = error.arithmetic else { return nil }
        if let mistake = mistakeInWhole { return mistake }
        let edits = RecordedEdits(operations, old: oldShape, new: newShape)
        let targets =
            edits.itemInserts.map(\.path.section) + edits.itemMoves.map(\.newPath.section)
        let fresh = SectionSet(targets.filter { $0 >= sum.before })
        if comesOut(with: .insertSections(fresh, .automatic)) { return .sectionsNotInserted(fresh) }
        var rest = oldShape.itemCounts
        for record in edits.itemDeletes { rest[record.path.section] &-= 1 }
        for move in edits.itemMoves { rest[move.oldPath.section] &-= 1 }
        let emptied = SectionSet(
            rest.indices.filter { rest[$0] == 0 && oldShape.itemCounts[$0] > 0 }
        )
        return comesOut(with: .deleteSections(emptied, .automatic))
            ? .sectionsNotDeleted(emptied) : .miscounted(sum)
    }

    /// Whether nothing but this operation is missing.
    private func comesOut(with operation: HierarchyChangeSet.Operation) -> Bool {
        isSmall && isValid(operations + [operation])
    }

    var mistakeInItemCount: LikelyMistake? {
        guard let sum = error.arithmetic, let section = error.section else { return nil }
        if let mistake = mistakeInWhole { return mistake }
        if fitsInSequence { return .readInSequence }
        let edits = RecordedEdits(operations, old: oldShape, new: newShape)
        guard edits.hasNoSectionEdits else { return otherSection ?? .miscounted(sum) }
        let rests = rests(of: edits)
        let faults = rests.indices.filter { rests[$0] != 0 }
        // Two that cancel out: in one less happened than was recorded, in the other more.
        if faults.count == 2, rests[faults[0]] &+ rests[faults[1]] == 0 {
            for (recorded, happened) in [(faults[0], faults[1]), (faults[1], faults[0])] {
                let number = rests[recorded].magnitude
                let isRecorded =
                    rests[recorded] < 0
                    ? edits.itemInserts.count { $0.path.section == recorded } >= number
                    : edits.itemDeletes.count { $0.path.section == recorded } >= number
                if isRecorded { return .inOtherSection(recorded: recorded, happened: happened) }
            }
        }
        return edits.leaveAlone(section) && faults.count == 1
            ? .untouchedSection(section, before: sum.before, after: sum.after) : .miscounted(sum)
    }

    /// The two mistakes that concern the record as a whole.
    private var mistakeInWhole: LikelyMistake? {
        guard operations.contains(where: \.changesCounts) else {
            return .nothingRecorded(isEmpty: operations.isEmpty)
        }
        return oldShape == newShape ? .modelUnchanged : nil
    }

    /// By section, how many more items there are than the record leads to; of a record without edits of
    /// sections.
    private func rests(of edits: RecordedEdits) -> [Int] {
        var rests = zip(newShape.itemCounts, oldShape.itemCounts).map { $0 &- $1 }
        for record in edits.itemInserts { rests[record.path.section] &-= 1 }
        for record in edits.itemDeletes { rests[record.path.section] &+= 1 }
        for move in edits.itemMoves {
            rests[move.oldPath.section] &+= 1
            rests[move.newPath.section] &-= 1
        }
        return rests
    }

    /// The one other index with which the only section that is inserted, or deleted, comes out.
    private var otherSection: LikelyMistake? {
        guard isSmall, newShape.numberOfSections <= 64, oldShape.numberOfSections <= 64 else {
            return nil
        }
        let candidates = operations.indices.compactMap { index in
            operations[index].onlySection.map { (index, $0.section, $0.isOld) }
        }
        guard candidates.count == 1 else { return nil }
        let (index, recorded, isOld) = candidates[0]
        let shape = isOld ? oldShape : newShape
        let fitting = shape.itemCounts.indices.filter { section in
            let other = operations[index].replacing(recorded, by: section, isSource: isOld)
            return isValid(replacing(index, by: other))
        }
        // A second that fits says that it may be either.
        return fitting.count == 1 ? .otherSection(recorded: recorded, fits: fitting[0]) : nil
    }
}

extension HierarchyChangeSet.Operation {
    /// Whether counts may differ after it.
    var changesCounts: Bool {
        switch self {
        case .deleteItems(let paths, _), .insertItems(let paths, _): !paths.isEmpty
        case .deleteSections(let sections, _), .insertSections(let sections, _),
            .reloadSections(let sections, _):
            !sections.isEmpty
        case .moveItem, .moveSection, .reloadData: true
        case .reloadItems, .reconfigureItems, .reconfigureSections, .reloadSupplementaries: false
        }
    }

    /// The section that it inserts or deletes, where that is one.
    fileprivate var onlySection: (section: Int, isOld: Bool)? {
        switch self {
        case .insertSections(let sections, _) where sections.count == 1: (sections.first!, false)
        case .deleteSections(let sections, _) where sections.count == 1: (sections.first!, true)
        default: nil
        }
    }
}

extension RecordedEdits {
    /// Whether no item of a section that stays is deleted, inserted, reloaded or moved.
    fileprivate func leaveAlone(_ section: Int) -> Bool {
        !(itemDeletes + itemInserts + itemReloads).contains { $0.path.section == section }
            && !itemMoves.contains {
                $0.oldPath.section == section || $0.newPath.section == section
            }
    }

    fileprivate var hasNoSectionEdits: Bool {
        sectionDeletes.isEmpty && sectionInserts.isEmpty && sectionReloads.isEmpty
            && sectionMoves.isEmpty
    }
}
