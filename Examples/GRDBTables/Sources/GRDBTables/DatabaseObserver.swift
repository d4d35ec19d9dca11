import CollectionTables
import GRDB
import GRDBSQLite
import Synchronization

/// Follows the transactions of a database, and edits the copies of its tables.
///
/// The events only say which rows to fetch. So an event too many, for example of a statement that
/// failed, costs a fetch and changes nothing.
// Unchecked: all mutable state except `shared` is confined to the queue of the database's writer,
// on which GRDB calls the observer.
final class DatabaseObserver: TransactionObserver, @unchecked Sendable {
    /// It retains its observers weakly.
    private let database: any DatabaseWriter
    private let store: LiveStore

    private var copies: [TableCopy] = []
    /// Both versions of the state that all rows were compared with last.
    private var schemaVersion = -1
    private var dataVersion = -1
    private var isObserving = false
    private var isComparing = false

    private struct Shared {
        var failure: TableFeedError?
        /// Whether rows are missing that only a comparison finds.
        var isBehind = false
        /// The copies, whose edits wait for the store.
        var copies: [TableCopy] = []
        /// Whether a transaction of the store will take the edits.
        var isSubmitted = false
    }

    private let shared = Mutex(Shared())

    init(_ database: any DatabaseWriter, _ store: LiveStore) {
        (self.database, self.store) = (database, store)
    }

    var failure: TableFeedError? { shared.withLock { $0.failure } }

    /// Whether only a comparison can bring the copies up to date.
    var needsCheck: Bool { shared.withLock { $0.failure != nil || $0.isBehind } }

    private func fail(_ error: TableFeedError) { shared.withLock { $0.failure = error } }

    // MARK: Events

    /// Called before each statement that may change rows. If it returns `true` for deletions, GRDB
    /// makes SQLite delete row by row, even without a `WHERE`.
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        copies.count { $0.observes(eventsOfKind: kind) } > 0
    }

    func databaseDidChange(with event: DatabaseEvent) {
        for copy in copies { copy.note(event) }
    }

    /// Called after `Database.notifyChanges(in:)`.
    func databaseDidChange() { schemaVersion = -1 }

    func databaseDidRollback(_ database: Database) { endTransaction() }

    func databaseDidCommit(_ database: Database) {
        defer { endTransaction() }
        // A comparison reads in a transaction of its own.
        if isComparing || needsCheck { return }
        do {
            try requireFile(database)
            var isCurrent = try version("schema_version", database) == schemaVersion
            if isCurrent {
                for copy in copies { try copy.fetchChanges(database) }
                // Otherwise, a fetched row may have a part of another connection's transaction.
                isCurrent = try version("data_version", database) == dataVersion
            }
            if isCurrent { return stage(copies) }
            shared.withLock { $0.isBehind = true }
            Task { try? await check() }
        } catch {
            fail(error as? TableFeedError ?? .unreadable(error))
        }
    }

    private func endTransaction() {
        for copy in copies { copy.endTransaction() }
    }

    // MARK: Reading

    /// Compares all rows if another connection may have changed them. Errors become the failure.
    ///
    /// - Parameter new: A copy to follow from now on. If it cannot be read, the error is thrown.
    func check(adding new: TableCopy? = nil) async throws(TableFeedError) {
        // A task of its own, because GRDB would interrupt the queries of a cancelled one.
        let error: TableFeedError? = await Task { [self] in
            do {
                try await database.writeWithoutTransaction { database in
                    if failure?.code != .storeClosed { try compare(database, new) }
                }
                return nil
            } catch {
                let error = error as? TableFeedError ?? .unreadable(error)
                if new == nil { fail(error) }
                return error
            }
        }.value
        if let error { throw error }
    }

    private func compare(_ database: Database, _ new: TableCopy?) throws {
        try requireFile(database)
        if !isObserving { database.add(transactionObserver: self) }
        isObserving = true
        isComparing = true
        defer { isComparing = false }
        var compared: [TableCopy] = []
        var versions = (schema: 0, data: 0)
        // So that all rows are of one version of the database.
        try database.inTransaction(.deferred) {
            versions.data = try version("data_version", database)
            versions.schema = try version("schema_version", database)
            let hasFailed = failure != nil
            let hasNewSchema = versions.schema != schemaVersion
            if hasFailed || hasNewSchema || versions.data != dataVersion { compared = copies }
            for copy in compared {
                if hasNewSchema { try copy.readSchema(database) }
                try copy.compare(database, trustingRevisions: !hasFailed && !hasNewSchema)
            }
            if let new {
                try new.readSchema(database)
                try new.compare(database, trustingRevisions: false)
                compared.append(new)
            }
            return .commit
        }
        (dataVersion, schemaVersion) = (versions.data, versions.schema)
        if let new {
            copies.append(new)
            shared.withLock { $0.copies.append(new) }
        }
        stage(compared)
        shared.withLock { shared in
            // The store may have been closed since.
            if shared.failure?.code != .storeClosed { shared.failure = nil }
            shared.isBehind = false
        }
    }

    private func requireFile(_ database: Database) throws(TableFeedError) {
        var hasMoved: CInt = 0
        sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        if hasMoved != 0 { throw .fileMoved }
    }

    private func version(_ name: String, _ database: Database) throws -> Int {
        try Int.fetchOne(database.cachedStatement(sql: "PRAGMA main.\(name)")) ?? 0
    }

    // MARK: Editing

    /// Adds what was read to the edits that the store receives in its next transaction. There is at
    /// most one such transaction, however slow the store is.
    private func stage(_ copies: [TableCopy]) {
        let isNeeded = shared.withLock { shared in
            let hasEdits = copies.count { $0.stage() } > 0
            if !hasEdits || shared.isSubmitted { return false }
            shared.isSubmitted = true
            return true
        }
        guard isNeeded else { return }
        store.submit { [self] transaction in
            let edits = shared.withLock { shared in
                shared.isSubmitted = false
                return shared.copies.flatMap { $0.takeEdits() }
            }
            for edit in edits { edit(transaction) }
        } completion: { [self] result in
            if case .failure = result { fail(.storeClosed) }
        }
    }
}
