/// The same as the heaviest increasing subsequence, for keys of which each weighs as much as any other.
///
/// For every length the lowest end of a subsequence of that length is remembered. Of a row in random order these are so
/// few that they stay in the nearest cache, where a search without branches takes less time than following a pointer.
///
/// Complexity: O(n log m) for n keys and a subsequence of m; memory of eight bytes a member, and four a key.
///
/// Source: Fredman, On computing the length of longest increasing subsequences (1975).
struct LongestIncreasingSubsequence: ~Copyable {
    /// By length less 1, ascending: the lowest end, and the position of that.
    private let ends: UnsafeMutablePointer<UInt32>
    private let positions: UnsafeMutablePointer<UInt32>
    private var length = 0
    /// By position: that of the member before it, or its own where it is the first.
    private let links: UnsafeMutablePointer<UInt32>
    private var count = 0

    /// - Parameter capacity: no row has more keys; at most 2³².
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

    /// Appends a key that is not in the row yet.
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

    /// How many ends are lower, where the last is not.
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

    /// Gives the positions of a longest subsequence, last to first, and forgets the row.
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
