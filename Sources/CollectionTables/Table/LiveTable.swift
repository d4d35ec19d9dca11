import CollectionPipeline
import PersistentTrees

/// A table of rows that have identifiers and change one by one.
///
/// ```swift
/// let orders = LiveTable(of: Order.self)
/// let byState = orders.rows.sectioned(by: \.state)
/// try await orders.upsert([Order(id: 1, customer: "Ada", state: "open", amount: 12)])
/// ```
///
/// Use it if you know the rows that changed, for example from your own writes. If you only have the
/// whole list, apply it to a ``DataController`` instead, which finds the differences.
///
/// The rows are in the order of their insertion. A replaced row keeps its place.
///
/// Threading: every member may be called from any thread; see ``LiveStore``.
///
/// Complexity: O(k log n) for k edited rows; O(1) to read the current state of ``rows``.
public final class LiveTable<Row: Identifiable & Equatable & Sendable>: Sendable
where Row.ID: Sendable {
    /// The store that the table belongs to.
    public let store: LiveStore

    @usableFromInline let node: TableNode<Row>

    /// The rows of the table as a list, from which other lists are derived.
    public let rows: DerivedList<Row.ID, Row, WholeList>

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - row: The type of the rows.
    ///   - store: The store of the table; by default a new one. Tables that change together, or
    ///     whose rows are joined, need the same one.
    @inlinable
    public init(of row: Row.Type = Row.self, in store: LiveStore = LiveStore()) {
        self.store = store
        node = TableNode(store.core)
        rows = DerivedList(node)
    }

    /// Inserts or replaces rows, in one transaction; see ``StoreTransaction/upsert(_:in:)``.
    ///
    /// - Returns: The first version that contains the rows.
    /// - Throws: `closed`.
    @discardableResult
    public func upsert(_ rows: some Sequence<Row> & Sendable) async throws(TableError) -> Int {
        try await store.transaction { [self] transaction in
            for row in rows { transaction.upsert(row, in: self) }
        }
    }

    /// Removes the rows with the given identifiers, in one transaction. Unknown identifiers are
    /// ignored.
    ///
    /// - Returns: The first version that does not contain the rows.
    /// - Throws: `closed`.
    @discardableResult
    public func remove(_ ids: some Sequence<Row.ID> & Sendable) async throws(TableError) -> Int {
        try await store.transaction { [self] transaction in
            for id in ids { transaction.remove(id, from: self) }
        }
    }
}

/// The node of a table, and the edits of the current transaction.
///
/// Its code is compiled for the type of the rows, because a program that loads a table calls it for
/// each row.
// Unchecked: confined to the lane of the store, like its superclass.
@usableFromInline
final class TableNode<Row: Identifiable & Equatable & Sendable>: TableCore, @unchecked Sendable
where Row.ID: Sendable {
    /// The committed rows by their identifiers.
    @usableFromInline var keys: [Row.ID: TypedRow<Row.ID, Row>] = [:]
    @usableFromInline var nextRank = 0
    /// The edited rows with their latest values, in the order of their first edit; `nil` for removed
    /// rows.
    @usableFromInline var staged: [(id: Row.ID, row: Row?)] = []
    @usableFromInline var stagedPlaces: [Row.ID: Int] = [:]
    /// Calls `makeEdits()`. An overridden method is compiled only once, for all types of rows; a
    /// closure is not.
    @usableFromInline let takesEdits: (TableNode) -> [TableEdit]

    @inlinable
    override init(_ store: StoreCore) {
        takesEdits = { $0.makeEdits() }
        super.init(store)
    }

    /// Returns the committed row with an identifier.
    func current(id: Row.ID) -> Row? { keys[id]?.row }

    /// Returns the row with an identifier as the transaction has left it so far.
    @inlinable
    func row(_ id: Row.ID) -> Row? {
        if let place = stagedPlaces[id] { staged[place].row } else { keys[id]?.row }
    }

    @inlinable
    func stage(_ id: Row.ID, _ row: Row?) {
        if let place = stagedPlaces.updateValue(staged.count, forKey: id) {
            stagedPlaces[id] = place
            staged[place].row = row
        } else {
            staged.append((id, row))
        }
    }

    @inlinable
    func removeAll(where condition: (Row) throws -> Bool) rethrows {
        try forEachRow { row in
            let typed = unsafeDowncast(row, to: TypedRow<Row.ID, Row>.self)
            if stagedPlaces[typed.key] == nil, try condition(typed.row) { stage(typed.key, nil) }
        }
        for place in staged.indices {
            if let row = staged[place].row, try condition(row) { staged[place].row = nil }
        }
    }

    override func rollBack() {
        staged = []
        stagedPlaces = [:]
    }

    override func takeEdits() -> [TableEdit] {
        defer { rollBack() }
        return takesEdits(self)
    }

    @inlinable
    func makeEdits() -> [TableEdit] {
        var edits: [TableEdit] = []
        edits.reserveCapacity(staged.count)
        for (id, row) in staged {
            let old = keys[id]
            if let row {
                if let old, old.row == row { continue }
                let new = TypedRow(id, row, rank: old?.rank ?? nextRank, origin: nil)
                if old == nil { nextRank += 1 }
                keys[id] = new
                edits.append(TableEdit(old: old, new: new))
            } else if let old {
                keys[id] = nil
                edits.append(TableEdit(old: old, new: nil))
            }
        }
        return edits
    }
}
