/// A count that does not add up: the count before the update, plus and minus the edits, compared
/// with the count after it.
public struct CountArithmetic: Hashable, Sendable {
    /// The count before the update.
    public let before: Int
    /// The count that the data source reported after the update.
    public let after: Int
    /// The number of insertions.
    public package(set) var inserted: Int
    /// The number of deletions.
    public package(set) var deleted: Int
    /// The number of items that moved here from other sections.
    public package(set) var movedIn: Int
    /// The number of items that moved to other sections.
    public package(set) var movedOut: Int

    /// The expected value of `after`; `Int.max` or `Int.min` if an `Int` cannot represent it.
    public var expected: Int {
        // The count of a set of sections may be `Int.max`.
        let (gain, gainOverflows) = inserted.addingReportingOverflow(movedIn)
        let (loss, lossOverflows) = deleted.addingReportingOverflow(movedOut)
        let (rest, restOverflows) = before.subtractingReportingOverflow(loss)
        if lossOverflows || restOverflows { return Int.min }
        let (sum, sumOverflows) = rest.addingReportingOverflow(gain)
        return gainOverflows || sumOverflows ? Int.max : sum
    }

    package init(
        before: Int,
        after: Int,
        inserted: Int,
        deleted: Int,
        movedIn: Int = 0,
        movedOut: Int = 0
    ) {
        self.before = before
        self.after = after
        self.inserted = inserted
        self.deleted = deleted
        self.movedIn = movedIn
        self.movedOut = movedOut
    }
}

extension CountArithmetic: CustomStringConvertible {
    /// The sum, such as `3 before + 1 inserted - 0 deleted = 4, but there are 5`. Moves are
    /// included if there are any.
    public var description: String {
        let moves =
            movedIn == 0 && movedOut == 0 ? "" : " + \(movedIn) moved in - \(movedOut) moved out"
        let rest = after == expected ? "" : ", but there are \(after)"
        return "\(before) before + \(inserted) inserted - \(deleted) deleted\(moves) = \(expected)"
            + rest
    }
}

/// A check that the item counts add up in every section: the old count, minus the items that left,
/// plus the items that arrived, must be the new count.
///
/// Sections that no item left or entered are compared in bulk, so that the cost depends on the
/// change and the other sections cost next to nothing.
struct ItemCountComparison {
    /// The item counts before and after the update.
    let old: [Int]
    let new: [Int]
    /// The number of items that left, by old section, ascending. A section may occur more than
    /// once.
    let leaving: [SectionTally]
    /// The number of items that arrived, by new section, ascending. A section may occur more than
    /// once.
    let coming: [SectionTally]

    /// Returns the position in `stretch` of the first section whose count does not add up, ignoring
    /// the positions before `start`.
    ///
    /// Complexity: O(log k), plus a step for each section of the stretch that has tallies; the
    /// others are compared at the speed of memory.
    func firstFault(in stretch: IndexMapping.Stretch, from start: Int) -> Int? {
        let (oldStart, newStart) = (stretch.oldStart, stretch.newStart)
        var left = partitionPoint(leaving.count) { leaving[$0].section >= oldStart + start }
        var right = partitionPoint(coming.count) { coming[$0].section >= newStart + start }
        var position = start
        while true {
            let nextLeaving = left < leaving.count ? leaving[left].section - oldStart : Int.max
            let nextComing = right < coming.count ? coming[right].section - newStart : Int.max
            let touched = min(nextLeaving, nextComing, stretch.count)
            if let difference = firstDifference(
                old,
                from: oldStart + position,
                new,
                from: newStart + position,
                count: touched - position
            ) {
                return position + difference
            }
            if touched == stretch.count { return nil }
            // The sum wraps if the limits are near `Int.max`; the comparison is still correct.
            var expected = old[oldStart + touched]
            while left < leaving.count, leaving[left].section == oldStart + touched {
                expected &-= leaving[left].count
                left += 1
            }
            while right < coming.count, coming[right].section == newStart + touched {
                expected &+= coming[right].count
                right += 1
            }
            if expected != new[newStart + touched] { return touched }
            position = touched + 1
        }
    }
}

/// A number of items in one section.
struct SectionTally {
    var section: Int
    var count: Int
}

extension [SectionTally] {
    /// Appends a tally for each section of `records`, which ascend by section.
    mutating func append<Record>(countsOf records: [Record], by sectionOf: (Record) -> Int) {
        var position = 0
        while position < records.count {
            let section = sectionOf(records[position])
            let start = position
            repeat {
                position += 1
            } while position < records.count && sectionOf(records[position]) == section
            append(SectionTally(section: section, count: position - start))
        }
    }
}

/// Returns the first of `count` positions, relative to the given starts, at which the two arrays
/// differ.
private func firstDifference(
    _ left: [Int],
    from leftStart: Int,
    _ right: [Int],
    from rightStart: Int,
    count: Int
) -> Int? {
    left.withUnsafeBufferPointer { left in
        right.withUnsafeBufferPointer { right in
            let left = UnsafeBufferPointer(rebasing: left[leftStart..<(leftStart + count)])
            let right = UnsafeBufferPointer(rebasing: right[rightStart..<(rightStart + count)])
            // Shapes that are derived from each other may share their counts.
            if left.baseAddress == right.baseAddress { return nil }
            // The loop compares sixteen elements at a time without an early exit, so that the
            // compiler can vectorise it.
            var position = 0
            while position + 16 <= count {
                var difference = 0
                for place in position..<(position + 16) { difference |= left[place] ^ right[place] }
                if difference != 0 { break }
                position += 16
            }
            return (position..<count).first { left[$0] != right[$0] }
        }
    }
}
