import CollectionPipeline

/// Tables that change together, and the lists that are derived from them.
///
/// ```swift
/// let store = LiveStore()
/// let orders = LiveTable(of: Order.self, in: store)
/// let open = orders.rows.filter { $0.state == "open" }.sorted(on: \.amount, descending: true)
/// try await store.transaction { transaction in
///     transaction.upsert(Order(id: 1, state: "open", amount: 12), in: orders)
/// }
/// ```
///
/// A transaction is one version: every list that it changes gets one update, also if the list
/// depends on several edited tables, or on one table on several paths.
///
/// Threading: usable on any thread; no call waits. Transactions and operators run on the lane of
/// the store, in the order of the calls.
///
/// Complexity: a transaction of k rows costs O(k log n) for each list that it changes.
public final class LiveStore: Sendable {
    let core: StoreCore

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

    /// Edits tables. Returns when all lists contain the edits.
    ///
    /// - Parameter body: Reads and edits tables. It runs on the lane of the store, after all
    ///   earlier transactions. If it throws, nothing changes.
    /// - Returns: The version that contains the edits: the first one, or the current one if they
    ///   changed nothing.
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
    ///   - body: Reads and edits tables.
    ///   - completion: Receives the version that contains the edits, or the error, on the lane of
    ///     the store.
    public func submit(
        _ body: @escaping @Sendable (borrowing StoreTransaction) throws -> Void,
        completion: @escaping @Sendable (Result<Int, TableError>) -> Void = { _ in }
    ) {
        core.run(body, completion)
    }

    /// Rejects all later transactions. Returns when the earlier ones are finished.
    public func close() async {
        let _: Result<Void, Never> = await suspend { resume in
            core.close { resume(.success(())) }
        }
    }
}

/// The tables of a store during a transaction.
///
/// Reads see the edits that the transaction has made so far.
public struct StoreTransaction: ~Copyable {
    private let store: StoreCore
    private let tables: StagedTables

    init(_ store: StoreCore, _ tables: StagedTables) {
        self.store = store
        self.tables = tables
    }

    private func stage<Row>(_ table: LiveTable<Row>) -> TableNode<Row> {
        require(
            table.node.store === store,
            "a transaction can edit only tables of its own store; create both tables in one store"
        )
        tables.add(table.node)
        return table.node
    }

    /// Inserts a row at the end of a table, or replaces the row with the same identifier in place.
    ///
    /// A row that equals the existing one changes nothing. If a transaction has several rows with
    /// one identifier, the last one counts.
    public func upsert<Row>(_ row: Row, in table: LiveTable<Row>) { stage(table).upsert(row) }

    /// Removes the row with an identifier. An unknown identifier is ignored.
    public func remove<Row>(_ id: Row.ID, from table: LiveTable<Row>) { stage(table).remove(id) }

    /// Removes all rows for which `condition` holds.
    ///
    /// Complexity: O(n).
    public func removeAll<Row>(
        from table: LiveTable<Row>,
        where condition: (Row) throws -> Bool
    ) rethrows {
        try stage(table).removeAll(where: condition)
    }

    /// Returns the row with an identifier, or `nil` if there is none.
    public func row<Row>(_ id: Row.ID, in table: LiveTable<Row>) -> Row? { stage(table).row(id) }
}
