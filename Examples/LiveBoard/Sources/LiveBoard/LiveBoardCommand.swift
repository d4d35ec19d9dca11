import ArgumentParser
import LiveBoardLoad
import LiveBoardServer
import Logging
import Metrics

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Live lists in a web page: this machine's processes, and a board that all who look at it edit.
struct LiveBoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "LiveBoard",
        abstract:
            "Shows live lists in a web page: this machine's processes, a board to edit, files.",
        subcommands: [LoadCommand.self]
    )

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 for one that is free.")
    var port = 8080

    @Option(help: "What a section of the processes is: user or state.")
    var group = ServerOptions.Grouping.user

    @Option(help: "Every how many seconds processes are looked at, from 0.05 to 3600.")
    var interval = 1.0

    @Option(help: "A folder whose files are a list too.")
    var files: String?

    @Option(help: "Every how many seconds its files are looked for, from 0.1 to 86400.")
    var filesInterval = 10.0

    @Option(help: "The least milliseconds between two updates that a reader is told, 0 for none.")
    var announce = 100

    @Option(help: "How many connections there may be.")
    var connections = 20_000

    @Option(help: "How many connections there may be from one address.")
    var connectionsPerAddress = 1000

    @Option(help: "How many searches there may be at once.")
    var searches = 64

    @Option(help: "After how many seconds a connection that takes nothing is closed.")
    var writeTimeout = 120

    @Option(
        help:
            "For tests: changes a list of random rows so often a second, 0 for as often as can be."
    )
    var churn: Double?

    @Option(help: "For tests: after how many changes that list rests.")
    var churnSets: Int?

    @OptionGroup(title: "On several machines")
    var cluster: ClusterArguments

    @Option(help: "The folder of the page's files, instead of the one beside the sources.")
    var page: String?

    @Flag(help: "Logs more.")
    var verbose = false

    func validate() throws {
        try check((0...65_535).contains(port), "--port", "from 0 to 65535")
        try check((0.05...3600).contains(interval), "--interval", "from 0.05 to 3600")
        try check((0.1...86_400).contains(filesInterval), "--files-interval", "from 0.1 to 86400")
        try check((0...60_000).contains(announce), "--announce", "from 0 to 60000")
        try check(connections >= 1, "--connections", "at least 1")
        try check(connectionsPerAddress >= 1, "--connections-per-address", "at least 1")
        try check((0...10_000).contains(searches), "--searches", "from 0 to 10000")
        try check((1...86_400).contains(writeTimeout), "--write-timeout", "from 1 to 86400")
        if let churn { try check((0...10_000).contains(churn), "--churn", "from 0 to 10000") }
        if let churnSets { try check(churnSets >= 0, "--churn-sets", "at least 0") }
        let isEverywhere = ["0.0.0.0", "::"].contains(host)
        if cluster.lead != nil, isEverywhere, cluster.advertise == nil {
            throw ValidationError("--advertise must say where others reach --host \(host)")
        }
        if cluster.lead == nil, files != nil || churn != nil, cluster.follow != nil {
            throw ValidationError("--files and --churn must be left to who leads; see --lists")
        }
    }

    private func check(_ isRight: Bool, _ name: String, _ expected: String) throws {
        guard isRight else { throw ValidationError("\(name) must be \(expected)") }
    }

    private func options() throws -> ServerOptions {
        var options = ServerOptions()
        options.host = host
        options.port = port
        options.grouping = group
        options.interval = .seconds(interval)
        options.files = files
        options.filesInterval = .seconds(filesInterval)
        options.announcementInterval = .milliseconds(announce)
        options.connections = connections
        options.connectionsPerAddress = connectionsPerAddress
        options.searches = searches
        options.writeTimeout = .seconds(writeTimeout)
        options.page = page
        options.churn = churn
        options.churnSets = churnSets
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
        let metrics = TextMetrics()
        MetricsSystem.bootstrap(metrics)
        FileLimit.raise()
        let server: LiveBoardApplication
        do {
            server = try await LiveBoardApplication(
                try options(),
                metrics: metrics,
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

/// What is to be shown cannot be read.
struct UnreadableInput: Error, CustomStringConvertible {
    let description: String
}

extension ServerOptions.Grouping: ExpressibleByArgument {}

@main
enum Program {
    /// One line on standard error for whatever goes wrong: 2 for bad usage and unreadable input, 1 for a server that cannot run.
    static func main() async {
        do {
            var command = try LiveBoardCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let code as ExitCode {
            exit(code.rawValue)
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
        let bytes = Array("LiveBoard: \(line)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        exit(code)
    }
}
