// Rank and select over sorted integers given by position: what every index mapping is made of.
// Each query is O(log n) and allocates nothing.

/// How many of `count` ascending values are below `value`.
@inline(__always)
func rank(of value: Int, among count: Int, at element: (Int) -> Int) -> Int {
    partitionPoint(count) { element($0) >= value }
}

/// The integer that has exactly `rank` non-negative integers below it that are not among the
/// `count` ascending distinct values.
@inline(__always)
func unlistedInteger(rank: Int, among count: Int, at element: (Int) -> Int) -> Int {
    // Before the value at position p lie element(p) - p unlisted integers.
    rank + partitionPoint(count) { element($0) - $0 > rank }
}

/// The first position in `0..<count` where `predicate` holds, given that it holds from there on.
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

extension Array {
    /// The position of the element whose key is `key`, in an array ascending by key.
    @inlinable @inline(__always)
    package func sortedPosition<Key: Comparable>(of key: Key, by keyOf: (Element) -> Key) -> Int? {
        let position = partitionPoint(count) { keyOf(self[$0]) >= key }
        return position < count && keyOf(self[position]) == key ? position : nil
    }

    /// The positions of the elements whose section is `section`, in an array ascending by path.
    @inline(__always)
    func positions(inSection section: Int, sectionOf: (Element) -> Int) -> Range<Int> {
        let start = partitionPoint(count) { sectionOf(self[$0]) >= section }
        let end = partitionPoint(count) { sectionOf(self[$0]) > section }
        return start..<end
    }
}
