// Saves a data source that can name its changed sections from a count query for every section.

extension HierarchyChangeSet {
    /// Returns the shape after the update as far as it follows from the shape before. Only the
    /// sections whose number of items may have changed are counted again.
    ///
    /// Sections move as the record's own section operations specify. The following sections are
    /// counted again: the sections in `namedSections`; inserted and reloaded sections; and sections
    /// with an item that the record deletes, inserts, moves, reloads or reconfigures. All others
    /// are assumed to have kept their count. The record need not be valid, because it is validated
    /// against this shape later. Every section is counted if the record reloads everything, or if
    /// its section operations cannot be correct: they name sections that do not exist, name a
    /// section twice, or do not add up to the number of sections.
    ///
    /// ```swift
    /// let shape = changes.presumedShape(from: [3, 1], numberOfSections: 2, recounting: [0]) {
    ///     sections[$0].count
    /// }
    /// ```
    ///
    /// The record and the set may contain any integers. A negative number of sections counts as 0.
    /// ``ShapeLimits`` decides whether the numbers are acceptable.
    ///
    /// Complexity: O(k log k) for k recorded edits, and a bit for each section. The counts are
    /// copied only if some count changed or if sections were inserted or removed; otherwise the two
    /// shapes share them.
    ///
    /// - Parameters:
    ///   - oldShape: The shape before the update.
    ///   - numberOfSections: The current number of sections.
    ///   - namedSections: New indexes of sections to count; indexes of sections that do not exist
    ///     are ignored.
    ///   - itemCount: A closure that returns the number of items in a section, given its new index.
    ///     It is called in ascending order, once for each section that is counted.
    package func presumedShape(
        from oldShape: HierarchyShape,
        numberOfSections: Int,
        recounting namedSections: SectionSet,
        itemCount: (_ newSection: Int) -> Int
    ) -> HierarchyShape {
        let newCount = Swift.max(0, numberOfSections)
        guard
            let sections = presumedMapping(from: oldShape.numberOfSections, to: newCount),
            let recounted = sectionsToRecount(sections, namedSections)
        else {
            return HierarchyShape((0..<newCount).map(itemCount))
        }
        var counts = oldShape.itemCounts
        if !sections.isIdentity { counts = sections.carry(counts, filling: 0) }
        var isChanged = !sections.isIdentity
        recounted.forEach { section in
            let count = itemCount(section)
            if count == counts[section] { return }
            counts[section] = count
            isChanged = true
        }
        return isChanged ? HierarchyShape(counts) : oldShape
    }

    /// Returns the mapping of sections, or `nil` if the record's section operations cannot be
    /// correct.
    private func presumedMapping(from oldCount: Int, to newCount: Int) -> IndexMapping? {
        var removed: [ClosedRange<Int>] = []
        var inserted: [ClosedRange<Int>] = []
        var moves: [IndexMapping.Move] = []
        for operation in operations {
            switch operation {
            case .deleteSections(let oldSections, _): removed += oldSections.runs
            case .insertSections(let newSections, _): inserted += newSections.runs
            case .moveSection(let oldSection, let newSection, _):
                removed.append(oldSection...oldSection)
                inserted.append(newSection...newSection)
                moves.append(IndexMapping.Move(oldIndex: oldSection, newIndex: newSection))
            case .reloadData: return nil
            default: break
            }
        }
        guard let removed = distinctMembers(of: removed, below: oldCount),
            let inserted = distinctMembers(of: inserted, below: newCount),
            oldCount - removed.count == newCount - inserted.count
        else { return nil }
        moves.sort { $0.oldIndex < $1.oldIndex }
        return IndexMapping(
            oldCount: oldCount,
            newCount: newCount,
            removed: removed,
            inserted: inserted,
            moves: moves
        )
    }

    /// Returns the members of all runs, ascending, or `nil` if a member occurs twice or is not an
    /// index below `count`.
    private func distinctMembers(of runs: [ClosedRange<Int>], below count: Int) -> [Int]? {
        let runs = runs.sorted { $0.lowerBound < $1.lowerBound }
        guard let first = runs.first, let last = runs.last else { return [] }
        guard first.lowerBound >= 0, last.upperBound < count else { return nil }
        for (run, next) in zip(runs, runs.dropFirst()) where run.upperBound >= next.lowerBound {
            return nil
        }
        return runs.flatMap { $0 }
    }

    /// Returns the new indexes of the sections whose counts do not follow from the old shape, or
    /// `nil` if the record reloads a section that does not exist before or after the update.
    private func sectionsToRecount(
        _ sections: IndexMapping,
        _ namedSections: SectionSet
    ) -> IndexMarks? {
        var marks = IndexMarks(count: sections.newCount)
        func mark(_ newSections: SectionSet) {
            for run in newSections.runs(in: 0..<sections.newCount) {
                run.forEach { marks.insert($0) }
            }
        }
        func mark(old path: ItemPath) {
            if let section = sections.newIndex(for: path.section) { marks.insert(section) }
        }
        var reloaded: [ClosedRange<Int>] = []
        mark(namedSections)
        for operation in operations {
            switch operation {
            case .deleteItems(let oldPaths, _), .reloadItems(let oldPaths, _),
                .reconfigureItems(let oldPaths, _):
                oldPaths.forEach(mark(old:))
            case .insertItems(let newPaths, _):
                for path in newPaths { marks.insert(path.section) }
            case .moveItem(let oldPath, let newPath, _):
                mark(old: oldPath)
                marks.insert(newPath.section)
            case .insertSections(let newSections, _): mark(newSections)
            case .reloadSections(let oldSections, _): reloaded += oldSections.runs
            default: break
            }
        }
        for run in SectionSet(uniting: reloaded).runs {
            // The first section that does not exist ends the loop, however long the run is.
            for section in run {
                guard let newSection = sections.newIndex(for: section) else { return nil }
                marks.insert(newSection)
            }
        }
        return marks
    }
}

/// A set of array indexes with one bit for each index. Adding an index costs the same for any
/// number of members, and the members are in ascending order.
private struct IndexMarks {
    private let count: Int
    private var words: [UInt]

    init(count: Int) {
        self.count = count
        words = stride(from: 0, to: count, by: UInt.bitWidth).map { _ in 0 }
    }

    /// Adds an index; an index beyond the array is ignored.
    mutating func insert(_ index: Int) {
        guard index >= 0, index < count else { return }
        words[index / UInt.bitWidth] |= 1 << UInt(index % UInt.bitWidth)
    }

    /// Calls `body` with every member, ascending.
    func forEach(_ body: (Int) -> Void) {
        for (position, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                body(position * UInt.bitWidth + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}
