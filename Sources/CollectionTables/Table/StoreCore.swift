import CollectionPipeline

/// The lane of a store, and the order in which changes flow through its lists.
///
/// One turn carries one transaction, or one change of an operator, to all lists that depend on it.
/// Lists are evaluated by ascending height, so a list that the change reaches on several paths is
/// evaluated once.
// Unchecked: the mutable state is confined to the lane.
final class StoreCore: @unchecked Sendable {
    let lane: any Lane
    /// The number of turns that changed something.
    private(set) var version = 0
    private var isClosed = false
    /// The nodes that wait to be evaluated in this turn, by height.
    private var waiting: [[ListNode]] = []
    private var changed: [ListNode] = []
    private let observerIDs = Lock(0)

    init(_ lane: any Lane) { self.lane = lane }

    func makeObserverID() -> Int {
        observerIDs.withLock { id in
            id += 1
            return id
        }
    }

    /// Connects a new node to its inputs and makes its first state.
    func add(_ node: ListNode) {
        lane.enqueue { [self, weak node] in
            guard let node else { return }
            node.attach()
            node.publish(version: version)
        }
    }

    /// Evaluates the nodes whose operators `change` changed, with all lists that depend on them.
    func update(_ change: @escaping @Sendable () -> [ListNode]) {
        lane.enqueue { [self] in
            for node in change() { enqueue(node) }
            finishTurn()
        }
    }

    /// Runs a transaction.
    func run(
        _ body: @escaping @Sendable (borrowing StoreTransaction) throws -> Void,
        _ completion: @escaping @Sendable (Result<Int, TableError>) -> Void
    ) {
        lane.enqueue { [self] in
            if isClosed { return completion(.failure(.closed)) }
            let tables = StagedTables()
            do {
                try body(StoreTransaction(self, tables))
            } catch {
                for table in tables.all { table.rollBack() }
                return completion(.failure(.transactionThrew(error)))
            }
            for table in tables.all where table.commit() { flow(from: table) }
            finishTurn()
            completion(.success(version))
        }
    }

    func close(_ completion: @escaping @Sendable () -> Void) {
        lane.enqueue { [self] in
            isClosed = true
            completion()
        }
    }

    // MARK: A turn

    /// Adds the lists that depend on a changed node to those that wait.
    private func flow(from node: ListNode) {
        changed.append(node)
        if node.isChanged { node.forEachDependent { enqueue($0) } }
    }

    private func enqueue(_ node: ListNode) {
        if node.isWaiting { return }
        node.isWaiting = true
        while waiting.count <= node.height { waiting.append([]) }
        waiting[node.height].append(node)
    }

    private func finishTurn() {
        var height = 0
        while height < waiting.count {
            // A node adds only nodes of greater height.
            let nodes = waiting[height]
            waiting[height] = []
            for node in nodes {
                node.evaluate()
                flow(from: node)
            }
            height += 1
        }
        if changed.contains(where: { $0.update != nil }) { version += 1 }
        let nodes = changed
        changed = []
        for node in nodes { node.publish(version: version) }
    }
}

/// The tables that a transaction edits, in the order of their first edit.
final class StagedTables {
    private(set) var all: [StagedTable] = []

    func add(_ table: StagedTable) {
        if !all.contains(where: { $0 === table }) { all.append(table) }
    }
}

/// A table with edits that are not committed yet.
@usableFromInline
class StagedTable: ListNode, @unchecked Sendable {
    /// Commits the staged edits, and returns whether they changed anything.
    func commit() -> Bool { fatalError("a table defines it") }

    /// Drops the staged edits.
    func rollBack() { fatalError("a table defines it") }
}

extension TableError {
    static let closed = TableError(.closed, "the store is closed, and nothing was changed")

    static func transactionThrew(_ error: any Error) -> TableError {
        TableError(
            .transactionThrew,
            "the transaction threw, and nothing was changed: \(error)",
            error
        )
    }

    @usableFromInline
    static func operatorThrew(_ row: ListRow, _ error: any Error) -> TableError {
        TableError(
            .operatorThrew,
            "the operator threw for the row with the key \(row.keyDescription), and the list is "
                + "unchanged: \(error)",
            error
        )
    }

    static func inconsistentOrder(of section: ListSection) -> TableError {
        TableError(
            .inconsistentOrder,
            "the section \(section.id) has no consistent place, and the list is unchanged; "
                + "the order of sections must be a strict weak order in which two different "
                + "sections are never equal"
        )
    }

    @usableFromInline
    static func inconsistentOrder(_ row: ListRow) -> TableError {
        TableError(
            .inconsistentOrder,
            "the row with the key \(row.keyDescription) has no consistent place, and the list is "
                + "unchanged; an order must be a strict weak order, and a closure must "
                + "always return the same for the same row"
        )
    }
}
