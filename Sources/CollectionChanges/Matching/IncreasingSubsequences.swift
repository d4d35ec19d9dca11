/// Finds an increasing subsequence of the greatest weight in a sequence of distinct keys with
/// weights. Its members can stay in place; the others must move, and their total weight is minimal.
///
/// Keys are appended one by one. The search remembers only the subsequences that no other one
/// beats. A subsequence beats another if it ends lower and weighs at least as much. The ends of
/// those remembered ascend in key and in weight. The same memory can serve many sequences in
/// succession.
///
/// Complexity: O(n log₆₄ bound) for n keys. The search touches only the parts of the memory for the
/// bound that contain keys.
///
/// Source: Jacobson and Vo, Heaviest Increasing/Common Subsequence Problems (1992), with a bit
/// ladder as the ordered set.
struct HeaviestIncreasingSubsequence: ~Copyable {
    /// The last keys of the subsequences that no other beats.
    private var ends: HierarchicalBitSet
    /// For each key in `ends`: the position of the key.
    private let positions: UnsafeMutablePointer<UInt32>
    /// For each position: the weight of the heaviest subsequence that ends there.
    private let weights: UnsafeMutablePointer<UInt64>
    /// For each position: the position of the previous member, or the position itself for a first
    /// member.
    private let links: UnsafeMutablePointer<UInt32>
    private var count = 0

    /// Creates an empty sequence.
    ///
    /// - Parameters:
    ///   - bound: The upper bound of the keys; every key is below it.
    ///   - capacity: The maximum number of keys in one sequence; at most 2³².
    init(bound: Int, capacity: Int) {
        ends = HierarchicalBitSet(bound: bound)
        positions = .allocate(capacity: bound)
        weights = .allocate(capacity: capacity)
        links = .allocate(capacity: capacity)
    }

    deinit {
        weights.deallocate()
        positions.deallocate()
        links.deallocate()
    }

    /// Appends a key that is not in the sequence yet, with its weight, at least 1.
    @inline(__always)
    mutating func append(_ key: Int, weight: UInt64) {
        let position = count
        count += 1
        let (before, above) = ends.neighbours(of: key)
        var total = weight
        if before >= 0 {
            total &+= weights[Int(positions[before])]
            links[position] = positions[before]
        } else {
            links[position] = UInt32(truncatingIfNeeded: position)
        }
        var beaten = above
        while beaten >= 0, weights[Int(positions[beaten])] <= total {
            ends.remove(beaten)
            beaten = ends.neighbours(of: beaten).above
        }
        ends.insert(key)
        weights[position] = total
        positions[key] = UInt32(truncatingIfNeeded: position)
    }

    /// Calls `body` with the positions of a heaviest subsequence, last to first, and clears the
    /// sequence.
    mutating func finish(_ body: (_ position: Int) -> Void) {
        let last = ends.last
        count = 0
        guard last >= 0 else { return }
        var position = positions[last]
        while true {
            body(Int(position))
            let link = links[Int(position)]
            if link == position { break }
            position = link
        }
        ends.removeAll()
    }
}

/// Finds a longest increasing subsequence: a heaviest one in which all keys have equal weight.
///
/// For every length, the search remembers the lowest end of a subsequence of that length. In a
/// sequence in random order, there are so few of these ends that they stay in the fastest cache,
/// where a search without branches is faster than following a pointer.
///
/// Complexity: O(n log m) for n keys and a subsequence of m members. Memory: eight bytes per
/// member, and four a key.
///
/// Source: Fredman, On computing the length of longest increasing subsequences (1975).
struct LongestIncreasingSubsequence: ~Copyable {
    /// For each length, at the index `length - 1`: the lowest end, and the position of that key.
    /// The ends ascend.
    private let ends: UnsafeMutablePointer<UInt32>
    private let positions: UnsafeMutablePointer<UInt32>
    private var length = 0
    /// For each position: the position of the previous member, or the position itself for a first
    /// member.
    private let links: UnsafeMutablePointer<UInt32>
    private var count = 0

    /// Creates an empty sequence.
    ///
    /// - Parameter capacity: The maximum number of keys in one sequence; at most 2³².
    init(capacity: Int) {
        ends = .allocate(capacity: capacity)
        positions = .allocate(capacity: capacity)
        links = .allocate(capacity: capacity)
    }

    deinit {
        ends.deallocate()
        positions.deallocate()
        links.deallocate()
    }

    /// Appends a key that is not in the sequence yet.
    @inline(__always)
    mutating func append(_ key: UInt32) {
        let position = UInt32(truncatingIfNeeded: count)
        let place = length == 0 || ends[length - 1] < key ? length : place(of: key)
        links[count] = place == 0 ? position : positions[place - 1]
        ends[place] = key
        positions[place] = position
        count += 1
        if place == length { length += 1 }
    }

    /// Returns the number of ends that are lower than `key`. The last end must not be lower.
    @inline(__always)
    private func place(of key: UInt32) -> Int {
        var start = 0
        var left = length
        while left > 1 {
            let half = left / 2
            start = ends[start + half - 1] < key ? start + half : start
            left -= half
        }
        return start
    }

    /// Calls `body` with the positions of a longest subsequence, last to first, and clears the
    /// sequence.
    mutating func finish(_ body: (_ position: Int) -> Void) {
        defer { (length, count) = (0, 0) }
        guard length > 0 else { return }
        var position = positions[length - 1]
        while true {
            body(Int(position))
            let link = links[Int(position)]
            if link == position { break }
            position = link
        }
    }
}

/// A set of integers below a bound that finds neighbours in a few instructions. It has a bit for
/// each integer. For every 64 words of bits, a word on the next level indicates which of them are
/// not empty, and so on up to a single word.
///
/// Complexity: O(log₆₄ bound) for each operation; bound / 63 bits in addition to the bits of the
/// integers.
struct HierarchicalBitSet: ~Copyable {
    /// The words of every level, starting with those of the integers.
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

    /// Removes all members.
    ///
    /// Complexity: the same as removing each member, so that a small set is emptied quickly even if
    /// its bound is large.
    mutating func removeAll() {
        var member = last
        while member >= 0 {
            remove(member)
            member = neighbours(of: member).below
        }
    }

    /// Returns the highest member below `key` and the lowest one above it, or -1 if there is none.
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

    /// The highest member, or -1 if the set is empty.
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
