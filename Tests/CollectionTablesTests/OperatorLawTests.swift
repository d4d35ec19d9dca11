import CollectionTables
import PipelineSimulation
import PipelineTestSupport
import Testing

/// The law of derived lists: after every transaction, a list is what its operators return for the
/// whole current tables, and its update turns the old list into it.
@Suite("Operator law", .endsHangs)
struct OperatorLawTests {
    /// A list with its model and the last state that an observer received.
    private final class Checked {
        /// Compares the list with its model after a version, and returns the faults.
        let check: (ModelTables) -> [String]

        init(_ check: @escaping (ModelTables) -> [String]) { self.check = check }
    }

    /// Collects the lists of several chains.
    private final class Collector: ListVisitor {
        private(set) var lists: [Checked] = []

        func visit<Key, Header>(
            _ list: DerivedList<Key, TestRow, Header>,
            _ model: @escaping Model<Key, Header>
        ) {
            let received = Lock<[DerivedState<Key, TestRow, Header>]>([])
            let observation = list.observe { state in received.withLock { $0.append(state) } }
            let last = Lock(list.state)
            received.withLock { $0 = [] }
            lists.append(
                Checked { tables in
                    withExtendedLifetime(observation) {
                        let states = received.withLock { states in
                            defer { states = [] }
                            return states
                        }
                        let old = last.withLock { $0 }
                        let new = list.state
                        last.withLock { $0 = new }
                        var faults: [String] = []
                        do {
                            faults += new.faults(after: old, try model(tables))
                            if let failure = list.failure { faults.append("\(failure)") }
                        } catch {
                            // The last good state stays.
                            faults += new.faults(after: old, DerivedState.model(of: old))
                            if list.failure?.underlyingError as? Refusal == nil {
                                faults.append("no failure")
                            }
                        }
                        if states.count > 1 { faults.append("\(states.count) updates") }
                        return faults
                    }
                }
            )
        }
    }

    /// A transaction: new values of rows, of kinds and of the parameter.
    private struct Step {
        var rows: [(id: Int, value: TestRow?)] = []
        var kinds: [(id: Int, value: TestKind?)] = []
        var parameter: Int?
    }

    private func apply(_ step: Step, to tables: inout ModelTables, _ store: TestStore) {
        for (id, value) in step.rows {
            let place = tables.rows.firstIndex { $0.id == id }
            switch (place, value) {
            case (let place?, let value?): tables.rows[place] = value
            case (let place?, nil): tables.rows.remove(at: place)
            case (nil, let value?): tables.rows.append(value)
            case (nil, nil): break
            }
        }
        for (id, value) in step.kinds {
            tables.kinds.removeAll { $0.id == id }
            if let value { tables.kinds.append(value) }
        }
        if let parameter = step.parameter {
            tables.parameters = TestParameters(parameter)
            store.parameters.filter.set(parameter)
        } else {
            store.store.submit { transaction in
                for (id, value) in step.rows {
                    if let value {
                        transaction.upsert(value, in: store.rows)
                    } else {
                        transaction.remove(id, from: store.rows)
                    }
                }
                for (id, value) in step.kinds {
                    if let value {
                        transaction.upsert(value, in: store.kinds)
                    } else {
                        transaction.remove(id, from: store.kinds)
                    }
                }
            }
        }
    }

    private func randomStep(_ random: inout SeededGenerator, ids: Int) -> Step {
        var step = Step()
        if Int.random(in: 0..<6, using: &random) == 0 {
            step.parameter = Int.random(in: 0..<3, using: &random)
            return step
        }
        // One edit of each row in a transaction, so that the model need not know their order.
        let share = Bool.random(using: &random) ? 2 : Int.random(in: 1...ids, using: &random)
        for id in 0..<ids where Int.random(in: 0..<ids, using: &random) < share {
            let size = Int.random(in: 0..<3, using: &random)
            let isBad = Int.random(in: 0..<20, using: &random) == 0
            let kind = isBad ? TestRow.bad : Int.random(in: 0..<3, using: &random)
            let isRemoved = Int.random(in: 0..<3, using: &random) == 0
            step.rows.append((id, isRemoved ? nil : TestRow(id: id, size: size, kind: kind)))
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            let id = Int.random(in: 0..<3, using: &random)
            let name = Int.random(in: 0..<3, using: &random)
            let isRemoved = Int.random(in: 0..<2, using: &random) == 0
            step.kinds.append((id, isRemoved ? nil : TestKind(id: id, name: name)))
        }
        return step
    }

