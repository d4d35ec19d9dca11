// Searches for the mistake that explains why a record was rejected, using only the numbers. A
// mistake is reported only if it fits the numbers; otherwise there is no hint.

extension LikelyMistake {
    /// Finds the mistake that fits. Returns `nil` if none does, for faults of shapes, and for
    /// records that `standard` accepts.
    init?(behind error: HierarchyUpdateError, _ changes: HierarchyChangeSet) {
        guard let old = error.oldShape, let new = error.newShape else { return nil }
        let finder = MistakeFinder(
            error: error,
            operations: changes.operations,
            oldShape: old,
            newShape: new
        )
        // Searched first, because faults of shapes have no mistake and must not be validated again.
        guard let mistake = finder.mistake, !finder.isValid(changes.operations) else { return nil }
        self = mistake
    }
}

/// A search that tries the known mistakes on one rejected record.
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

    // MARK: Wrong positions

    /// Returns the mistake if the faulty position does not exist on its side.
    private func misplacement(isOld: Bool) -> LikelyMistake? {
        guard isSmall, let section = error.section else { return nil }
        if fitsInSequence { return .readInSequence }
        let (own, other) = isOld ? (oldShape, newShape) : (newShape, oldShape)
        guard isValid(correctingTo: own) else {
            if !isOld, oldShape == newShape { return .modelUnchanged }
            // Reloads and reconfigurations do not affect counts.
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

    /// Returns whether the record becomes valid with another position instead of the faulty one.
    private func isValid(correctingTo shape: HierarchyShape) -> Bool {
        var candidates: [ItemPath] = []
        if let path = error.path, let count = shape.numberOfItems(inSection: path.section) {
            // The counts are the same for every item, but some positions may already be taken.
            candidates = (0..<count).suffix(16)
                .map { ItemPath(section: path.section, item: $0) }
        } else {
            candidates = shape.itemCounts.indices.suffix(64)
                .map { ItemPath(section: $0, item: error.path?.item ?? 0) }
        }
        return candidates.contains { isValid(correcting(to: $0)) }
    }

    // MARK: Corrections

    /// Returns the operations with the faulty position replaced or removed.
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

    /// Returns the operations with the one at an index replaced or removed.
    func replacing(
        _ index: Int,
        by operation: HierarchyChangeSet.Operation?
    ) -> [HierarchyChangeSet.Operation] {
        var result = operations
        result.replaceSubrange(index...index, with: operation.map { [$0] } ?? [])
        return result
    }

    /// Returns whether `standard` accepts the operations.
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

// Finds the intended section if an index belongs to the other side of the update.

extension MistakeFinder {
    /// Returns the counterpart, on its own side, of the faulty section, whose index exists on the
    /// other side. Returns `nil` if the record does not determine it, or if something else is at
    /// fault.
    func counterpart(isOld: Bool) -> LikelyMistake.Counterpart? {
        let (own, other) = isOld ? (oldShape, newShape) : (newShape, oldShape)
        guard let path = error.path, !own.itemCounts.indices.contains(path.section) else {
            return nil
        }
        let edits = SectionEdits(operations, isOld: isOld)
        let inserted = edits.targets.union(edits.moves.values)
        let leaving = edits.sources.union(edits.moves.keys)
        if edits.sources.contains(path.section) { return .missing(path.section) }
        // The record is valid with another position, so both sides keep the same number of
        // sections.
        let kept = other.itemCounts.indices.filter { !leaving.contains($0) }
        let keptHere = own.itemCounts.indices.filter { !inserted.contains($0) }
        let unmoved = zip(kept, keptHere).first { $0.0 == path.section }?.1
        guard let section = edits.moves[path.section] ?? unmoved,
            isValid(correcting(to: ItemPath(section: section, item: path.item)))
        else { return nil }
        return .section(section, onOtherSide: path.section)
    }

    /// The edits of sections, seen from one side.
    private struct SectionEdits {
        /// The sections of the other side that do not exist on this side, and the sections of this
        /// side that do not exist on the other.
        var (sources, targets) = (Set<Int>(), Set<Int>())
        /// The moves from the other side to this one.
        var moves: [Int: Int] = [:]

        init(_ operations: [HierarchyChangeSet.Operation], isOld: Bool) {
            for operation in operations {
                switch operation {
                case .deleteSections(let sections, _):
                    if isOld { targets.formUnion(sections) } else { sources.formUnion(sections) }
                case .insertSections(let sections, _):
                    if isOld { sources.formUnion(sections) } else { targets.formUnion(sections) }
                case .moveSection(let old, let new, _):
                    moves[isOld ? new : old] = isOld ? old : new
                default: break
                }
            }
        }
    }
}

// Finds mistakes in counts that do not add up.

extension MistakeFinder {
    var mistakeInSectionCount: LikelyMistake? {
        guard let sum = error.arithmetic else { return nil }
        if let mistake = mistakeInWhole { return mistake }
        let edits = RecordedEdits(operations, old: oldShape, new: newShape)
        let targets =
            edits.itemInserts.map(\.path.section) + edits.itemMoves.map(\.newPath.section)
        let inserted = SectionSet(targets.filter { $0 >= sum.before })
        if comesOut(with: .insertSections(inserted, .automatic)) {
            return .sectionsNotInserted(inserted)
        }
        var rest = oldShape.itemCounts
        for record in edits.itemDeletes { rest[record.path.section] &-= 1 }
        for move in edits.itemMoves { rest[move.oldPath.section] &-= 1 }
        let emptied = SectionSet(
            rest.indices.filter { rest[$0] == 0 && oldShape.itemCounts[$0] > 0 }
        )
        return comesOut(with: .deleteSections(emptied, .automatic))
            ? .sectionsNotDeleted(emptied) : .miscounted(sum)
    }

    /// Returns whether only this operation is missing.
    private func comesOut(with operation: HierarchyChangeSet.Operation) -> Bool {
        isSmall && isValid(operations + [operation])
    }

    var mistakeInItemCount: LikelyMistake? {
        guard let sum = error.arithmetic, let section = error.section else { return nil }
        if let mistake = mistakeInWhole { return mistake }
        if fitsInSequence { return .readInSequence }
        let edits = RecordedEdits(operations, old: oldShape, new: newShape)
        guard !edits.haveSections else { return otherSection ?? .miscounted(sum) }
        let rests = rests(of: edits)
        let faults = rests.indices.filter { rests[$0] != 0 }
        // Two faults that cancel out: less happened in one section than was recorded, and more in
        // the other.
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

    /// The mistake in the record as a whole, if there is one.
    private var mistakeInWhole: LikelyMistake? {
        guard operations.contains(where: \.changesCounts) else {
            return .nothingRecorded(isEmpty: operations.isEmpty)
        }
        return oldShape == newShape ? .modelUnchanged : nil
    }

    /// Returns, for each section, how many more items there are than the record implies. The record
    /// must have no edits of sections.
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

    /// The only other index that makes the counts add up, if exactly one section is inserted or
    /// deleted.
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
        // If two indexes fit, either may be the intended one.
        return fitting.count == 1 ? .otherSection(recorded: recorded, fits: fitting[0]) : nil
    }
}

extension HierarchyChangeSet.Operation {
    /// Whether the operation may change counts.
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

    /// The section that the operation inserts or deletes, if it is only one.
    fileprivate var onlySection: (section: Int, isOld: Bool)? {
        switch self {
        case .insertSections(let sections, _) where sections.count == 1: (sections.first!, false)
        case .deleteSections(let sections, _) where sections.count == 1: (sections.first!, true)
        default: nil
        }
    }
}

extension RecordedEdits {
    /// Returns whether no item of a section that stays is deleted, inserted, reloaded or moved.
    fileprivate func leaveAlone(_ section: Int) -> Bool {
        !(itemDeletes + itemInserts + itemReloads).contains { $0.path.section == section }
            && !itemMoves.contains {
                $0.oldPath.section == section || $0.newPath.section == section
            }
    }
}

// Detects a record that was made as if each edit were applied before the next is recorded.

extension MistakeFinder {
    /// The maximum number of edits and sections for which corrections are tried. People do not read
    /// more than that, and all trials together take only a few milliseconds.
    private static var limit: Int { 200 }

    /// Whether the record is small enough to try corrections.
    var isSmall: Bool {
        guard oldShape.numberOfSections <= Self.limit, newShape.numberOfSections <= Self.limit
        else { return false }
        var size = operations.count
        for operation in operations {
            size += min(operation.editCount, Self.limit)
            if size > Self.limit { return false }
        }
        return true
    }

    /// Whether the operations, applied one after the other, lead from the old shape to the new one.
    var fitsInSequence: Bool {
        guard operations.count > 1, isSmall else { return false }
        var counts = oldShape.itemCounts.map { ItemTally(number: $0) }
        return operations.allSatisfy { Self.apply($0, to: &counts) }
            && counts.count == newShape.numberOfSections
            && zip(counts, newShape.itemCounts).allSatisfy { $0.fits($1) }
    }

    /// Applies an operation to the counts. Returns `false` if that is impossible.
    private static func apply(
        _ operation: HierarchyChangeSet.Operation,
        to counts: inout [ItemTally]
    ) -> Bool {
        switch operation {
        case .deleteItems(let paths, _): return delete(paths, &counts)
        case .insertItems(let paths, _): return insert(paths, &counts)
        case .moveItem(let old, let new, _):
            return delete([old], &counts) && insert([new], &counts)
        case .reloadItems(let paths, _), .reconfigureItems(let paths, _):
            return paths.allSatisfy { holds($0, &counts) }
        case .deleteSections(let sections, _):
            guard isWithin(sections, counts.count) else { return false }
            for section in sections.reversed() { counts.remove(at: section) }
        case .insertSections(let sections, _):
            guard isWithin(sections, counts.count + sections.count) else { return false }
            for section in sections { counts.insert(.free, at: section) }
        case .reloadSections(let sections, _):
            guard isWithin(sections, counts.count) else { return false }
            for section in sections { counts[section] = .free }
        case .moveSection(let old, let new, _):
            guard counts.indices.contains(old), counts.indices.contains(new) else { return false }
            counts.insert(counts.remove(at: old), at: new)
        case .reconfigureSections(let sections, _), .reloadSupplementaries(_, let sections, _):
            return isWithin(sections, counts.count)
        // A record with `reloadData` is never rejected.
        case .reloadData: break
        }
        return true
    }

    private static func delete(_ paths: [ItemPath], _ counts: inout [ItemTally]) -> Bool {
        guard areDistinct(paths, &counts) else { return false }
        for path in paths { counts[path.section].number -= 1 }
        return true
    }

    /// Inserts items at paths that exist afterwards.
    private static func insert(_ paths: [ItemPath], _ counts: inout [ItemTally]) -> Bool {
        for path in paths where counts.indices.contains(path.section) {
            counts[path.section].number += 1
        }
        return areDistinct(paths, &counts)
    }

    /// Returns whether all paths exist and are distinct.
    private static func areDistinct(_ paths: [ItemPath], _ counts: inout [ItemTally]) -> Bool {
        Set(paths).count == paths.count && paths.allSatisfy { holds($0, &counts) }
    }

    private static func holds(_ path: ItemPath, _ counts: inout [ItemTally]) -> Bool {
        counts.indices.contains(path.section) && counts[path.section].holds(path.item)
    }

    private static func isWithin(_ sections: SectionSet, _ count: Int) -> Bool {
        guard let first = sections.first, let last = sections.last else { return true }
        return first >= 0 && last < count
    }
}

/// The number of items in a section after some of the operations.
private struct ItemTally {
    /// The number of items. For a new section, whose count is free, it is the minimum that the
    /// operations need.
    var number: Int
    var isFree = false

    static let free = ItemTally(number: 0, isFree: true)

    mutating func holds(_ item: Int) -> Bool {
        // The sum wraps for the highest index, after which there is no item.
        if isFree { number = max(number, item &+ 1) }
        return 0..<number ~= item
    }

    func fits(_ count: Int) -> Bool { isFree ? count >= number : count == number }
}

extension HierarchyChangeSet.Operation {
    /// The number of positions in the operation.
    fileprivate var editCount: Int {
        switch self {
        case .deleteItems(let paths, _), .insertItems(let paths, _), .reloadItems(let paths, _),
            .reconfigureItems(let paths, _):
            paths.count
        case .deleteSections(let sections, _), .insertSections(let sections, _),
            .reloadSections(let sections, _), .reconfigureSections(let sections, _),
            .reloadSupplementaries(_, let sections, _):
            sections.count
        case .moveItem, .moveSection, .reloadData: 1
        }
    }
}

// Operations with one position changed, to test whether that corrects a record.

extension HierarchyChangeSet.Operation {
    /// Returns the operation with the first occurrence of an item replaced or removed, or `nil` if
    /// nothing remains.
    func replacing(item path: ItemPath, by other: ItemPath?, isSource: Bool) -> Self? {
        func replaced(_ paths: [ItemPath]) -> [ItemPath] {
            guard let position = paths.firstIndex(of: path) else { return paths }
            var paths = paths
            paths.replaceSubrange(position...position, with: other.map { [$0] } ?? [])
            return paths
        }
        return switch self {
        case .deleteItems(let paths, let animation): .deleteItems(replaced(paths), animation)
        case .insertItems(let paths, let animation): .insertItems(replaced(paths), animation)
        case .reloadItems(let paths, let animation): .reloadItems(replaced(paths), animation)
        case .reconfigureItems(let paths, let animation):
            .reconfigureItems(replaced(paths), animation)
        case .moveItem(let old, let new, let animation):
            other.map {
                .moveItem(at: isSource ? $0 : old, to: isSource ? new : $0, animation)
            }
        default: self
        }
    }

    /// Returns the operation with one of its sections replaced or removed, or `nil` if nothing
    /// remains.
    func replacing(_ section: Int, by other: Int?, isSource: Bool) -> Self? {
        func replaced(_ sections: SectionSet) -> SectionSet {
            var sections = sections
            sections.remove(section)
            if let other { sections.insert(other) }
            return sections
        }
        return switch self {
        case .deleteSections(let sections, let animation):
            .deleteSections(replaced(sections), animation)
        case .insertSections(let sections, let animation):
            .insertSections(replaced(sections), animation)
        case .reloadSections(let sections, let animation):
            .reloadSections(replaced(sections), animation)
        case .reconfigureSections(let sections, let animation):
            .reconfigureSections(replaced(sections), animation)
        case .moveSection(let old, let new, let animation):
            other.map {
                .moveSection(isSource ? $0 : old, toSection: isSource ? new : $0, animation)
            }
        default: self
        }
    }
}
