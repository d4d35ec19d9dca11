/// Where the rows of an older version are now.
///
/// Made once for all windows that are there. What an update does to all rows is only looked at where somebody asks for a
/// row that is gone.
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

    /// What the update does to rows. Complexity: O(k log k + sections) for the first who asks.
    var changes: RowChanges {
        mutating get {
            if let known { return known }
            let changes = RowChanges(changeSet, from: old, to: new)
            known = changes
            return changes
        }
    }

    /// The row now of what was in a row; where it is gone, of what took its place or, else, came after it and stayed. The
    /// row itself where everything is another.
    ///
    /// Complexity: O(log k + log sections), but for what ``changes`` takes.
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
            // All of its items are others, and as many as there are stand where they did.
            let rows = new.rows(ofSection: newSection)
            return min(rows.lowerBound + 1 + item, rows.upperBound - 1)
        }
        return changes.firstSurvivor(from: row) ?? row
    }
}
