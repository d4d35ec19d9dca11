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

    /// Where some rows are, which must exist. Complexity: O(log sections).
    func place(of rows: Range<Int>) -> WindowPlace {
        var firstSection = numberOfHeaders(before: rows.lowerBound)
        var firstItem = 0
        if !rows.isEmpty,
            firstSection == numberOfSections || headers[firstSection] > rows.lowerBound
        {
            firstSection -= 1
            firstItem = rows.lowerBound - headers[firstSection] - 1
        }
        let headerRow = rows.isEmpty ? rows.lowerBound : headers[firstSection]
        return WindowPlace(
            totalSections: numberOfSections,
            totalItems: numberOfRows - numberOfSections,
            firstSection: firstSection,
            firstItem: firstItem,
            itemsBefore: headerRow - firstSection + firstItem
        )
    }
}

extension PublishedState {
    /// The part of it that is in some rows, which must exist.
    ///
    /// Complexity: O(k log n) for k sections; items are shared.
    func part(_ rows: Range<Int>, _ table: RowTable) -> PublishedState {
        guard !rows.isEmpty else { return PublishedState() }
        var entries: [SectionEntry] = []
        var counts: [Int] = []
        for section in table.section(
            ofRow: rows.lowerBound
        )...table.section(ofRow: rows.upperBound - 1) {
            let all = table.rows(ofSection: section)
            let seen = rows.clamped(to: (all.lowerBound + 1)..<all.upperBound)
            var entry = self.entries[section]
            if seen.count < entry.items.count {
                let first = seen.lowerBound - all.lowerBound - 1
                let items = entry.items.slice(first..<(first + seen.count))
                entry = SectionEntry(entry.section, items)
            }
            entries.append(entry)
            counts.append(seen.count)
        }
        return PublishedState(Entries(entries), shape: HierarchyShape(counts))
    }
}
