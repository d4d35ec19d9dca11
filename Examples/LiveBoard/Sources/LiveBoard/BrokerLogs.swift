import CollectionReplication
import LiveBoardServer

#if LIVE_BOARD_CLUSTER
    import NATSJournal
    import RedisJournal
#endif

/// Logs on the broker that an address names.
enum BrokerLogs {
    /// Begins to connect to a broker.
    ///
    /// - Parameter address: such as `nats://127.0.0.1:4222`, several with commas between, or `redis://127.0.0.1:6379`.
    /// - Throws: where it is no such address, or this program was built without brokers.
    static func connect(to address: String) throws -> any LogProvider {
        #if LIVE_BOARD_CLUSTER
            if let redis = RedisLogs.options(address) { return try RedisLogs(redis) }
            let servers = address.split(separator: ",").map(String.init)
            let schemes = ["nats://", "tls://"]
            guard !servers.isEmpty,
                servers.allSatisfy({ server in schemes.contains { server.hasPrefix($0) } })
            else {
                throw UnreadableInput(
                    description: "a broker must be at nats://HOST:PORT or redis://HOST:PORT,"
                        + " but is at \(address)"
                )
            }
            return try NATSLogs(NATSOptions(servers: servers, name: "LiveBoard"))
        #else
            throw UnreadableInput(
                description: "this program was built without brokers: build it with"
                    + " LIVE_BOARD_CLUSTER=1 in the environment, libnats-dev and libhiredis-dev"
                    + " installed"
            )
        #endif
    }
}

#if LIVE_BOARD_CLUSTER
    /// Logs on NATS.
    private struct NATSLogs: LogProvider {
        private let connection: NATSConnection

        init(_ options: NATSOptions) throws { connection = try NATSConnection(options) }

        func log(named name: String) throws -> any ReplicatedLog { try connection.log(named: name) }

        func close() { connection.close() }
    }

    /// Logs on Redis.
    private struct RedisLogs: LogProvider {
        private let connection: RedisConnection

        init(_ options: RedisOptions) throws { connection = try RedisConnection(options) }

        /// The options of `redis://HOST:PORT`; nil for another address.
        static func options(_ address: String) -> RedisOptions? {
            guard address.hasPrefix("redis://"),
                let server = ServerAddress("http://" + address.dropFirst("redis://".count)),
                let port = UInt16(exactly: server.port)
            else { return nil }
            return RedisOptions(host: server.host, port: port)
        }

        func log(named name: String) throws -> any ReplicatedLog { try connection.log(named: name) }

        func close() { connection.close() }
    }
#endif
