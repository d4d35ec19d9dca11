import CollectionPublishing
import GRDB
import ServiceLifecycle

/// An order: a row of the table and of the list.
struct Order: Decodable, Equatable, FetchableRecord, Identifiable {
    enum State: String, CaseIterable, Decodable {
        case new, paid, shipped
    }

    let id: Int64
    let customer: String
    let total: String
    let state: State

    var html: HTML {
        let buttons: [HTML] = State.allCases.map { "<button>\($0.rawValue)</button>" }
        return "<p id=\"order-\(id)\">\(customer): \(total) \(buttons)<button>delete</button></p>"
    }
}

/// The title above the orders of one state: a section of the list.
struct Title: Equatable, Identifiable {
    let id: Order.State
    let count: Int

    var html: HTML { "<h2>\(id.rawValue) (\(count))</h2>" }
}

/// The table of orders, and the list that shows it.
struct OrderStore: Service {
    let database: DatabaseQueue
    let list = LiveList(rows: Order.self, sections: Title.self, payload: \.html, header: \.html)

    init(file: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)  // while another process writes
        database = try DatabaseQueue(path: file, configuration: configuration)
        let schema = String(decoding: PackageResources.schema_sql, as: UTF8.self)
        try database.write { try $0.execute(sql: schema) }
    }

    func orders() async throws -> SectionedRows<Title, Order> {
        let orders = try await database.read { try Order.fetchAll($0, sql: "SELECT * FROM shown") }
        let groups = Dictionary(grouping: orders, by: \.state)
        let states = Order.State.allCases.map { ($0, groups[$0, default: []]) }
        return SectionedRows(states.map { (Title(id: $0, count: $1.count), $1) })
    }

    /// Follows the writes of other processes, and closes the list on a graceful shutdown.
    func run() async {
        await cancelWhenGracefulShutdown { await list.run(refreshingEvery: .seconds(1), orders) }
    }
}
