/// The windows of all who can be told more, as rows of what is announced.
///
/// One flat table, since every update is compared with every window: for as many windows as there can be readers that is
/// sooner done than keeping anything sorted, and it allocates nothing.
struct WindowTable {
    private struct Entry {
        /// The first and last row or gap in which nothing may happen.
        var first: Int
        var last: Int
        /// Whether it may move.
        let follows: Bool
    }

    private var entries: [Entry] = []
    /// Whose they are.
    private(set) var readers: [WindowReaderCore] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Takes in a reader, whose window is in a list of so many rows.
    mutating func append(_ reader: WindowReaderCore, numberOfRows: Int) {
        guard let window = reader.progress.window else { return }
        let (first, last) = window.extent(of: numberOfRows)
        reader.index = entries.count
        entries.append(Entry(first: first, last: last, follows: window.follows))
        readers.append(reader)
    }

    /// Takes out a reader, which is at `version` then.
    mutating func remove(_ reader: WindowReaderCore, at version: Int) {
        guard let index = reader.index else { return }
        reader.index = nil
        let first = entries[index].first
        // What reaches to the beginning has not moved.
        if first != .min { reader.progress.window?.begin(atRow: first / 2) }
        reader.progress.position = .at(version)
        entries.swapAt(index, entries.count - 1)
        entries.removeLast()
        readers.swapAt(index, readers.count - 1)
        readers.removeLast()
        if index < readers.count { readers[index].index = index }
    }

    /// Takes out everybody, who are at `version` then.
    mutating func removeAll(at version: Int) -> [WindowReaderCore] {
        let all = readers
        for reader in all.reversed() { remove(reader, at: version) }
        return all
    }

    /// Takes out those in whose windows something has changed since `version`; the others move with what they see.
    ///
    /// Complexity: O(w log k) for w windows and k changes.
    mutating func removeTouched(by changes: RowChanges, since version: Int) -> [WindowReaderCore] {
        if changes.isReload { return removeAll(at: version) }
        var touched: [WindowReaderCore] = []
        entries.withUnsafeMutableBufferPointer { entries in
            // Most updates are in few places, and most windows in the same stretch as the one before.
            var stretch = changes.stretch(from: .min)
            for index in entries.indices {
                let entry = entries[index]
                if !stretch.contains(entry.first, entry.last) {
                    stretch = changes.stretch(from: entry.first)
                }
                let growth = stretch.growth
                guard stretch.contains(entry.first, entry.last), growth == 0 || entry.follows else {
                    touched.append(readers[index])
                    continue
                }
                if growth == 0 { continue }
                // What reaches to an end of the list does not move away from it.
                if entry.first != .min { entries[index].first = entry.first + 2 * growth }
                if entry.last != .max { entries[index].last = entry.last + 2 * growth }
            }
        }
        for reader in touched { remove(reader, at: version) }
        return touched
    }
}
