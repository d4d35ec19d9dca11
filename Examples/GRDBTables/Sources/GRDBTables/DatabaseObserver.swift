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
    /// The versions of the state that all rows were compared with last.
    private var versions = Versions()
    private var isObserving = false

    private struct Versions: Equatable {
        /// Changes with the schema, and if foreign keys are switched on or off: GRDB then expects
        /// too few events of the statements that it has compiled.
        var schema = unknownSchema
        /// Changes if another connection commits.
        var data = -1

        static let unknownSchema = [-1, -1]
    }

    private struct Shared {
        var failure: TableFeedError?
        /// Whether rows are missing that only a comparison finds.
        var isBehind = false
        /// Whether changes were committed that were not read. GRDB does not report the end of a
        /// commit by a statement with `RETURNING` outside of a transaction.
        var isCommitting = false
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
    var needsCheck: Bool {
        shared.withLock { $0.failure != nil || $0.isBehind || $0.isCommitting }
    }

    private func fail(_ error: TableFeedError) {
        shared.withLock { if $0.failure?.code != .storeClosed { $0.failure = error } }
    }

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
    func databaseDidChange() {
        versions.schema = Versions.unknownSchema
        shared.withLock { $0.isCommitting = true }
    }

    func databaseWillCommit() {
        let hasChanges = copies.count { $0.willCommit() } > 0
        if hasChanges { shared.withLock { $0.isCommitting = true } }
    }

    /// May also be called for a transaction of another observer, between a commit and its end.
    func databaseDidRollback(_ database: Database) { for copy in copies { copy.forgetChanges() } }

    func databaseDidCommit(_ database: Database) {
        if shared.withLock({ $0.failure != nil || $0.isBehind }) { return }
        do {
            try requireFile(database)
            let isSameSchema = try schema(database) == versions.schema
            if isSameSchema {
                for copy in copies { try copy.fetchChanges(database) }
                // Otherwise, a fetched row may have a part of another connection's transaction.
                if try version("data_version", database) == versions.data { return stage(copies) }
            } else {
                versions.schema = Versions.unknownSchema
            }
            shared.withLock { $0.isBehind = true }
            Task { try? await check() }
        } catch {
            fail(TableFeedError(error))
        }
    }

    // MARK: Reading

    /// Compares all rows if the copies may lack changes. Errors become the failure.
    ///
    /// - Parameter new: A copy to follow from now on. If it cannot be read, the error is only
    ///   thrown.
    func check(adding new: TableCopy? = nil) async throws(TableFeedError) {
        // A task of its own, because GRDB would interrupt the queries of a cancelled one.
        let error: TableFeedError? = await Task { [self] in
            do {
                return try await database.writeWithoutTransaction { database in
                    if failure?.code == .storeClosed { return nil }
                    return try compare(database, new).map { TableFeedError($0) }
                }
            } catch {
                fail(TableFeedError(error))
                return TableFeedError(error)
            }
        }.value
        if let error { throw error }
    }

    /// Returns the error that prevents the new copy from being read.
    private func compare(_ database: Database, _ new: TableCopy?) throws -> (any Error)? {
        try requireFile(database)
        if !isObserving { database.add(transactionObserver: self) }
        isObserving = true
        func isCurrent(_ versions: Versions) -> Bool { !needsCheck && versions == self.versions }
        if new == nil, isCurrent(try currentVersions(database)) { return nil }
        var compared: [TableCopy] = []
        var found = Versions()
        var newError: (any Error)?
        // In a transaction, so that all rows are of one version of the database. GRDB notifies no
        // observer of it, because it cannot write.
        try database.readOnly {
            try database.inTransaction(.deferred) {
                found = try currentVersions(database)
                let hasNewSchema = found.schema != versions.schema
                let trustsRevisions = failure == nil && !hasNewSchema
                compared = isCurrent(found) ? [] : copies
                for copy in compared {
                    if hasNewSchema { try copy.readSchema(database) }
                    try copy.compare(database, trustingRevisions: trustsRevisions)
                }
                do {
                    try new?.readSchema(database)
                    try new?.compare(database, trustingRevisions: false)
                } catch {
                    newError = error
                }
                return .commit
            }
        }
        versions = found
        if let new, newError == nil {
            compared.append(new)
            copies.append(new)
            shared.withLock { $0.copies.append(new) }
        }
        stage(compared)
        shared.withLock { shared in
            // The store may have been closed since.
            if shared.failure?.code != .storeClosed { shared.failure = nil }
            shared.isBehind = false
        }
        return newError
    }

    private func requireFile(_ database: Database) throws {
        guard let connection = database.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
        }
        var hasMoved: CInt = 0
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        if hasMoved != 0 { throw TableFeedError.fileMoved }
    }

    private func version(_ name: String, _ database: Database) throws -> Int {
        try Int.fetchOne(database.cachedStatement(sql: "PRAGMA main.\(name)")) ?? 0
    }

    private func schema(_ database: Database) throws -> [Int] {
        try ["schema_version", "foreign_keys"].map { try version($0, database) }
    }

    private func currentVersions(_ database: Database) throws -> Versions {
        let data = try version("data_version", database)
        return Versions(schema: try schema(database), data: data)
    }

    // MARK: Editing

    /// Adds what was read of some or all copies to the edits that the store receives in its next
    /// transaction. There is at most one such transaction, however slow the store is.
    private func stage(_ copies: [TableCopy]) {
        let isNeeded = shared.withLock { shared in
            shared.isCommitting = false
            let hasEdits = copies.count { $0.stage() } > 0
            if !hasEdits || shared.isSubmitted { return false }
            shared.isSubmitted = true
            return true
        }
        guard isNeeded else { return }
        store.submit { [self] transaction in
            let taken = shared.withLock { shared in
                shared.isSubmitted = false
                return shared.copies.map { ($0, $0.takeEdits()) }
            }
            for (copy, edits) in taken { copy.make(edits, in: transaction) }
        } completion: { [self] result in
            if case .failure = result { fail(.storeClosed) }
        }
    }
}
