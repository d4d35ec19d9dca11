import CollectionTables

// Costs of lists that are derived from a table: edits, changes of operators, and memory.

extension Benchmark {
    static let tables: [Benchmark] = [
        Benchmark(
            "tables.edits",
            "ten changed rows of 1,000,000 through filter, sort, section and window: over those of 1,000",
            goal: .ratioAtMost(3)
        ) { bench in
            let large = DerivedOrders(1_000_000).nanosecondsOfTenEdits
            let small = DerivedOrders(1_000).nanosecondsOfTenEdits
            return try bench.samples(.hundreds, large, over: small)
        },
        Benchmark(
            "tables.recomputing",
            "the same, with the filter, sort and groups of the standard library as reference",
            goal: .ratioAtLeast(100)
        ) { bench in
            // Not alternately, because recomputing takes the rows of the lists out of the caches.
            let edits = try bench.samples(.hundreds, DerivedOrders(1_000_000).nanosecondsOfTenEdits)
            return Measurement(edits, over: try bench.samples(.few, RecomputedOrders().nanoseconds))
        },
        Benchmark(
            "tables.predicate",
            "a predicate that changes for 1,000,000 rows with 1,000 differences: over Array.filter",
            goal: .ratioAtMost(2)
        ) { bench in
            let rows = Order.random(1_000_000)
            let (store, table) = Order.table(of: rows)
            let limit = LiveParameter(500_000, in: store)
            let list = table.rows.filter(limit) { $0.amount < $1 }
            var isUpper = false
            return bench.samples(.few) {
                isUpper.toggle()
                let time = Stopwatch.threadNanoseconds { limit.set(isUpper ? 501_000 : 500_000) }
                BlackHole.consume(list.state.numberOfRows)
                return time
            } over: {
                let limit = opaque(500_000)
                return Stopwatch.threadNanoseconds {
                    BlackHole.consume(rows.filter { $0.amount < limit }.count)
                }
            }
        },
        Benchmark(
            "tables.order",
            "an order that changes for 1,000,000 rows: over Array.sort",
            goal: .ratioAtMost(2)
        ) { bench in
            let rows = Order.random(1_000_000)
            let (store, table) = Order.table(of: rows)
            let seed = LiveParameter(0, in: store)
            let list = table.rows.sorted(seed) { $0.amount ^ $2 < $1.amount ^ $2 }
            var mask = 0
            return bench.samples(.few) {
                mask += 0x1111
                let time = Stopwatch.threadNanoseconds { seed.set(mask) }
                BlackHole.consume(list.state.numberOfRows)
                return time
            } over: {
                let mask = opaque(mask)
                return Stopwatch.threadNanoseconds {
                    BlackHole.consume(rows.sorted { $0.amount ^ mask < $1.amount ^ mask }.count)
                }
            }
        },
        Benchmark(
            "tables.load",
            "the first 1,000,000 rows through sort and section: over the standard library's sorted",
            goal: .ratioAtMost(3)
        ) { bench in
            let rows = Order.random(1_000_000)
            let (_, table) = Order.table(of: rows)
            return bench.samples(.few) {
                var list: DerivedList<Int, Order, Int>?
                let time = Stopwatch.threadNanoseconds {
                    list = table.rows.sorted(on: \.amount).sectioned(by: \.customer)
                    BlackHole.consume(list?.state.numberOfRows ?? 0)
                }
                // The end of the list does not count.
                return withExtendedLifetime(list) { time }
            } over: {
                Stopwatch.threadNanoseconds {
                    BlackHole.consume(rows.sorted { $0.amount < $1.amount }.count)
                }
            }
        },
        Benchmark(
            "tables.views",
            "one changed row of 100,000 in 100 filtered, sorted lists: over one such list",
            goal: .ratioAtMost(100)
        ) { bench in
            let many = DerivedViews(100).nanosecondsOfOneEdit
            return bench.samples(.hundreds, many, over: DerivedViews(1).nanosecondsOfOneEdit)
        },
        memory("filter", "a filter that includes every row", limit: 16) { $0.filter { _ in true } },
        memory("sorted", "an order", limit: 16) { $0.sorted(on: \.amount) },
        // With other work on the machine, caches of the allocator's threads add some tenths of a byte.
        memory("sections", "1,000 sections", limit: 18) { $0.sectioned(by: \.customer) },
    ]

    private static func memory<Header>(
        _ name: String,
        _ list: String,
        limit: Double,
        _ derive:
            @escaping @Sendable (DerivedList<Int, Order, WholeList>) -> DerivedList<
                Int, Order, Header
            >
    ) -> Benchmark {
        Benchmark(
            "tables.memory.\(name)",
            "bytes for each of 100,000 rows in \(list)",
            in: .bytes,
            goal: .valueAtMost(limit)
        ) { _ in
            let (_, table) = Order.table(of: Order.random(100_000))
            guard let mark = Heap.Mark() else { return nil }
            let list = derive(table.rows)
            BlackHole.consume(list.state.numberOfRows)
            let growth = mark.growth
            return withExtendedLifetime(list) { Measurement(exactly: growth / 100_000) }
        }
    }
}

