// Rows that a walk left over were moved, deleted or inserted. Those of all sections together go through one table, so
// that moves from section to section are found like any other.

/// Matches left-over old rows with left-over new ones; equal ones in their order, the first with the first.
///
/// What costs is memory touched at random. So rows are taken in batches, each in a few passes, because a processor
/// then waits for many places of memory at once; and where rows went as a block the next one is tried before anything is
/// looked up.
@usableFromInline
struct ResidualTable<Rules: RowRules>: ~Copyable {
    @usableFromInline let rules: Rules
    @usableFromInline let old: ResidualRows<Rules.Row>
    @usableFromInline let new: ResidualRows<Rules.Row>
    @usableFromInline let table: SlotTable

    /// By position among the old rows: the number of the new one that it is matched with, plus 1; 0 where it is with
    /// none.
    @usableFromInline let partners: UnsafeMutablePointer<UInt32>
    /// By position among the old rows: that of the next that is equal, plus 1. Empty unless there are such.
    @usableFromInline var nextEqual: [UInt32] = []
    /// The numbers of old rows whose contents are not what they were.
    @usableFromInline var updated: [UInt32] = []
    /// The old row that a new one is tried with first, because the one before it was matched with the one before that.
    @usableFromInline var expected = 0

    @usableFromInline static var batch: Int { 256 }
    /// How many rows are gone through between two questions whether to go on: batches.
    @usableFromInline static var stretch: Int { 4096 }
    @usableFromInline let hashes: UnsafeMutablePointer<Int>
    @usableFromInline let contents: UnsafeMutablePointer<UInt64>

    @inlinable
    init(
        _ rules: Rules,
        old: consuming ResidualRows<Rules.Row>,
        new: consuming ResidualRows<Rules.Row>
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

    /// - Returns: whether it came to its end.
    @inlinable
    mutating func run(isCancelled: () -> Bool) -> Bool {
        if old.count == 0 || new.count == 0 { return true }
        // From the last, so that the first of equal rows is the first to be found.
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

    /// Matches new rows for as long as each goes with the next old one.
    ///
    /// - Returns: whether it is time to ask whether to go on, and more may follow.
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
        // Mostly the first slot is the right one. Nothing here branches on what it waits for.
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

    /// Matches a new row with the first of the equal old ones in a slot that is still free.
    @inlinable @inline(__always)
    mutating func match(anyOf slot: Int, _ row: Int) {
        var other = SlotTable.row(table.slots[slot])
        while partners[other] != 0 {
            guard !nextEqual.isEmpty, nextEqual[other] != 0 else { return }
            other = Int(nextEqual[other]) - 1
            // Those before it are matched for good.
            table.slots[slot] = SlotTable.content(table.slots[slot], row: other)
        }
        match(other, row)
    }
}
