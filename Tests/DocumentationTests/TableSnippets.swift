import CollectionPublishing
import CollectionTables
import SimulatedView

/// The samples about tables, which `TableTests` runs. Unlike the orders of the README, these have
/// amounts.
enum TableSamples {
    struct Order: Identifiable, Equatable {
        let id: Int
        var customer: String
        var state: String
        var amount: Int
    }

    struct Customer: Identifiable, Equatable {
        let id: String
        var city: String
    }

    final class OrderBoard: Sendable {
        typealias List = DerivedList<Order.ID, Order, AggregatedHeader<String, Sum<Int>>>

        let store: LiveStore
        let orders: LiveTable<Order>
        let search: LiveParameter<String>
        let list: List

        init() {
            store = LiveStore()
            orders = LiveTable(in: store)
            search = LiveParameter("", in: store)
            list = orders.rows
                .filter(search) { order, text in order.customer.hasPrefix(text) }
                .sorted(on: \.amount, descending: true)
                .sectioned(by: \.state, order: .declared(["new", "paid"]))
                .aggregated { order in Sum(order.amount) }
        }
    }

    static func liveList() -> LiveList<OrderBoard.List.State> {
        let list = LiveList(states: OrderBoard.List.State.self, version: \.version) { order in
            "<p>\(order.customer): \(order.amount)</p>"
        } header: { header in
            "<h2>\(header.header): \(header.value.value)</h2>"
        }
        return list
    }

    static func show(_ board: OrderBoard, in list: LiveList<OrderBoard.List.State>) async {
        // Ends when the task is cancelled.
        await list.run(showing: board.list.states)
    }

    static func write(
        _ order: Order,
        to board: OrderBoard,
        _ list: LiveList<OrderBoard.List.State>
    ) async throws -> PublishedVersion {
        try await board.orders.upsert([order])
        let version = try await list.apply(board.list.state)
        return version
    }

    static func edit(_ board: OrderBoard) async throws {
        try await board.orders.upsert([
            Order(id: 1, customer: "Ada", state: "new", amount: 12),
            Order(id: 2, customer: "Grace", state: "new", amount: 30),
            Order(id: 3, customer: "Alan", state: "paid", amount: 7),
        ])
        // One version: a row moves to another section, and both totals change.
        try await board.store.transaction { transaction in
            guard var order = transaction.row(1, in: board.orders) else { return }
            order.state = "paid"
            transaction.upsert(order, in: board.orders)
        }
        board.search.set("A")  // the order of Grace leaves the list
    }

    static func page(of board: OrderBoard) -> (LiveParameter<ListWindow<Order.ID>>, OrderBoard.List)
    {
        let window = LiveParameter(ListWindow<Order.ID>.rows(0..<50), in: board.store)
        let page = board.list.window(window)
        window.set(.around(7, before: 20, after: 30))  // order 7 stays, whatever happens above it
        return (window, page)
    }
}

// The samples in the comments of the module.
extension TableSamples {
    static func store() async throws -> [[Order]] {
        let store = LiveStore()
        let orders = LiveTable(of: Order.self, in: store)
        let open = orders.rows.filter { $0.state == "open" }.sorted(on: \.amount, descending: true)
        try await store.transaction { transaction in
            transaction.upsert(Order(id: 1, customer: "Ada", state: "open", amount: 12), in: orders)
        }
        return open.state.rows
    }

    static func table() async throws -> [String] {
        let orders = LiveTable(of: Order.self)
        let byState = orders.rows.sectioned(by: \.state)
        try await orders.upsert([Order(id: 1, customer: "Ada", state: "open", amount: 12)])
        return byState.state.sections
    }

    static func list(_ orders: LiveTable<Order>) async throws -> Order? {
        let open = orders.rows
            .filter { $0.state == "open" }
            .sorted(on: \.amount, descending: true)
            .sectioned(by: \.customer)
        try await orders.store.transaction { _ in }
        return open.state.row(at: ItemPath(section: 0, item: 0))
    }

    static func parameter(_ orders: LiveTable<Order>, in store: LiveStore) async throws -> [[Order]]
    {
        let search = LiveParameter("", in: store)
        let found = orders.rows.filter(search) { order, text in order.customer.hasPrefix(text) }
        search.set("An")
        try await store.transaction { _ in }
        return found.state.rows
    }

    static func totals(_ orders: LiveTable<Order>) async throws -> [Sum<Int>] {
        let totals = orders.rows.sectioned(by: \.state).aggregated { Sum($0.amount) }
        try await orders.store.transaction { _ in }
        return totals.state.sections.map(\.value)
    }

    static func show(
        _ orders: LiveTable<Order>,
        in view: SimulatedCollectionView
    ) async throws -> ElementMap {
        let byState = orders.rows.sectioned(by: \.state)
        try await orders.store.transaction { _ in }
        let controller = DataController(
            states: DerivedState<Int, Order, String>.self,
            view: view,
            makeNode: { order in PostNode(order.customer) }
        )
        try await controller.apply(byState.state)
        await controller.close()
        return controller.visibleMap
    }
}
