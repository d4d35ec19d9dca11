// Rank and select over sorted integers given by position, on which every index mapping is built.
// Each query is O(log n) and allocates nothing.

/// Returns the number of values below `value` among `count` ascending ones.
@inline(__always)
func rank(of value: Int, among count: Int, at element: (Int) -> Int) -> Int {
    partitionPoint(count) { element($0) >= value }
}

/// Returns the unlisted integer of the given rank: of the non-negative integers below it, exactly
/// `rank` are not among the `count` ascending distinct values.
@inline(__always)
func unlistedInteger(rank: Int, among count: Int, at element: (Int) -> Int) -> Int {
    // There are element(p) - p unlisted integers before the value at position p.
    rank + partitionPoint(count) { element($0) - $0 > rank }
}

/// Returns the first position in `0..<count` for which `predicate` holds, or `count` if there is
/// none. The predicate must hold for all later positions too.
@inlinable @inline(__always)
package func partitionPoint(_ count: Int, where predicate: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
        let middle = (low &+ high) / 2
        if predicate(middle) { high = middle } else { low = middle &+ 1 }
    }
    return low
}

extension RandomAccessCollection where Index == Int {
    /// Returns the elements in runs of neighbours that have the same key.
    @inlinable
    package func runs<Key: Equatable>(
        by keyOf: (Element) -> Key
    ) -> [(key: Key, elements: SubSequence)] {
        var runs: [(key: Key, elements: SubSequence)] = []
        guard let first else { return runs }
        var (start, key) = (startIndex, keyOf(first))
        for end in indices.dropFirst() {
            let next = keyOf(self[end])
            if next == key { continue }
            runs.append((key, self[start..<end]))
            (start, key) = (end, next)
        }
        runs.append((key, self[start...]))
        return runs
    }
}

extension Array {
    /// Returns the position of the element whose key is `key`, in an array ascending by key.
    @inlinable @inline(__always)
    package func sortedPosition<Key: Comparable>(of key: Key, by keyOf: (Element) -> Key) -> Int? {
        let position = partitionPoint(count) { keyOf(self[$0]) >= key }
        return position < count && keyOf(self[position]) == key ? position : nil
    }

    /// Returns the position of the element with a key, in an array ascending by unique keys.
    ///
    /// - Parameter guess: The position to look at first. A caller that walks through two arrays at
    ///   the same time usually knows it.
    @inlinable @inline(__always)
    package func sortedPosition<Key: Comparable>(
        of key: Key,
        near guess: Int,
        by keyOf: (Element) -> Key
    ) -> Int? {
        if indices.contains(guess), keyOf(self[guess]) == key { return guess }
        return sortedPosition(of: key, by: keyOf)
    }

    /// Returns the position of the element whose key is `key`, in an array descending by key.
    @inline(__always)
    func descendingPosition<Key: Comparable>(of key: Key, by keyOf: (Element) -> Key) -> Int? {
        let position = partitionPoint(count) { keyOf(self[$0]) <= key }
        return position < count && keyOf(self[position]) == key ? position : nil
    }

    /// Returns the positions of the elements whose section is `section`, in an array ascending by
    /// path.
    @inline(__always)
    func positions(inSection section: Int, sectionOf: (Element) -> Int) -> Range<Int> {
        let start = partitionPoint(count) { sectionOf(self[$0]) >= section }
        let end = partitionPoint(count) { sectionOf(self[$0]) > section }
        return start..<end
    }

    /// Creates an array of at most `capacity` elements, which `fill` writes into uninitialized
    /// memory. `fill` also sets the number of elements.
    ///
    /// The standard library's initializer also writes the number to the empty array that all
    /// threads share, if the capacity is 0. This is a race, although a harmless one, so the
    /// initializer is not called then.
    package init(
        filling capacity: Int,
        _ fill: (inout UnsafeMutableBufferPointer<Element>, inout Int) throws -> Void
    ) rethrows {
        if capacity == 0 {
            self = []
        } else {
            try self.init(unsafeUninitializedCapacity: capacity, initializingWith: fill)
        }
    }
}
