import ArgumentParser
import CollectionReplication
import Foundation
import LiveBoardServer

#if LIVE_BOARD_CLUSTER
    import NATSJournal
    import RedisJournal
#endif

/// The options of a server that shares its lists with other servers.
struct ClusterArguments: ParsableArguments {
    @Option(help: "A broker, such as nats://127.0.0.1:4222, whose lists this server shows.")
    var follow: String?

    @Option(help: "The same, and this server stands for leadership: the leader makes the lists.")
    var lead: String?

    @Flag(help: "Shows the files of the leader too.")
    var followFiles = false

    @Option(help: "A folder with a journal for each list, which the leader writes first.")
    var journal: String?

    @Option(help: "Where other servers reach this one, such as http://10.0.0.1:8080.")
    var advertise: String?

    @Option(help: "The seconds after which a silent leader is replaced, from 0.1 to 3600.")
    var lease = 2.0

    func validate() throws {
        if follow != nil, lead != nil {
            throw ValidationError("--lead follows too: leave out --follow")
        }
        if lead == nil, journal != nil || advertise != nil {
            throw ValidationError("--journal and --advertise need --lead")
        }
        if follow == nil, lead == nil, followFiles {
            throw ValidationError("--follow-files needs --follow or --lead")
        }
        if let advertise, ServerAddress(advertise) == nil {
            throw ValidationError("--advertise must be http://HOST:PORT")
        }
        guard (0.1...3600).contains(lease) else {
            throw ValidationError("--lease must be from 0.1 to 3600")
        }
    }

    /// The options of the server; `nil` if it is the only one.
    ///
    /// - Throws: if the broker's address or the key cannot be used, or there is no such folder.
    func options() throws -> ClusterOptions? {
        guard let broker = lead ?? follow else { return nil }
        if let journal {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: journal, isDirectory: &isFolder),
                isFolder.boolValue
            else { throw UnreadableInput(description: "\(journal) must be a folder") }
        }
        var options = ClusterOptions(logs: try BrokerLogs(at: broker))
        options.mayLead = lead != nil
        options.followsFiles = followFiles
        options.journal = journal
        options.address = advertise.flatMap { ServerAddress($0) }
        options.leaseDuration = .seconds(lease)
        // In the environment, other users of the machine do not see it.
        if let digits = ProcessInfo.processInfo.environment["LIVE_BOARD_KEY"] {
            guard digits.utf8.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                let low = UInt64(digits.prefix(16), radix: 16),
                let high = UInt64(digits.suffix(16), radix: 16)
            else {
                throw UnreadableInput(description: "LIVE_BOARD_KEY must be 32 hexadecimal digits")
            }
            options.key = StableHashKey(low: low, high: high)
        }
        return options
    }
}

/// Logs on the broker that an address names.
struct BrokerLogs: LogProvider {
    private let makeLog: @Sendable (String) throws -> any ReplicatedLog
    private let closeConnection: @Sendable () -> Void

    /// Starts to connect to a broker.
    ///
    /// - Parameter address: such as `nats://127.0.0.1:4222`, several with commas between, or `redis://127.0.0.1:6379`.
    /// - Throws: if it is no such address, or this program was built without brokers.
    init(at address: String) throws {
        #if LIVE_BOARD_CLUSTER
            let servers = address.split(separator: ",").map(String.init)
            if address.hasPrefix("redis://"),
                let server = ServerAddress("http" + address.dropFirst("redis".count)),
                let port = UInt16(exactly: server.port)
            {
                let connection = try RedisConnection(RedisOptions(host: server.host, port: port))
                makeLog = { try connection.log(named: $0) }
                closeConnection = { connection.close() }
            } else if !servers.isEmpty, servers.allSatisfy({ $0.hasPrefix("nats://") }) {
                let options = NATSOptions(servers: servers, name: "LiveBoard")
                let connection = try NATSConnection(options)
                makeLog = { try connection.log(named: $0) }
                closeConnection = { connection.close() }
            } else {
                throw UnreadableInput(
                    description: "a broker must be at nats://HOST:PORT or redis://HOST:PORT,"
                        + " but is at \(address)"
                )
            }
        #else
            throw UnreadableInput(
                description: "this program was built without brokers: build it with"
                    + " LIVE_BOARD_CLUSTER=1 in the environment, libnats-dev and libhiredis-dev"
                    + " installed"
            )
        #endif
    }

    func log(named name: String) throws -> any ReplicatedLog { try makeLog(name) }

    func close() { closeConnection() }
}
