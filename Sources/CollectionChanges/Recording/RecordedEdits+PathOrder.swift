// Sorting is most of what validation does, so long lists are sorted by the bytes of their paths and
// not by comparing: one pass over the list for each byte that varies, which mostly are three or
// four, where comparing takes one for every doubling of the list and mispredicts half its branches.

extension [RecordedEdits.ItemRecord] {
    /// Sorts by path; records of the same path keep their order.
    ///
    /// Complexity: O(n) for records in order, else O(n · b) for paths that differ in b bytes: six at
    /// most, unless limits are raised or indexes are beyond any collection.
    mutating func sortByPath() {
        // Below this length the passes, each with its 256 places, cost more than comparing does.
        guard count > 64 else { return sort { $0.path < $1.path } }
        if isAscendingByPath { return }
        var distributed = self
        var places = Array<Int>(repeating: 0, count: 256)
        for byte in varyingBytes {
            distribute(by: byte, into: &distributed, &places)
            swap(&self, &distributed)
        }
    }

    private var isAscendingByPath: Bool {
        indices.dropFirst().allSatisfy { self[$0 - 1].path <= self[$0].path }
    }

    /// The bytes in which the paths differ, from the least significant one on.
    private var varyingBytes: [PathByte] {
        guard let first = self.first?.path else { return [] }
        var (sectionBits, itemBits) = (0, 0)
        for record in self {
            sectionBits |= record.path.section ^ first.section
            itemBits |= record.path.item ^ first.item
        }
        let shifts = stride(from: 0, to: Int.bitWidth, by: 8)
        return shifts.filter { (itemBits >> $0) & 0xff != 0 }.map { .ofItem(shift: $0) }
            + shifts.filter { (sectionBits >> $0) & 0xff != 0 }.map { .ofSection(shift: $0) }
    }

    /// Writes the records to `result`, ascending by one byte and otherwise in their order.
    private func distribute(
        by byte: PathByte,
        into result: inout [RecordedEdits.ItemRecord],
        _ places: inout [Int]
    ) {
        for value in places.indices { places[value] = 0 }
        for record in self { places[byte.value(in: record.path)] += 1 }
        var start = 0
        for value in places.indices {
            let count = places[value]
            places[value] = start
            start += count
        }
        for record in self {
            let value = byte.value(in: record.path)
            result[places[value]] = record
            places[value] += 1
        }
    }
}

/// One of the bytes that a path is made of.
private enum PathByte {
    case ofItem(shift: Int)
    case ofSection(shift: Int)

    @inline(__always)
    func value(in path: ItemPath) -> Int {
        switch self {
        case .ofItem(let shift): Self.byte(of: path.item, shift)
        case .ofSection(let shift): Self.byte(of: path.section, shift)
        }
    }

    /// Numbers below zero come first, if the sign is turned over.
    @inline(__always)
    private static func byte(of number: Int, _ shift: Int) -> Int {
        ((number ^ Int.min) &>> shift) & 0xff
    }
}
