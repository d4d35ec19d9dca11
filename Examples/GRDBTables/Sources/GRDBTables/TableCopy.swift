import CollectionTables
import GRDB

/// The copy of one table, whatever its records are.
///
/// All calls come from the queue of the database's writer. ``stage()`` and ``takeEdits()`` are
/// called with the lock of the observer.
// Unchecked: `edits` is protected by that lock; the other state is confined to the queue.
final class TableCopy: @unchecked Sendable {
    typealias Edit = @Sendable (borrowing StoreTransaction) -> Void

    /// Decodes a row; returns the `id` of the record, and the edit that inserts or replaces it.
    private let upsert: (Row) throws -> (id: Int64, edit: Edit)
    private let remove: (Int64) -> Edit
    private let revision: String?
    /// The name of the table, in the spelling of the schema.
    private var name: String
    /// The column that is the primary key, in the spelling of the schema.
    private var key = ""
    private var hasUniqueIndexes = false
    /// The keys of the rows that the copy has, or will have after the edits.
    private var ids: Set<Int64> = []
    /// The greatest revision when all rows were compared last. Rows that are fetched on their own
    /// do not count: rows of another process with smaller revisions may be unknown.
    private var greatestRevision: Int64?

    /// The changed rows that were committed, but not read.
    private var committed: Set<Int64> = []
    /// Whether rows may have been deleted without events.
    private var needsCount = false

    // The current transaction.
    private var changed: Set<Int64> = []
    private var mayHaveReplaced = false
    private var deletes = false
    private var hasDeleted = false

    /// The edits of rows that were read, which are not yet among `edits`; `nil` removes a row.
    private var fetched: [Int64: Edit?] = [:]
    private var fetchedRevision: Int64?
    /// The edits that the store has not received yet. They are bounded by the rows of the table.
    private var edits: [Int64: Edit?] = [:]

    init<Record: FetchableRecord>(_ table: LiveTable<Record>, name: String, revision: String?)
    where Record.ID == Int64 {
        (self.name, self.revision) = (name, revision)
        upsert = { row in
            let record = try Record(row: row)
            return (record.id, { $0.upsert(record, in: table) })
        }
        remove = { id in { $0.remove(id, from: table) } }
    }

    // MARK: Events

