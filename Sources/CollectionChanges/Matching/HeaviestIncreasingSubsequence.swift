/// Finds, in a row of distinct keys with weights, an increasing subsequence of the greatest weight: what can stay in
/// place so that the rest, which must move, is as light as possible.
///
/// Keys are appended one by one. Of all subsequences so far only those are remembered that no other beats, by ending
/// lower and weighing no less; their ends ascend in key and in weight. One memory serves many rows after each other.
///
/// Complexity: O(n log₆₄ bound) for n keys; memory of the bound is touched only where keys are.
///
/// Source: Jacobson and Vo, Heaviest Increasing/Common Subsequence Problems (1992), with a bit ladder as the ordered set.
struct HeaviestIncreasingSubsequence: ~Copyable {
    /// The keys at which a subsequence ends that no other beats.
    private var ends: BitLadder
    /// By key, for those in `ends`: the position of the key.
    private let positions: UnsafeMutablePointer<UInt32>
    /// By position: the weight of the heaviest subsequence that ends there.
    private let weights: UnsafeMutablePointer<UInt64>
    /// By position: that of the member before it, or its own where it is the first.
    private let links: UnsafeMutablePointer<UInt32>
    private var count = 0

    /// - Parameters:
    ///   - bound: every key is below it.
    ///   - capacity: no row has more keys; at most 2³².
    init(bound: Int, capacity: Int) {
        ends = BitLadder(bound: bound)
        positions = .allocate(capacity: bound)
        weights = .allocate(capacity: capacity)
        links = .allocate(capacity: capacity)
    }

    deinit {
        weights.deallocate()
        positions.deallocate()
        links.deallocate()
    }

    /// Appends a key that is not in the row yet, with its weight, at least 1.
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

    /// Gives the positions of a heaviest subsequence, last to first, and forgets the row.
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
