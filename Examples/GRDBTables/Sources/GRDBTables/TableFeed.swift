import CollectionTables
import GRDB

/// A live copy of one SQLite table, kept up to date row by row.
///
/// ```swift
/// let feed = try await TableFeed(of: Order.self, table: "orders", in: database)
/// let open = feed.table.rows.filter { $0.state == "open" }.sorted(on: \.amount)
/// try await database.write { try $0.execute(sql: "UPDATE orders SET state = 'paid'") }
/// try await feed.caughtUp()  // now `open` contains the write
/// ```
///
/// After each transaction of `database`, the feed fetches the rows that the transaction changed, and
/// no others. ``check()``, which ``run(checkingEvery:)`` calls at an interval, finds the changes of
/// other connections and processes by comparing all rows.
///
/// The table needs an `INTEGER PRIMARY KEY`, which is the `id` of the records. Other tables have no
/// events, or keys that SQLite may renumber. Records are decoded from all columns of a row. Their
/// initialiser should throw if a column is missing, as that of a `Decodable` record does.
///
/// Each database transaction is one transaction of the store. If the store is slower than the
/// database, several become one, but none is ever divided. Two feeds in one store are two
/// transactions.
///
/// Threading: every member may be called from any thread. The rows of a transaction are fetched on
/// the writer's queue after the commit, so that fetches have the order of the commits. No writer
/// waits for the store.
///
/// Complexity: O(k log n) for a transaction of k rows. If the table has a unique index, or primary
/// keys change, SQLite also counts the rows, because the rows that `REPLACE` deletes have no events.
/// The feed retains the keys of the table.
public final class TableFeed<Record>: Sendable
where Record: FetchableRecord & Identifiable & Equatable & Sendable, Record.ID == Int64 {
    /// The rows of the table, in the order of their insertion into this copy.
    public let table: LiveTable<Record>

    private let database: any DatabaseWriter
    private let observer: TableObserver<Record>

    /// Creates a feed. Returns when its table contains the rows.
    ///
    /// - Parameters:
    ///   - record: The type of the rows.
    ///   - name: The name of the table in the main database.
    ///   - database: The database whose transactions are observed.
    ///   - store: The store of the copy; by default a new one.
    ///   - revision: The name of a column that every write of every process sets to an integer at
    ///     least as great as all existing ones. Rows with a smaller one than in the previous
    ///     comparison are then not decoded. Deletions are found by comparing all keys.
    /// - Throws: `unsupportedTable`, `tableMissing`, `unreadable`, `fileMoved`, `storeClosed`.
    public init(
        of record: Record.Type = Record.self,
        table name: String,
        in database: any DatabaseWriter,
        store: LiveStore = LiveStore(),
        revision: String? = nil
    ) async throws(TableFeedError) {
        table = LiveTable(of: record, in: store)
        self.database = database
        observer = TableObserver(table, name: name, revision: revision)
        await check(isFirst: true)
        if let failure { throw failure }
        try await caughtUp()
    }

    /// The reason why the table may lack changes; `nil` if there is none. The table keeps its last
    /// rows, and the next successful ``check()`` replaces all that differ.
    public var failure: TableFeedError? { observer.failure }

    /// Waits until the table, and every list that is derived from it, contains everything that was
    /// committed through `database` before the call.
    ///
    /// - Returns: A version of the store that contains it.
    /// - Throws: The ``failure``, if the table could not be brought up to date.
    @discardableResult
    public func caughtUp() async throws(TableFeedError) -> Int {
        if observer.needsCheck { await check() }
        let version: Int
        do {
            version = try await table.store.transaction { _ in }
        } catch {
            throw .storeClosed
        }
        if let failure { throw failure }
        return version
    }

    /// Compares the table with the database if another connection has changed the database since
    /// the previous comparison, or if there is a ``failure``. Otherwise it costs three short
    /// queries.
    ///
    /// Complexity: O(n) if there is something to compare, on the writer's queue. Equal rows are not
    /// edited.
    public func check() async { await check(isFirst: false) }

    private func check(isFirst: Bool) async {
        // A task of its own, because GRDB would interrupt the queries of a cancelled one.
        await Task { [database, observer] in
            do {
                try await database.writeWithoutTransaction { database in
                    if isFirst { database.add(transactionObserver: observer) }
                    observer.check(database)
                }
            } catch {
                observer.fail(.unreadable(error))
            }
        }.value
    }

    /// Calls ``check()`` at intervals, until the task is cancelled.
    public func run(checkingEvery interval: Duration = .seconds(1)) async {
        while !Task.isCancelled {
            await check()
            try? await Task.sleep(for: interval)
        }
    }
}

/// An error that prevents a ``TableFeed`` from following its table.
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
        /// The store of the copy is closed. The feed has ended.
        case storeClosed
    }

    /// The kind of the error.
    public let code: Code

    /// A sentence that describes the error.
    public let description: String

    init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }

    static func unreadable(_ error: any Error) -> TableFeedError {
        TableFeedError(
            .unreadable,
            "the table keeps its last rows, because reading failed: \(error)"
        )
    }

    static let fileMoved = TableFeedError(
        .fileMoved,
        "the file of the database was moved, removed or replaced; open the database again"
    )

    static let storeClosed = TableFeedError(.storeClosed, "the store of the copy is closed")
}
