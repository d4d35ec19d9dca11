import CollectionPublishing
import CollectionTables
import GRDB
import GRDBTables
import Hummingbird
import ServiceLifecycle
import Synchronization

/// An order: a row of the table and of the lists.
struct Order: Decodable, Equatable, FetchableRecord, Identifiable {
    enum State: String, CaseIterable, Decodable { case new, paid, shipped }
    static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.convertFromSnakeCase

    let id: Int64
    let customer: String
    let totalCents: Int
    let state: State

    var html: HTML {
        let total = "\(totalCents / 100).\(totalCents / 10 % 10)\(totalCents % 10)"
        let buttons: [HTML] = State.allCases.map { "<button>\($0.rawValue)</button>" }
        return "<p id=\"order-\(id)\">\(customer): \(total) \(buttons)<button>delete</button></p>"
    }
}

/// The orders of customers whose name contains a text. The list closes when it is released.
final class OrderList: Sendable {
    typealias Rows = DerivedList<Int64, Order, AggregatedHeader<Order.State, Sum<Int>>>
    let rows: Rows
    let list = LiveList(states: Rows.State.self, version: \.version, payload: \.html) { title in
        "<h2>\(title.header.rawValue) (\(title.value.value))</h2>"
    }
    let showing: Task<Void, Never>

    init(_ orders: DerivedList<Int64, Order, WholeList>, containing text: String) {
        rows = orders.filter { text.isEmpty || $0.customer.lowercased().contains(text) }
            .sectioned(by: \.state, order: .declared(Order.State.allCases)).aggregated { _ in Sum(1)
            }
        showing = Task { [list, rows] in await list.run(showing: rows.states) }
    }

    deinit { showing.cancel() }
}

/// The table of orders, and the lists that follow it.
final class OrderStore: Service {
    let database: DatabaseQueue
    let feed: DatabaseFeed
    let all: OrderList
    private let byTotal: DerivedList<Int64, Order, WholeList>
    /// The lists of searches, which only their readers retain, and their maximum number.
    private let searches = Mutex<([String: @Sendable () -> OrderList?], limit: Int)>(([:], 100))

    init(file: String) async throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)  // while another process writes
        database = try DatabaseQueue(path: file, configuration: configuration)
        let schema = String(decoding: PackageResources.schema_sql, as: UTF8.self)
        try await database.write { try $0.execute(sql: schema) }
        feed = DatabaseFeed(of: database)
        let orders = try await feed.follow("orders", as: Order.self)
        byTotal = orders.rows.sorted(on: \.totalCents, descending: true)
        all = OrderList(byTotal, containing: "")
    }

    /// Returns the list of a search, which its readers share.
    func orders(containing text: String) throws -> OrderList {
        if text.isEmpty { return all }
        return try searches.withLock { searches in
            if let list = searches.0[text]?() { return list }
            searches.0 = searches.0.filter { $0.value() != nil }
            if searches.0.count >= searches.limit { throw HTTPError(.serviceUnavailable) }
            let list = OrderList(byTotal, containing: text)
            searches.0[text] = { [weak list] in list }
            return list
        }
    }

    /// Follows the writes of other processes, and closes the lists on a graceful shutdown.
    func run() async {
        await cancelWhenGracefulShutdown { await self.feed.run() }
        let lists = searches.withLock { searches in
            searches.limit = 0
            return searches.0.values.compactMap { $0() } + [all]
        }
        for orders in lists { orders.showing.cancel() }
        for orders in lists { await orders.showing.value }
    }
}
