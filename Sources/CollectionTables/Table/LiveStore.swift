import CollectionPipeline

/// Tables that change together, and the lists that are derived from them.
///
/// ```swift
/// let store = LiveStore()
/// let orders = LiveTable(of: Order.self, in: store)
/// let open = orders.rows.filter { $0.state == "open" }.sorted(on: \.amount, descending: true)
/// try await store.transaction { transaction in
///     transaction.upsert(Order(id: 1, customer: "Ada", state: "open", amount: 12), in: orders)
/// }
/// ```
///
/// A transaction is one version: every list that it changes receives one update, even if the list
/// depends on several of the edited tables, or on one of them on several paths. A change of a
/// ``LiveParameter`` is a version too.
///
/// Threading: every member may be called from any thread, and none blocks it. Transactions and
/// operators run on the lane of the store, in the order of the calls.
///
/// Complexity: a transaction of k rows costs O(k log n) for each list that it changes.
public final class LiveStore: Sendable {
    @usableFromInline let core: StoreCore

    /// Creates a store without tables.
    ///
    /// - Parameters:
    ///   - name: The name of the store's lane, for debugging.
    ///   - lane: The lane on which transactions and operators run; a new one by default. It runs
    ///     long operations, such as sorting a whole table, so it should not be a main lane.
    ///   - environment: Provides the lane if none is given; a simulation passes its own.
    public init(
        name: String = "store",
        lane: (any Lane)? = nil,
        environment: any PipelineEnvironment = DispatchEnvironment()
    ) {
        core = StoreCore(lane ?? environment.makeLane(label: name))
    }

    /// Edits tables in one transaction. Returns when all lists contain the edits, except those that
    /// failed (``DerivedList/failure``).
    ///
    /// - Parameter body: A closure that reads and edits tables. It runs on the lane of the store,
    ///   after all earlier transactions. If it throws, nothing changes.
    /// - Returns: The first version that contains the edits; the current version if they changed
    ///   nothing.
    /// - Throws: `transactionThrew` with the error of `body`; `closed`.
    @discardableResult
    public func transaction(
        _ body: @escaping @Sendable (borrowing StoreTransaction) throws -> Void
    ) async throws(TableError) -> Int {
        let result: Result<Int, TableError> = await suspend { resume in
            core.run(body) { resume($0) }
        }
        return try result.get()
    }

    /// Edits tables like ``transaction(_:)``, and returns immediately.
    ///
    /// - Parameters:
    ///   - body: A closure that reads and edits tables.
    ///   - completion: A closure that receives the version that contains the edits, or the error,
    ///     on the lane of the store.
    public func submit(
        _ body: @escaping @Sendable (borrowing StoreTransaction) throws -> Void,
        completion: @escaping @Sendable (Result<Int, TableError>) -> Void = { _ in }
    ) {
        core.run(body, completion)
    }

    /// Rejects all later transactions. Returns when the earlier ones are finished.
    ///
    /// Lists keep their last state, and parameters can still change.
    public func close() async {
        let _: Result<Void, Never> = await suspend { resume in
            core.close { resume(.success(())) }
        }
    }
}

/// Access to the tables of a store during a transaction.
///
/// Reads see the edits that the transaction has made so far.
public struct StoreTransaction: ~Copyable {
    private let store: StoreCore
    private let tables: StagedTables

    init(_ store: StoreCore, _ tables: StagedTables) {
        self.store = store
        self.tables = tables
    }

    /// Adds a table to those that the transaction edits or reads.
    @usableFromInline
    func add(_ table: TableCore) {
        require(
            table.store === store,
            "a transaction can edit only tables of its own store; create both tables in one store"
        )
        tables.add(table)
    }

    /// Inserts a row at the end of a table, or replaces the row with the same identifier in place.
    ///
    /// A row that equals the existing one changes nothing. If a transaction inserts several rows
    /// with one identifier, the last one counts. If the transaction has removed the row before, the
    /// row keeps its place. New rows are in the order of their first edit.
    @inlinable
    public func upsert<Row>(_ row: Row, in table: LiveTable<Row>) {
        add(table.node)
        table.node.stage(row.id, row)
    }

    /// Removes the row with an identifier. An unknown identifier is ignored.
    @inlinable
    public func remove<Row>(_ id: Row.ID, from table: LiveTable<Row>) {
        add(table.node)
        table.node.stage(id, nil)
    }

    /// Removes all rows for which `condition` returns `true`.
    ///
    /// If `condition` throws, some rows may have been removed. Let the error leave the closure of
    /// the transaction to undo everything.
    ///
    /// Complexity: O(n).
    @inlinable
    public func removeAll<Row>(
        from table: LiveTable<Row>,
        where condition: (Row) throws -> Bool
    ) rethrows {
        add(table.node)
        try table.node.removeAll(where: condition)
    }

    /// Returns the row with an identifier, or `nil` if there is none.
    @inlinable
    public func row<Row>(_ id: Row.ID, in table: LiveTable<Row>) -> Row? {
        add(table.node)
        return table.node.row(id)
    }
}
