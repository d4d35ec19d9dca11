import CollectionPipeline
import PersistentTrees

/// The lane of a store, and the order in which changes flow through its lists.
///
/// One turn carries one transaction, or one change of an operator, to all lists that depend on it.
/// Lists are evaluated by ascending height, so a list that the change reaches on several paths is
/// evaluated once.
// Unchecked: the mutable state is confined to the lane.
@usableFromInline
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
    private(set) var all: [TableCore] = []

    func add(_ table: TableCore) {
        if !all.contains(where: { $0 === table }) { all.append(table) }
    }
}

/// An edit of one row of a table. At least one of the rows exists.
@usableFromInline
struct TableEdit {
    @usableFromInline let old: ListRow?
    @usableFromInline let new: ListRow?

    @inlinable
    init(old: ListRow?, new: ListRow?) { (self.old, self.new) = (old, new) }
}

/// A table, without the type of its rows.
// Unchecked: confined to the lane of the store, like its superclass.
@usableFromInline
class TableCore: ListNode, @unchecked Sendable {
    @usableFromInline
    init(_ store: StoreCore) { super.init(store, inputs: []) }

    /// Drops the edits of the transaction.
    func rollBack() { fatalError("a table defines it") }

    /// Returns the edits of the transaction, and forgets them. The table's identifiers are then
    /// those after the edits.
    func takeEdits() -> [TableEdit] { fatalError("a table defines it") }

    final override func compare(_ a: ListRow, _ b: ListRow) -> Int { a.rank - b.rank }

    final override func rebuild() -> StateEdit { replacing(with: [Self.whole(RowTree.empty)]) }

    @usableFromInline
    final func forEachRow(_ body: (ListRow) throws -> Void) rethrows {
        for section in state.sections {
            for row in section.rows { try body(row) }
        }
    }

    /// Commits the edits of the transaction, and returns whether they changed anything.
    final func commit() -> Bool {
        let edits = takeEdits()
        if edits.isEmpty { return false }
        var rows = (sections[.whole]?.rows ?? RowTree.empty).transaction()
        var update = ListUpdate()
        update.rows.reserveCapacity(edits.count)
        var appended: [ListRow] = []
        for edit in edits {
            let (old, new) = (edit.old, edit.new)
            update.rows.append(
                RowChange(old: old.map { (.whole, $0) }, new: new.map { (.whole, $0) })
            )
            if let old {
                let place = rows.partitionPoint { $0.rank < old.rank }
                if let new { rows.replace(at: place, with: new) } else { rows.remove(at: place) }
            } else if let new {
                appended.append(new)
            }
        }
        rows.insert(contentsOf: appended, at: rows.count)
        let section = Self.whole(rows.commit())
        var edit = StateEdit(ListState(sections: PersistentSequence([section])))
        edit.changedSections = [section]
        edit.update = update
        take(edit)
        return true
    }

    private static func whole(_ rows: RowTree) -> ListSection {
        ListSection(.whole, header: WholeList(), isDeclared: true, rows: rows)
    }
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
