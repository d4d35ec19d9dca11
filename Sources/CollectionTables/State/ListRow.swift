import PersistentTrees

/// A row of a list, without its types.
///
/// The operators work on rows without types, so that their code is compiled once and not for each
/// combination of key and row. Rows never change: an edited row is another object, and two rows
/// that are the same object are the same in every respect.
// Unchecked: immutable; the subclass stores only Sendable values.
@usableFromInline
class ListRow: @unchecked Sendable {
    /// The position in the order of rows with the same origin. In a table, the number of the row's
    /// insertion; in a list, the place among the rows that were made from one row.
    @usableFromInline final let rank: Int
    /// The row of the input from which this row was made; `nil` in a table.
    @usableFromInline final let origin: ListRow?

    @inlinable
    init(rank: Int, origin: ListRow?) {
        self.rank = rank
        self.origin = origin
    }

    /// Returns whether both rows have the same key. The rows have the same types.
    @usableFromInline
    func hasSameKey(as other: ListRow) -> Bool { self === other }

    @usableFromInline
    func hashKey(into hasher: inout Hasher) {}

    /// Returns whether both rows have the same contents. The rows have the same types.
    @usableFromInline
    func hasSameContents(as other: ListRow) -> Bool { self === other }

    /// A description of the key, for errors.
    @usableFromInline var keyDescription: String { "" }
}

/// A row with its key.
@usableFromInline
final class TypedRow<Key: Hashable & Sendable, Row: Equatable & Sendable>:
    ListRow, @unchecked Sendable
{
    @usableFromInline let key: Key
    @usableFromInline let row: Row

    @inlinable
    init(_ key: Key, _ row: Row, rank: Int, origin: ListRow?) {
        self.key = key
        self.row = row
        super.init(rank: rank, origin: origin)
    }

    @inlinable
    override func hasSameKey(as other: ListRow) -> Bool {
        key == unsafeDowncast(other, to: TypedRow.self).key
    }

    @inlinable
    override func hashKey(into hasher: inout Hasher) { hasher.combine(key) }

    @inlinable
    override func hasSameContents(as other: ListRow) -> Bool {
        self === other || row == unsafeDowncast(other, to: TypedRow.self).row
    }

    @usableFromInline override var keyDescription: String { "\(key)" }
}

/// The key of a row, for dictionaries.
struct RowKey: Hashable {
    let row: ListRow

    static func == (left: Self, right: Self) -> Bool { left.row.hasSameKey(as: right.row) }
    func hash(into hasher: inout Hasher) { row.hashKey(into: &hasher) }
}

/// The first of some consecutive rows, with which a search reads one row at each step.
struct FirstRow: SequenceSummary {
    /// A row of the node that this summary describes, which retains it.
    private let row: Unmanaged<ListRow>?

    private init(row: Unmanaged<ListRow>?) { self.row = row }
    init(of element: ListRow) { row = .passUnretained(element) }
    static var zero: FirstRow { FirstRow(row: nil) }
    func combined(with next: FirstRow) -> FirstRow { row == nil ? next : self }
    var firstElement: ListRow? { row?.takeUnretainedValue() }
}

typealias RowTree = PersistentSequence<ListRow, FirstRow>

extension RowTree {
    /// The capacity of nodes, about half of the usual one: a copied node retains every row that it
    /// holds, which in a large table costs a cache miss each.
    private static let capacity = NodeCapacity.uniform(18)

    static let empty = RowTree(nodeCapacity: capacity)

    /// Returns a tree of the given rows.
    static func of(_ rows: [ListRow]) -> RowTree { RowTree(rows, nodeCapacity: capacity) }

    /// Returns a tree that takes over `count` retained rows, which `row` returns for each place in
    /// order.
    static func of(count: Int, _ row: (Int) -> RetainedRow) -> RowTree {
        RowTree(count: count, nodeCapacity: capacity) { row($0).takeRetainedValue() }
    }

    /// The rows in order. The tree must exist for as long as they are used.
    var unretainedRows: [UnretainedRow] { unretainedRows(at: indices) }

    /// Returns some of the rows. The tree must exist for as long as they are used.
    func unretainedRows(at items: Range<Int>) -> [UnretainedRow] {
        var rows: [UnretainedRow] = []
        rows.reserveCapacity(items.count)
        forEachUnretained(at: items) { rows.append(contentsOf: $0) }
        return rows
    }

