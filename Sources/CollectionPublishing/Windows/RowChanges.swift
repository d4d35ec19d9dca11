/// The changes that an update makes to the rows of a list, in terms of the old rows.
///
/// Old rows and the gaps between them are numbered in one order: the gap before row r is 2r, and
/// the row itself is 2r + 1. Everything that an update removes, changes or inserts is an interval
/// of these numbers. The intervals are disjoint, and each stores the number of rows that it adds.
/// One search therefore finds whether anything changed within a window, and how far the changes
/// before the window move it.
///
struct RowChanges {
    /// One interval of changes.
    private struct Change {
        var first: Int
        var last: Int
        /// The number of rows that the change adds; negative if it removes rows.
        var growth: Int
    }

    /// The changes, ascending and disjoint.
    private var changes: [Change] = []
    /// For each change, the number of rows that all earlier changes add, followed by the total. The
    /// list has one more element than ``changes``.
    private var growths: [Int] = [0]
    /// The rows of each remaining section whose header changed, ascending. A window that begins
    /// within such a section includes its header.
    private let changedSections: [Range<Int>]
    /// Whether the update replaces everything.
    let isReload: Bool

    /// Creates the changes of `changeSet`. Complexity: O(k log k + sections) for k edits.
    init(_ changeSet: ValidatedChangeSet, from old: RowTable, to new: RowTable) {
        isReload = changeSet.isReloadData
        changedSections = changeSet.changedSections.compactMap { newIndex in
            changeSet.oldSection(for: newIndex).map(old.rows(ofSection:))
        }.sorted { $0.lowerBound < $1.lowerBound }
        if isReload { return }
        let removed = Self.removedRows(of: changeSet, old)
        let all =
            removed.map { rows in
                Change(
                    first: 2 * rows.lowerBound + 1,
                    last: 2 * rows.upperBound - 1,
                    growth: -rows.count
                )
            } + Self.insertions(of: changeSet, new, between: removed)
            + changeSet.reconfigurations.map { change in
                let row = 2 * old.row(at: change.oldPath) + 1
                return Change(first: row, last: row, growth: 0)
            }
        for change in all.sorted(by: { ($0.first, $1.last) < ($1.first, $0.last) }) {
            if let last = changes.last, change.first <= last.last {
                // A row that is both changed and removed, or rows that are inserted into the same
                // gap.
                changes[changes.count - 1].growth += change.growth
                growths[growths.count - 1] += change.growth
            } else {
                changes.append(change)
                growths.append(growths[growths.count - 1] + change.growth)
            }
        }
    }

    private static func firstOf(_ rows: Range<Int>) -> Int { 2 * rows.lowerBound + 1 }
    private static func lastOf(_ rows: Range<Int>) -> Int { 2 * rows.upperBound - 1 }

    // MARK: Queries

    /// A range of consecutive rows and gaps without changes.
    struct UnchangedRange {
        var first: Int
        var last: Int
        /// The number of rows that the changes before the range add.
        var growth: Int

        @inline(__always)
        func contains(_ first: Int, _ last: Int) -> Bool {
            self.first <= first && last <= self.last
        }
    }

    /// Returns the unchanged range that contains a row or gap, by its number. If that row or gap is
    /// changed, returns the range before the change.
    ///
    /// Complexity: O(log k), without allocation.
    func unchangedRange(from first: Int) -> UnchangedRange {
        let next = partitionPoint(changes.count) { changes[$0].last >= first }
        var range = UnchangedRange(
            first: next == 0 ? .min : changes[next - 1].last + 1,
            last: next == changes.count ? .max : changes[next].first - 1,
            growth: growths[next]
        )
        // A changed header affects every window that begins in its section.
        let section = partitionPoint(changedSections.count) {
            Self.lastOf(changedSections[$0]) >= first
        }
        if section > 0 {
            range.first = max(range.first, Self.lastOf(changedSections[section - 1]) + 1)
        }
        if section < changedSections.count {
            range.last = min(range.last, Self.firstOf(changedSections[section]) - 1)
        }
        return range
    }

    /// Returns the new row of the first old row, at or after `row`, that is neither removed nor
    /// moved by an edit; `nil` if everything is replaced.
    func firstSurvivor(from row: Int) -> Int? {
        if isReload { return nil }
        var row = row
        var next = partitionPoint(changes.count) { changes[$0].last >= 2 * row + 1 }
        // Insertions, and rows that only change, do not end the search.
        while next < changes.count, changes[next].first <= 2 * row + 1 {
            if changes[next].growth < 0 { row = changes[next].last / 2 + 1 }
            next += 1
        }
        return row + growths[next]
    }

    // MARK: From a change set

    /// Returns the old rows that are removed, replaced or moved away, as ascending, disjoint
    /// ranges.
    private static func removedRows(
        of changeSet: ValidatedChangeSet,
        _ old: RowTable
    ) -> [Range<Int>] {
        let sections = changeSet.sectionRemovals.map { old.rows(ofSection: $0.section) }
        let items = changeSet.itemRemovals.map { edit in
            let row = old.row(at: edit.path)
            return row..<(row + 1)
        }
        return union(sections + items)
    }

    /// Returns the rows that are inserted, replace other rows or are moved to a new place. Each run
    /// of these rows is in a gap between old rows.
    private static func insertions(
        of changeSet: ValidatedChangeSet,
        _ new: RowTable,
        between removed: [Range<Int>]
    ) -> [Change] {
        let sections = changeSet.sectionInsertions.map { new.rows(ofSection: $0.section) }
        let items = changeSet.itemInsertions.map { edit in
            let row = new.row(at: edit.path)
            return row..<(row + 1)
        }
        var removed = removed[...]
        var goneBefore = 0
        var comeBefore = 0
        return union(sections + items).map { rows in
            // The run is in the gap before the next remaining row, so the number of remaining rows
            // before the run determines the gap.
            let staying = rows.lowerBound - comeBefore
            while let first = removed.first, first.lowerBound <= staying + goneBefore {
                goneBefore += first.count
                removed = removed.dropFirst()
            }
            comeBefore += rows.count
            let gap = 2 * (staying + goneBefore)
            return Change(first: gap, last: gap, growth: rows.count)
        }
    }

    /// Returns the union of ranges, ascending; adjacent ranges are joined.
    private static func union(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var union: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = union.last, range.lowerBound <= last.upperBound {
                let end = Swift.max(last.upperBound, range.upperBound)
                union[union.count - 1] = last.lowerBound..<end
            } else {
                union.append(range)
            }
        }
        return union
    }
}
