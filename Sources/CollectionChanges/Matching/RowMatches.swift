/// The matches found so far.
@usableFromInline
struct RowMatches {
    /// The runs of matched rows, ascending by old row, and within a section also by new row.
    @usableFromInline var runs: [RowRun] = []
    /// The old rows whose contents have changed.
    @usableFromInline var updated: [UInt32] = []

    @inlinable
    init() {}

    @inlinable @inline(__always)
    mutating func append(old: Int, new: Int, count: Int) {
        runs.append(RowRun(old: old, new: new, count: count))
    }

    /// The number of matched rows.
    @usableFromInline var count: Int { runs.reduce(0) { $0 + Int($1.count) } }

    /// Returns the end of the last match of a section on either side, relative to the section's
    /// first rows.
    @usableFromInline
    func last(_ oldBase: Int, _ newBase: Int) -> (old: Int, new: Int) {
        guard let last = runs.last, last.old >= oldBase else { return (0, 0) }
        return (Int(last.old + last.count) - oldBase, Int(last.new + last.count) - newBase)
    }

    // MARK: Unmatched rows

    /// Calls `body` with the ranges of old rows between matches, ascending, as indexes in their
    /// section.
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

    /// Calls `body` with the ranges of new rows between matches, ascending, as indexes in their
    /// section.
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

/// The numbers of the rows of one side, counted through all sections.
@usableFromInline
struct RowNumbers {
    /// The number of the first row of every section, followed by the total number of rows.
    @usableFromInline let starts: [Int]

    /// Numbers the rows of sections with the given item counts.
    ///
    /// - Throws: `tooManyItems` if a number needs more than 31 bits.
    @usableFromInline
    init(_ counts: [Int]) throws(DifferenceError) {
        var starts = [0]
        starts.reserveCapacity(counts.count + 1)
        var total = 0
        for count in counts {
            let (sum, overflows) = total.addingReportingOverflow(count)
            guard !overflows, count >= 0, sum < Int32.max else {
                throw DifferenceError(
                    .tooManyItems,
                    "A side must have fewer than \(Int32.max) items, but the sections up to"
                        + " \(starts.count - 1) already have more"
                )
            }
            total = sum
            starts.append(sum)
        }
        self.starts = starts
    }

    @inlinable var total: Int { starts[starts.count - 1] }
    @inlinable var sectionCount: Int { starts.count - 1 }

    /// Returns the numbers of the rows of a section.
    @inlinable
    func rows(_ section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

    @usableFromInline
    func path(of row: Int) -> ItemPath {
        var section = 0
        return path(row, near: &section)
    }

    /// Returns the path of a row, searching first near a given section.
    ///
    /// - Parameter section: The section to search first; afterwards, the section of the row.
    func path(_ row: Int, near section: inout Int) -> ItemPath {
        if row < starts[section] || row >= starts[section + 1] {
            if section + 2 < starts.count, row >= starts[section + 1], row < starts[section + 2] {
                section += 1
            } else {
                section = partitionPoint(starts.count) { starts[$0] > row } - 1
            }
        }
        return ItemPath(section: section, item: row - starts[section])
    }
}

/// Combines the matches found by comparing with those found by hashing, and converts row numbers to
/// paths.
@usableFromInline
struct RunAssembler {
    private let oldNumbers: RowNumbers
    private let newNumbers: RowNumbers
    private var oldSection = 0
    private var newSection = 0
    @usableFromInline private(set) var runs: [CompactRun] = []

    @usableFromInline
    init(_ oldNumbers: RowNumbers, _ newNumbers: RowNumbers) {
        self.oldNumbers = oldNumbers
        self.newNumbers = newNumbers
    }

