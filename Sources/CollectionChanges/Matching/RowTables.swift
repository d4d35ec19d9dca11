// Rows that the walk left unmatched were moved, deleted or inserted. The rows of all sections go
// through one table, so that moves between sections are found like any others.

/// A table that matches remaining old rows with remaining new ones. Equal rows are matched in
/// order, the first with the first.
///
/// Random memory access dominates the cost. Rows are therefore processed in batches of a few passes
/// each, so that a processor waits for many memory locations at the same time. If rows moved as a
/// block, the next row is tried before any lookup.
@usableFromInline
struct UnmatchedRowTable<Rules: RowRules>: ~Copyable {
    @usableFromInline let rules: Rules
    @usableFromInline let old: UnmatchedRows<Rules.Row>
    @usableFromInline let new: UnmatchedRows<Rules.Row>
    @usableFromInline let table: SlotTable

    /// For each old row, the number of its new row plus 1, or 0 if it has none.
    @usableFromInline let partners: UnsafeMutablePointer<UInt32>
    /// For each old row, the position of the next equal one plus 1. Empty if no rows are equal.
    @usableFromInline var nextEqual: [UInt32] = []
    /// The numbers of old rows whose contents have changed.
    @usableFromInline var updated: [UInt32] = []
    /// The old row to try first for the next new row: the one after the most recent match.
    @usableFromInline var expected = 0

    @usableFromInline static var batch: Int { 256 }
    /// The number of rows to process between two cancellation checks; a multiple of `batch`.
    @usableFromInline static var stretch: Int { 4096 }
    @usableFromInline let hashes: UnsafeMutablePointer<Int>
    @usableFromInline let contents: UnsafeMutablePointer<UInt64>

    @inlinable
    init(
        _ rules: Rules,
        old: consuming UnmatchedRows<Rules.Row>,
        new: consuming UnmatchedRows<Rules.Row>
    ) {
        self.rules = rules
        table = SlotTable(capacity: new.count > 0 ? old.count : 0)
        partners = .allocate(capacity: old.count)
        partners.initialize(repeating: 0, count: old.count)
        hashes = .allocate(capacity: Self.batch)
        contents = .allocate(capacity: Self.batch)
        self.old = old
        self.new = new
    }

    @inlinable
    deinit {
        partners.deallocate()
        hashes.deallocate()
        contents.deallocate()
    }

    /// Matches the rows. Returns `false` if it was cancelled.
    @inlinable
    mutating func run(isCancelled: () -> Bool) -> Bool {
        if old.count == 0 || new.count == 0 { return true }
        // From last to first, so that lookups find the first of equal rows first.
        var end = old.count
        while end > 0 {
            let start = max(0, end - Self.batch)
            insert(start..<end)
            end = start
            if (old.count - start) % Self.stretch == 0, isCancelled() { return false }
        }
        var next = 0
        while next < new.count {
            if matchExpected(&next) {
                if isCancelled() { return false }
                continue
            }
            let end = min(new.count, next + Self.batch)
            lookUp(next..<end)
            next = end
            if isCancelled() { return false }
        }
        return true
    }

    @inlinable
    mutating func insert(_ range: Range<Int>) {
        for offset in 0..<range.count {
            hashes[offset] = rules.id(of: old.rows[range.lowerBound + offset]).hashValue
        }
        for offset in (0..<range.count).reversed() {
            insert(range.lowerBound + offset, hashes[offset])
        }
    }

    @inlinable @inline(__always)
    mutating func insert(_ row: Int, _ hash: Int) {
        var slot = table.start(hash)
        while true {
            let content = table.slots[slot]
            if content == 0 { break }
            let other = SlotTable.row(content)
            if SlotTable.mayHold(content, hash),
                rules.id(of: old.rows[other]) == rules.id(of: old.rows[row])
            {
                chain(row, before: other)
                break
            }
            slot = table.after(slot)
        }
        table.slots[slot] = SlotTable.content(hash, row: row)
    }

    @inlinable
    mutating func chain(_ row: Int, before other: Int) {
        if nextEqual.isEmpty { nextEqual = Array(repeating: 0, count: old.count) }
        nextEqual[row] = UInt32(truncatingIfNeeded: other + 1)
    }

    /// Matches new rows for as long as each one equals the next old row.
    ///
    /// Returns whether to check for cancellation and then call it again, because more rows may
    /// match.
    @inlinable
    mutating func matchExpected(_ next: inout Int) -> Bool {
        let end = min(new.count, next + Self.stretch)
        while next < end, matchesExpected(next) { next += 1 }
        return next == end
    }

    @inlinable @inline(__always)
    mutating func matchesExpected(_ row: Int) -> Bool {
        guard expected < old.count, partners[expected] == 0,
            rules.id(of: old.rows[expected]) == rules.id(of: new.rows[row])
        else { return false }
        match(expected, row)
        return true
    }

    @inlinable @inline(__always)
    mutating func match(_ oldRow: Int, _ newRow: Int) {
        partners[oldRow] = new.numbers[newRow] + 1
        expected = oldRow + 1
        if rules.comparesContents,
            !rules.haveEqualContents(old.rows[oldRow], new.rows[newRow])
        {
            updated.append(old.numbers[oldRow])
        }
    }

