import CollectionTables
import Foundation
import GRDB
import GRDBTables
import Testing

/// A row of one of the two tables that the tests follow.
struct Item: Codable, Equatable, FetchableRecord, Identifiable {
    let id: Int64
    var code: String?
    var parent: Int64?
    var value: Int
    var revision: Int?
}

/// A row of the other table.
struct Parent: Codable, Equatable, FetchableRecord, Identifiable {
    let id: Int64
    var value: Int
}

enum Kind: CaseIterable { case queue, pool }

/// A file with two tables, a feed of them, and a connection that the feed does not observe.
final class Scene: Sendable {
    static let schema = """
        CREATE TABLE parent (id INTEGER PRIMARY KEY, value INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE item (
            id INTEGER PRIMARY KEY, code TEXT UNIQUE, value INTEGER NOT NULL DEFAULT 0,
            parent INTEGER REFERENCES parent ON DELETE CASCADE ON UPDATE SET NULL, revision INTEGER
        );
        INSERT INTO parent (id) VALUES (1), (2);
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
    let feed: DatabaseFeed
    let items: LiveTable<Item>
    let parents: LiveTable<Parent>

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
        feed = DatabaseFeed(of: database)
        items = try await feed.follow("ITEM", revision: revision)
        parents = try await feed.follow("parent")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Executes statements without a transaction around them.
    func execute(_ sql: String, in database: (any DatabaseWriter)? = nil) async throws {
        try await (database ?? self.database).writeWithoutTransaction { database in
            try database.execute(sql: sql)
        }
    }

    /// Whether the copies equal the tables, as another connection reads them.
    func isRight() async throws -> Bool {
        let (expected, expectedParents) = try await other.read { database in
            (
                try Item.fetchAll(database, sql: "SELECT * FROM item ORDER BY id"),
                try Parent.fetchAll(database, sql: "SELECT * FROM parent ORDER BY id")
            )
        }
        return items.rows.state.rows[0].sorted { $0.id < $1.id } == expected
            && parents.rows.state.rows[0].sorted { $0.id < $1.id } == expectedParents
    }
}
