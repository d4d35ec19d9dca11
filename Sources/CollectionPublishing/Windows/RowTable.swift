import PersistentTrees

/// Where the sections and items of a shape are in the order of rows: the header of each section, and then its items.
struct RowTable: Sendable {
    /// The row of each section's header, and how many rows there are.
    private let headers: [Int]

    /// Complexity: O(sections).
    init(_ shape: HierarchyShape) {
        var headers: [Int] = []
        headers.reserveCapacity(shape.numberOfSections + 1)
        var row = 0
        for count in shape.itemCounts {
            headers.append(row)
            row += 1 + count
        }
        headers.append(row)
        self.headers = headers
    }

    var numberOfSections: Int { headers.count - 1 }
    var numberOfRows: Int { headers[numberOfSections] }

    /// The rows of a section, its header first.
    func rows(ofSection section: Int) -> Range<Int> { headers[section]..<headers[section + 1] }

    func row(ofHeader section: Int) -> Int { headers[section] }
    func row(at path: ItemPath) -> Int { headers[path.section] + 1 + path.item }

    /// The section that a row is in; the row must exist. Complexity: O(log sections).
    func section(ofRow row: Int) -> Int {
        partitionPoint(numberOfSections) { headers[$0] > row } - 1
    }

    /// How many headers come before a row, which may be the one after the last.
    func numberOfHeaders(before row: Int) -> Int {
        partitionPoint(numberOfSections) { headers[$0] >= row }
    }
}

extension PublishedState {
    /// The part of it that is in some rows, which must exist, and where that is.
    ///
    /// Complexity: O(k log n) for k sections; items are shared.
    func window(_ rows: Range<Int>, _ table: RowTable) -> (PublishedState, WindowPlace) {
        var entries: [SectionEntry] = []
        var counts: [Int] = []
        var firstSection = table.numberOfHeaders(before: rows.lowerBound)
        var firstItem = 0
        if !rows.isEmpty {
            firstSection = table.section(ofRow: rows.lowerBound)
            for section in firstSection...table.section(ofRow: rows.upperBound - 1) {
                let all = table.rows(ofSection: section)
                let seen = rows.clamped(to: (all.lowerBound + 1)..<all.upperBound)
                let first = seen.lowerBound - all.lowerBound - 1
                if section == firstSection { firstItem = first }
                var entry = self.entries[section]
                if seen.count < entry.items.count {
                    let items = entry.items.slice(first..<(first + seen.count))
                    entry = SectionEntry(entry.section, items)
                }
                entries.append(entry)
                counts.append(seen.count)
            }
        }
        let headerRow = rows.isEmpty ? rows.lowerBound : table.row(ofHeader: firstSection)
        let place = WindowPlace(
            totalSections: table.numberOfSections,
            totalItems: table.numberOfRows - table.numberOfSections,
            firstSection: firstSection,
            firstItem: firstItem,
            itemsBefore: headerRow - firstSection + firstItem
        )
        return (PublishedState(Entries(entries), shape: HierarchyShape(counts)), place)
    }
}
