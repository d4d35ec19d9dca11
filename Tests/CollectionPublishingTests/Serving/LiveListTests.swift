import CollectionPublishing
import CollectionTables
import PipelineTestSupport
import Testing

/// A row of the table: the writer's number and its count of writes.
private struct Entry: Identifiable, Equatable {
    let id: Int
    var value: Int
}

private typealias State = SectionedRows<String, Entry>

/// A table that is queried with delays before and after it is read.
private final class Table: Sendable {
    private let values = Lock([Int: Int]())
    private let random = Lock(SeededGenerator(seed: 11))

    func write(_ id: Int) -> Int {
        values.withLock { values in
            values[id, default: 0] += 1
            return values[id] ?? 0
        }
    }

    private func delay() async {
        let delay = random.withLock { $0.next(below: 4) }
        if delay > 0 { try? await Task.sleep(for: .microseconds(delay * 100)) }
    }

    func query() async -> State {
        await delay()
        let values = values.withLock { $0 }
        await delay()
        let rows = values.sorted { $0.key < $1.key }.map { Entry(id: $0.key, value: $0.value) }
        return State([
            ("even", rows.filter { $0.id % 2 == 0 }), ("odd", rows.filter { $0.id % 2 == 1 }),
        ])
    }
}

@Suite("Live lists", .endsHangs)
struct LiveListTests {
    private struct NoTable: Error {}

    private func makeList(
        in simulation: Simulation? = nil,
        configure: (inout LiveListConfiguration) -> Void = { _ in }
    ) -> LiveList<State> {
        var configuration = LiveListConfiguration()
        configuration.hub.minimumInterval = .zero
        // Other tests may delay tasks for a long time.
        configuration.queryTimeout = nil
        configure(&configuration)
        return LiveList(
            rows: Entry.self,
            sections: String.self,
            configuration: configuration,
            lane: simulation?.makeLane(label: "list.main"),
            environment: simulation?.environment ?? DispatchEnvironment()
        ) {
            "<i>\($0.id)</i>:\($0.value)"
        } header: { title in
            "<h2>\(title)</h2>"
        }
    }

    /// Returns the value of each entry that a replica shows.
    private func values(_ replica: CollectionReplica) -> [Int: Int] {
        var values: [Int: Int] = [:]
        for (section, count) in replica.state.shape.itemCounts.enumerated() {
            for item in 0..<count {
                let payload = replica.state.item(at: ItemPath(section, item))?.payload
                let parts = String(decoding: payload?.bytes ?? [], as: UTF8.self).split(
                    separator: ":"
                )
                if let id = Int(parts[0].dropFirst(3).dropLast(4)) { values[id] = Int(parts[1]) }
            }
        }
        return values
    }

    /// Concurrent writers, some of which are cancelled, and readers of different speed.
    @Test func writersReadTheirWritesAndStatesNeverGoBack() async throws {
        let (table, list) = (Table(), makeList())
        let version = try await writersReadTheirWrites(in: list) { id, _ in
            _ = table.write(id)
        } show: {
            try await list.refresh { await table.query() }
        }
        // One query serves many callers.
        #expect(version.number < 200)
    }

    @Test func writersToATableReadTheirWritesAndStatesNeverGoBack() async throws {
        let table = LiveTable(of: Entry.self)
        let entries = table.rows.sorted(on: \.value).sectioned { $0.id % 2 == 0 ? "even" : "odd" }
        var configuration = LiveListConfiguration()
        configuration.hub.minimumInterval = .zero
        let list = LiveList(
            states: DerivedState<Int, Entry, String>.self,
            version: \.version,
            configuration: configuration
        ) {
            "<i>\($0.id)</i>:\($0.value)"
        }
        let showing = Task { await list.run(showing: entries.states) }
        try await writersReadTheirWrites(in: list) { id, value in
            try await table.upsert([Entry(id: id, value: value)])
        } show: {
            let state = entries.state
            // Other writers may apply a newer state before this one.
            if state.version % 3 == 0 { try await Task.sleep(for: .microseconds(300)) }
            return try await list.apply(state)
        }
        await showing.value
        #expect(list.health.isClosed)
    }

    /// A row that counts comparisons.
    private struct Counted: Identifiable, Equatable {
        static let comparisons = Lock(0)
        let id: Int
        var value = 0

        static func == (left: Self, right: Self) -> Bool {
            comparisons.withLock { $0 += 1 }
            return left.id == right.id && left.value == right.value
        }
    }

