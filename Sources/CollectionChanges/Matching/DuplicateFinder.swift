/// Looks for an identifier that occurs twice on one side.
///
/// Complexity: O(n) expected, with a hash for every row; eight bytes for each of two to four slots a row.
@usableFromInline
struct DuplicateFinder<Rules: RowRules, Items: Collection> where Items.Element == Rules.Row {
    @usableFromInline let rules: Rules
    @usableFromInline let sections: [Items]
    @usableFromInline let numbers: RowNumbers

    @inlinable
    init(_ rules: Rules, _ sections: [Items]) throws(DifferenceError) {
        self.rules = rules
        self.sections = sections
        numbers = try RowNumbers(sections.map(\.count))
    }

    /// - Returns: the first identifier that occurs again, with both of its places; nil where each is the only one.
    /// - Throws: `cancelled`.
    @inlinable
    func firstDuplicate(
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> (id: Rules.ID, first: ItemPath, second: ItemPath)? {
        let table = SlotTable(capacity: numbers.total)
        var row = 0
        for section in sections.indices {
            var found: (other: Int, item: Int)?
            var isFinished = true
            withRows(of: sections[section]) { rows in
                for item in rows.indices {
                    if let other = insert(rules.id(of: rows[item]), row, table) {
                        found = (other, item)
                        return
                    }
                    row += 1
                    if row % 4096 == 0, isCancelled() {
                        isFinished = false
                        return
                    }
                }
            }
            guard isFinished else { throw DifferenceError.cancelled }
            if let found {
                let first = numbers.path(of: found.other)
                return (id(at: first), first, ItemPath(section: section, item: found.item))
            }
        }
        return nil
    }

    /// - Returns: the row that has the identifier already.
    @inlinable @inline(__always)
    func insert(_ id: Rules.ID, _ row: Int, _ table: borrowing SlotTable) -> Int? {
        let hash = id.hashValue
        var slot = table.start(hash)
        while true {
            let content = table.slots[slot]
            if content == 0 { break }
            let other = SlotTable.row(content)
            if SlotTable.mayHold(content, hash), self.id(at: numbers.path(of: other)) == id {
                return other
            }
            slot = table.after(slot)
        }
        table.slots[slot] = SlotTable.content(hash, row: row)
        return nil
    }

    @inlinable
    func id(at path: ItemPath) -> Rules.ID {
        let items = sections[path.section]
        return rules.id(of: items[items.index(items.startIndex, offsetBy: path.item)])
    }
}
