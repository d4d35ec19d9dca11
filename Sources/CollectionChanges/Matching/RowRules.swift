/// The operations on rows that matching needs.
///
/// This is a protocol instead of two closures so that comparisons are compiled into the loops.
@usableFromInline
package protocol RowRules {
    associatedtype Row
    associatedtype ID: Hashable

    /// Returns the identifier that identifies a row.
    func id(of row: Row) -> ID

    /// Whether rows have contents that may differ although their identifiers are equal.
    var comparesContents: Bool { get }

    /// Returns whether two rows with equal identifiers also have equal contents.
    func haveEqualContents(_ old: Row, _ new: Row) -> Bool
}

/// Rules for rows that consist only of an identifier.
@usableFromInline
package struct IdentifierRules<ID: Hashable>: RowRules {
    @inlinable
    package init() {}

    @inlinable @inline(__always)
    package func id(of row: ID) -> ID { row }

    @inlinable @inline(__always)
    package var comparesContents: Bool { false }

    @inlinable @inline(__always)
    package func haveEqualContents(_ old: ID, _ new: ID) -> Bool { true }
}

/// Rules for rows that have an identifier and are equal if their contents are.
@usableFromInline
package struct IdentifiableRules<Row: Identifiable & Equatable>: RowRules {
    @inlinable
    package init() {}

    @inlinable @inline(__always)
    package func id(of row: Row) -> Row.ID { row.id }

    @inlinable @inline(__always)
    package var comparesContents: Bool { true }

    @inlinable @inline(__always)
    package func haveEqualContents(_ old: Row, _ new: Row) -> Bool { old == new }
}

/// A list of numbers to be sorted by their keys. Each pair is packed into one word, so that
/// comparing needs no lookup.
struct SortedKeys {
    private var words: [UInt64] = []

    init(capacity: Int) { words.reserveCapacity(capacity) }

    /// Appends a number with its key; both fit in 32 bits.
    @inline(__always)
    mutating func append(_ key: Int, _ number: Int) {
        words.append(UInt64(truncatingIfNeeded: key) << 32 | UInt64(truncatingIfNeeded: number))
    }

    /// Returns the numbers, ascending by their keys, which are distinct.
    consuming func sorted() -> [UInt32] {
        words.sort()
        return words.map { UInt32(truncatingIfNeeded: $0) }
    }
}

/// A search for an identifier that occurs twice on one side.
///
/// Complexity: O(n) expected, with a hash for every row. Memory: eight bytes for each slot, and two
/// to four slots a row.
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

    /// Returns the first identifier that occurs again, with both of its paths, or `nil` if all are
    /// unique.
    ///
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

    /// Inserts a row, or returns the existing row that has the same identifier.
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