    @inlinable
    mutating func lookUp(_ range: Range<Int>) {
        for offset in 0..<range.count {
            hashes[offset] = rules.id(of: new.rows[range.lowerBound + offset]).hashValue
        }
        // The first slot is usually the right one. No branch here depends on the memory being
        // loaded.
        for offset in 0..<range.count {
            contents[offset] = table.slots[table.start(hashes[offset])]
        }
        for offset in 0..<range.count {
            let content = contents[offset]
            let isEmpty = content == 0
            let isEqual =
                rules.id(of: old.rows[isEmpty ? 0 : SlotTable.row(content)])
                == rules.id(of: new.rows[range.lowerBound + offset])
            contents[offset] = isEqual ? content : 0
        }
        for offset in 0..<range.count {
            if contents[offset] != 0 {
                match(anyOf: table.start(hashes[offset]), range.lowerBound + offset)
            } else {
                lookUp(range.lowerBound + offset, hashes[offset])
            }
        }
    }

    @inlinable
    mutating func lookUp(_ row: Int, _ hash: Int) {
        var slot = table.start(hash)
        while true {
            let content = table.slots[slot]
            if content == 0 { return }
            if SlotTable.mayHold(content, hash),
                rules.id(of: old.rows[SlotTable.row(content)]) == rules.id(of: new.rows[row])
            {
                return match(anyOf: slot, row)
            }
            slot = table.after(slot)
        }
    }

    /// Matches a new row with the first unmatched row among the equal old ones of a slot.
    @inlinable @inline(__always)
    mutating func match(anyOf slot: Int, _ row: Int) {
        var other = SlotTable.row(table.slots[slot])
        while partners[other] != 0 {
            guard !nextEqual.isEmpty, nextEqual[other] != 0 else { return }
            other = Int(nextEqual[other]) - 1
            // The rows before this one are already matched and stay so.
            table.slots[slot] = SlotTable.content(table.slots[slot], row: other)
        }
        match(other, row)
    }
}

/// A table of every sixteenth old row of a section. This is enough to find any stretch of new rows
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

    /// Inserts a row. If rows are equal, the table keeps the first.
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

    /// Returns the old row with the identifier if the table contains it, otherwise -1.
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

/// The memory of a hash table with open addressing. Each slot has eight bytes: half contain part of
/// the hash, and half the number of a row. The owner of the table knows the rows and compares them.
///
/// At most half of the slots are ever filled, so that a search for a missing row ends soon.
@usableFromInline
struct SlotTable: ~Copyable {
    @usableFromInline let slots: UnsafeMutablePointer<UInt64>
    @usableFromInline let mask: Int

    /// Creates an empty table.
    ///
    /// - Parameter capacity: The maximum number of rows that will be inserted.
    @inlinable
    init(capacity: Int) {
        var count = 16
        while count < 2 * capacity { count *= 2 }
        slots = .allocate(capacity: count)
        slots.initialize(repeating: 0, count: count)
        mask = count - 1
    }

    @inlinable
    deinit { slots.deallocate() }

    /// Returns the slot at which a search begins.
    @inlinable @inline(__always)
    func start(_ hash: Int) -> Int { hash & mask }

    @inlinable @inline(__always)
    func after(_ slot: Int) -> Int { (slot &+ 1) & mask }

    /// Returns the content of a slot for a row. The content of an empty slot is 0.
    @inlinable @inline(__always)
    static func content(_ hash: Int, row: Int) -> UInt64 {
        tag(hash) | UInt64(truncatingIfNeeded: row &+ 1)
    }

    /// Returns the content with another row and the same hash.
    @inlinable @inline(__always)
    static func content(_ content: UInt64, row: Int) -> UInt64 {
        content & 0xffff_ffff_0000_0000 | UInt64(truncatingIfNeeded: row &+ 1)
    }

    @inlinable @inline(__always)
    static func row(_ content: UInt64) -> Int { Int(content & 0xffff_ffff) &- 1 }

    /// Returns whether a slot that is not empty may hold a row with that hash.
    @inlinable @inline(__always)
    static func mayHold(_ content: UInt64, _ hash: Int) -> Bool {
        content & 0xffff_ffff_0000_0000 == tag(hash)
    }

    // Returns the high half, because the low bits already determine the slot.
    @inlinable @inline(__always)
    static func tag(_ hash: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: hash) & 0xffff_ffff_0000_0000
    }
}

/// The unmatched rows of one side, copied from all sections into one buffer.
@usableFromInline
struct UnmatchedRows<Row>: ~Copyable {
    @usableFromInline let rows: UnsafeMutablePointer<Row>
    /// The numbers of the rows, counted through all sections; ascending unless sections have
    /// changed places.
    @usableFromInline let numbers: UnsafeMutablePointer<UInt32>
    @usableFromInline let capacity: Int
    @usableFromInline var count = 0

    @inlinable
    init(capacity: Int) {
        self.capacity = capacity
        rows = .allocate(capacity: capacity)
        numbers = .allocate(capacity: capacity)
    }

    @inlinable
    deinit {
        rows.deinitialize(count: count)
        rows.deallocate()
        numbers.deallocate()
    }

    /// Appends a range of rows of a section.
    ///
    /// - Parameters:
    ///   - range: The rows to append, as indexes in the section.
    ///   - section: All rows of the section.
    ///   - base: The number of the section's first row.
    @inlinable
    mutating func append(_ range: Range<Int>, of section: UnsafeBufferPointer<Row>, base: Int) {
        if range.isEmpty { return }
        precondition(range.count <= capacity - count)
        (rows + count).initialize(from: section.baseAddress! + range.lowerBound, count: range.count)
        for offset in 0..<range.count {
            (numbers + (count + offset)).initialize(
                to: UInt32(truncatingIfNeeded: base + range.lowerBound + offset)
            )
        }
        count += range.count
    }
}
