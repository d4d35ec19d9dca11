import ArgumentParser
import Foundation
import NIOPosix

/// Thousands of readers of a list, and what they cost its server.
public struct LoadCommand: AsyncParsableCommand, Sendable {
    /// What it is called.
    public static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Follows a list with many connections, and says what each costs the server.",
        discussion: """
            The list is the board, which is edited meanwhile, so that it is known when an edit was asked for; or another, \
            such as that of --churn, whose server changes it by itself. Start the server with --announce 0 for the board, \
            and with --connections-per-address.
            """
    )

    @Option(help: "Where the server listens, on this machine.")
    var port = 8080

    @Option(help: "The number of the server's process, to read what it uses.")
    var server: Int

    @Option(help: "How many connections.")
    var clients = 1000

    @Option(help: "For how many seconds.")
    var seconds = 20

    @Option(help: "Which list.")
    var list = "board"

    @Option(help: "How many edits a second, of the board.")
    var edits = 10

    @Option(help: "How many of the connections have a replica, which checks versions and digests.")
    var replicas = 20

    @Option(help: "The query of the address, such as '?row=0&rows=50'.")
    var query = ""

    @Flag(help: "Asks for gzip.")
    var gzip = false

    /// Nothing is set yet.
    public init() {}

    /// Checks the numbers.
    public func validate() throws {
        guard clients >= 1, seconds >= 1, (1...1000).contains(edits), replicas >= 0 else {
            throw ValidationError("--clients, --seconds and --edits must be at least 1")
        }
    }

    /// Follows, measures and reports.
    public func run() async throws {
        FileLimit.raise()
        let before = try ServerUse(of: server)
        let arrivals = Arrivals(clients: clients)
        let readers = Readers(self, arrivals)
        try await readers.start()
        // Until everybody has had everything and is where the others are.
        try await Task.sleep(for: .seconds(3))
        let idle = try ServerUse(of: server)
        let own = try ServerUse(of: Int(getpid()))
        arrivals.begin()
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let editor = list == "board" ? try await Editor.connect(self, arrivals, eventLoop) : nil
        try await Task.sleep(for: .seconds(seconds) / 3)
        let third = try ServerUse(of: server)
        try await Task.sleep(for: .seconds(seconds) * 2 / 3)
        try await editor?.stop()
        let after = try ServerUse(of: server)
        let ownAfter = try ServerUse(of: Int(getpid()))
        try await Task.sleep(for: .seconds(1))
        let figures = arrivals.figures
        readers.stop()
        report(figures, before: before, idle: idle, after: after)
        let share = (ownAfter.seconds - own.seconds) / max(0.01, after.seconds - idle.seconds)
        let growth = Double(after.residentBytes - third.residentBytes) / 1e6
        print("memory since a third of the time", rounded(growth), "MB")
        print("this program took", rounded(share), "times the server's CPU")
        guard figures.faults == 0 else { throw ExitCode(1) }
    }

    private func report(
        _ figures: Arrivals.Figures,
        before: ServerUse,
        idle: ServerUse,
        after: ServerUse
    ) {
        let taken = Double(max(1, figures.messages))
        let cpu = (after.seconds - idle.seconds) * 1e6 / taken
        let memory = Double(after.residentBytes - before.residentBytes) / Double(clients) / 1000
        print("clients", clients, gzip ? "gzip" : "plain")
        print("updates", figures.updates, "messages", figures.messages, "faults", figures.faults)
        row("CPU a client and update", cpu, "us", goal: 20)
        row("memory a client", memory, "kB", goal: 8)
        print(
            "  of these at rest",
            rounded(
                Double(idle.residentBytes - before.residentBytes) / Double(clients) / 1000
            ),
            "kB"
        )
        print("bytes a client and update", rounded(Double(figures.bytes) / taken))
        row("first to last client, p99", figures.spread.percentile(99) * 1000, "ms", goal: 250)
        guard !figures.latencies.isEmpty else { return }
        print(
            "edit to last client, p50",
            rounded(figures.latencies.percentile(50) * 1000),
            "ms"
        )
        row(
            "edit to last client, p99",
            figures.latencies.percentile(99) * 1000,
            "ms",
            goal: 250
        )
    }

    private func row(_ name: String, _ value: Double, _ unit: String, goal: Double) {
        print(name, rounded(value), unit, "goal", goal, "ratio", rounded(value / goal))
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

extension [Double] {
    fileprivate func percentile(_ percent: Int) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, count * percent / 100)]
    }
}
