/// What an update does to the rows of a list, as seen from the rows before it.
///
/// Old rows and the gaps between them are numbered in one order: the gap before row r is 2r, and the row itself 2r + 1.
/// What an update removes, changes or puts in between are intervals there, apart from each other, each with how many rows
/// it brings. So one search tells both whether any of it happened within a window and how far all that happened before
/// the window moves it.
///
/// A pure value.
struct RowChanges {
    /// One interval.
    private struct Change {
        var first: Int
        var last: Int
        /// How many rows more there are by it.
        var growth: Int
    }

    /// Ascending, apart from each other.
    private var changes: [Change] = []
    /// How many rows more there are by all before a change; one more than there are changes.
    private var growths: [Int] = [0]
    /// The rows of sections that stay and whose header shows something else, as every window does that begins within them.
    /// Ascending.
    private let changedSections: [Range<Int>]
    /// Whether nothing stays.
    private let isReload: Bool

    /// Complexity: O(k log k + sections) for k edits.
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
                // A row that changes and goes, or rows that are put in one gap.
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

    // MARK: Questions

    /// How far an update moves a window that it does not touch; nil where it does.
    ///
    /// - Parameters:
    ///   - first: the first row or gap of the window.
    ///   - last: the last one.
    ///   - next: the first change that may be after it, if the caller has a guess; the right one afterwards.
    ///
    /// Complexity: O(1) where the guess is right, and O(log k) otherwise; without allocation.
    @inline(__always)
    func shift(ofWindowFrom first: Int, to last: Int, next: inout Int) -> Int? {
        if isReload { return nil }
        let isRight =
            next <= changes.count && (next == 0 || changes[next - 1].last < first)
            && (next == changes.count || changes[next].last >= first)
        if !isRight { next = partitionPoint(changes.count) { changes[$0].last >= first } }
        if next < changes.count, changes[next].first <= last { return nil }
        if !changedSections.isEmpty, showsChangedSection(from: first, to: last) { return nil }
        return growths[next]
    }

    private func showsChangedSection(from first: Int, to last: Int) -> Bool {
        let next = partitionPoint(changedSections.count) {
            Self.lastOf(changedSections[$0]) >= first
        }
        return next < changedSections.count && Self.firstOf(changedSections[next]) <= last
    }

    /// Where the first row is now, from `row` on, that stays in its place among others; nil where there is none.
    func firstSurvivor(from row: Int) -> Int? {
        if isReload { return nil }
        var row = row
        var next = partitionPoint(changes.count) { changes[$0].last >= 2 * row + 1 }
        // Gaps, and rows that only change, are no reason to go on.
        while next < changes.count, changes[next].first <= 2 * row + 1 {
            if changes[next].growth < 0 { row = changes[next].last / 2 + 1 }
            next += 1
        }
        return row + growths[next]
    }

    // MARK: From a change set

    /// The old rows that go: removed, replaced or moved away. Ascending, apart from each other.
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

    /// The rows that come: inserted, replacing or moved here, each run of them in a gap between old rows.
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
            // As many that stay come before them. The gap is the one before the next that stays.
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

    /// The rows of all of them, ascending; neighbours are one.
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
