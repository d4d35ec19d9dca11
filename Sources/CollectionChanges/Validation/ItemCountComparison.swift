/// Whether the numbers of items come out, section by section: what was there, minus what left, plus
/// what came, must be what is there.
///
/// Sections that nothing left or came into are compared wholesale, so that what costs is the change,
/// and the rest of the sections next to nothing.
struct ItemCountComparison {
    /// The item counts before and after the update.
    let old: [Int]
    let new: [Int]
    /// How many items left, by old section, ascending; the same section may come more than once.
    let leaving: [SectionTally]
    /// How many items came, by new section, ascending; the same section may come more than once.
    let coming: [SectionTally]

    /// The position in `stretch` of the first section whose count does not come out, leaving out
    /// the positions before `start`.
    ///
    /// Complexity: O(log k) and a step for each section of the stretch with tallies; the others are
    /// compared at the speed of memory.
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
            // Wraps where the limits are raised to the end of integers; the comparison stays right.
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
    /// Counts records that ascend by section, adding what they come to at the end.
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

/// The first of `count` places at which the two arrays differ, from their starts on.
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
            // Shapes that follow from each other may share their counts.
            if left.baseAddress == right.baseAddress { return nil }
            // Sixteen at a time, and in a loop without a way out, which the compiler vectorises.
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
