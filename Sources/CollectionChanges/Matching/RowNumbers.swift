/// Numbers rows through all sections.
@usableFromInline
struct RowNumbers {
    /// The number of the first row of every section, and in the end that of all rows.
    @usableFromInline let starts: [Int]

    /// - Throws: `tooManyItems` where a number takes more than 31 bits.
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
                    "A side must have less than \(Int32.max) items, but the sections up to"
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

    /// The rows of a section.
    @inlinable
    func rows(_ section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

    @usableFromInline
    func path(of row: Int) -> ItemPath {
        var section = 0
        return path(row, near: &section)
    }

    /// - Parameter section: where to look first; afterwards the section of the row.
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