    /// Calls a closure with some of the rows of each leaf, in order.
    func forEachUnretained<Failure: Error>(
        at items: Range<Int>,
        _ body: (UnsafeBufferPointer<UnretainedRow>) throws(Failure) -> Void
    ) throws(Failure) {
        try forEachLeaf(at: items) { (leaf: UnsafeBufferPointer<ListRow>) throws(Failure) in
            // An unmanaged reference is the same pointer, but reading it retains nothing.
            let rows = UnsafeRawPointer(leaf.baseAddress)?
                .assumingMemoryBound(to: UnretainedRow.self)
            try body(UnsafeBufferPointer(start: rows, count: leaf.count))
        }
    }
}

/// A row that something else retains. In a large list every row is a cache miss, so operations on
/// all rows must not write to them.
@usableFromInline typealias UnretainedRow = Unmanaged<ListRow>

/// A row that was retained for a tree while it was in the cache: before its place in the tree was
/// known, or when something else read it.
@usableFromInline typealias RetainedRow = Unmanaged<ListRow>

/// An identifier of any type. Its hash is computed once, and copies are compared by reference.
@usableFromInline
struct ErasedID: Hashable, CustomStringConvertible, Sendable {
    // Unchecked: immutable; the subclass stores only a Sendable value.
    private class Box: @unchecked Sendable {
        let hash: Int
        init(hash: Int) { self.hash = hash }
        var base: any Sendable { fatalError("the subclass has it") }
        func isEqual(to other: Box) -> Bool { fatalError("the subclass compares") }
    }

    private final class TypedBox<Value: Hashable & Sendable>: Box, @unchecked Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
            super.init(hash: value.hashValue)
        }

        override var base: any Sendable { value }

        override func isEqual(to other: Box) -> Bool {
            type(of: other) == type(of: self)
                && unsafeDowncast(other, to: TypedBox.self).value == value
        }
    }

    private let box: Box

    /// The identifier with its type.
    var base: any Sendable { box.base }

    /// Returns the identifier. It must have been created from a value of this type, which is not
    /// checked.
    func value<Value: Hashable & Sendable>(as type: Value.Type) -> Value {
        unsafeDowncast(box, to: TypedBox<Value>.self).value
    }

    @usableFromInline
    init(_ value: some Hashable & Sendable) { box = TypedBox(value) }

    @usableFromInline
    static func == (left: Self, right: Self) -> Bool {
        left.box === right.box
            || left.box.hash == right.box.hash && left.box.isEqual(to: right.box)
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(box.hash) }

    @usableFromInline var description: String { "\(base)" }

    /// The section of a list without sections.
    static let whole = ErasedID(WholeList())
}

/// A section of a list, without its types. It never changes: an edited section is another object.
final class ListSection: Sendable {
    let id: ErasedID
    /// The header of the section, of the list's header type.
    let header: any Sendable
    /// Whether the section exists even without rows.
    let isDeclared: Bool
    let rows: RowTree

    init(
        _ id: ErasedID,
        header: any Sendable,
        isDeclared: Bool,
        rows: RowTree
    ) {
        self.id = id
        self.header = header
        self.isDeclared = isDeclared
        self.rows = rows
    }

    /// Whether a list shows the section.
    var isShown: Bool { isDeclared || !rows.isEmpty }

    func replacing(rows: RowTree) -> ListSection {
        ListSection(id, header: header, isDeclared: isDeclared, rows: rows)
    }
}

/// The number of rows in some sections, and of declared sections among them.
struct RowCount: SequenceSummary {
    let rows: Int
    let declared: Int

    init(rows: Int, declared: Int) {
        self.rows = rows
        self.declared = declared
    }

    init(of section: ListSection) {
        self.init(rows: section.rows.count, declared: section.isDeclared ? 1 : 0)
    }

    static var zero: RowCount { RowCount(rows: 0, declared: 0) }

    func combined(with next: RowCount) -> RowCount {
        RowCount(rows: rows + next.rows, declared: declared + next.declared)
    }
}

/// The state of a list at one version: sections of rows.
struct ListState: Sendable {
    var sections = PersistentSequence<ListSection, RowCount>()

    var numberOfRows: Int { sections.summary.rows }

    /// Returns the path of the row at `index`, counted over all sections. The row must exist.
    func path(ofRow index: Int) -> ItemPath {
        let place = sections.place { _, summary in summary.rows > index }
        return ItemPath(section: place.index, item: index - place.before.rows)
    }

    /// The indexes of the declared sections, ascending.
    var declaredSections: [Int] {
        (0..<sections.summary.declared).map { count in
            sections.place { _, summary in summary.declared > count }.index
        }
    }

    /// Returns the number of rows before a path.
    func index(of path: ItemPath) -> Int {
        sections.summary(before: path.section).rows + path.item
    }

    /// Returns the row at a path, or `nil` if there is none.
    func row(at path: ItemPath) -> ListRow? {
        sections.element(at: path.section)?.rows.element(at: path.item)
    }
}
