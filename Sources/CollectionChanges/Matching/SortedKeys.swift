/// Numbers to be put in the order of others: packed into words, which are compared without looking anything up.
struct SortedKeys {
    private var words: [UInt64] = []

    init(capacity: Int) { words.reserveCapacity(capacity) }

    /// Adds a number with its key; both fit into 32 bits.
    @inline(__always)
    mutating func append(_ key: Int, _ number: Int) {
        words.append(UInt64(truncatingIfNeeded: key) << 32 | UInt64(truncatingIfNeeded: number))
    }

    /// The numbers, ascending by their keys, which are all different.
    consuming func sorted() -> [UInt32] {
        words.sort()
        return words.map { UInt32(truncatingIfNeeded: $0) }
    }
}
