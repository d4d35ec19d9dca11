import CollectionTables
import GRDB
import GRDBSQLite
import Synchronization

/// Follows the transactions of a database, and edits the copy of a table.
///
/// The events only say which rows to fetch. So an event too many, for example of a statement that
/// failed, costs a fetch and changes nothing.
// Unchecked: all mutable state except `shared` is confined to the queue of the database's writer,
// on which GRDB calls the observer.
final class TableObserver<Record>: TransactionObserver, @unchecked Sendable
where Record: FetchableRecord & Identifiable & Equatable & Sendable, Record.ID == Int64 {
    private let table: LiveTable<Record>
    private let name: String
    private let revision: String?

    /// The column that is the primary key.
    private var key = ""
    private var hasUniqueIndexes = false
    /// The keys of the rows that the copy has, or will have after the edits in `shared`.
    private var ids: Set<Int64> = []
    /// Both versions when all rows were compared last.
    private var schemaVersion = -1
    private var dataVersion = -1
    /// The greatest revision when all rows were compared last. Rows that are fetched on their own
    /// do not count: rows of another process with smaller revisions may be unknown.
    private var greatestRevision: Int64?

    // The current transaction.
    private var changed: Set<Int64> = []
    private var mayHaveReplaced = false
    private var deletes = false
    private var hasDeleted = false

    private struct Shared {
        var failure: TableFeedError?
        /// Whether rows are missing that only a comparison finds.
        var isBehind = false
        /// The edits that the store has not received yet; `nil` removes a row. They are bounded by
        /// the rows of the table.
        var edits: [Int64: Record?] = [:]
        var isSubmitted = false
    }

    private let shared = Mutex(Shared())

    init(_ table: LiveTable<Record>, name: String, revision: String?) {
        self.table = table
        self.name = name
        self.revision = revision
    }

    var failure: TableFeedError? { shared.withLock { $0.failure } }

    /// Whether only ``check(_:)`` can bring the copy up to date.
    var needsCheck: Bool { shared.withLock { $0.failure != nil || $0.isBehind } }

    func fail(_ error: TableFeedError) { shared.withLock { $0.failure = error } }

    // MARK: Events

    /// Called before each statement that may change rows. If it returns `true` for deletions, GRDB
    /// makes SQLite delete row by row, even without a `WHERE`.
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        guard kind.tableName.lowercased() == name.lowercased() else { return false }
        switch kind {
        case .insert:
            if hasUniqueIndexes { mayHaveReplaced = true }
        case .update(_, let columns):
            // The old key of a row has no event.
            let changesKey = columns.contains { [key, "rowid"].contains($0.lowercased()) }
            if hasUniqueIndexes || changesKey { mayHaveReplaced = true }
        case .delete:
            deletes = true
        }
        return true
    }

    func databaseDidChange(with event: DatabaseEvent) {
        changed.insert(event.rowID)
        if event.kind == .delete { hasDeleted = true }
    }

    /// Called after `Database.notifyChanges(in:)`.
    func databaseDidChange() { schemaVersion = -1 }

    func databaseDidRollback(_ database: Database) { endTransaction() }

    func databaseDidCommit(_ database: Database) {
        defer { endTransaction() }
        attempt(database) {
            if try version("schema_version", database) != schemaVersion {
                try compare(database)
            } else if !needsCheck {
                try fetchChanges(database)
            }
        }
    }

    private func endTransaction() {
        changed = []
        (mayHaveReplaced, deletes, hasDeleted) = (false, false, false)
    }

    /// Compares all rows if another connection may have changed them.
    func check(_ database: Database) {
        attempt(database) {
            if try failure != nil || version("data_version", database) != dataVersion
                || version("schema_version", database) != schemaVersion
            {
                try compare(database)
            }
        }
    }

    private func attempt(_ database: Database, _ body: () throws -> Void) {
        if failure?.code == .storeClosed { return }
        var hasMoved: CInt = 0
        sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        do {
            if hasMoved != 0 { throw TableFeedError.fileMoved }
            try body()
        } catch let error as TableFeedError {
            fail(error)
        } catch {
            fail(.unreadable(error))
        }
    }

    // MARK: Reading

    private func version(_ name: String, _ database: Database) throws -> Int {
        try Int.fetchOne(database.cachedStatement(sql: "PRAGMA main.\(name)")) ?? 0
    }

    private var from: String { "FROM main.\(name.quotedDatabaseIdentifier)" }

    private var select: String {
        "SELECT \(key.quotedDatabaseIdentifier), "
            + "\(revision?.quotedDatabaseIdentifier ?? "NULL"), * \(from)"
    }

    /// Fetches the rows that the transaction has changed.
    private func fetchChanges(_ database: Database) throws {
        // A statement that was compiled before the observer was added may delete without events.
        let needsCount = mayHaveReplaced || deletes && !hasDeleted
        if changed.isEmpty, !needsCount { return }
        var edits: [Int64: Record?] = [:]
        let condition = " WHERE \(key.quotedDatabaseIdentifier) = ?"
        let statement = try database.cachedStatement(sql: select + condition)
        for id in changed {
            edits[id] = .some(try Row.fetchOne(statement, arguments: [id]).map(record))
        }
        if needsCount {
            let expected = edits.reduce(ids.count) { count, edit in
                count + (edit.value == nil ? 0 : 1) - (ids.contains(edit.key) ? 1 : 0)
            }
            // Insertions and updates have events, so the copy can only have too many rows.
            if try Int.fetchOne(database, sql: "SELECT count(*) \(from)") != expected {
                let sql = "SELECT \(key.quotedDatabaseIdentifier) \(from)"
                let found = try Int64.fetchSet(database, sql: sql)
                for id in ids.subtracting(found) { edits[id] = .some(nil) }
            }
        }
        // Otherwise, a fetched row may have a part of another connection's transaction.
        if try version("data_version", database) == dataVersion {
            take(edits)
        } else {
            shared.withLock { $0.isBehind = true }
        }
    }

    /// Compares the copy with all rows of the table.
    private func compare(_ database: Database) throws {
        // They are read before the rows: a commit in between makes the next check compare again.
        let dataVersion = try version("data_version", database)
        let schemaVersion = try version("schema_version", database)
        var known = failure == nil ? greatestRevision : nil
        if schemaVersion != self.schemaVersion {
            try readSchema(database)
            known = nil
        }
        var (edits, found, greatest) = ([Int64: Record?](), Set<Int64>(), known)
        // One statement, so that the rows are of one version of the database.
        let rows = try Row.fetchCursor(database, sql: select)
        while let row = try rows.next() {
            let id: Int64 = row[0]
            found.insert(id)
            if let revision = Int64.fromDatabaseValue(row[1]) {
                if let known, revision < known, ids.contains(id) { continue }
                greatest = max(greatest ?? revision, revision)
            }
            edits[id] = try record(row)
        }
        for id in ids.subtracting(found) { edits[id] = .some(nil) }
        (self.dataVersion, self.schemaVersion) = (dataVersion, schemaVersion)
        greatestRevision = greatest
        take(edits)
        shared.withLock { shared in
            // The store may have been closed since.
            if shared.failure?.code != .storeClosed { shared.failure = nil }
            shared.isBehind = false
        }
    }

    private func record(_ row: Row) throws -> Record {
        let record = try Record(row: row)
        guard record.id == row[0] else {
            throw unsupported("'\(key)' is not the `id` of its records")
        }
        return record
    }

    private func unsupported(_ reason: String) -> TableFeedError {
        TableFeedError(.unsupportedTable, "the table '\(name)' cannot be followed: \(reason)")
    }

    private func readSchema(_ database: Database) throws {
        database.clearSchemaCache()
        // SQLite reports no changes of views, virtual tables and tables without a rowid.
        let sql = "SELECT type = 'table' AND NOT wr FROM pragma_table_list(?) WHERE schema = 'main'"
        guard let hasEvents = try Bool.fetchOne(database, sql: sql, arguments: [name]) else {
            throw TableFeedError(.tableMissing, "the database has no table '\(name)'")
        }
        // A primary key with an index of its own is not the rowid, as with `DESC`.
        let indexes = "SELECT max(\"unique\"), max(origin = 'pk') FROM pragma_index_list(?, 'main')"
        let found = try Row.fetchOne(database, sql: indexes, arguments: [name])
        hasUniqueIndexes = found?[0] ?? false
        guard hasEvents, found?[1] != true,
            let key = try database.primaryKey(name, in: "main").rowIDColumn
        else { throw unsupported("it has no rowid that is an INTEGER PRIMARY KEY") }
        self.key = key.lowercased()
    }

    // MARK: Editing

    /// Adds edits to those that the store receives in its next transaction. There is at most one
    /// such transaction, however slow the store is.
    private func take(_ edits: [Int64: Record?]) {
        for (id, record) in edits {
            if record == nil { ids.remove(id) } else { ids.insert(id) }
        }
        if edits.isEmpty { return }
        let isSubmitted = shared.withLock { shared in
            shared.edits.merge(edits) { $1 }
            defer { shared.isSubmitted = true }
            return shared.isSubmitted
        }
        if isSubmitted { return }
        table.store.submit { [self] transaction in
            let edits = shared.withLock { shared in
                defer { (shared.edits, shared.isSubmitted) = ([:], false) }
                return shared.edits
            }
            for (id, record) in edits.sorted(by: { $0.key < $1.key }) {
                if let record {
                    transaction.upsert(record, in: table)
                } else {
                    transaction.remove(id, from: table)
                }
            }
        } completion: { [self] result in
            if case .failure = result { fail(.storeClosed) }
        }
    }
}