    /// Prepares for a statement; returns whether it may change the table.
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        guard kind.tableName == name else { return false }
        switch kind {
        case .insert:
            if hasUniqueIndexes { mayHaveReplaced = true }
        case .update(_, let columns):
            // The old key of a row has no event.
            let names = [key.lowercased(), "rowid"]
            let changesKey = columns.contains { names.contains($0.lowercased()) }
            if hasUniqueIndexes || changesKey { mayHaveReplaced = true }
        case .delete:
            deletes = true
        }
        return true
    }

    /// Adds the row of an event to those that the transaction changes.
    func note(_ event: DatabaseEvent) {
        guard event.tableName == name else { return }
        changed.insert(event.rowID)
        if event.kind == .delete { hasDeleted = true }
    }

    /// Adds the changes of the transaction to those that were committed; returns whether there are
    /// any.
    func willCommit() -> Bool {
        committed.formUnion(changed)
        // A statement that was compiled before the observer was added may delete without events.
        if mayHaveReplaced || deletes && !hasDeleted { needsCount = true }
        forgetChanges()
        return needsCount || !committed.isEmpty
    }

    /// Forgets the changes of the transaction.
    func forgetChanges() {
        changed = []
        (mayHaveReplaced, deletes, hasDeleted) = (false, false, false)
    }

    // MARK: Reading

    private var from: String { "FROM main.\(name.quotedDatabaseIdentifier)" }

    private var select: String {
        // After all columns, because a record may be decoded from the indexes of its columns.
        "SELECT *, \(key.quotedDatabaseIdentifier), "
            + "\(revision?.quotedDatabaseIdentifier ?? "NULL") \(from)"
    }

    /// Reads the rows of committed changes.
    func fetchChanges(_ database: Database) throws {
        (fetched, fetchedRevision) = ([:], greatestRevision)
        if committed.isEmpty, !needsCount { return }
        let condition = " WHERE \(key.quotedDatabaseIdentifier) = ?"
        let statement = try database.cachedStatement(sql: select + condition)
        for id in committed {
            fetched[id] = .some(try Row.fetchOne(statement, arguments: [id]).map(edit))
        }
        guard needsCount else { return }
        let expected = fetched.reduce(ids.count) { count, edit in
            count + (edit.value == nil ? 0 : 1) - (ids.contains(edit.key) ? 1 : 0)
        }
        // Insertions and updates have events, so the copy can only have too many rows.
        if try Int.fetchOne(database, sql: "SELECT count(*) \(from)") != expected {
            let sql = "SELECT \(key.quotedDatabaseIdentifier) \(from)"
            let found = try Int64.fetchSet(database, sql: sql)
            for id in ids.subtracting(found) { fetched[id] = .some(nil) }
        }
    }

    /// Reads all rows; or, if revisions are trusted, all keys, and the rows with new revisions.
    func compare(_ database: Database, trustingRevisions: Bool) throws {
        fetched = [:]
        let known = trustingRevisions ? greatestRevision : nil
        var (found, greatest) = (Set<Int64>(), known)
        let rows = try Row.fetchCursor(database, sql: select)
        while let row = try rows.next() {
            let id: Int64 = row[row.count - 2]
            found.insert(id)
            if let revision = Int64.fromDatabaseValue(row[row.count - 1]) {
                if let known, revision < known, ids.contains(id), !committed.contains(id) {
                    continue
                }
                greatest = max(greatest ?? revision, revision)
            }
            fetched[id] = try edit(row)
        }
        for id in ids.subtracting(found) { fetched[id] = .some(nil) }
        fetchedRevision = greatest
    }

    private func edit(_ row: Row) throws -> Edit {
        let (id, edit) = try upsert(row)
        guard id == row[row.count - 2] else {
            throw unsupported("'\(key)' is not the `id` of its records")
        }
        return edit
    }

    private func unsupported(_ reason: String) -> TableFeedError {
        TableFeedError(.unsupportedTable, "the table '\(name)' cannot be followed: \(reason)")
    }

    func readSchema(_ database: Database) throws {
        database.clearSchemaCache()
        // SQLite reports no changes of views, virtual tables and tables without a rowid.
        let sql = """
            SELECT name, type = 'table' AND NOT wr FROM pragma_table_list(?) WHERE schema = 'main'
            """
        guard let found = try Row.fetchOne(database, sql: sql, arguments: [name]) else {
            throw TableFeedError(.tableMissing, "the database has no table '\(name)'")
        }
        name = found[0]
        // GRDB does not escape it, not even in its own queries.
        if name.contains("\"") { throw unsupported("a name contains a quotation mark") }
        // A primary key with an index of its own is not the rowid, as with `DESC`.
        let sqlOfIndexes =
            "SELECT max(\"unique\"), max(origin = 'pk') FROM pragma_index_list(?, 'main')"
        let indexes = try Row.fetchOne(database, sql: sqlOfIndexes, arguments: [name])
        hasUniqueIndexes = indexes?[0] ?? false
        guard found[1], indexes?[1] != true,
            let key = try database.primaryKey(name, in: "main").rowIDColumn
        else { throw unsupported("it has no rowid that is an INTEGER PRIMARY KEY") }
        self.key = key
        let columns = try database.columns(in: name, in: "main").map { $0.name.lowercased() }
        if let revision, !columns.contains(revision.lowercased()) {
            throw unsupported("it has no column '\(revision)'")
        }
        if (key + (revision ?? "")).contains("\"") {
            throw unsupported("a name contains a quotation mark")
        }
    }

    // MARK: Editing

    /// Adds what was read to the edits; returns whether there was anything.
    func stage() -> Bool {
        for (id, edit) in fetched {
            if edit == nil { ids.remove(id) } else { ids.insert(id) }
        }
        edits.merge(fetched) { $1 }
        greatestRevision = fetchedRevision
        (committed, needsCount) = ([], false)
        defer { fetched = [:] }
        return !fetched.isEmpty
    }

    /// Returns the edits, and forgets them.
    func takeEdits() -> [Int64: Edit?] { exchange(&edits, with: [:]) }

    /// Makes edits in the order of the rows' keys.
    func make(_ edits: [Int64: Edit?], in transaction: borrowing StoreTransaction) {
        for (id, edit) in edits.sorted(by: { $0.key < $1.key }) {
            (edit ?? remove(id))(transaction)
        }
    }
}
