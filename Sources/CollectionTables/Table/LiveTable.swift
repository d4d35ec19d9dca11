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

    let node: TableNode<Row>

    /// The rows of the table as a list, from which other lists are derived.
    public let rows: DerivedList<Row.ID, Row, WholeList>

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - row: The type of the rows.
    ///   - store: The store of the table; by default a new one. Tables that change together, or
    ///     whose rows are joined, need the same one.
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

/// The node of a table.
// Unchecked: confined to the lane of the store, like its superclass.
final class TableNode<Row: Identifiable & Equatable & Sendable>: StagedTable, @unchecked Sendable
where Row.ID: Sendable {
    private typealias Typed = TypedRow<Row.ID, Row>

    /// The committed rows by their identifiers.
    private var keys: [Row.ID: Typed] = [:]
    private var nextRank = 0
    /// The edited rows with their latest values, in the order of their first edit; `nil` for removed
    /// rows.
    private var staged: [(id: Row.ID, row: Row?)] = []
    private var stagedPlaces: [Row.ID: Int] = [:]

    init(_ store: StoreCore) { super.init(store, inputs: []) }

    override func compare(_ a: ListRow, _ b: ListRow) -> Int { a.rank - b.rank }

    override func rebuild() -> StateEdit {
        replacing(with: [Self.whole(RowTree.empty)])
    }

    private static func whole(_ rows: RowTree) -> ListSection {
        ListSection(
            .whole,
            header: WholeList(),
            group: WholeList(),
            isDeclared: true,
            rows: rows
        )
    }

    /// Returns the committed row with an identifier.
    func current(id: Row.ID) -> Row? { keys[id]?.row }

    // MARK: Edits of a transaction

    func row(_ id: Row.ID) -> Row? {
        if let place = stagedPlaces[id] { staged[place].row } else { keys[id]?.row }
    }

    func upsert(_ row: Row) { stage(row.id, row) }

    func remove(_ id: Row.ID) { stage(id, nil) }

    private func stage(_ id: Row.ID, _ row: Row?) {
        if let place = stagedPlaces.updateValue(staged.count, forKey: id) {
            stagedPlaces[id] = place
            staged[place].row = row
        } else {
            staged.append((id, row))
        }
    }

    func removeAll(where condition: (Row) throws -> Bool) rethrows {
        for section in state.sections {
            for row in section.rows {
                let id = unsafeDowncast(row, to: Typed.self).key
                if stagedPlaces[id] == nil, try condition(unsafeDowncast(row, to: Typed.self).row) {
                    remove(id)
                }
            }
        }
        for place in staged.indices {
            if let row = staged[place].row, try condition(row) { staged[place].row = nil }
        }
    }

    override func rollBack() {
        staged = []
        stagedPlaces = [:]
    }

    override func commit() -> Bool {
        defer { rollBack() }
        var rows = (sections[.whole]?.rows ?? RowTree.empty).transaction()
        var update = ListUpdate()
        var appended: [ListRow] = []
        for (id, value) in staged {
            let old = keys[id]
            if let old, let value, old.row == value { continue }
            if old == nil, value == nil { continue }
            var change = RowChange(old: old.map { (.whole, $0) }, new: nil)
            let place = old.map { old in rows.partitionPoint { $0.rank < old.rank } }
            if let value {
                let new = Typed(id, value, rank: old?.rank ?? nextRank, origin: nil)
                keys[id] = new
                change.new = (.whole, new)
                if let place {
                    rows.replace(at: place, with: new)
                } else {
                    nextRank += 1
                    appended.append(new)
                }
            } else if let place {
                rows.remove(at: place)
                keys[id] = nil
            }
            update.rows.append(change)
        }
        if update.rows.isEmpty { return false }
        rows.insert(contentsOf: appended, at: rows.count)
        let section = Self.whole(rows.commit())
        var edit = StateEdit(ListState(sections: PersistentSequence([section])))
        edit.changedSections = [section]
        edit.update = update
        take(edit)
        return true
    }
}