    @Test func anEditOfALargeTableComparesOnlyTheEditedRows() async throws {
        let table = LiveTable(of: Counted.self)
        let list = LiveList(states: DerivedState<Int, Counted, WholeList>.self) { "\($0.value)" }
        try await table.upsert((0..<10_000).map { Counted(id: $0) })
        let first = try await list.apply(table.rows.state)
        let before = Counted.comparisons.withLock { $0 }
        try await table.upsert([Counted(id: 5_000, value: 1)])
        let second = try await list.apply(table.rows.state)
        #expect(second.number == first.number + 1)
        // An equal state makes no version.
        #expect(try await list.apply(table.rows.state) == second)
        #expect(Counted.comparisons.withLock { $0 } - before < 10)
        await list.close()
    }

    /// Writes 40 values of each of eight entries, and follows the list. Returns its last version.
    @discardableResult
    private func writersReadTheirWrites<Shown>(
        in list: LiveList<Shown>,
        write: @escaping @Sendable (_ id: Int, _ value: Int) async throws -> Void,
        show: @escaping @Sendable () async throws -> PublishedVersion
    ) async throws -> PublishedVersion {
        let (seen, written) = (
            Journal<(version: PublishedVersion, values: [Int: Int])>(),
            Journal<(version: PublishedVersion, id: Int, value: Int)>()
        )
        let following = Task {
            try await withThrowingTaskGroup { group in
                for reader in 0..<4 {
                    group.addTask {
                        var replica = CollectionReplica()
                        var last: [Int: Int] = [:]
                        for await message in try list.hub.messages() {
                            try replica.apply(message)
                            if reader > 1 { try await Task.sleep(for: .milliseconds(reader)) }
                            let values = self.values(replica)
                            for (id, value) in last { #expect(values[id, default: 0] >= value) }
                            last = values
                            seen.append((replica.version!, values))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let ends = Journal<Bool>()
        await withTaskGroup { group in
            for id in 0..<8 {
                group.addTask {
                    for round in 0..<40 {
                        await #expect(throws: Never.self) { try await write(id, round + 1) }
                        let showing = Task { try await show() }
                        let isCancelled = (id + round) % 5 == 0
                        if isCancelled { showing.cancel() }
                        switch await showing.result {
                        case .success(let version): written.append((version, id, round + 1))
                        case .failure: #expect(isCancelled)
                        }
                        ends.append(true)
                    }
                }
            }
        }
        #expect(ends.values.count == 320 && written.values.count >= 256)
        // The last callers may have been cancelled.
        _ = try await show()
        #expect(list.health.failure == nil && list.health.age != nil)
        await list.close()
        try await following.value
        for write in written.values {
            for state in seen.values where state.version.hasReached(write.version) {
                #expect(state.values[write.id, default: 0] >= write.value)
            }
        }
        let final = try #require(seen.values.max { $0.version.number < $1.version.number })
        #expect(final.version == list.hub.snapshot.version)
        #expect(final.values == [Int: Int](uniqueKeysWithValues: (0..<8).map { ($0, 40) }))
        return final.version
    }

    @Test func failuresAreReportedAndKeepTheList() async throws {
        let list = makeList()
        let good = State([("a", [Entry(id: 1, value: 1)]), ("b", [])])
        let version = try await list.apply(good)
        func fails(
            _ code: LiveListError.Code,
            _ query: @escaping @Sendable () async throws -> State
        ) async {
            let error = await #expect(throws: LiveListError.self) { try await list.refresh(query) }
            #expect(error?.code == code)
            #expect(list.health.failure?.code == code && list.hub.snapshot.version == version)
        }
        await fails(.query) { throw NoTable() }
        #expect(list.health.failure?.underlyingError is NoTable)
        await fails(.rejected) { State([("a", [Entry(id: 1, value: 1), Entry(id: 1, value: 2)])]) }
        await fails(.rejected) { State([("a", []), ("a", [])]) }
        // An unchanged state makes no new version, however often it is requested.
        for _ in 0..<3 {
            #expect(try await list.refresh { good } == version)
            #expect(try await list.apply(good) == version)
        }
        #expect(list.health.failure == nil && list.hub.snapshot.version == version)
        await list.close()
    }

    @Test func rowsThatCannotBeRenderedAreReported() async throws {
        var configuration = LiveListConfiguration()
        configuration.hub.minimumInterval = .zero
        let list = LiveList(
            rows: Entry.self,
            sections: String.self,
            configuration: configuration
        ) { entry in
            if entry.value == 13 { throw NoTable() }
            return "\(entry.value)"
        }
        func content() -> [String?] {
            (0..<2).map { item in
                let payload = list.hub.snapshot.state.item(at: ItemPath(section: 0, item: item))?
                    .payload
                return payload.map { String(decoding: $0.bytes, as: UTF8.self) }
            }
        }
        func state(_ first: Int, _ second: Int) -> State {
            State([("a", [Entry(id: 1, value: first), Entry(id: 2, value: second)])])
        }
        try await list.apply(state(13, 2))
        #expect(content() == [nil, "2"] && list.health.failure?.code == .rendering)
        #expect(list.health.failure?.underlyingError is NoTable)
        // The same state again renders nothing, and another error does not hide this one for long.
        await #expect(throws: LiveListError.self) { try await list.refresh { throw NoTable() } }
        #expect(list.health.failure?.code == .query)
        try await list.apply(state(13, 2))
        #expect(list.health.failure?.code == .rendering)
        try await list.apply(state(1, 13))
        #expect(content() == ["1", "2"] && list.health.failure?.code == .rendering)
        try await list.apply(state(1, 3))
        #expect(content() == ["1", "3"] && list.health.failure == nil)
        await list.close()
    }

    @Test func slowQueriesTimeOut() async throws {
        let list = makeList { $0.queryTimeout = .milliseconds(20) }
        func fails(_ query: @escaping @Sendable () async -> State) async {
            let error = await #expect(throws: LiveListError.self) { try await list.refresh(query) }
            #expect(error?.code == .timeout && list.health.failure?.code == .timeout)
        }
        await fails {
            while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
            return State()
        }
        // A query that ignores its cancellation and returns late.
        let opened = Journal<Void>()
        await fails {
            let deaf = Task.detached {
                while opened.count == 0 { try? await Task.sleep(for: .milliseconds(1)) }
            }
            await deaf.value
            return State()
        }
        opened.append(())
        // Applying a state involves no query and cannot time out.
        let version = try await list.apply(State([("a", [Entry(id: 1, value: 1)])]))
        #expect(list.health.failure == nil && list.hub.snapshot.version == version)
        await list.close()
    }

    @Test func closedListsRejectCallsAndEndAllWaits() async throws {
        let list = makeList()
        let version = try await list.apply(State([("<b>", [Entry(id: 1, value: 1)])]))
        #expect(
            list.hub.snapshot.state.section(at: 0)?.payload
                == PublishedPayload(utf8: "<h2>&lt;b&gt;</h2>")
        )
        let running = Task { await list.run(refreshingEvery: .seconds(600)) { throw NoTable() } }
        while list.health.failure == nil { await Task.yield() }
        let opened = Journal<Void>()
        let waiting = (0..<6).map { number in
            Task { @Sendable in
                if number % 2 == 0 { return try await list.apply(State()) }
                return try await list.refresh {
                    while opened.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
                    return State()
                }
            }
        }
        let stream = try list.events()
        #expect(list.health.readers == 1 && !list.health.isClosed)
        running.cancel()
        await running.value
        for task in waiting {
            // One call may have completed before the close.
            if case .failure(let error) = await task.result {
                #expect((error as? LiveListError)?.code == .closed)
            }
        }
        opened.append(())
        var text = ""
        for try await chunk in stream { text += String(decoding: chunk, as: UTF8.self) }
        #expect(text.contains(#"{"closed":"#))
        for error in [
            await #expect(throws: LiveListError.self) { try await list.apply(State()) },
            await #expect(throws: LiveListError.self) { try await list.refresh { State() } },
        ] { #expect(error?.code == .closed) }
        #expect(list.health.isClosed && list.health.version.hasReached(version))
        await list.run()
        await list.close()
    }

    @Test func refreshesInASimulationRepeatStepByStep() {
        func run(_ seed: UInt64) -> (versions: [String], fingerprint: UInt64) {
            let (simulation, versions) = (Simulation(seed: seed), Journal<String>())
            let list = makeList(in: simulation) {
                $0.queryTimeout = .seconds(5)
            }
            let queries = Lock(0)
            for caller in 0..<3 {
                let lane = simulation.makeLane(label: "caller \(caller)")
                Task(executorPreference: LaneTaskExecutor(lane)) { @Sendable in
                    let version = try await list.refresh {
                        let value = queries.withLock { queries in
                            queries += 1
                            return queries
                        }
                        return State([("a", [Entry(id: 1, value: value)])])
                    }
                    versions.append("\(caller) at \(version.number)")
                }
            }
            simulation.run()
            return (versions.values, simulation.fingerprint)
        }
        let runs = (0..<UInt64(20)).map(run)
        for (seed, first) in runs.enumerated() {
            #expect(
                first.versions.count == 3 && first == run(UInt64(seed)),
                "seed \(seed): \(first)"
            )
        }
        #expect(Set(runs.map(\.versions)).count > 1)
    }
}
