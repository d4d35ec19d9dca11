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
        var counts = oldShape.itemCounts.map { ItemTally(number: $0) }
        return operations.allSatisfy { Self.apply($0, to: &counts) }
            && counts.count == newShape.numberOfSections
            && zip(counts, newShape.itemCounts).allSatisfy { $0.fits($1) }
    }

    /// Does to the counts what the operation does, if it can be done to them.
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
        // No record with it is rejected.
        case .reloadData: break
        }
        return true
    }

    private static func delete(_ paths: [ItemPath], _ counts: inout [ItemTally]) -> Bool {
        guard areDistinct(paths, &counts) else { return false }
        for path in paths { counts[path.section].number -= 1 }
        return true
    }

    /// Inserts items at places that are there afterwards.
    private static func insert(_ paths: [ItemPath], _ counts: inout [ItemTally]) -> Bool {
        for path in paths where counts.indices.contains(path.section) {
            counts[path.section].number += 1
        }
        return areDistinct(paths, &counts)
    }

    /// Whether all of them are there, each named once.
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

/// How many items a section has after some of the operations.
private struct ItemTally {
    /// Of a section that came with any number: the least that what was done to it needs.
    var number: Int
    var isFree = false

    static let free = ItemTally(number: 0, isFree: true)

    mutating func holds(_ item: Int) -> Bool {
        // Of the highest index there is nothing behind.
        if isFree { number = max(number, item &+ 1) }
        return 0..<number ~= item
    }

    func fits(_ count: Int) -> Bool { isFree ? count >= number : count == number }
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
