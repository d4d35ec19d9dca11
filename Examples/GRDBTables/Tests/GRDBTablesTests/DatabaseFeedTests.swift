import CollectionTables
import Foundation
import GRDB
import GRDBSQLite
import GRDBTables
import PipelineTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2)))
struct DatabaseFeedTests {
    @Test(arguments: Kind.allCases)
    func everyWriteIsOneVersion(_ kind: Kind) async throws {
        let writes = [
            ("UPDATE item SET value = 1 WHERE id = 1", 1),
            ("BEGIN; UPDATE item SET value = 2; INSERT INTO item (code) VALUES ('x'); COMMIT", 1),
            ("UPDATE item SET value = value", 0),
            ("INSERT INTO item (code) SELECT code || '2' FROM item", 1),
            // The row with the same code is deleted without an event.
            ("REPLACE INTO item (id, code) VALUES (100, 'a')", 1),
            (
                "BEGIN; REPLACE INTO item (id, code) VALUES (101, 'b');"
                    + "UPDATE item SET code = 'z' WHERE id = 101; COMMIT", 1
            ),
            ("UPDATE OR REPLACE item SET code = 'c' WHERE id = 100", 1),
            ("INSERT INTO item (code) VALUES ('d') ON CONFLICT DO UPDATE SET value = 7", 1),
            // The old key has no event.
            ("UPDATE item SET id = 200 WHERE id = 4", 1),
            ("UPDATE OR REPLACE item SET rowid = 5 WHERE id = 200", 1),
            ("UPDATE item SET id = id + 1000", 1),
            // Effects of triggers and foreign keys.
            ("INSERT INTO parent (id) VALUES (3)", 1),
            ("UPDATE item SET value = 13 WHERE id = 1100", 1),
            ("UPDATE parent SET id = 4 WHERE id = 3", 1),
            ("INSERT INTO item (id, parent) VALUES (1, 1)", 1),
            ("DELETE FROM parent WHERE id = 1", 1),
            // Nothing of what is undone counts.
            ("BEGIN; DELETE FROM item; ROLLBACK", 0),
            (
                "BEGIN; SAVEPOINT a; DELETE FROM item; ROLLBACK TO a; RELEASE a;"
                    + "INSERT INTO item (id, code) VALUES (2000, 'y'); COMMIT", 1
            ),
            (
                "SAVEPOINT a; SAVEPOINT b; UPDATE item SET value = 8; RELEASE b; ROLLBACK TO a;"
                    + "RELEASE a", 0
            ),
            ("INSERT OR IGNORE INTO item (code) VALUES ('y')", 0),
            // Changes of the schema.
            ("ALTER TABLE item ADD COLUMN note TEXT DEFAULT 'new'", 0),
            (
                "BEGIN; ALTER TABLE item RENAME TO old; CREATE TABLE item AS SELECT * FROM old;"
                    + "DROP TABLE item; ALTER TABLE old RENAME TO item; COMMIT", 0
            ),
            ("VACUUM", 0),
            ("DELETE FROM item", 1),
            ("INSERT INTO item (id) VALUES (1)", 1),
        ]
        let scene = try await Scene(kind)
        for (sql, count) in writes {
            let before = try await scene.feed.caughtUp()
            try await scene.execute(sql)
            #expect(try await scene.feed.caughtUp() == before + count, "\(sql)")
            #expect(try await scene.isRight(), "\(sql)")
        }
    }

    /// A compiled statement. Unchecked: tests use it only in the queue of its database.
    private final class Compiled: @unchecked Sendable { var statement: Statement? }

    @Test func aDeletionThatWasCompiledBeforeTheFeedIsSeen() async throws {
        let compiled = Compiled()
        let scene = try await Scene { database in
            // SQLite deletes without events if there is neither a trigger nor a foreign key.
            try database.execute(sql: "DROP TRIGGER adopt; DROP TRIGGER expel")
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            compiled.statement = try database.makeStatement(sql: "DELETE FROM item")
        }
        try await scene.database.write { _ in try compiled.statement?.execute() }
        try await scene.feed.caughtUp()
        #expect(try await scene.isRight())
    }

    /// An observer that rolls back a transaction of its own after each commit. Unchecked: tests use
    /// it only in the queue of its database.
    private final class Nested: TransactionObserver, @unchecked Sendable {
        var isOn = false
        func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidRollback(_ database: Database) {}
        func databaseDidCommit(_ database: Database) {
            if !isOn { return }
            isOn = false
            try? database.inTransaction { .rollback }
        }
    }

