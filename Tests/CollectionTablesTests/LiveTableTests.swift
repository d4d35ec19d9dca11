import CollectionPipeline
import PipelineSimulation
import PipelineTestSupport
import Testing

@testable import CollectionTables

@Suite("Live tables", .endsHangs)
struct LiveTableTests {
    private func table(_ rows: [TestRow] = []) -> (LiveStore, LiveTable<TestRow>) {
        let store = LiveStore(lane: InlineLane())
        let table = LiveTable(of: TestRow.self, in: store)
        store.submit { transaction in
            for row in rows { transaction.upsert(row, in: table) }
        }
        return (store, table)
    }

    private func row(_ id: Int, _ size: Int = 0, kind: Int = 0) -> TestRow {
        TestRow(id: id, size: size, kind: kind)
    }

    private func submit(
        _ store: LiveStore,
        _ body: @escaping @Sendable (borrowing StoreTransaction) throws -> Void
    ) -> Result<Int, TableError> {
        let result = Lock<Result<Int, TableError>?>(nil)
        store.submit(body) { outcome in result.withLock { $0 = outcome } }
        return result.withLock { $0 } ?? .failure(TableError(.closed, "no completion"))
    }

    @Test func aTransactionIsOneVersionAndTheLastValueOfARowCounts() throws {
        let (store, table) = table([row(1), row(2)])
        let versions = Lock<[Int]>([])
        let observation = table.rows.observe { state in
            versions.withLock { $0.append(state.version) }
        }
        let version = try submit(store) { transaction in
            transaction.upsert(row(3), in: table)
            transaction.upsert(row(1, 5), in: table)
            transaction.upsert(row(1, 6), in: table)
            transaction.remove(2, from: table)
            transaction.upsert(row(2, 7), in: table)
            transaction.remove(3, from: table)
            transaction.upsert(row(3, 8), in: table)
            #expect(transaction.row(1, in: table) == row(1, 6))
            #expect(transaction.row(9, in: table) == nil)
        }.get()
        #expect(version == 2)
        // A row that was removed and inserted in one transaction was never gone.
        #expect(table.rows.state.rows == [[row(1, 6), row(2, 7), row(3, 8)]])
        #expect(versions.withLock { $0 } == [1, 2])
        // Equal rows, unknown identifiers and rows that come and go change nothing.
        let same = try submit(store) { transaction in
            transaction.upsert(row(1, 6), in: table)
            transaction.remove(9, from: table)
            transaction.upsert(row(4), in: table)
            transaction.remove(4, from: table)
        }.get()
        #expect(same == 2)
        #expect(versions.withLock { $0 } == [1, 2])
        withExtendedLifetime(observation) {}
    }

    @Test func aTransactionThatThrowsChangesNothing() throws {
        let (store, table) = table([row(1), row(2)])
        let before = table.rows.state
        let result = submit(store) { transaction in
            transaction.upsert(row(3), in: table)
            transaction.remove(1, from: table)
            try transaction.removeAll(from: table) {
                if $0.id == 3 { throw Refusal() } else { true }
            }
        }
        guard case .failure(let error) = result else {
            Issue.record("the transaction succeeded")
            return
        }
        #expect(error.code == .transactionThrew)
        #expect(error.underlyingError as? Refusal == Refusal())
        #expect(table.rows.state.rows == before.rows)
        #expect(table.rows.state.version == before.version)
        _ = submit(store) { $0.removeAll(from: table) { $0.id == 1 } }
        #expect(table.rows.state.rows == [[row(2)]])
    }

