// Sorted arrays as the model keeps them: binary search, and edits by index.

extension RandomAccessCollection where Index == Int {
    /// The first index where `predicate` holds, given that it holds from there on; otherwise the end.
    func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The index of the element whose key is `key`, in a collection ascending by that key.
    func sortedIndex<Key: Comparable>(of key: Key, by keyOf: (Element) -> Key) -> Int? {
        let index = partitioningIndex { keyOf($0) >= key }
        return index < endIndex && keyOf(self[index]) == key ? index : nil
    }
}

extension Array {
    /// Up to how many edits each one moves the rest of the array. It is cheap, being one block; above
    /// that, one pass over all elements is cheaper, although it retains each.
    static var fewEdits: Int { 8 }

    /// Takes the elements at `removed` (old indexes, ascending) out, then puts `inserted` (at new
    /// indexes, ascending) in.
    mutating func edit(
        removing removed: [Int],
        inserting inserted: [(index: Int, element: Element)]
    ) {
        if removed.count + inserted.count <= Self.fewEdits {
            for index in removed.reversed() { remove(at: index) }
            for (index, element) in inserted { insert(element, at: index) }
            return
        }
        var result: [Element] = []
        result.reserveCapacity(count - removed.count + inserted.count)
        var (nextOut, nextIn) = (0, 0)
        for index in indices {
            if nextOut < removed.count, removed[nextOut] == index {
                nextOut += 1
                continue
            }
            while nextIn < inserted.count, inserted[nextIn].index == result.count {
                result.append(inserted[nextIn].element)
                nextIn += 1
            }
            result.append(self[index])
        }
        for (_, element) in inserted[nextIn...] { result.append(element) }
        self = result
    }
}