/// A row of the benchmarks.
private struct Order: Identifiable, Equatable, Sendable {
    let id: Int
    var customer: Int
    var amount: Int
    var isOpen: Bool

    static func random(_ count: Int) -> [Order] {
        var random = SplitMix64()
        return (0..<count).map { Order(id: $0, using: &random) }
    }

    /// Makes a store with a table of these rows.
    static func table(of rows: [Order]) -> (LiveStore, LiveTable<Order>) {
        let store = LiveStore(lane: InlineLane())
        let table = LiveTable(of: Order.self, in: store)
        store.submit { for row in rows { $0.upsert(row, in: table) } }
        return (store, table)
    }

    init(id: Int, using random: inout SplitMix64) {
        self.id = id
        customer = Int.random(in: 0..<1_000, using: &random)
        amount = Int.random(in: 0..<1_000_000, using: &random)
        isOpen = Int.random(in: 0..<2, using: &random) == 0
    }
}

/// A table with a filtered, sorted and divided list, and a window over it.
private final class DerivedOrders {
    private let store: LiveStore
    private let table: LiveTable<Order>
    private let window: DerivedList<Int, Order, Int>
    private let count: Int
    private var random = SplitMix64(seed: 3)
    private var shown: DerivedState<Int, Order, Int>

    init(_ count: Int) {
        self.count = count
        (store, table) = Order.table(of: Order.random(count))
        // Customers from 0 to 99 in both sizes, so that both have as many sections.
        window = table.rows.filter(\.isOpen).sorted(on: \.amount)
            .sectioned(by: { $0.customer % 100 }, order: .ascending)
            .prefix(50)
        shown = window.state
    }

    /// Returns the time of a transaction and of the update of the window.
    func nanosecondsOfTenEdits() throws -> Double {
        let rows = (0..<10).map { _ in
            Order(id: Int.random(in: 0..<count, using: &random), using: &random)
        }
        let table = table
        return try Stopwatch.threadNanoseconds {
            store.submit { for row in rows { $0.upsert(row, in: table) } }
            let state = window.state
            let update = try state.changes(from: shown, options: DifferenceOptions()) { false }
            shown = state
            BlackHole.consume(update.edits.count)
        }
    }
}

/// The window of ``DerivedOrders``, made from all rows after each ten edits.
private final class RecomputedOrders {
    private var rows = Order.random(1_000_000)
    private var random = SplitMix64(seed: 3)
    private var shown = SectionedRows<Int, Order>()

    func nanoseconds() throws -> Double {
        for _ in 0..<10 {
            let id = Int.random(in: rows.indices, using: &random)
            rows[id] = Order(id: id, using: &random)
        }
        return try Stopwatch.threadNanoseconds {
            let open = rows.filter(\.isOpen).sorted { $0.amount < $1.amount }
            let groups = Dictionary(grouping: open) { $0.customer % 100 }
            var remaining = 50
            let sections = groups.keys.sorted().map { customer in
                let part = groups[customer, default: []].prefix(remaining)
                remaining -= part.count
                return (customer, Array(part))
            }
            let state = SectionedRows(sections.filter { !$0.1.isEmpty })
            let update = try state.changes(from: shown, options: DifferenceOptions()) { false }
            shown = state
            BlackHole.consume(update.edits.count)
        }
    }
}

/// Some filtered lists over one sorted list of a table.
private final class DerivedViews {
    private let store: LiveStore
    private let table: LiveTable<Order>
    private let views: [DerivedList<Int, Order, WholeList>]
    private var random = SplitMix64(seed: 3)

    init(_ count: Int) {
        (store, table) = Order.table(of: Order.random(100_000))
        let sorted = table.rows.sorted(on: \.amount)
        views = (0..<count).map { view in sorted.filter { $0.customer % 100 != view } }
    }

    func nanosecondsOfOneEdit() -> Double {
        let row = Order(id: Int.random(in: 0..<100_000, using: &random), using: &random)
        let table = table
        return Stopwatch.threadNanoseconds { store.submit { $0.upsert(row, in: table) } }
    }
}

/// A lane that runs work on the caller's thread, so that the thread's time is that of the work.
// Unchecked: used by one thread.
private final class InlineLane: Lane, @unchecked Sendable {
    let label = "inline"
    private var work: [@Sendable () -> Void] = []
    private(set) var isCurrent = false

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        self.work.append(work)
        if isCurrent { return }
        isCurrent = true
        while !self.work.isEmpty { self.work.removeFirst()() }
        isCurrent = false
    }
}
