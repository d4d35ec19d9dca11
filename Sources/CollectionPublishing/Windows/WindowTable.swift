/// The windows of all waiting readers, in rows of the announced state.
///
/// The table is flat, and every update is compared with every window. For any supported number of
/// readers, this is faster than keeping the windows sorted, and it does not allocate.
struct WindowTable {
    private struct Entry {
        /// The numbers of the first and last row or gap in which a change affects the window
        /// (``RowChanges``).
        var first: Int
        var last: Int
        /// Whether the window follows an element.
        let follows: Bool
    }

    private var entries: [Entry] = []
    /// The readers of the windows, in the same order.
    private(set) var readers: [WindowReaderCore] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Adds a reader whose window is in a list of `numberOfRows` rows.
    mutating func append(_ reader: WindowReaderCore, numberOfRows: Int) {
        guard let window = reader.progress.window else { return }
        let (first, last) = window.extent(of: numberOfRows)
        reader.index = entries.count
        entries.append(Entry(first: first, last: last, follows: window.follows))
        readers.append(reader)
    }

    /// Removes a reader and sets its position to `version`.
    mutating func remove(_ reader: WindowReaderCore, at version: Int) {
        guard let index = reader.index else { return }
        reader.index = nil
        let first = entries[index].first
        // A window that includes the beginning of the list has not moved.
        if first != .min { reader.progress.window?.begin(atRow: first / 2) }
        reader.progress.position = .at(version)
        entries.swapAt(index, entries.count - 1)
        entries.removeLast()
        readers.swapAt(index, readers.count - 1)
        readers.removeLast()
        if index < readers.count { readers[index].index = index }
    }

    /// Removes all readers and sets their positions to `version`.
    mutating func removeAll(at version: Int) -> [WindowReaderCore] {
        let all = readers
        for reader in all.reversed() { remove(reader, at: version) }
        return all
    }

    /// Removes the readers whose windows have changed since `version`. The other windows move with
    /// their contents.
    ///
    /// Complexity: O(w log k) for w windows and k changes.
    mutating func removeTouched(by changes: RowChanges, since version: Int) -> [WindowReaderCore] {
        if changes.isReload { return removeAll(at: version) }
        var touched: [WindowReaderCore] = []
        entries.withUnsafeMutableBufferPointer { entries in
            // Most updates change few places, so most windows are in the same unchanged range as
            // the previous window.
            var range = changes.unchangedRange(from: .min)
            for index in entries.indices {
                let entry = entries[index]
                if !range.contains(entry.first, entry.last) {
                    range = changes.unchangedRange(from: entry.first)
                }
                let growth = range.growth
                guard range.contains(entry.first, entry.last), growth == 0 || entry.follows else {
                    touched.append(readers[index])
                    continue
                }
                if growth == 0 { continue }
                // A window that includes an end of the list keeps including it.
                if entry.first != .min { entries[index].first = entry.first + 2 * growth }
                if entry.last != .max { entries[index].last = entry.last + 2 * growth }
            }
        }
        for reader in touched { remove(reader, at: version) }
        return touched
    }
}
