import CollectionPublishing
import CollectionTables
import Foundation
import PipelineTestSupport
import SimulatedView
import Testing

/// Runs the samples about tables, and every row of the article's tables of operators.
@Suite(.endsHangs) final class TableTests {
    private typealias Order = TableSamples.Order
    private typealias Customer = TableSamples.Customer

    @Test func ordersAndTotalsOfATableReachTheHub() async throws {
        let board = TableSamples.OrderBoard()
        try await TableSamples.edit(board)
        let (window, page) = TableSamples.page(of: board)
        try await board.store.transaction { _ in }
        withExtendedLifetime(window) { #expect(page.state.keys == [[], [1, 3]]) }
        let list = TableSamples.liveList()
        let showing = Task { await TableSamples.show(board, in: list) }
        let anna = Order(id: 4, customer: "Anna", state: "new", amount: 5)
        let version = try await TableSamples.write(anna, to: board, list)
        var replica = CollectionReplica()
        for await message in try list.hub.messages() {
            try replica.apply(message)
            if replica.version?.hasReached(version) == true { break }
        }
        func texts(_ payloads: [PublishedPayload?]) -> [String] {
            payloads.map { String(decoding: $0?.bytes ?? [], as: UTF8.self) }
        }
        let headers = [0, 1].map { replica.state.section(at: $0)?.payload }
        #expect(texts(headers) == ["<h2>new: 5</h2>", "<h2>paid: 19</h2>"])
        let paths = [ItemPath(section: 0, item: 0), ItemPath(section: 1, item: 0), ItemPath(1, 1)]
        let rows = paths.map { replica.state.item(at: $0)?.payload }
        #expect(texts(rows) == ["<p>Anna: 5</p>", "<p>Ada: 12</p>", "<p>Alan: 7</p>"])
        showing.cancel()
        await showing.value
    }

    @Test func theSamplesOfTheModuleRun() async throws {
        let ada = Order(id: 1, customer: "Ada", state: "open", amount: 12)
        #expect(try await TableSamples.store() == [[ada]])
        #expect(try await TableSamples.table() == ["open"])
        let store = LiveStore()
        let orders = LiveTable(of: Order.self, in: store)
        let anna = Order(id: 2, customer: "Anna", state: "open", amount: 20)
        try await orders.upsert([ada, anna])
        #expect(try await TableSamples.parameter(orders, in: store) == [[anna]])
        #expect(try await TableSamples.list(orders) == anna)
        #expect(try await TableSamples.totals(orders) == [Sum(32)])
        let view = SimulatedCollectionView(size: Size(width: 40, height: 10))
        let map = try await TableSamples.show(orders, in: view)
        #expect(map.items.map { $0.content.model as? Order } == [ada, anna])
    }

    // MARK: Tables of operators

    /// The tables before each edit.
    private final class Fixture: Sendable {
        let store = LiveStore()
        let orders: LiveTable<Order>
        let customers: LiveTable<Customer>
        let flag: LiveParameter<Bool>
        let window: LiveParameter<ListWindow<Int>>

        init() {
            orders = LiveTable(in: store)
            customers = LiveTable(in: store)
            flag = LiveParameter(true, in: store)
            window = LiveParameter(.rows(0..<0), in: store)
        }

        var bySection: DerivedList<Int, Order, String> {
            orders.rows.sectioned(by: \.state, order: .ascending).sorted(on: \.amount)
        }

        func fill() async throws {
            try await store.transaction { [orders, customers] transaction in
                let rows = [
                    (1, "Ada", "new"), (2, "Bob", "new"), (3, "Cyd", "new"), (4, "Dan", "paid"),
                ]
                for (id, customer, state) in rows {
                    let order = Order(id: id, customer: customer, state: state, amount: id * 10)
                    transaction.upsert(order, in: orders)
                }
                for id in ["Ada", "Bob", "Zoe"] {
                    transaction.upsert(Customer(id: id, city: "Rome"), in: customers)
                }
            }
        }

        func insert(_ amount: Int, _ state: String = "new") async throws {
            try await orders.upsert([Order(id: 5, customer: "Eve", state: state, amount: amount)])
        }

        func change(_ id: Int, _ body: @escaping @Sendable (inout Order) -> Void) async throws {
            try await store.transaction { [orders] transaction in
                guard var order = transaction.row(id, in: orders) else { return }
                body(&order)
                transaction.upsert(order, in: orders)
            }
        }
    }

    private typealias Edits = KeyValuePairs<String, (Fixture) async throws -> Void>

    /// The rows of the tables below each heading of the article.
    private let tables: [String: [String: String]]
    private var checked: [String: Set<String>] = [:]

    init() throws {
        let text = try Documents.text("\(Documents.guide)/FromATableToALiveList.md")
        var tables: [String: [String: String]] = [:]
        for section in text.components(separatedBy: "\n#### ").dropFirst() {
            let lines = section.components(separatedBy: "\n### ")[0].split(separator: "\n")
            for line in lines where line.hasPrefix("| ") && !line.hasPrefix("| input edit") {
                let cells = line.split(separator: "|").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                tables[String(lines[0]), default: [:]][cells[0]] = cells[1]
            }
        }
        self.tables = tables
    }

    private func check<Key, Row, Header>(
        _ name: String,
        _ list: (Fixture) -> DerivedList<Key, Row, Header>,
        _ edits: Edits
    ) async throws {
        for (label, edit) in edits {
            let fixture = Fixture()
            let list = list(fixture)
            try await fixture.fill()
            let old = list.state
            try await edit(fixture)
            try await fixture.store.transaction { _ in }
            #expect(list.failure == nil)
            let update = try list.state.changes(from: old, options: DifferenceOptions()) { false }
            let output = Self.words(update, old.sections, list.state.sections)
            let documented = tables[name]?[label]?.components(separatedBy: ";")[0]
            #expect(documented == output, "\(name): \(label)")
            checked[name, default: []].insert(label)
        }
    }

    private static func words<Header: Equatable>(
        _ update: ValidatedChangeSet,
        _ old: [Header],
        _ new: [Header]
    ) -> String {
        let removed = update.itemRemovals.map(\.role), inserted = update.itemInsertions.map(\.role)
        let removedSections = update.sectionRemovals.map(\.role)
        let insertedSections = update.sectionInsertions.map(\.role)
        let headers = new.indices.contains { section in
            update.oldSection(for: section).map { old[$0] != new[section] } ?? false
        }
        let words: KeyValuePairs = [
            "remove": removed.contains(.delete), "insert": inserted.contains(.insert),
            "move": inserted.contains(.move), "update": !update.reconfigurations.isEmpty,
            "remove section": removedSections.contains(.delete),
            "insert section": insertedSections.contains(.insert),
            "move section": insertedSections.contains(.move), "header": headers,
        ]
        let parts = words.filter(\.value).map(\.key)
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    @Test func theTablesOfOperatorsAreRight() async throws {
        try await checkRows()
        try await checkSections()
        try await checkOtherLists()
        try await checkWindows()
        for (name, rows) in tables {
            #expect(Set(rows.keys) == checked[name], "\(name)")
        }
    }

    private func checkRows() async throws {
        try await check(
            "map",
            { $0.bySection.map { $0.customer.prefix(1) } },
            [
                "a row is inserted": { try await $0.insert(25) },
                "a row is removed": { try await $0.orders.remove([2]) },
                "a row changes": { try await $0.change(2) { $0.customer = "Eve" } },
                "a row changes without effect": { try await $0.change(2) { $0.customer = "Ben" } },
                "a row moves within its section": { try await $0.change(2) { $0.amount = 35 } },
                "a row moves to another section": { try await $0.change(2) { $0.state = "paid" } },
            ]
        )
        try await check(
            "filter",
            { $0.bySection.filter($0.flag) { $0.amount >= ($1 ? 20 : 30) } },
            [
                "a row that passes is inserted": { try await $0.insert(25) },
                "a row that fails is inserted": { try await $0.insert(5) },
                "a row that passes is removed": { try await $0.orders.remove([2]) },
                "a row that fails is removed": { try await $0.orders.remove([1]) },
                "a row changes and still passes": {
                    try await $0.change(2) { $0.customer = "Eve" }
                },
                "a row changes and still fails": { try await $0.change(1) { $0.customer = "Eve" } },
                "a row changes and now passes": { try await $0.change(1) { $0.amount = 22 } },
                "a row changes and now fails": { try await $0.change(2) { $0.amount = 2 } },
                "the last row of a section now fails": { try await $0.change(4) { $0.amount = 4 } },
                "a row moves within its section": { try await $0.change(2) { $0.amount = 35 } },
                "a row moves to another section": { try await $0.change(2) { $0.state = "paid" } },
                "the parameter changes": { $0.flag.set(false) },
            ]
        )
        try await check(
            "sorted",
            { fixture in
                fixture.orders.rows.sectioned(by: \.state, order: .ascending)
                    .sorted(fixture.flag) { $2 ? $0.amount < $1.amount : $1.amount < $0.amount }
            },
            [
                "a row is inserted": { try await $0.insert(25) },
                "a row is removed": { try await $0.orders.remove([2]) },
                "a row changes and keeps its place": { try await $0.change(2) { $0.amount = 22 } },
                "a row changes its place": { try await $0.change(2) { $0.amount = 35 } },
                "a row moves to another section": { try await $0.change(2) { $0.state = "paid" } },
                "the parameter changes": { $0.flag.set(false) },
            ]
        )
        try await check(
            "flatMap",
            { fixture in
                fixture.orders.rows.sorted(on: \.state).flatMap { order in
                    let keys = Array(0..<(order.amount / 10))
                    return (order.amount % 10 == 5 ? keys.reversed() : keys)
                        .map { (key: $0, row: "\(order.customer) \($0)") }
                }
            },
            [
                "a row is inserted": { try await $0.insert(25) },
                "a row is removed": { try await $0.orders.remove([2]) },
                "a row changes, but not the rows made from it": {
                    try await $0.change(2) { $0.amount = 22 }
                },
                "the rows made from it change": { try await $0.change(2) { $0.customer = "Eve" } },
                "more rows are made from it": { try await $0.change(2) { $0.amount = 30 } },
                "fewer rows are made from it": { try await $0.change(2) { $0.amount = 10 } },
                "they have another order": { try await $0.change(2) { $0.amount = 25 } },
                "the row moves": { try await $0.change(2) { $0.state = "sent" } },
            ]
        )
    }

    private func checkSections() async throws {
        try await check(
            "sectioned",
            { fixture in
                fixture.orders.rows.sectioned(fixture.flag) { $1 ? $0.state : $0.customer }
            },
            [
                "a row of an existing section is inserted": { try await $0.insert(25) },
                "the first row of a section is inserted": { try await $0.insert(25, "sent") },
                "a row is removed": { try await $0.orders.remove([2]) },
                "the last row of a section is removed": { try await $0.orders.remove([4]) },
                "a row changes and keeps its section": {
                    try await $0.change(2) { $0.customer = "Eve" }
                },
                "a row changes its section": { try await $0.change(2) { $0.state = "paid" } },
                "a row changes to a new section": { try await $0.change(2) { $0.state = "sent" } },
                "the last row of a section changes its section": {
                    try await $0.change(4) { $0.state = "new" }
                },
                "the sections' first rows change their order": {
                    try await $0.change(1) { $0.state = "paid" }
                },
                "the parameter changes": { $0.flag.set(false) },
            ]
        )
        try await check(
            "sectioned",
            { $0.orders.rows.sectioned(by: \.state, order: .declared(["new", "paid"])) },
            [
                "the last row of a declared section is removed": {
                    try await $0.orders.remove([4])
                }
            ]
        )
        try await check(
            "aggregated",
            { $0.bySection.aggregated { Sum($0.amount) } },
            [
                "a row is inserted": { try await $0.insert(25) },
                "a row is removed": { try await $0.orders.remove([2]) },
                "a row changes, but not its value": {
                    try await $0.change(2) { $0.customer = "Eve" }
                },
                "a row and its value change": { try await $0.change(2) { $0.amount = 22 } },
                "a row moves to another section": { try await $0.change(2) { $0.state = "paid" } },
            ]
        )
        try await check(
            "aggregated",
            { $0.bySection.aggregated { _ in Sum(1) } },
            ["a row moves within its section": { try await $0.change(2) { $0.amount = 35 } }]
        )
    }

    private func checkOtherLists() async throws {
        try await check(
            "joined",
            { $0.bySection.joined(with: $0.customers, on: \.customer) },
            [
                "a row is inserted": { try await $0.insert(25) },
                "a row is removed": { try await $0.orders.remove([2]) },
                "a row changes": { try await $0.change(2) { $0.amount = 22 } },
                "a row refers to another row": { try await $0.change(2) { $0.customer = "Ada" } },
                "a row moves within its section": { try await $0.change(2) { $0.amount = 35 } },
                "a row moves to another section": { try await $0.change(2) { $0.state = "paid" } },
                "the row that rows refer to is inserted": {
                    try await $0.customers.upsert([Customer(id: "Cyd", city: "Oslo")])
                },
                "it changes": {
                    try await $0.customers.upsert([Customer(id: "Bob", city: "Oslo")])
                },
                "it is removed": { try await $0.customers.remove(["Bob"]) },
                "a row that no row refers to changes": {
                    try await $0.customers.upsert([Customer(id: "Zoe", city: "Oslo")])
                },
            ]
        )
        try await check(
            "concatenated",
            { fixture in
                let new = fixture.orders.rows.filter { $0.state == "new" }.sorted(on: \.amount)
                return new.concatenated(with: fixture.orders.rows.filter { $0.state == "paid" })
            },
            [
                "a row is inserted": { try await $0.insert(25) },
                "a row is removed": { try await $0.orders.remove([2]) },
                "a row changes": { try await $0.change(2) { $0.customer = "Eve" } },
                "a row moves within its list": { try await $0.change(2) { $0.amount = 35 } },
                "a row leaves one list and enters another": {
                    try await $0.change(2) { $0.state = "paid" }
                },
            ]
        )
    }

    private func checkWindows() async throws {
        let common: Edits = [
            "a row is inserted before the window": { try await $0.insert(5) },
            "a row is inserted in the window": { try await $0.insert(25) },
            "a row is inserted after the window": { try await $0.insert(50) },
            "a row before the window is removed": { try await $0.orders.remove([1]) },
            "a row in the window is removed": { try await $0.orders.remove([2]) },
            "a row in the window changes": { try await $0.change(2) { $0.customer = "Eve" } },
            "a row moves out of the window": { try await $0.change(2) { $0.amount = 55 } },
            "a row moves from before the window to after it": {
                try await $0.change(1) { $0.amount = 55 }
            },
            "the parameter changes": { $0.window.set(.rows(0..<2)) },
        ]
        let inside: Edits = [
            "a row moves within the window": { try await $0.change(2) { $0.amount = 35 } }
        ]
        let anchor: Edits = [
            "the anchor moves": { try await $0.change(3) { $0.amount = 55 } },
            "the anchor is removed": { try await $0.orders.remove([3]) },
        ]
        let windows: [(String, ListWindow<Int>, [Edits])] = [
            ("window of rows", .rows(1..<3), [common, inside]),
            ("window around a row", .around(3, before: 1, after: 0), [common, anchor]),
        ]
        for (name, window, edits) in windows {
            for edits in edits {
                try await check(
                    name,
                    { fixture in
                        fixture.window.set(window)
                        return fixture.orders.rows.sorted(on: \.amount).window(fixture.window)
                    },
                    edits
                )
            }
        }
    }
}
