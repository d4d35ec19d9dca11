/// What matching has found so far.
@usableFromInline
struct RowMatches {
    /// Ascending by old row, and within a section also by new row.
    @usableFromInline var runs: [RowRun] = []
    /// The old rows whose contents are not what they were.
    @usableFromInline var updated: [UInt32] = []

    @inlinable
    init() {}

    @inlinable @inline(__always)
    mutating func append(old: Int, new: Int, count: Int) {
        runs.append(RowRun(old: old, new: new, count: count))
    }

    /// How many rows are matched.
    @usableFromInline var count: Int { runs.reduce(0) { $0 + Int($1.count) } }

    /// Where the last match of a section ends on either side, counted from the section's first rows.
    @usableFromInline
    func last(_ oldBase: Int, _ newBase: Int) -> (old: Int, new: Int) {
        guard let last = runs.last, last.old >= oldBase else { return (0, 0) }
        return (Int(last.old + last.count) - oldBase, Int(last.new + last.count) - newBase)
    }
}

// MARK: - What is left over

extension RowMatches {
    /// Calls `body` with the rows between matches, ascending, as indexes in their section.
    @usableFromInline
    func withEveryOldGap(_ old: RowNumbers, _ body: (_ section: Int, Range<Int>) -> Void) {
        var position = 0
        for section in 0..<old.sectionCount {
            let start = old.starts[section]
            var next = 0
            while position < runs.count, runs[position].old < old.starts[section + 1] {
                let row = Int(runs[position].old) - start
                if row > next { body(section, next..<row) }
                next = row + Int(runs[position].count)
                position += 1
            }
            let count = old.rows(section).count
            if count > next { body(section, next..<count) }
        }
    }

    /// The same for the new rows.
    @usableFromInline
    func withEveryNewGap(
        _ new: RowNumbers,
        _ pairs: [SurvivingSection],
        _ old: RowNumbers,
        _ body: (_ section: Int, Range<Int>) -> Void
    ) {
        var oldSections = Array(repeating: -1, count: new.sectionCount)
        for pair in pairs { oldSections[pair.newSection] = pair.oldSection }
        for section in 0..<new.sectionCount {
            let start = new.starts[section]
            var next = 0
            if oldSections[section] >= 0 {
                let rows = old.rows(oldSections[section])
                var position = partitionPoint(runs.count) { runs[$0].old >= rows.lowerBound }
                while position < runs.count, runs[position].old < rows.upperBound {
                    let row = Int(runs[position].new) - start
                    if row > next { body(section, next..<row) }
                    next = row + Int(runs[position].count)
                    position += 1
                }
            }
            let count = new.rows(section).count
            if count > next { body(section, next..<count) }
        }
    }
}
