import ArgumentParser
import Foundation
import Hummingbird
import ServiceLifecycle

/// Serves a page that shows the orders of an SQLite table by state, live.
@main
struct Orders: AsyncParsableCommand {
    @Option(help: "The SQLite file, created if necessary.") var database = ":memory:"
    @Option(help: "The port to listen on; 0 for a free one.") var port: UInt16 = 8080

    func run() async throws {
        let store = try await OrderStore(file: database)
        let address = BindAddress.hostname("127.0.0.1", port: Int(port))
        let server = Application(router: store.router(), configuration: .init(address: address))
        // The last service shuts down first: the list ends the streams, for which the server waits.
        let services: [any Service] = [server, store]
        let group = ServiceGroup(services: services, gracefulShutdownSignals: [.sigterm, .sigint])
        try await group.run()
    }

    static func main() async {
        do { try await parse().run() } catch {
            if exitCode(for: error) == .success { exit(withError: error) }  // --help
            FileHandle.standardError.write(Data("\(fullMessage(for: error))\n".utf8))
            exit(withError: ExitCode(2))
        }
    }
}
