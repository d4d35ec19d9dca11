/// What matching needs to know of rows.
///
/// A protocol and not two closures, so that comparing is compiled into the loops.
@usableFromInline
package protocol RowRules {
    associatedtype Row
    associatedtype ID: Hashable

    /// What a row is recognised by.
    func id(of row: Row) -> ID

    /// Whether rows have contents that may differ while they are recognised as the same.
    var comparesContents: Bool { get }

    /// Whether two rows that are the same also look the same.
    func haveEqualContents(_ old: Row, _ new: Row) -> Bool
}

/// Rows that are nothing but identifiers.
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

/// Rows that have an identifier, and are equal where their contents are.
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

/// Numbers to be put in the order of others: packed into words, which are compared without looking anything up.
struct SortedKeys {
    private var words: [UInt64] = []

    init(capacity: Int) { words.reserveCapacity(capacity) }

    /// Adds a number with its key; both fit into 32 bits.
    @inline(__always)
    mutating func append(_ key: Int, _ number: Int) {
        words.append(UInt64(truncatingIfNeeded: key) << 32 | UInt64(truncatingIfNeeded: number))
    }

    /// The numbers, ascending by their keys, which are all different.
    consuming func sorted() -> [UInt32] {
        words.sort()
        return words.map { UInt32(truncatingIfNeeded: $0) }
    }
}
