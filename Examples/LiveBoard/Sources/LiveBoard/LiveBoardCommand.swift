import ArgumentParser
import CollectionReplication
import Foundation
import LiveBoardServer
import Logging

#if LIVE_BOARD_CLUSTER
    import NATSJournal
    import RedisJournal
#endif

/// The command that serves live lists in a web page.
struct LiveBoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "LiveBoard",
        abstract:
            "Shows live lists in a web page: this machine's processes, an editable board, files."
    )

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 selects a free one.")
    var port = 8080

    @Option(help: "The seconds between two samples of the processes, from 0.05 to 3600.")
    var interval = 1.0

    @Option(help: "A folder whose files are shown as a list.")
    var files: String?

    @Option(help: "The seconds between two scans of that folder, from 0.1 to 86400.")
    var filesInterval = 10.0

    @Option(help: "The minimum milliseconds between two updates to a reader, up to 60000.")
    var announce = 100

    @Option(help: "The maximum number of connections, if the process may have enough descriptors.")
    var connections = 10_000

    @Option(help: "The seconds after which a connection that accepts no bytes is closed.")
    var writeTimeout = 120

    @OptionGroup(title: "Several servers")
    var cluster: ClusterArguments

    @Option(help: "The folder of the page's files; by default Page in this package.")
    var page: String?

    @Flag(help: "Logs debug messages too.")
    var verbose = false

    func validate() throws {
        try check((0...65_535).contains(port), "--port", "from 0 to 65535")
        try check((0.05...3600).contains(interval), "--interval", "from 0.05 to 3600")
        try check((0.1...86_400).contains(filesInterval), "--files-interval", "from 0.1 to 86400")
        try check((0...60_000).contains(announce), "--announce", "from 0 to 60000")
        try check(connections >= 1, "--connections", "at least 1")
        try check((1...86_400).contains(writeTimeout), "--write-timeout", "from 1 to 86400")
        let isEverywhere = ["0.0.0.0", "::"].contains(host)
        if cluster.lead != nil, isEverywhere, cluster.advertise == nil {
            throw ValidationError("--host \(host) needs --advertise")
        }
        if cluster.follow != nil, files != nil {
            throw ValidationError("--follow cannot be used with --files: use --follow-files")
        }
    }

    private func check(_ isRight: Bool, _ name: String, _ expected: String) throws {
        guard isRight else { throw ValidationError("\(name) must be \(expected)") }
    }

    private func options() throws -> ServerOptions {
        var options = ServerOptions()
        options.host = host
        options.port = port
        options.interval = .seconds(interval)
        options.files = files
        options.filesInterval = .seconds(filesInterval)
        options.announcementInterval = .milliseconds(announce)
        options.connections = connections
        options.writeTimeout = .seconds(writeTimeout)
        options.page = page
        options.cluster = try cluster.options()
        return options
    }

    func run() async throws {
        let level: Logger.Level = verbose ? .debug : .notice
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        let server: LiveBoardApplication
        do {
            server = try await LiveBoardApplication(
                try options(),
                logger: Logger(label: "LiveBoard")
            ) { address in
                print("LiveBoard is at http://\(address)/")
                fflush(nil)
            }
        } catch {
            throw UnreadableInput(description: "\(error)")
        }
        try await server.run()
    }
}

/// An error for input that the command cannot use.
struct UnreadableInput: Error, CustomStringConvertible {
    let description: String
}

@main
enum Program {
    /// Prints one line on standard error for every failure. The exit code is 2 for bad usage and
    /// unreadable input, and 1 for a server that cannot run.
    static func main() async {
        do {
            try await LiveBoardCommand.parse().run()
        } catch let error as UnreadableInput {
            fail(error.description, 2)
        } catch {
            let code = LiveBoardCommand.exitCode(for: error)
            if code == .success { LiveBoardCommand.exit(withError: error) }
            let isUsage = code == .validationFailure
            let text = isUsage ? LiveBoardCommand.message(for: error) : "\(error)"
            fail(text, isUsage ? 2 : 1)
        }
    }

    private static func fail(_ text: String, _ code: Int32) -> Never {
        let line = text.split(separator: "\n").joined(separator: "; ")
        try? FileHandle.standardError.write(contentsOf: Data("LiveBoard: \(line)\n".utf8))
        exit(code)
    }
}

/// The options of a server that shares its lists with other servers.
struct ClusterArguments: ParsableArguments {
    @Option(help: "The broker whose lists to show, such as nats://127.0.0.1:4222.")
    var follow: String?

    @Option(help: "Like --follow, but campaigns for leadership: the leader makes the lists.")
    var lead: String?

    @Flag(help: "Shows the leader's files too.")
    var followFiles = false

    @Option(help: "The folder for the lists' journals, which the leader writes first.")
    var journal: String?

    @Option(help: "The address for other servers, such as http://10.0.0.1:8080.")
    var advertise: String?

    @Option(help: "The seconds after which a silent leader is replaced, from 0.1 to 3600.")
    var lease = 2.0

    func validate() throws {
        if follow != nil, lead != nil {
            throw ValidationError("--lead includes --follow: leave out --follow")
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

    /// Returns the options of the cluster, or `nil` without a broker.
    ///
    /// - Throws: An error if the broker's address, the key or the journal folder is invalid.
    func options() throws -> ClusterOptions? {
        guard let broker = lead ?? follow else { return nil }
        if let journal {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: journal, isDirectory: &isFolder),
                isFolder.boolValue
            else { throw UnreadableInput(description: "expected a folder at \(journal)") }
        }
        var options = ClusterOptions(logs: try LogProvider(at: broker))
        options.mayLead = lead != nil
        options.followsFiles = followFiles
        options.journal = journal
        options.address = advertise.flatMap { ServerAddress($0) }
        options.leaseDuration = .seconds(lease)
        // Other users of the machine cannot see the environment.
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

extension LogProvider {
    /// Starts to connect to a broker.
    ///
    /// - Parameter address: An address such as `redis://127.0.0.1:6379`, or addresses such as
    ///   `nats://127.0.0.1:4222` with commas between them.
    /// - Throws: An error if the address is invalid, or this program was built without brokers.
    init(at address: String) throws {
        #if LIVE_BOARD_CLUSTER
            let servers = address.split(separator: ",").map(String.init)
            if address.hasPrefix("redis://"),
                let server = ServerAddress("http" + address.dropFirst("redis".count)),
                let port = UInt16(exactly: server.port)
            {
                let connection = try RedisConnection(RedisOptions(host: server.host, port: port))
                self.init(log: { try connection.log(named: $0) }, close: { connection.close() })
            } else if !servers.isEmpty, servers.allSatisfy({ $0.hasPrefix("nats://") }) {
                let options = NATSOptions(servers: servers, name: "LiveBoard")
                let connection = try NATSConnection(options)
                self.init(log: { try connection.log(named: $0) }, close: { connection.close() })
            } else {
                throw UnreadableInput(
                    description: "expected a broker at nats://HOST:PORT or redis://HOST:PORT,"
                        + " found \(address)"
                )
            }
        #else
            throw UnreadableInput(
                description: "this program was built without brokers: install libnats-dev and"
                    + " libhiredis-dev, and build it with LIVE_BOARD_CLUSTER=1 in the environment"
            )
        #endif
    }
}
