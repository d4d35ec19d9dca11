import BrokerProcesses
import CollectionPipeline
import CollectionReplication
import JournalSupport
import NATSJournal
import PipelineTesting
import RedisJournal
import Testing

/// What a log is on: the library's own in memory has to keep the same contract.
enum Substrate: String, CaseIterable {
    case nats, redis, memory

    var kind: BrokerKind? { BrokerKind(rawValue: rawValue) }
}

/// A broker of a test's own, and connections to it.
final class Setting {
    private let process: BrokerProcess?
    private let memory = Guarded<[String: MemoryBroker]>([:])
    private var connections: [Connection] = []

    enum Connection: Sendable {
        case nats(NATSConnection)
        case redis(RedisConnection)
        case memory(Guarded<[String: MemoryBroker]>)

        func log(named collection: String) throws -> any ReplicatedLog {
            switch self {
            case .nats(let connection): try connection.log(named: collection)
            case .redis(let connection): try connection.log(named: collection)
            case .memory(let brokers):
                brokers.withLock { brokers in
                    let broker =
                        brokers[collection] ?? MemoryBroker(environment: DispatchEnvironment())
                    brokers[collection] = broker
                    return broker.makeLog(label: collection)
                }
            }
        }

        func close() {
            switch self {
            case .nats(let connection): connection.close()
            case .redis(let connection): connection.close()
            case .memory: break
            }
        }
    }

    init(_ kind: BrokerKind, arguments: [String] = []) throws {
        process = try BrokerProcess(kind, arguments: arguments)
    }

    init(_ substrate: Substrate) throws {
        process = try substrate.kind.map { try BrokerProcess($0) }
    }

    /// The server, of tests that have one.
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
        case nil: connection = .memory(memory)
        case .nats:
            var options = NATSOptions(servers: ["nats://127.0.0.1:\(try broker.port)"])
            options.answerTimeout = answerTimeout
            options.reconnectWait = .milliseconds(50)
            connection = .nats(try NATSConnection(options))
        case .redis:
            var options = RedisOptions(host: "127.0.0.1", port: try broker.port)
            options.answerTimeout = answerTimeout
            options.reconnectWait = .milliseconds(50)
            connection = .redis(try RedisConnection(options))
        }
        connections.append(connection)
        return connection
    }

    /// A log whose connection nobody else holds.
    static func looseLog(_ kind: BrokerKind, port: UInt16) throws -> any ReplicatedLog {
        switch kind {
        case .nats:
            try NATSConnection(NATSOptions(servers: ["nats://127.0.0.1:\(port)"])).log(
                named: "board"
            )
        case .redis:
            try RedisConnection(RedisOptions(port: port)).log(named: "board")
        }
    }

    /// A log that is there, over a connection of its own.
    func log(_ collection: String = "board") async throws -> AwaitedLog {
        let log = AwaitedLog(try connect().log(named: collection))
        try await log.create()
        return log
    }

    /// Asks until there is a connection again.
    func settle(_ log: AwaitedLog) async throws {
        for _ in 0..<400 {
            let error = await failure { _ = try await log.read(.lease) }
            if error == nil { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        _ = try await log.read(.lease)
    }
}
