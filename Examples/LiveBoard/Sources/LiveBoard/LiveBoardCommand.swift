import ArgumentParser
import Foundation
import LiveBoardServer
import Logging

/// Live lists in a web page: this machine's processes, and a board that everybody who looks at it can edit.
struct LiveBoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "LiveBoard",
        abstract:
            "Shows live lists in a web page: this machine's processes, a board to edit, files."
    )

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 for a free one.")
    var port = 8080

    @Option(help: "The seconds between two looks at the processes, from 0.05 to 3600.")
    var interval = 1.0

    @Option(help: "A folder whose files are a list too.")
    var files: String?

    @Option(help: "The seconds between two looks at its files, from 0.1 to 86400.")
    var filesInterval = 10.0

    @Option(help: "The minimum milliseconds between two updates to a reader, up to 60000.")
    var announce = 100

    @Option(help: "The maximum number of connections, if there are descriptors for them.")
    var connections = 10_000

    @Option(help: "The seconds after which a connection that accepts no bytes is closed.")
    var writeTimeout = 120

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
        try check((1...86_400).contains(writeTimeout), "--write-timeout", "from 1 to 86400")
        let isEverywhere = ["0.0.0.0", "::"].contains(host)
        if cluster.lead != nil, isEverywhere, cluster.advertise == nil {
            throw ValidationError("--advertise must say where others reach --host \(host)")
        }
        if cluster.follow != nil, files != nil {
            throw ValidationError("--files is for the leader: use --follow-files")
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

/// The reason why the input of the command cannot be used.
struct UnreadableInput: Error, CustomStringConvertible {
    let description: String
}

@main
enum Program {
    /// Prints one line on standard error for every failure. The exit code is 2 for bad usage and unreadable input, and 1
    /// for a server that cannot run.
    static func main() async {
        do {
            var command = try LiveBoardCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
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
