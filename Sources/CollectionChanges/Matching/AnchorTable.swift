/// Where to find some of the old rows of a section: every sixteenth, which is enough to find any stretch of new rows
/// that is longer than that.
@usableFromInline
struct AnchorTable<Rules: RowRules>: ~Copyable {
    @usableFromInline static var distance: Int { 16 }

    @usableFromInline let rules: Rules
    @usableFromInline let rows: UnsafeBufferPointer<Rules.Row>
    @usableFromInline let table: SlotTable

    @inlinable
    init(_ rules: Rules, _ rows: UnsafeBufferPointer<Rules.Row>, from start: Int) {
        self.rules = rules
        self.rows = rows
        table = SlotTable(capacity: (rows.count - start) / Self.distance + 1)
        for row in stride(from: start, to: rows.count, by: Self.distance) { insert(row) }
    }

    /// Of equal rows the first is kept.
    @inlinable
    func insert(_ row: Int) {
        let id = rules.id(of: rows[row])
        let hash = id.hashValue
        var slot = table.start(hash)
        while true {
            let content = table.slots[slot]
            if content == 0 { break }
            if SlotTable.mayHold(content, hash), rules.id(of: rows[SlotTable.row(content)]) == id {
                return
            }
            slot = table.after(slot)
        }
        table.slots[slot] = SlotTable.content(hash, row: row)
    }

    /// The old row with the identifier, if it is one of those in the table; else -1.
    @inlinable
    func row(of id: Rules.ID) -> Int {
        let hash = id.hashValue
        var slot = table.start(hash)
        while true {
            let content = table.slots[slot]
            if content == 0 { return -1 }
            let row = SlotTable.row(content)
            if SlotTable.mayHold(content, hash), rules.id(of: rows[row]) == id { return row }
            slot = table.after(slot)
        }
    }
}
