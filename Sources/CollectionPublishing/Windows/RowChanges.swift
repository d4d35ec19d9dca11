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
    let isReload: Bool

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

    /// Rows and gaps side by side in which nothing happens.
    struct Stretch {
        var first: Int
        var last: Int
        /// How many rows more there are before it.
        var growth: Int

        @inline(__always)
        func contains(_ first: Int, _ last: Int) -> Bool {
            self.first <= first && last <= self.last
        }
    }

    /// The stretch that a row or gap is in; where something happens there, the one before that.
    ///
    /// Complexity: O(log k), without allocation.
    func stretch(from first: Int) -> Stretch {
        let next = partitionPoint(changes.count) { changes[$0].last >= first }
        var stretch = Stretch(
            first: next == 0 ? .min : changes[next - 1].last + 1,
            last: next == changes.count ? .max : changes[next].first - 1,
            growth: growths[next]
        )
        // Sections whose header is another are seen as far as they reach.
        let section = partitionPoint(changedSections.count) {
            Self.lastOf(changedSections[$0]) >= first
        }
        if section > 0 {
            stretch.first = max(stretch.first, Self.lastOf(changedSections[section - 1]) + 1)
        }
        if section < changedSections.count {
            stretch.last = min(stretch.last, Self.firstOf(changedSections[section]) - 1)
        }
        return stretch
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
