// Which mistake fits: looked for once a record is rejected, by the numbers alone. What is said must fit them,
// so where nothing does, nothing is said.

extension LikelyMistake {
    /// The mistake that fits, if one does; nil for faults of shapes, and for records that `standard` accepts.
    init?(behind error: HierarchyUpdateError, _ changes: HierarchyChangeSet) {
        guard let old = error.oldShape, let new = error.newShape else { return nil }
        let finder = MistakeFinder(
            error: error,
            operations: changes.operations,
            oldShape: old,
            newShape: new
        )
        // First, because faults of shapes have none: of those nothing may be tried.
        guard let mistake = finder.mistake, !finder.isValid(changes.operations) else { return nil }
        self = mistake
    }
}

/// Tries the known mistakes on one rejected record.
struct MistakeFinder {
    let error: HierarchyUpdateError
    let operations: [HierarchyChangeSet.Operation]
    let oldShape: HierarchyShape
    let newShape: HierarchyShape

    var mistake: LikelyMistake? {
        switch error.code {
        case .sectionCount: mistakeInSectionCount
        case .itemCount: mistakeInItemCount
        case .deleteSectionRange, .deleteItemSectionRange, .deleteItemRange,
            .moveSectionSourceRange, .moveItemSourceSectionRange, .moveItemSourceRange,
            .reconfigureItemRange, .reconfigureSectionRange:
            misplacement(isOld: true)
        case .insertSectionRange, .insertItemSectionRange, .insertItemRange,
            .moveSectionTargetRange, .moveItemTargetSectionRange, .moveItemTargetRange:
            misplacement(isOld: false)
        case .duplicateDeleteSection, .duplicateDeleteItem, .duplicateInsertSection,
            .duplicateInsertItem:
            isSmall && isValid(correcting(to: nil))
                ? .recordedTwice : fitsInSequence ? .readInSequence : nil
        case .deleteAndMoveItem, .deleteAndMoveSection, .insertAndMoveItem, .insertAndMoveSection,
            .moveTwoItemsToOnePlace, .moveTwoSectionsToOnePlace, .moveItemToTwoPlaces,
            .moveSectionToTwoPlaces:
            fitsInSequence ? .readInSequence : nil
        default: nil
        }
    }

    // MARK: Places

    /// The place at fault does not exist on its side.
    private func misplacement(isOld: Bool) -> LikelyMistake? {
        guard isSmall, let section = error.section else { return nil }
        if fitsInSequence { return .readInSequence }
        let (own, other) = isOld ? (oldShape, newShape) : (newShape, oldShape)
        guard isValid(correctingTo: own) else {
            if !isOld, oldShape == newShape { return .modelUnchanged }
            // What is only replaced or updated says nothing about counts.
            guard error.operation?.changesCounts == true else { return nil }
            return isValid(correcting(to: nil)) ? .superfluous : nil
        }
        let sections = other.itemCounts.indices
        if error.path.map(other.contains) ?? sections.contains(section) {
            return .otherSide(isOldExpected: isOld, counterpart(isOld: isOld))
        }
        if let path = error.path, let count = own.numberOfItems(inSection: section) {
            return path.item == count ? .onePastTheEnd(last: count - 1, isOld: isOld) : nil
        }
        let count = own.numberOfSections
        return section == count ? .onePastTheEnd(last: count - 1, isOld: isOld) : nil
    }

    /// Whether everything comes out with another place instead of that at fault.
    private func isValid(correctingTo shape: HierarchyShape) -> Bool {
        var candidates: [ItemPath] = []
        if let path = error.path, let count = shape.numberOfItems(inSection: path.section) {
            // Which of them is all the same to the counts, but it may be taken.
            candidates = (0..<count).suffix(16)
                .map { ItemPath(section: path.section, item: $0) }
        } else {
            candidates = shape.itemCounts.indices.suffix(64)
                .map { ItemPath(section: $0, item: error.path?.item ?? 0) }
        }
        return candidates.contains { isValid(correcting(to: $0)) }
    }

    // MARK: Corrections

    /// The operations with another place instead of that at fault, or without it.
    func correcting(to place: ItemPath?) -> [HierarchyChangeSet.Operation] {
        guard let index = error.operationIndex, let section = error.section else {
            return operations
        }
        let isSource = error.code.rawValue.contains("Source")
        let operation =
            error.path.map { operations[index].replacing(item: $0, by: place, isSource: isSource) }
            ?? operations[index].replacing(section, by: place?.section, isSource: isSource)
        return replacing(index, by: operation)
    }

    /// The operations with another one at an index, or with none there.
    func replacing(
        _ index: Int,
        by operation: HierarchyChangeSet.Operation?
    ) -> [HierarchyChangeSet.Operation] {
        var result = operations
        result.replaceSubrange(index...index, with: operation.map { [$0] } ?? [])
        return result
    }

    /// Whether `standard` accepts the operations.
    func isValid(_ operations: [HierarchyChangeSet.Operation]) -> Bool {
        var validator = StandardValidator(
            operations,
            from: oldShape,
            to: newShape,
            raisesEarlyFaults: false
        )
        return (try? validator.check()) != nil
    }
}
