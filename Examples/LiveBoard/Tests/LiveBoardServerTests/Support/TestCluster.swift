import CollectionPublishing
import CollectionReplication
import Logging
import PipelineTesting
import ServiceLifecycle
import Synchronization
import Testing

@testable import LiveBoardServer

/// Servers of one process that share lists over brokers in memory, one for each log.
final class TestCluster: Sendable {
    /// A server, and its connections.
    struct Member: Sendable {
        let server: TestServer
        let logs: MemoryLogs
        fileprivate let group: ServiceGroup
        fileprivate let running: Task<Void, any Error>

        /// The board as this server has it.
        var board: ReplicatedList {
            get throws { try #require(try server.board.list("board") as? ReplicatedList) }
        }

        /// Shuts it down in order.
        func stop() async throws {
            await group.triggerGracefulShutdown()
            try await running.value
        }

        /// Waits until it leads the board.
        func leads() async throws {
            while try board.source == nil { try await Task.sleep(for: .milliseconds(2)) }
        }
    }

    private let brokers = Mutex<[String: MemoryBroker]>([:])
    private let members = Mutex<[Member]>([])

    /// Calls `body`, and shuts down what it has started.
    static func run(_ body: (TestCluster) async throws -> Void) async throws {
        let cluster = TestCluster()
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(cluster))
        } catch {
            outcome = .failure(error)
        }
        for member in cluster.members.withLock({ $0 }) { try await member.stop() }
        try outcome.get()
    }

    /// Starts a server.
    func start(
        mayLead: Bool = false,
        metrics: TextMetrics? = nil,
        _ change: (inout ServerOptions) -> Void = { _ in }
    ) async throws -> Member {
        let logs = MemoryLogs(self)
        var options = TestServer.options
        var cluster = ClusterOptions(logs: logs)
        cluster.mayLead = mayLead
        cluster.leaseDuration = .milliseconds(400)
        cluster.editTimeout = .seconds(5)
        options.cluster = cluster
        change(&options)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
        let application = try await LiveBoardApplication(options, metrics: metrics, logger: logger)
        { continuation.yield($0) }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [application.application],
                logger: logger
            )
        )
        let running = Task { try await group.run() }
        let address = try #require(await addresses.first { _ in true })
        let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
        let member = Member(
            server: TestServer(board: application.board, port: port),
            logs: logs,
            group: group,
            running: running
        )
        members.withLock { $0.append(member) }
        return member
    }

    fileprivate func broker(_ name: String) -> MemoryBroker {
        brokers.withLock { brokers in
            if let broker = brokers[name] { return broker }
            let broker = MemoryBroker(environment: DispatchEnvironment())
            brokers[name] = broker
            return broker
        }
    }
}

/// The connections of one server.
final class MemoryLogs: LogProvider {
    private let cluster: TestCluster
    private let logs = Mutex<[MemoryLog]>([])

    init(_ cluster: TestCluster) { self.cluster = cluster }

    func log(named name: String) throws -> any ReplicatedLog {
        let log = cluster.broker(name).makeLog(label: name)
        logs.withLock { $0.append(log) }
        return log
    }

    /// As when the process dies, also where a server closes.
    func close() { for log in logs.withLock({ $0 }) { log.close() } }

    func cutOff(_ directions: MemoryLog.Directions = .both) {
        for log in logs.withLock({ $0 }) { log.cutOff(directions) }
    }

    func mend() { for log in logs.withLock({ $0 }) { log.mend() } }
}
