import BrokerProcesses
import CollectionPipeline
import CollectionReplication
import JournalSupport
import NATSJournal
import PipelineTesting
import RedisJournal
import Testing

/// The broker of a log. The library's in-memory broker keeps the same contract.
enum Substrate: String, CaseIterable {
    case nats, redis, memory

    var kind: BrokerKind? { BrokerKind(rawValue: rawValue) }
}

/// A connection to any kind of broker.
struct Connection {
    let log: (_ collection: String) throws -> any ReplicatedLog
    let close: () -> Void
}

/// A test's own broker and the connections to it.
final class BrokerFixture {
    private let process: BrokerProcess?
    private let memory = LockedValue<[String: MemoryBroker]>([:])
    private var connections: [Connection] = []

    init(_ kind: BrokerKind, arguments: [String] = []) throws {
        process = try BrokerProcess(kind, arguments: arguments)
    }

    init(_ substrate: Substrate) throws {
        process = try substrate.kind.map { try BrokerProcess($0) }
    }

    /// Returns a broker that keeps all acknowledged records even if it is killed.
    static func durable(_ kind: BrokerKind) throws -> BrokerFixture {
        try BrokerFixture(kind, arguments: kind == .redis ? ["--appendfsync", "always"] : [])
    }

    /// The server process, for substrates that have one.
    var broker: BrokerProcess {
        get throws { try #require(process) }
    }

    deinit {
        for connection in connections { connection.close() }
        process?.end()
    }

    func connect(answerTimeout: Duration = .seconds(5)) throws -> Connection {
        let connection: Connection
        switch process?.kind {
        case nil:
            connection = Connection(log: { [memory] in memory.log($0) }, close: {})
        case .nats:
            var options = NATSOptions(servers: ["nats://127.0.0.1:\(try broker.port)"])
            options.answerTimeout = answerTimeout
            options.reconnectWait = .milliseconds(50)
            let made = try NATSConnection(options)
            connection = Connection(log: { try made.log(named: $0) }, close: made.close)
        case .redis:
            var options = RedisOptions(port: try broker.port)
            options.answerTimeout = answerTimeout
            options.reconnectWait = .milliseconds(50)
            let made = try RedisConnection(options)
            connection = Connection(log: { try made.log(named: $0) }, close: made.close)
        }
        connections.append(connection)
        return connection
    }

    /// Returns a created log with a connection of its own.
    func log(_ collection: String = "board") async throws -> AwaitedLog {
        let log = AwaitedLog(try connect().log(collection))
        try await log.create()
        return log
    }

    /// Retries until the connection is established again.
    func waitUntilConnected(_ log: AwaitedLog) async throws {
        for _ in 0..<400 {
            let error = await failure { _ = try await log.read(.lease) }
            if error == nil { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        _ = try await log.read(.lease)
    }
}

extension LockedValue<[String: MemoryBroker]> {
    fileprivate func log(_ collection: String) -> any ReplicatedLog {
        withLock { brokers in
            let broker = brokers[collection] ?? MemoryBroker(environment: DispatchEnvironment())
            brokers[collection] = broker
            return broker.makeLog(label: collection)
        }
    }
}

/// A log with async methods. Its checked continuations also detect a second answer.
struct AwaitedLog: Sendable {
    let log: any ReplicatedLog

    init(_ log: any ReplicatedLog) { self.log = log }

    private func answer<Value: Sendable>(
        _ call: (@escaping LogAnswer<Value>) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            call { continuation.resume(with: $0.mapError { $0 }) }
        }
    }

    func create() async throws { try await answer { log.create($0) } }

    func append(_ record: [UInt8], id: String, after position: UInt64) async throws -> UInt64 {
        try await answer { log.append(record, id: id, after: position, $0) }
    }

    func read(
        from position: UInt64,
        records: Int = 1_000,
        bytes: Int = 1 << 20,
        wait: Duration = .milliseconds(200)
    ) async throws -> LogBatch {
        let limit = LogReadLimit(records: records, bytes: bytes)
        return try await answer { log.read(from: position, limit: limit, wait: wait, $0) }
    }

    func purge(through position: UInt64) async throws {
        try await answer { log.purge(through: position, $0) }
    }

    func put(_ chunk: [UInt8], at index: Int, of snapshot: String) async throws {
        try await answer { log.put(chunk, at: index, of: snapshot, $0) }
    }

    func chunk(at index: Int, of snapshot: String) async throws -> [UInt8]? {
        try await answer { log.chunk(at: index, of: snapshot, $0) }
    }

    func removeSnapshots(before name: String) async throws {
        try await answer { log.removeSnapshots(before: name, $0) }
    }

    func read(_ register: LogRegister) async throws -> LogRegisterValue? {
        try await answer { log.read(register, $0) }
    }

    func set(
        _ bytes: [UInt8],
        in register: LogRegister,
        expecting revision: UInt64?
    ) async throws -> UInt64 {
        try await answer { log.set(bytes, in: register, expecting: revision, $0) }
    }

    /// Appends records one after another, after `position`.
    func fill(_ count: Int, after position: UInt64 = 0) async throws {
        for offset in 0..<UInt64(count) {
            let next = position + offset
            let taken = try await append(record(next + 1), id: "r\(next + 1)", after: next)
            #expect(taken == next + 1)
        }
    }
}

/// The record that the tests append at a position.
func record(_ position: UInt64) -> [UInt8] { Array("record \(position)".utf8) }

/// Returns the error of a call that should fail.
func failure(_ body: () async throws -> Void) async -> LogError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? LogError
    }
}

/// The results of concurrent calls, by call number, in order of arrival.
final class Answers<Value: Sendable>: Sendable {
    private let state = LockedValue<[(key: UInt64, result: Result<Value, LogError>)]>([])

    func add(_ key: UInt64, _ result: Result<Value, LogError>) {
        state.withLock { $0.append((key, result)) }
    }

    private var all: [(key: UInt64, result: Result<Value, LogError>)] { state.withLock { $0 } }

    var count: Int { state.withLock { $0.count } }
    var keys: [UInt64] { all.map(\.key) }
    var values: [Value] { all.compactMap { try? $0.result.get() } }
    var failures: [LogError] {
        all.compactMap { if case .failure(let error) = $0.result { error } else { nil } }
    }

    /// The numbers of calls that were answered more than once.
    var duplicateKeys: [UInt64] {
        Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.map(\.key)
    }

    struct MissingAnswers: Error { var count: Int }

    /// Waits for the given number of answers; fails after 30 seconds.
    func wait(for count: Int) async throws {
        for _ in 0..<3_000 {
            if self.count >= count { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw MissingAnswers(count: self.count)
    }
}
