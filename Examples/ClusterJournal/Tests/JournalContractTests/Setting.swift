import BrokerProcesses
import CollectionReplication
import NATSJournal
import RedisJournal

/// A broker of a test's own, and connections to it.
final class Setting {
    let broker: BrokerProcess
    private var connections: [Connection] = []

    enum Connection: Sendable {
        case nats(NATSConnection)
        case redis(RedisConnection)

        func log(of collection: String) throws -> any ReplicatedLog {
            switch self {
            case .nats(let connection): try connection.log(of: collection)
            case .redis(let connection): try connection.log(of: collection)
            }
        }

        func close() {
            switch self {
            case .nats(let connection): connection.close()
            case .redis(let connection): connection.close()
            }
        }
    }

    init(_ kind: BrokerKind, arguments: [String] = []) throws {
        broker = try BrokerProcess(kind, arguments: arguments)
    }

    deinit {
        for connection in connections { connection.close() }
        broker.end()
    }

    func connect(answerTimeout: Duration = .seconds(5)) throws -> Connection {
        let connection: Connection
        switch broker.kind {
        case .nats:
            var options = NATSOptions(servers: ["nats://127.0.0.1:\(broker.port)"])
            options.answerTimeout = answerTimeout
            options.reconnectWait = .milliseconds(50)
            connection = .nats(try NATSConnection(options))
        case .redis:
            var options = RedisOptions(host: "127.0.0.1", port: broker.port)
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
            try NATSConnection(NATSOptions(servers: ["nats://127.0.0.1:\(port)"])).log(of: "board")
        case .redis:
            try RedisConnection(RedisOptions(port: port)).log(of: "board")
        }
    }

    /// A log that is there, over a connection of its own.
    func log(_ collection: String = "board") async throws -> AwaitedLog {
        let log = AwaitedLog(try connect().log(of: collection))
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