    private func lists(
        of chains: [[TestOperator]],
        _ store: TestStore
    ) -> [([TestOperator], Checked)] {
        chains.map { chain in
            let collector = Collector()
            store.visit(chain, collector)
            return (chain, collector.lists[0])
        }
    }

    private func run(
        _ chains: [[TestOperator]],
        seed: UInt64,
        ids: Int,
        steps: Int
    ) {
        var random = SeededGenerator(seed: seed)
        let store = TestStore(lane: InlineLane())
        var tables = ModelTables()
        for _ in 0..<max(3, ids) { apply(randomStep(&random, ids: ids), to: &tables, store) }
        var lists = lists(of: chains, store)
        for step in 0..<steps {
            if step > 0 { apply(randomStep(&random, ids: ids), to: &tables, store) }
            lists.removeAll { chain, list in
                let faults = list.check(tables)
                if !faults.isEmpty {
                    let name = chain.map(\.rawValue).joined(separator: ", ")
                    Issue.record("seed \(seed), \(ids) rows, step \(step): \(name): \(faults)")
                }
                return !faults.isEmpty
            }
        }
    }

    @Test func everyOperatorAndEveryPairFollowsItsTables() {
        var chains = TestOperator.allCases.map { [$0] }
        for first in TestOperator.allCases {
            for second in TestOperator.allCases { chains.append([first, second]) }
        }
        for seed in 1...UInt64(Effort.number(100, usually: 3)) {
            run(chains, seed: seed, ids: 3 + Int(seed % 4) * 3, steps: 14)
            // So many rows that trees have several leaves.
            run(Array(chains[..<TestOperator.allCases.count]), seed: seed, ids: 90, steps: 40)
        }
    }

    @Test func randomChainsOfUpToFiveOperatorsFollowTheirTables() {
        for seed in 1...UInt64(Effort.number(2_000, usually: 60)) {
            var random = SeededGenerator(seed: ~seed)
            let chains = (0..<8).map { _ in
                (0..<Int.random(in: 3...5, using: &random)).map { _ in
                    TestOperator.allCases.randomElement(using: &random) ?? .map
                }
            }
            run(chains, seed: seed, ids: Int.random(in: 2...12, using: &random), steps: 10)
        }
    }

    /// Every table of up to two rows, and every transaction that replaces it with another one.
    @Test func everyOperatorFollowsEveryTransactionOfSmallTables() {
        let values: [TestRow?] =
            [nil] + [0, 2].flatMap { size in [0, 1].map { TestRow(id: 0, size: size, kind: $0) } }
        func step(_ first: TestRow?, _ second: TestRow?) -> Step {
            var step = Step()
            for (id, value) in [first, second].enumerated() {
                step.rows.append((id, value.map { TestRow(id: id, size: $0.size, kind: $0.kind) }))
            }
            return step
        }
        let chains = TestOperator.allCases.map { [$0] }
        for old in 0..<(values.count * values.count) {
            let store = TestStore(lane: InlineLane())
            var tables = ModelTables()
            func apply(_ number: Int) {
                let (first, second) = (values[number % values.count], values[number / values.count])
                self.apply(step(first, second), to: &tables, store)
            }
            apply(old)
            let lists = lists(of: chains, store)
            for new in 0..<(values.count * values.count) {
                apply(new)
                for (chain, list) in lists {
                    #expect(list.check(tables) == [], "\(chain): \(old), \(new)")
                }
                apply(old)
                for (chain, list) in lists {
                    #expect(list.check(tables) == [], "\(chain): \(new), \(old)")
                }
            }
        }
    }
}
