/// Puts together what was matched by comparing and what was matched by hashing, and names the sections again.
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

    /// Appends all runs and all left-over rows that have a partner, ascending by old row.
    ///
    /// - Parameters:
    ///   - count: the number of left-over old rows, whose numbers are `oldRows`.
    ///   - partners: for each of them the number of the new one that it is matched with, plus 1, or 0.
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

    /// The places of two lists of rows, the first of which ascends; ascending.
    @usableFromInline
    func paths(ofOldRows rows: [UInt32], _ others: [UInt32]) -> [ItemPath] {
        var section = 0
        let all = others.isEmpty ? rows : (rows + others).sorted()
        return all.map { oldNumbers.path(Int($0), near: &section) }
    }
}
