import Foundation
import GRDB
import GRDBTables
import Testing

/// A row of the table that the tests follow.
struct Item: Codable, Equatable, FetchableRecord, Identifiable {
    let id: Int64
    var code: String?
    var parent: Int64?
    var value: Int
    var revision: Int?
}

enum Kind: CaseIterable { case queue, pool }

/// A file with a table, a feed of it, and a connection that the feed does not observe.
final class Scene: Sendable {
    static let schema = """
        CREATE TABLE parent (id INTEGER PRIMARY KEY);
        CREATE TABLE item (
            id INTEGER PRIMARY KEY, code TEXT UNIQUE, value INTEGER NOT NULL DEFAULT 0,
            parent INTEGER REFERENCES parent ON DELETE CASCADE ON UPDATE SET NULL, revision INTEGER
        );
        INSERT INTO parent VALUES (1), (2);
        INSERT INTO item (code, value, parent) VALUES
            ('a', 10, 1), ('b', 20, 1), ('c', 30, 2), ('d', 40, NULL), ('e', 50, NULL);
        CREATE TRIGGER adopt AFTER INSERT ON parent
        BEGIN INSERT INTO item (parent, value) VALUES (new.id, 1); END;
        CREATE TRIGGER expel AFTER UPDATE OF value ON item WHEN new.value = 13
        BEGIN DELETE FROM item WHERE id = new.id + 1; END;
        """

    let folder: URL
    let database: any DatabaseWriter
    let other: DatabaseQueue
    let feed: TableFeed<Item>

    var file: URL { folder.appendingPathComponent("test.sqlite") }

    init(
        _ kind: Kind = .queue,
        revision: String? = nil,
        before: @Sendable (Database) throws -> Void = { _ in }
    ) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("test.sqlite").path
        var configuration = Configuration()
        configuration.busyMode = .timeout(0.2)
        configuration.allowsUnsafeTransactions = true
        database =
            kind == .pool
            ? try DatabasePool(path: path, configuration: configuration)
            : try DatabaseQueue(path: path, configuration: configuration)
        other = try DatabaseQueue(path: path, configuration: configuration)
        try await database.writeWithoutTransaction { database in
            try database.execute(sql: Scene.schema)
            try before(database)
        }
        feed = try await TableFeed(table: "item", in: database, revision: revision)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Executes statements without a transaction around them.
    func execute(_ sql: String, in database: (any DatabaseWriter)? = nil) async throws {
        try await (database ?? self.database).writeWithoutTransaction { database in
            try database.execute(sql: sql)
        }
    }

    /// Whether the copy equals the table, as another connection reads it.
    func isRight() async throws -> Bool {
        let expected = try await other.read { try Item.fetchAll($0, sql: "SELECT * FROM item") }
        let rows = feed.table.rows.state.rows[0].sorted { $0.id < $1.id }
        return rows == expected.sorted { $0.id < $1.id }
    }
}

/// A generator whose numbers repeat for a seed: SplitMix64.
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
}