    @Test func aClosedStoreRejectsTransactionsAndKeepsItsState() async throws {
        let store = LiveStore()
        let table = LiveTable(of: TestRow.self, in: store)
        try await table.upsert([row(1), row(2)])
        try await table.remove([2, 7])
        await store.close()
        await #expect { try await table.upsert([row(3)]) } throws: {
            ($0 as? TableError)?.code == .closed
        }
        #expect(table.rows.state.rows == [[row(1)]])
    }

    @Test func aFailingOperatorKeepsTheLastGoodStateUntilItSucceeds() {
        let (store, table) = table([row(1), row(2, 1)])
        let even = table.rows.filter { row in
            if row.size == 2 { throw Refusal() }
            return row.size == 0
        }
        let names = even.map { "\($0.id)" }
        #expect(names.state.rows == [["1"]])
        _ = submit(store) { transaction in
            transaction.upsert(row(3), in: table)
            transaction.upsert(row(4, 2), in: table)
        }
        #expect(names.state.rows == [["1"]])
        #expect(even.failure?.code == .operatorThrew)
        // The lists derived from it have the failure too, also new ones.
        #expect(names.failure?.code == .operatorThrew)
        #expect(even.sorted(on: \.id).failure?.code == .operatorThrew)
        #expect(even.failure?.underlyingError as? Refusal == Refusal())
        #expect("\(even.failure!)".contains("key 4"))
        _ = submit(store) { $0.upsert(row(4, 1), in: table) }
        #expect(even.failure == nil)
        #expect(names.failure == nil)
        #expect(names.state.rows == [["1", "3"]])
    }

    @Test func anInconsistentOrderIsAnErrorAndEnds() {
        let (store, table) = table((0..<100).map { row($0, $0 % 7) })
        let sorted = table.rows.sorted { _, _ in true }
        for id in 100..<140 { _ = submit(store) { $0.upsert(row(id, id % 7), in: table) } }
        #expect(sorted.failure?.code == .inconsistentOrder)
        // A value that is not equal to itself is last, and finds its place again.
        let numbers = table.rows.sorted(on: { $0.size == 3 ? Double.nan : Double($0.size) })
        for id in [3, 10, 17, 4, 11] {
            _ = submit(store) { $0.upsert(row(id, id == 4 ? 3 : 5), in: table) }
        }
        _ = submit(store) { $0.removeAll(from: table) { $0.size == 3 } }
        #expect(numbers.failure == nil)
        let sizes = numbers.state.rows.joined().map(\.size)
        #expect(sizes == sizes.sorted())
        #expect(!sizes.contains(3))
    }

    @Test func expansionsHaveUniqueKeysAndALimit() {
        let (store, table) = table([row(1, 1)])
        let twice = table.rows.flatMap { row in (0..<row.size).map { (key: $0 % 3, row: $0) } }
        let limited = table.rows.flatMap(limit: 2) { row in
            (0..<row.size).map { (key: $0, row: $0) }
        }
        _ = submit(store) { $0.upsert(row(2, 4), in: table) }
        #expect(twice.failure?.code == .duplicateKey)
        #expect(limited.failure?.code == .tooManyRows)
        #expect("\(limited.failure!)".contains("4 rows"))
        #expect(twice.state.rows == [[0]])
        let again = table.rows.flatMap { row in (0..<row.size).map { (key: $0 % 3, row: $0) } }
        #expect(again.failure?.code == .duplicateKey)
        _ = submit(store) { $0.upsert(row(2, 2), in: table) }
        #expect(twice.state.rows == [[0, 0, 1]])
        #expect(limited.state.rows == [[0, 0, 1]])
    }

    @Test func windowsAcceptAnyNumbers() {
        let (store, table) = table((0..<10).map { row($0) })
        let window = LiveParameter(ListWindow<Int>.rows(-5..<3), in: store)
        let part = table.rows.window(window)
        #expect(part.state.keys == [[0, 1, 2]])
        let cases: [(ListWindow<Int>, [Int])] = [
            (.rows(8..<Int.max), [8, 9]), (.rows(Int.min..<(-1)), []), (.rows(10..<20), []),
            (.around(4, before: 1, after: Int.max), Array(3..<10)),
            (.around(4, before: .min, after: -1), [4]), (.around(99, before: 0, after: 1), [0, 1]),
        ]
        for (value, keys) in cases {
            window.set(value)
            #expect(part.state.keys == [keys], "\(value)")
        }
        #expect(table.rows.prefix(-1).state.keys == [[]])
        #expect(table.rows.prefix(.max).state.numberOfRows == 10)
    }

    @Test func onlyChangesAreObserved() {
        let (store, table) = table((0..<4).map { row($0, $0) })
        let limit = LiveParameter(2, in: store)
        let small = table.rows.filter(limit) { $0.size < $1 }
        let received = Lock<[Int]>([])
        let observation = small.observe { state in received.withLock { $0.append(state.version) } }
        limit.set(2)
        _ = submit(store) { $0.upsert(row(3, 7), in: table) }
        #expect(received.withLock { $0 } == [1])
        limit.set(3)
        #expect(received.withLock { $0 } == [1, 3])
        withExtendedLifetime(observation) {}
    }

    @Test func onlyTheLastOfSeveralWaitingValuesTakesEffect() {
        let (store, table) = table((0..<4).map { row($0, $0) })
        let limit = LiveParameter(0, in: store)
        let used = Lock<Set<Int>>([])
        let small = table.rows.filter(limit) { row, limit in
            used.withLock { _ = $0.insert(limit) }
            return row.size < limit
        }
        _ = submit(store) { _ in for value in 1...3 { limit.set(value) } }
        #expect(used.withLock { $0 } == [0, 3] && small.state.keys == [[0, 1, 2]])
        let version = small.state.version
        _ = submit(store) { _ in for value in [1, 3] { limit.set(value) } }
        #expect(used.withLock { $0 } == [0, 3] && small.state.version == version)
    }

    @Test func sectionsWithoutAConsistentOrderAreAnError() {
        let (store, table) = table((0..<9).map { row($0, kind: $0) })
        let sections = table.rows.sectioned(by: \.kind, order: .sorted { _, _ in true })
        for id in 0..<9 { _ = submit(store) { $0.upsert(row(id, 1, kind: id), in: table) } }
        #expect(sections.failure?.code == .inconsistentOrder)
    }

    @Test func aSectionKeepsItsPlaceIfEqualHeadersDiffer() {
        struct Header: Hashable, Sendable {
            let (kind, size): (Int, Int)
            static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }
            func hash(into hasher: inout Hasher) { hasher.combine(kind) }
        }
        let (store, table) = table([row(1, 5, kind: 1), row(2, 10, kind: 2)])
        let sections = table.rows.sectioned(
            by: { Header(kind: $0.kind, size: $0.size) },
            order: .sorted { $0.size < $1.size }
        )
        for row in [row(3, 20, kind: 1), row(4, 7, kind: 3), row(5, 20, kind: 1)] {
            _ = submit(store) { $0.upsert(row, in: table) }
        }
        #expect(sections.state.sections.map(\.size) == [5, 7, 10] && sections.failure == nil)
    }

    @Test func listsWithoutReferencesAreReleased() {
        let (store, table) = table((0..<10).map { row($0) })
        weak var filter: ListNode?
        weak var map: ListNode?
        do {
            let even = table.rows.filter { $0.id.isMultiple(of: 2) }
            filter = even.node
            let names = even.map(\.id)
            map = names.node
            #expect(names.state.numberOfRows == 5)
        }
        _ = submit(store) { $0.upsert(row(11), in: table) }
        #expect(filter == nil)
        #expect(map == nil)
    }

    @Test func observersMayEditAndEndTheirObservation() {
        let (store, table) = table([row(1)])
        let received = Lock<[[Int]]>([])
        let observation = table.rows.observe { state in
            received.withLock { $0.append(state.keys[0]) }
            // The edit is a later transaction, not part of this one.
            if state.numberOfRows < 4 {
                let id = state.numberOfRows + 1
                store.submit { $0.upsert(row(id), in: table) }
            }
        }
        #expect(received.withLock { $0 } == [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]])
        observation.cancel()
        _ = submit(store) { $0.remove(1, from: table) }
        #expect(received.withLock { $0.count } == 4)
    }

    @Test func aControllerShowsTheStatesOfAList() async throws {
        let table = LiveTable(of: TestRow.self)
        let list = table.rows.sectioned(by: \.kind, order: .ascending).sorted(on: \.size)
        let view = RecordingView()
        let controller = DataController(
            states: DerivedState<Int, TestRow, Int>.self,
            view: view,
            makeNode: nil
        )
        try await table.upsert([row(1, 2), row(2, 1, kind: 1), row(3, 1)])
        try await controller.apply(list.state)
        #expect(list.state.keys == [[3, 1], [2]])
        try await table.upsert([row(3, 1, kind: 1), row(4, 0)])
        let result = try await controller.apply(list.state)
        guard case .deployed = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(controller.visibleMap.shape == HierarchyShape([2, 2]))
    }

    /// The parameter and the table change after a list was added to the parameter, and before it is
    /// connected to the table.
    @Test func aListContainsWhatChangesWhileItIsMade() throws {
        let lane = InlineLane()
        let store = LiveStore(lane: lane)
        let table = LiveTable(of: TestRow.self, in: store)
        let parameter = LiveParameter(0, in: store)
        func rows(made make: () -> [[TestRow]]) -> [[TestRow]] {
            store.submit { transaction in
                transaction.removeAll(from: table) { _ in true }
                for row in [row(1, 2), row(2, 1)] { transaction.upsert(row, in: table) }
            }
            parameter.set(0)
            lane.afterNext = {
                parameter.set(1)
                store.submit { transaction in
                    transaction.upsert(row(1, 0), in: table)
                    transaction.upsert(row(3, 3, kind: 1), in: table)
                }
            }
            return make()
        }
        let filtered = rows { table.rows.filter(parameter) { $0.size >= $1 }.state.rows }
        #expect(filtered == [[row(2, 1), row(3, 3, kind: 1)]])
        let sorted = rows {
            table.rows.sorted(parameter) { one, other, order in
                order == 0 ? one.size < other.size : one.size > other.size
            }.state.rows
        }
        #expect(sorted == [[row(3, 3, kind: 1), row(2, 1), row(1, 0)]])
        let sectioned = rows {
            table.rows.sectioned(parameter) { row, group in group == 0 ? 0 : row.kind }.state.rows
        }
        #expect(sectioned == [[row(1, 0), row(2, 1)], [row(3, 3, kind: 1)]])
    }

    @Test func editsFromManyThreadsAreAllContained() async throws {
        let table = LiveTable(of: TestRow.self)
        let sections = table.rows.sectioned(by: \.kind, order: .ascending)
            .aggregated { Sum($0.size) }
        let counts = Lock(0)
        let observation = sections.observe { _ in counts.withLock { $0 += 1 } }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for index in 0..<50 {
                        let id = task * 50 + index
                        _ = try? await table.upsert([TestRow(id: id, size: 1, kind: id % 3)])
                        let state = sections.state
                        #expect(
                            state.sections.reduce(0) { $0 + $1.value.value } == state.numberOfRows
                        )
                        if index.isMultiple(of: 10) {
                            _ = table.rows.filter { $0.size == 1 }.state.numberOfRows
                        }
                    }
                }
            }
        }
        #expect(sections.state.sections.map(\.value.value) == [134, 133, 133])
        #expect(counts.withLock { $0 } >= 400)
        withExtendedLifetime(observation) {}
    }
}
