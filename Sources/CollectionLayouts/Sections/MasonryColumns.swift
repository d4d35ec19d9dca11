/// Which column each item falls into, and where.
struct MasonryColumns: Hashable, Sendable {
    struct Place: Hashable, Sendable {
        var column: Int
        var along: Double
        var extent: Double

        var end: Double { along + extent }
    }

    /// By the item's number.
    private(set) var places: [Place] = []

    /// The items of every column, in order.
    private(set) var columns: [[Int]]

    /// The end of the longest column; 0 without items.
    private(set) var extent = 0.0

    /// - Parameter columnCount: at least 1; columns beyond the number of items stay empty.
    init(_ extents: [Double], columnCount: Int, spacing: Double) {
        columns = Array(repeating: [], count: columnCount)
        places.reserveCapacity(extents.count)
        var heap = ShortestColumns(count: columnCount)
        for (item, extent) in extents.enumerated() {
            let column = heap.shortest
            let place = Place(column: column, along: heap.length, extent: extent)
            places.append(place)
            columns[column].append(item)
            self.extent = max(self.extent, place.end)
            heap.setLength(place.end + spacing)
        }
    }
}

/// A heap of columns, the shortest on top, among equals the leading one.
private struct ShortestColumns {
    private var entries: [(length: Double, column: Int)]

    init(count: Int) { entries = (0..<count).map { (0, $0) } }

    var shortest: Int { entries[0].column }
    var length: Double { entries[0].length }

    /// Says how long the column on top is now.
    mutating func setLength(_ length: Double) {
        entries[0].length = length
        var parent = 0
        while true {
            var least = parent
            for child in (2 * parent + 1)..<(2 * parent + 3) where child < entries.count {
                if entries[child] < entries[least] { least = child }
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
