// A record that was made as if each edit were applied before the next is recorded.

extension MistakeFinder {
    /// How many edits and sections a record may have to be tried with corrections: a person reads no more, and
    /// all trials together stay within some milliseconds.
    private static var limit: Int { 200 }

    /// Whether the record is small enough to be tried with corrections.
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

    /// Whether the operations, one after the other, lead from the old shape to the new one.
    var fitsInSequence: Bool {
        guard operations.count > 1, isSmall else { return false }
        // Nil where any count fits.
        var counts: [Int?] = oldShape.itemCounts
        return operations.allSatisfy { Self.apply($0, to: &counts) }
            && counts.count == newShape.numberOfSections
            && zip(counts, newShape.itemCounts).allSatisfy { $0 == nil || $0 == $1 }
    }

    /// Does to the counts what the operation does, if it can be done to them.
    private static func apply(
        _ operation: HierarchyChangeSet.Operation,
        to counts: inout [Int?]
    ) -> Bool {
        switch operation {
        case .deleteItems(let paths, _): return delete(paths, &counts)
        case .insertItems(let paths, _): return insert(paths, &counts)
        case .moveItem(let old, let new, _):
            return delete([old], &counts) && insert([new], &counts)
        case .reloadItems(let paths, _), .reconfigureItems(let paths, _):
            return paths.allSatisfy { holds($0, counts) }
        case .deleteSections(let sections, _):
            guard isWithin(sections, counts.count) else { return false }
            for section in sections.reversed() { counts.remove(at: section) }
        case .insertSections(let sections, _):
            guard isWithin(sections, counts.count + sections.count) else { return false }
            for section in sections { counts.insert(nil, at: section) }
        case .reloadSections(let sections, _):
            guard isWithin(sections, counts.count) else { return false }
            for section in sections { counts[section] = nil }
        case .moveSection(let old, let new, _):
            guard counts.indices.contains(old), counts.indices.contains(new) else { return false }
            counts.insert(counts.remove(at: old), at: new)
        case .reconfigureSections(let sections, _), .reloadSupplementaries(_, let sections, _):
            return isWithin(sections, counts.count)
        // No record with it is rejected.
        case .reloadData: break
        }
        return true
    }

    private static func delete(_ paths: [ItemPath], _ counts: inout [Int?]) -> Bool {
        guard areDistinct(paths, in: counts) else { return false }
        for path in paths { counts[path.section]? -= 1 }
        return true
    }

    /// Inserts items at places that are there afterwards.
    private static func insert(_ paths: [ItemPath], _ counts: inout [Int?]) -> Bool {
        for path in paths where counts.indices.contains(path.section) {
            counts[path.section]? += 1
        }
        return areDistinct(paths, in: counts)
    }

    /// Whether all of them are there, each named once.
    private static func areDistinct(_ paths: [ItemPath], in counts: [Int?]) -> Bool {
        Set(paths).count == paths.count && paths.allSatisfy { holds($0, counts) }
    }

    private static func holds(_ path: ItemPath, _ counts: [Int?]) -> Bool {
        guard counts.indices.contains(path.section), path.item >= 0 else { return false }
        return counts[path.section].map { path.item < $0 } ?? true
    }

    private static func isWithin(_ sections: SectionSet, _ count: Int) -> Bool {
        guard let first = sections.first, let last = sections.last else { return true }
        return first >= 0 && last < count
    }
}

extension HierarchyChangeSet.Operation {
    /// How many places it names.
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