    /// Appends all runs and all remaining rows that have a partner, ascending by old row.
    ///
    /// - Parameters:
    ///   - matches: The matches found by comparing.
    ///   - count: The number of remaining old rows, whose numbers are `oldRows`.
    ///   - partners: For each remaining old row, the number of its new row plus 1, or 0 if it has
    ///     none.
    ///   - oldRows: The numbers of the remaining old rows.
    @usableFromInline
    mutating func append(
        _ matches: RowMatches,
        and count: Int,
        _ partners: UnsafePointer<UInt32>,
        _ oldRows: UnsafePointer<UInt32>
    ) {
        var breaks = 0
        for row in 0..<count
        where partners[row] != 0 && (row == 0 || partners[row] != partners[row - 1] + 1) {
            breaks += 1
        }
        runs.reserveCapacity(matches.runs.count + breaks)
        var position = 0
        for row in 0..<count where partners[row] != 0 {
            while position < matches.runs.count, matches.runs[position].old < oldRows[row] {
                append(matches.runs[position])
                position += 1
            }
            append(RowRun(old: Int(oldRows[row]), new: Int(partners[row]) - 1, count: 1))
        }
        while position < matches.runs.count {
            append(matches.runs[position])
            position += 1
        }
    }

    private mutating func append(_ run: RowRun) {
        let old = oldNumbers.path(Int(run.old), near: &oldSection)
        let new = newNumbers.path(Int(run.new), near: &newSection)
        if let last = runs.last, last.oldPath(at: last.count) == old,
            last.newPath(at: last.count) == new
        {
            runs[runs.count - 1].grow(by: Int(run.count))
            return
        }
        runs.append(
            CompactRun(
                oldSection: old.section,
                oldItem: old.item,
                newSection: new.section,
                newItem: new.item,
                count: Int(run.count)
            )
        )
    }

    /// Returns the paths of two lists of rows, ascending. The first list ascends.
    @usableFromInline
    func paths(ofOldRows rows: [UInt32], _ others: [UInt32]) -> [ItemPath] {
        var section = 0
        let all = others.isEmpty ? rows : (rows + others).sorted()
        return all.map { oldNumbers.path(Int($0), near: &section) }
    }
}

/// A surviving run in half the memory, for rows whose numbers fit in 31 bits.
@usableFromInline
struct CompactRun: SurvivorRun, Sendable {
    private let oldSection32: UInt32
    private let oldItem32: UInt32
    private let newSection32: UInt32
    private let newItem32: UInt32
    private var count32: UInt32

    init(oldSection: Int, oldItem: Int, newSection: Int, newItem: Int, count: Int) {
        oldSection32 = UInt32(truncatingIfNeeded: oldSection)
        oldItem32 = UInt32(truncatingIfNeeded: oldItem)
        newSection32 = UInt32(truncatingIfNeeded: newSection)
        newItem32 = UInt32(truncatingIfNeeded: newItem)
        count32 = UInt32(truncatingIfNeeded: count)
    }

    var oldSection: Int { Int(oldSection32) }
    var oldItem: Int { Int(oldItem32) }
    var newSection: Int { Int(newSection32) }
    var newItem: Int { Int(newItem32) }
    var count: Int { Int(count32) }

    mutating func grow(by count: Int) { count32 += UInt32(truncatingIfNeeded: count) }

    var plain: SurvivingRun {
        SurvivingRun(
            oldSection: oldSection,
            oldItem: oldItem,
            newSection: newSection,
            newItem: newItem,
            count: count
        )
    }
}

/// A run of rows that are the same on both sides, numbered through all sections. Matching uses this
/// form of a surviving run internally, because it takes a third of the memory.
@usableFromInline
struct RowRun {
    @usableFromInline var old: UInt32
    @usableFromInline var new: UInt32
    @usableFromInline var count: UInt32

    @inlinable
    init(old: Int, new: Int, count: Int) {
        self.old = UInt32(truncatingIfNeeded: old)
        self.new = UInt32(truncatingIfNeeded: new)
        self.count = UInt32(truncatingIfNeeded: count)
    }
}
