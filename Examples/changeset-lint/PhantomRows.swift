import CollectionPipeline

/// The rows that the original's item mappings have for a reloaded section.
///
/// The original builds them from the deletes and inserts that were recorded in the section, as if
/// the section had survived, without regard to how many items there are before or after.
struct PhantomRows {
    let row: [Int]
    let reverseRow: [Int]

    init(
        oldCount: Int,
        newCount: Int,
        deletedItems: Set<Int>,
        insertedItems: Set<Int>
    ) {
        guard !deletedItems.isEmpty || !insertedItems.isEmpty else {
            row = Array(0..<oldCount)
            // An untouched section maps every integer to itself, unless it is empty.
            reverseRow =
                oldCount > 0
                ? Array(0..<newCount) : Array(repeating: -1, count: newCount)
            return
        }
        var row: [Int] = []
        var reverseRow = Array(repeating: -1, count: newCount)
        var newItem = 0
        for oldItem in 0..<oldCount {
            guard !deletedItems.contains(oldItem) else {
                row.append(-1)
                continue
            }
            while insertedItems.contains(newItem) { newItem += 1 }
            row.append(newItem)
            if newItem < newCount { reverseRow[newItem] = oldItem }
            newItem += 1
        }
        self.row = row
        self.reverseRow = reverseRow
    }
}