    /// Writes whose events or end GRDB does not report, or reports late.
    private static let unusualWrites: [@Sendable (Database) throws -> Void] = [
        { database in
            let sql = "INSERT INTO item (value) VALUES (3) RETURNING id"
            _ = try Int64.fetchOne(database, sql: sql)
        },
        { database in
            database.afterNextTransaction { try? $0.execute(sql: "UPDATE item SET value = 4") }
        },
        { database in
            // Without events, as by code that has only a pointer to the connection.
            let update = "UPDATE item SET value = 5"
            sqlite3_exec(database.sqliteConnection, update, nil, nil, nil)
            try database.notifyChanges(in: Table("item"))
        },
        { database in
            let update = "UPDATE parent SET id = id + ? WHERE id = 2"
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            try database.cachedStatement(sql: update).execute(arguments: [0])
            try database.execute(sql: "PRAGMA foreign_keys = ON")
            try database.cachedStatement(sql: update).execute(arguments: [9])
        },
        { database in
            // Another column list with the old version of the schema.
            let old = try Int.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
            try database.execute(
                sql: "ALTER TABLE item ADD COLUMN note\(UInt32.random(in: 0 ... .max)); "
                    + "UPDATE item SET value = 6; "
                    + "PRAGMA schema_version = \(old)"
            )
        },
    ]

    @Test(arguments: Kind.allCases, unusualWrites.indices)
    func unusualWritesAreSeen(_ kind: Kind, _ index: Int) async throws {
        let nested = Nested()
        let scene = try await Scene(kind) { $0.add(transactionObserver: nested) }
        for checksFirst in [false, true] {
            try await scene.database.writeWithoutTransaction(Self.unusualWrites[index])
            if checksFirst { await scene.feed.check() }
            try await scene.execute("UPDATE parent SET value = value + 1")
            try await scene.feed.caughtUp()
            #expect(try await scene.isRight())
            try await scene.database.writeWithoutTransaction(Self.unusualWrites[index])
            try await scene.feed.caughtUp()
            if index != 1 { #expect(try await scene.isRight()) }
            try await scene.database.writeWithoutTransaction { _ in nested.isOn = true }
            try await scene.execute("UPDATE item SET value = value + 1")
            try await scene.feed.caughtUp()
            #expect(try await scene.isRight())
        }
    }

    @Test(arguments: Kind.allCases)
    func changesOfOtherConnectionsAreSeen(_ kind: Kind) async throws {
        let scene = try await Scene(kind)
        let running = Task { await scene.feed.run(checkingEvery: .milliseconds(5)) }
        for sql in [
            "UPDATE item SET value = 5", "DELETE FROM item WHERE id = 2",
            "INSERT INTO item (id) VALUES (50)", "ALTER TABLE item ADD COLUMN note",
            "DELETE FROM item",
        ] {
            try await scene.execute(sql, in: scene.other)
            while try await !scene.isRight() { try await Task.sleep(for: .milliseconds(1)) }
        }
        running.cancel()
        await running.value
        #expect(scene.feed.failure == nil)
    }

    @Test func onlyRowsWithANewRevisionAreDecoded() async throws {
        let scene = try await Scene(revision: "revision") { database in
            try database.execute(sql: "UPDATE item SET revision = 1")
        }
        // The second row has a revision, but the older change of the third is unknown.
        try await scene.execute(
            "UPDATE item SET value = 3, revision = 2 WHERE id = 3; "
                + "INSERT INTO item (id, revision) VALUES (60, 2); DELETE FROM item WHERE id = 1",
            in: scene.other
        )
        try await scene.execute("UPDATE item SET value = 2, revision = 3 WHERE id = 2")
        try await scene.feed.caughtUp()
        await scene.feed.check()
        #expect(try await scene.isRight())
        // A change that does not follow the rule is not seen.
        try await scene.execute("UPDATE item SET value = 9 WHERE id = 3", in: scene.other)
        await scene.feed.check()
        #expect(try await !scene.isRight())
        let error = await #expect(throws: TableFeedError.self) {
            _ = try await scene.feed.follow("item", as: Item.self, revision: "version")
        }
        #expect(error?.code == .unsupportedTable)
    }

