@testable import CollectionChanges

// Counts that do not come out.

extension MistakeModel {
    private var ofWhole: LikelyMistake? {
        let (deletes, inserts) = (fates(\.isDelete), fates(\.isInsert))
        if deletes.isEmpty, inserts.isEmpty, !operations.contains(where: \.editsSections) {
            return .nothingRecorded(isEmpty: operations.isEmpty)
        }
        return old == new ? .modelUnchanged : nil
    }

    /// The paths of one kind of edits, those of moves as well.
    private func fates(_ isWanted: (Fate) -> Bool) -> [ItemPath] {
        operations.flatMap(\.fates).filter(isWanted).map(\.path)
    }

    var ofSectionCount: LikelyMistake? {
        if let ofWhole { return ofWhole }
        let new = SectionSet(fates(\.isInsert).map(\.section).filter { $0 >= old.numberOfSections })
        if isValid(operations + [.insertSections(new, .automatic)]) {
            return .sectionsNotInserted(new)
        }
        let deleted = fates(\.isDelete)
        let gone = old.itemCounts.indices.filter { section in
            let count = old.itemCounts[section]
            return count > 0 && count == deleted.count { $0.section == section }
        }
        let sections = SectionSet(gone)
        return isValid(operations + [.deleteSections(sections, .automatic)])
            ? .sectionsNotDeleted(sections) : .miscounted(error.arithmetic!)
    }

    var ofItemCount: LikelyMistake? {
        if let ofWhole { return ofWhole }
        if isSequence { return .readInSequence }
        let miscounted = LikelyMistake.miscounted(error.arithmetic!)
        if operations.contains(where: \.editsSections) { return ofOtherSection ?? miscounted }
        let sections = old.itemCounts.indices
        // One pair at most: in one section less happened than was recorded, in the other more.
        for recorded in sections {
            for happened in sections where happened != recorded {
                if comesOut(movingEditsFrom: recorded, to: happened) {
                    return .inOtherSection(recorded: recorded, happened: happened)
                }
            }
        }
        let section = error.section!
        let edited = operations.flatMap { $0.fates.map(\.path) + $0.replaced }
        let isTouched = edited.contains { $0.section == section }
        return !isTouched && comesOut(recordingGrowthOf: section)
            ? .untouchedSection(
                section,
                before: old.itemCounts[section],
                after: new.itemCounts[section]
            ) : miscounted
    }

    private var ofOtherSection: LikelyMistake? {
        func others(_ make: (SectionSet) -> Operation, _ index: Int, _ count: Int) -> [Int] {
            (0..<count).filter { section in
                var changed = operations
                changed[index] = make([section])
                return isValid(changed)
            }
        }
        var candidates: [(recorded: Int, fits: [Int])] = []
        for (index, operation) in operations.enumerated() {
            switch operation {
            case .insertSections(let sections, _) where Array(sections).count == 1:
                let fits = others(
                    { .insertSections($0, .automatic) },
                    index,
                    new.numberOfSections
                )
                candidates.append((sections.first!, fits))
            case .deleteSections(let sections, _) where Array(sections).count == 1:
                let fits = others(
                    { .deleteSections($0, .automatic) },
                    index,
                    old.numberOfSections
                )
                candidates.append((sections.first!, fits))
            default: break
            }
        }
        guard candidates.count == 1, candidates[0].fits.count == 1 else { return nil }
        return .otherSection(recorded: candidates[0].recorded, fits: candidates[0].fits[0])
    }

    /// Whether the record comes out once some inserts, or deletes, of one section are recorded for another.
    private func comesOut(movingEditsFrom recorded: Int, to happened: Int) -> Bool {
        [true, false].contains { isInsert in
            func isMoved(_ path: ItemPath) -> Bool { path.section == recorded }
            let all = operations.flatMap { isInsert ? $0.insertedPaths : $0.deletedPaths }
            let count = all.count(where: isMoved)
            return count > 0
                && (1...count).contains { number in
                    let rest = operations.dropping(number, isInsert: isInsert, isMoved)
                    let free = freePlaces(happened, isInsert: isInsert).prefix(number)
                    return free.count == number && isValid(rest + [edit(Array(free), isInsert)])
                }
        }
    }

    private func comesOut(recordingGrowthOf section: Int) -> Bool {
        let growth = new.itemCounts[section] - old.itemCounts[section]
        let free = freePlaces(section, isInsert: growth > 0).prefix(abs(growth))
        return isValid(operations + [edit(Array(free), growth > 0)])
    }

    private func edit(_ paths: [ItemPath], _ isInsert: Bool) -> Operation {
        isInsert ? .insertItems(paths, .automatic) : .deleteItems(paths, .automatic)
    }

    /// Places in a section that nothing is recorded for.
    private func freePlaces(_ section: Int, isInsert: Bool) -> [ItemPath] {
        let taken =
            isInsert ? fates(\.isInsert) : fates(\.isDelete) + operations.flatMap(\.replaced)
        let count = (isInsert ? new : old).itemCounts[section]
        return (0..<count).map { path(section, $0) }.filter { !taken.contains($0) }
    }
}

/// What becomes of an item, or where one comes.
private struct Fate {
    let path: ItemPath
    let isDelete: Bool
    var isInsert: Bool { !isDelete }
}

extension HierarchyChangeSet.Operation {
    fileprivate var editsSections: Bool {
        switch self {
        case .deleteSections(let sections, _), .insertSections(let sections, _),
            .reloadSections(let sections, _):
            !sections.isEmpty
        case .moveSection: true
        default: false
        }
    }

    fileprivate var fates: [Fate] {
        if case .moveItem(let from, let to, _) = self {
            return [Fate(path: from, isDelete: true), Fate(path: to, isDelete: false)]
        }
        return deletedPaths.map { Fate(path: $0, isDelete: true) }
            + insertedPaths.map { Fate(path: $0, isDelete: false) }
    }

    fileprivate var insertedPaths: [ItemPath] {
        if case .insertItems(let paths, _) = self { paths } else { [] }
    }

    fileprivate var deletedPaths: [ItemPath] {
        if case .deleteItems(let paths, _) = self { paths } else { [] }
    }

    fileprivate var replaced: [ItemPath] {
        if case .reloadItems(let paths, _) = self { paths } else { [] }
    }
}

extension [HierarchyChangeSet.Operation] {
    /// Without the first inserts, or deletes, that are meant.
    fileprivate func dropping(
        _ number: Int,
        isInsert: Bool,
        _ isMeant: (ItemPath) -> Bool
    ) -> Self {
        var left = number
        func rest(_ paths: [ItemPath]) -> [ItemPath] {
            paths.filter { path in
                guard left > 0, isMeant(path) else { return true }
                left -= 1
                return false
            }
        }
        return map { operation in
            switch operation {
            case .insertItems(let paths, let animation) where isInsert:
                .insertItems(rest(paths), animation)
            case .deleteItems(let paths, let animation) where !isInsert:
                .deleteItems(rest(paths), animation)
            default: operation
            }
        }
    }
}
