import CollectionTables
import GRDB

/// Live copies of tables of an SQLite database, kept up to date row by row.
///
/// ```swift
/// let feed = DatabaseFeed(of: database)
/// let customers = try await feed.follow("customers", as: Customer.self)
/// let orders = try await feed.follow("orders", as: Order.self)
/// let open = orders.rows.filter { $0.state == "open" }.joined(with: customers, on: \.customerID)
/// try await database.write { try $0.execute(sql: "UPDATE orders SET state = 'paid'") }
/// try await feed.caughtUp()  // now `open` contains the write
/// ```
///
/// After each transaction of `database`, the feed fetches the rows that the transaction changed, and
/// no others. ``check()``, which ``run(checkingEvery:)`` calls at an interval, finds the changes of
/// other connections and processes by comparing all rows.
///
/// Each database transaction is one transaction of the store, whichever tables it changes. If the
/// store is slow, it may receive several at once, but never a part of one.
///
/// A table needs an `INTEGER PRIMARY KEY`, which is the `id` of its records. Other tables have no
/// events, or keys that SQLite may renumber. Records are decoded from all columns of a row. Their
/// initialiser should throw if a column is missing, as that of a `Decodable` record does.
///
/// The copies follow their tables as long as the feed exists.
///
/// Threading: every member may be called from any thread. The rows of a transaction are fetched on
/// the writer's queue after the commit, so that fetches have the order of the commits. No writer
/// waits for the store.
///
/// Complexity: O(k log n) for a transaction of k rows. If a table has a unique index, or primary
/// keys change, SQLite also counts its rows, because the rows that `REPLACE` deletes have no events.
/// The feed retains the keys of the tables.
public final class DatabaseFeed: Sendable {
    /// The store of the copies.
    public let store: LiveStore

    private let observer: DatabaseObserver

    /// Creates a feed without tables.
    ///
    /// - Parameters:
    ///   - database: The database whose transactions are observed.
    ///   - store: The store of the copies; by default a new one.
    public init(of database: any DatabaseWriter, store: LiveStore = LiveStore()) {
        self.store = store
        observer = DatabaseObserver(database, store)
    }

    /// Returns a live copy of a table. It contains the rows of the table, and of the same state of
    /// the database as the other copies of this feed.
    ///
    /// - Parameters:
    ///   - name: The name of the table in the main database.
    ///   - record: The type of the rows.
    ///   - revision: The name of a column that every write of every process, of triggers and of
    ///     foreign keys sets to an integer at least as great as all existing ones. Rows with a smaller one than in the previous
    ///     comparison are then not decoded. Deletions are found by comparing all keys.
    /// - Returns: The copy. Its rows are in the order of their insertion into it.
    /// - Throws: `unsupportedTable`, `tableMissing`, `unreadable`, `fileMoved`, `storeClosed`; also
    ///   the ``failure`` of another copy. The other copies are unchanged.
    public func follow<Record>(
        _ name: String,
        as record: Record.Type = Record.self,
        revision: String? = nil
    ) async throws(TableFeedError) -> LiveTable<Record>
    where Record: FetchableRecord & Identifiable & Equatable & Sendable, Record.ID == Int64 {
        let table = LiveTable(of: record, in: store)
        try await observer.check(adding: TableCopy(table, name: name, revision: revision))
        try await caughtUp()
        return table
    }

    /// The error because of which the copies may lack changes, if any. All copies keep their last
    /// rows, and the next successful ``check()`` replaces all that differ.
    public var failure: TableFeedError? { observer.failure }

    /// Waits until the copies, and every list that is derived from them, contain everything that
    /// was committed through the database of the feed before the call.
    ///
    /// - Returns: A version of the store that contains it.
    /// - Throws: The ``failure``, if the copies could not be brought up to date.
    @discardableResult
    public func caughtUp() async throws(TableFeedError) -> Int {
        if observer.needsCheck { await check() }
        let version: Int
        do {
            version = try await store.transaction { _ in }
        } catch {
            throw .storeClosed
        }
        if let failure { throw failure }
        return version
    }

    /// Compares the copies with the database if they may lack changes: if another connection has
    /// changed the database since the previous comparison, if the schema has changed, or if there is
    /// a ``failure``. Otherwise it costs a few short statements.
    ///
    /// Complexity: O(n) time and memory if there is something to compare, on the writer's queue and
    /// on the lane of the store. Equal rows are not edited.
    public func check() async { try? await observer.check() }

    /// Calls ``check()`` at intervals, until the task is cancelled.
    public func run(checkingEvery interval: Duration = .seconds(1)) async {
        while !Task.isCancelled {
            await check()
            try? await Task.sleep(for: interval)
        }
    }
}

/// An error that prevents a ``DatabaseFeed`` from following its tables.
public struct TableFeedError: Error, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: Sendable {
        /// The table has no rowid that is the `id` of the records, or no such column of revisions.
        case unsupportedTable
        /// The database has no such table.
        case tableMissing
        /// Another file, or none, is at the path of the database.
        case fileMoved
        /// The database could not be read, or a row could not be decoded.
        case unreadable
        /// The store of the copies is closed. The feed has ended.
        case storeClosed
    }

    /// The kind of the error.
    public let code: Code

    /// A sentence that describes the error.
    public let description: String

    init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }

    init(_ error: any Error) {
        self = error as? TableFeedError ?? TableFeedError(.unreadable, "reading failed: \(error)")
    }

    static let fileMoved = TableFeedError(
        .fileMoved,
        "the file of the database was moved, removed or replaced; open the database again"
    )

    static let storeClosed = TableFeedError(.storeClosed, "the store of the copies is closed")
}
