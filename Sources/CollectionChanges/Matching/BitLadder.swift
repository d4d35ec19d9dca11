/// A set of the integers below a bound that finds neighbours in a few instructions: a bit for each integer, and over
/// every 64 words of bits a word that says which of them are not empty, and so on up to a single word.
///
/// Complexity: O(log₆₄ bound) each, and bound / 63 bits beside the bits themselves.
struct BitLadder: ~Copyable {
    /// The words of every level, those of the integers first.
    private let levels: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
    private let height: Int

    init(bound: Int) {
        var counts: [Int] = []
        var count = max(bound, 1)
        repeat {
            count = (count - 1) / 64 + 1
            counts.append(count)
        } while count > 1
        height = counts.count
        levels = .allocate(capacity: height)
        for (level, count) in counts.enumerated() {
            let words = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
            words.initialize(repeating: 0, count: count)
            (levels + level).initialize(to: words)
        }
    }

    deinit {
        for level in 0..<height { levels[level].deallocate() }
        levels.deallocate()
    }

    mutating func insert(_ member: Int) {
        var index = member
        for level in 0..<height {
            let word = levels[level] + (index >> 6)
            let wasEmpty = word.pointee == 0
            word.pointee |= 1 << UInt64(truncatingIfNeeded: index & 63)
            if !wasEmpty { return }
            index >>= 6
        }
    }

    mutating func remove(_ member: Int) {
        var index = member
        for level in 0..<height {
            let word = levels[level] + (index >> 6)
            word.pointee &= ~(1 << UInt64(truncatingIfNeeded: index & 63))
            if word.pointee != 0 { return }
            index >>= 6
        }
    }

    /// Complexity: that of removing each member, so that a small set is emptied quickly whatever its bound.
    mutating func removeAll() {
        var member = last
        while member >= 0 {
            remove(member)
            member = neighbours(of: member).below
        }
    }

    /// The highest member below `key` and the lowest above it; -1 where there is none.
    @inline(__always)
    func neighbours(of key: Int) -> (below: Int, above: Int) {
        var (below, above) = (-1, -1)
        var index = key
        for level in 0..<height {
            let bit = UInt64(truncatingIfNeeded: index & 63)
            let word = levels[level][index >> 6]
            let lower = word & ((1 &<< bit) &- 1)
            if below < 0, lower != 0 {
                below = highest(from: (index & ~63) | (63 - lower.leadingZeroBitCount), level)
            }
            let higher = word & ((UInt64.max &<< bit) &<< 1)
            if above < 0, higher != 0 {
                above = lowest(from: (index & ~63) | higher.trailingZeroBitCount, level)
            }
            if below >= 0, above >= 0 { break }
            index >>= 6
        }
        return (below, above)
    }

    /// The highest member, or -1.
    var last: Int {
        let top = levels[height - 1][0]
        return top == 0 ? -1 : highest(from: 63 - top.leadingZeroBitCount, height - 1)
    }

    @inline(__always)
    private func highest(from index: Int, _ level: Int) -> Int {
        var (index, level) = (index, level)
        while level > 0 {
            level -= 1
            index = index << 6 | (63 - levels[level][index].leadingZeroBitCount)
        }
        return index
    }

    @inline(__always)
    private func lowest(from index: Int, _ level: Int) -> Int {
        var (index, level) = (index, level)
        while level > 0 {
            level -= 1
            index = index << 6 | levels[level][index].trailingZeroBitCount
        }
        return index
    }
}
