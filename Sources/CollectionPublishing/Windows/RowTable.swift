import PersistentTrees

/// The row numbers of the sections and items of a shape: the header of each section, followed by
/// its items.
struct RowTable: Sendable {
    /// The row of each section's header, followed by the number of rows.
    private let headers: [Int]

    /// Creates the table. Complexity: O(sections).
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

    /// Returns the rows of a section, beginning with its header.
    func rows(ofSection section: Int) -> Range<Int> { headers[section]..<headers[section + 1] }

    func row(ofHeader section: Int) -> Int { headers[section] }
    func row(at path: ItemPath) -> Int { headers[path.section] + 1 + path.item }

    /// Returns the section of an existing row. Complexity: O(log sections).
    func section(ofRow row: Int) -> Int {
        partitionPoint(numberOfSections) { headers[$0] > row } - 1
    }

    /// Returns the number of headers before a row. The row may equal the number of rows.
    func numberOfHeaders(before row: Int) -> Int {
        partitionPoint(numberOfSections) { headers[$0] >= row }
    }

    /// Returns the position of a range of existing rows. Complexity: O(log sections).
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
    /// Returns the part of the state in a range of existing rows.
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

/// A mapping from the rows of an older version to the current rows.
///
/// It is made once for all windows. The changes of all rows are only computed when the position of
/// a removed row is needed.
struct RowMapping {
    private let changeSet: ValidatedChangeSet
    private let old: RowTable
    private let new: RowTable
    private var known: RowChanges?

    init(_ changeSet: ValidatedChangeSet, from old: RowTable, to new: RowTable) {
        self.changeSet = changeSet
        self.old = old
        self.new = new
    }

    /// The changes of the update in terms of rows. Complexity: O(k log k + sections) for the first
    /// access.
    var changes: RowChanges {
        mutating get {
            if let known { return known }
            let changes = RowChanges(changeSet, from: old, to: new)
            known = changes
            return changes
        }
    }

    /// Returns the current row of the element in an old row. If the element is gone, returns the
    /// row of the element that replaces it, or otherwise of the next element that remains. If
    /// everything is replaced, returns `row` itself.
    ///
    /// Complexity: O(log k + log sections), plus the cost of ``changes``.
    mutating func newRow(of row: Int) -> Int {
        guard old.numberOfRows > 0, !changeSet.isReloadData else { return row }
        let row = min(row, old.numberOfRows - 1)
        let section = old.section(ofRow: row)
        let item = row - old.row(ofHeader: section) - 1
        let newSection = changeSet.newSection(for: section)
        if item < 0 {
            if let newSection { return new.row(ofHeader: newSection) }
        } else if let path = changeSet.newPath(for: ItemPath(section: section, item: item)) {
            return new.row(at: path)
        } else if let newSection,
            changeSet.sectionInsertion(at: newSection)?.role == .reload
        {
            // All items of the section are replaced, so the window keeps its position in the
            // section, or starts at the last item if the section is now shorter.
            let rows = new.rows(ofSection: newSection)
            return min(rows.lowerBound + 1 + item, rows.upperBound - 1)
        }
        return changes.firstSurvivor(from: row) ?? row
    }
}