    @Test(arguments: [
        ("(id TEXT PRIMARY KEY)", TableFeedError.Code.unsupportedTable),
        ("(id INTEGER PRIMARY KEY, value INTEGER) WITHOUT ROWID", .unsupportedTable),
        ("(id INTEGER, value INTEGER)", .unsupportedTable),
        ("(id INTEGER PRIMARY KEY DESC, value INTEGER DEFAULT 0)", .unsupportedTable),
        ("(id INTEGER, value INTEGER DEFAULT 0, number INTEGER PRIMARY KEY)", .unsupportedTable),
        ("(id INTEGER PRIMARY KEY)", .unreadable), ("", .tableMissing),
    ])
    func tablesThatCannotBeFollowed(_ columns: String, _ code: TableFeedError.Code) async throws {
        let scene = try await Scene()
        if !columns.isEmpty {
            try await scene.database.write { database in
                try database.execute(sql: "CREATE TABLE Other \(columns)")
                if columns.contains("value") || !columns.contains("TEXT") {
                    try database.execute(sql: "INSERT INTO other (id) VALUES (7)")
                }
            }
        }
        try await scene.execute("DELETE FROM item WHERE id = 5", in: scene.other)
        let error = await #expect(throws: TableFeedError.self) {
            _ = try await scene.feed.follow("other", as: Item.self)
        }
        #expect(error?.code == code, "\(String(describing: error))")
        // The feed still follows the other tables.
        try await scene.execute("INSERT INTO item (id) VALUES (8)")
        try await scene.feed.caughtUp()
        #expect(try await scene.isRight())
    }

    @Test(arguments: [true, false])
    func faultsAreReportedAndEnd(isOther: Bool) async throws {
        let scene = try await Scene()
        let rows = scene.items.rows.state
        func becomes(_ code: TableFeedError.Code?) async {
            await scene.feed.check()
            #expect(scene.feed.failure?.code == code)
        }
        func execute(_ sql: String) async throws {
            try await scene.execute(sql, in: isOther ? scene.other : scene.database)
        }
        try await execute("ALTER TABLE item RENAME TO hidden")
        await becomes(.tableMissing)
        await #expect(throws: TableFeedError.self) { try await scene.feed.caughtUp() }
        try await execute("ALTER TABLE hidden RENAME TO item")
        await becomes(nil)
        try await execute("ALTER TABLE item RENAME COLUMN value TO worth")
        await becomes(.unreadable)
        #expect(scene.items.rows.state.rows == rows.rows)
        try await execute("ALTER TABLE item RENAME COLUMN worth TO value")
        await becomes(nil)
        // Another connection locks the file.
        try await scene.other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        await becomes(.unreadable)
        try await scene.other.writeWithoutTransaction { database in
            try database.execute(sql: "INSERT INTO item (id) VALUES (70); COMMIT")
        }
        await becomes(nil)
        try await scene.feed.caughtUp()
        #expect(try await scene.isRight())
        // A file that is away, and another one in its place.
        let away = scene.folder.appendingPathComponent("away")
        try FileManager.default.moveItem(at: scene.file, to: away)
        await becomes(.fileMoved)
        try FileManager.default.copyItem(at: away, to: scene.file)
        await becomes(.fileMoved)
        try FileManager.default.removeItem(at: scene.file)
        try FileManager.default.moveItem(at: away, to: scene.file)
        await becomes(nil)
        // The file is no longer a database.
        try Data(repeating: 0xff, count: 100).write(to: scene.file)
        await becomes(.unreadable)
        #expect(scene.items.rows.state.numberOfRows == 6)
        try scene.database.close()
        await becomes(.unreadable)
    }

    /// A record that is decoded from the indexes of its columns.
    private struct Pair: Equatable, FetchableRecord, Identifiable {
        let (id, value): (Int64, Int)
        init(row: Row) { (id, value) = (row[0], row[1]) }
    }

    @Test func followingATableReportsTheFailureOfAnother() async throws {
        let scene = try await Scene()
        try await scene.execute("ALTER TABLE item RENAME TO hidden", in: scene.other)
        let error = await #expect(throws: TableFeedError.self) {
            _ = try await scene.feed.follow("parent", as: Pair.self)
        }
        #expect(error?.code == .tableMissing && scene.feed.failure?.code == .tableMissing)
        try await scene.execute("CREATE TABLE \"a\"\"b\" (id INTEGER PRIMARY KEY)", in: scene.other)
        try await scene.execute("ALTER TABLE hidden RENAME TO item", in: scene.other)
        let pairs = try await scene.feed.follow("parent", as: Pair.self)
        #expect(pairs.rows.state.numberOfRows == 2 && scene.feed.failure == nil)
        let quoted = await #expect(throws: TableFeedError.self) {
            _ = try await scene.feed.follow("a\"b", as: Pair.self)
        }
        #expect(quoted?.code == .unsupportedTable && scene.feed.failure == nil)
    }

    @Test func aClosedStoreEndsTheFeed() async throws {
        let scene = try await Scene()
        await scene.feed.store.close()
        try await scene.execute("DELETE FROM item")
        let error = await #expect(throws: TableFeedError.self) { try await scene.feed.caughtUp() }
        #expect(error?.code == .storeClosed)
        await scene.feed.check()
        #expect(scene.feed.failure?.code == .storeClosed)
    }

    /// Two connections move amounts between rows of one table or of both, and no state has half of a
    /// transfer.
    @Test(arguments: Kind.allCases)
    func transactionsAreNeverDivided(_ kind: Kind) async throws {
        let scene = try await Scene(kind)
        let totals = Mutex<Set<Int>>([])
        let values = scene.items.rows.map(\.value)
            .concatenated(with: scene.parents.rows.map(\.value))
        let observation = values.observe { state in
            let sum = state.rows.joined().reduce(0, +)
            if !state.sections.isEmpty { totals.withLock { _ = $0.insert(sum) } }
        }
        try await withThrowingTaskGroup { group in
            for database in [scene.database, scene.other] {
                group.addTask {
                    for round in 0..<100 {
                        let (from, to) = (round % 5 + 1, round % 2 + 1)
                        let table = round % 3 == 0 ? "item" : "parent"
                        try? await database.write { database in
                            try database.execute(
                                sql: """
                                    UPDATE item SET value = value - 100 WHERE id = \(from);
                                    UPDATE \(table) SET value = value + 100 WHERE id = \(to);
                                    """
                            )
                        }
                        if round % 10 == 0 { await scene.feed.check() }
                    }
                }
            }
            try await group.waitForAll()
        }
        await scene.feed.check()
        try await scene.feed.caughtUp()
        #expect(try await scene.isRight())
        #expect(totals.withLock { $0 } == [150])
        withExtendedLifetime(observation) {}
    }

    /// Statements on a few rows, so that they meet.
    private func statement(_ random: inout SeededGenerator) -> String {
        let (id, key) = (random.next(below: 12), random.next(below: 12))
        let code = random.next(below: 4) == 0 ? "NULL" : "'\(random.next(below: 6))'"
        let value = 10 + random.next(below: 5)
        let parent = random.next(below: 2) == 0 ? "NULL" : "\(random.next(below: 4))"
        let conflict = ["", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ROLLBACK"][
            random.next(below: 5)
        ]
        return [
            "INSERT \(conflict) INTO item (id, code, value) VALUES (\(id), \(code), \(value))",
            "INSERT \(conflict) INTO item (code, parent) VALUES (\(code), \(parent))",
            "UPDATE \(conflict) item SET code = \(code) WHERE id = \(id)",
            "UPDATE \(conflict) item SET id = \(key) WHERE id = \(id)",
            "UPDATE item SET value = \(value) WHERE id >= \(id)",
            "UPDATE item SET value = \(value)",
            "DELETE FROM item WHERE id % 3 = \(id % 3)",
            "INSERT OR IGNORE INTO parent VALUES (\(id % 4), \(value))",
            "UPDATE item SET parent = \(parent) WHERE id = \(id)",
            "UPDATE OR IGNORE parent SET id = \(key % 4) WHERE id = \(id % 4)",
            "DELETE FROM parent WHERE id = \(id % 4)",
            "REPLACE INTO item (id, code) SELECT id + 1, code FROM item WHERE id = \(id)",
            random.next(below: 10) == 0 ? "DELETE FROM item" : "SELECT 1",
        ][random.next(below: 13)]
    }

    @Test(arguments: Kind.allCases, 0..<UInt64(30))
    func randomTransactionsOfTwoConnections(_ kind: Kind, _ seed: UInt64) async throws {
        let scene = try await Scene(kind)
        var random = SeededGenerator(seed: seed)
        for step in 0..<60 {
            let statements = (0..<1 + random.next(below: 4)).map { _ in statement(&random) }
            let (form, place) = (random.next(below: 4), random.next(below: statements.count))
            let isOther = random.next(below: 3) == 0
            let writer: any DatabaseWriter = isOther ? scene.other : scene.database
            try await writer.writeWithoutTransaction { database in
                // A statement that fails may end the transaction, or undo only itself.
                func run(_ sql: String) { try? database.execute(sql: sql) }
                if form > 0 { run("BEGIN IMMEDIATE") }
                for (index, statement) in statements.enumerated() {
                    if form == 3, index == place { run("SAVEPOINT here") }
                    run(statement)
                }
                if form == 3 { run(step % 3 > 0 ? "ROLLBACK TO here" : "RELEASE here") }
                if database.isInsideTransaction { run(form == 2 ? "ROLLBACK" : "COMMIT") }
            }
            if isOther { await scene.feed.check() }
            try await scene.feed.caughtUp()
            let isRight = try await scene.isRight()
            try #require(isRight, "seed \(seed), step \(step): \(statements), form \(form)")
        }
    }
}
