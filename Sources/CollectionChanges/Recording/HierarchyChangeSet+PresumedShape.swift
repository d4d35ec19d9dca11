// What spares a data source that can name its changed sections a count query for every section.

extension HierarchyChangeSet {
    /// The shape after the update as far as it follows from the shape before, with only those
    /// sections counted again that may have another number of items now.
    ///
    /// Sections go where the record's own section operations take them. Counted again are those
    /// that are named, that are inserted or reloaded, and that hold an item which the record
    /// deletes, inserts, moves, reloads or reconfigures; all others are taken to have kept their
    /// count. The record need not be valid, as this is what it is then validated against: where its
    /// section operations cannot be right (they name sections that do not exist, or one twice, or
    /// do not make up the number of sections), and where it reloads everything, every section is
    /// counted.
    ///
    /// ```swift
    /// let shape = changes.presumedShape(from: [3, 1], numberOfSections: 2, recounting: [0]) {
    ///     sections[$0].count
    /// }
    /// ```
    ///
    /// Any integers may be in the record and in the set. A negative number of sections is taken for
    /// none; whether the numbers are acceptable is for ``ShapeLimits`` to say.
    ///
    /// Complexity: O(k log k) for k recorded edits, and a bit for each section. Only if some count
    /// is another than before, or if sections were inserted or removed, the counts are copied; if
    /// not, the shapes share them.
    ///
    /// - Parameters:
    ///   - oldShape: the shape before the update.
    ///   - numberOfSections: how many sections there are now.
    ///   - namedSections: new indexes; those beyond the sections are left out.
    ///   - itemCount: the number of items in a section, by its new index; called ascending, once
    ///     for each section that is counted.
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

    /// Where sections go, or nil where the record cannot be right about it.
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

    /// The members of all runs, ascending, or nil if one comes twice or is no index below `count`.
    private func distinctMembers(of runs: [ClosedRange<Int>], below count: Int) -> [Int]? {
        let runs = runs.sorted { $0.lowerBound < $1.lowerBound }
        guard let first = runs.first, let last = runs.last else { return [] }
        guard first.lowerBound >= 0, last.upperBound < count else { return nil }
        for (run, next) in zip(runs, runs.dropFirst()) where run.upperBound >= next.lowerBound {
            return nil
        }
        return runs.flatMap { $0 }
    }

    /// New indexes of the sections whose counts do not follow, or nil where a section is reloaded
    /// that is not there before or after.
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
            // However far it reaches, the first that is not there ends it.
            for section in run {
                guard let newSection = sections.newIndex(for: section) else { return nil }
                marks.insert(newSection)
            }
        }
        return marks
    }
}

/// A set of the indexes of an array, a bit for each: adding one costs the same however many there
/// are, and they come out in order.
private struct IndexMarks {
    private let count: Int
    private var words: [UInt]

    init(count: Int) {
        self.count = count
        words = stride(from: 0, to: count, by: UInt.bitWidth).map { _ in 0 }
    }

    /// Adds an index; one that is beyond the array is left out.
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
