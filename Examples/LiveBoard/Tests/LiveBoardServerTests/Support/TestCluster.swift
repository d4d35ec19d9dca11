import CollectionReplication
import PipelineTesting
import Synchronization
import Testing

@testable import LiveBoardServer

/// Servers of one process that share lists over brokers in memory, one for each log.
final class TestCluster: Sendable {
    /// A server, and its connections to the brokers.
    struct Member: Sendable {
        let server: TestServer
        let logs: MemoryLogs

        /// Waits until the server leads the board.
        func leads() async throws {
            while try server.cards.source == nil { try await Task.sleep(for: .milliseconds(2)) }
        }
    }

    private let brokers = Mutex<[String: MemoryBroker]>([:])
    private let members = Mutex<[Member]>([])

    /// Calls `body`, and shuts down the servers that it has started.
    static func run(_ body: (TestCluster) async throws -> Void) async throws {
        let cluster = TestCluster()
        var failure: (any Error)?
        do { try await body(cluster) } catch { failure = error }
        for member in cluster.members.withLock({ $0 }) { try await member.server.stop() }
        if let failure { throw failure }
    }

    /// Starts a server.
    func start(
        mayLead: Bool = false,
        _ change: (inout ClusterOptions) -> Void = { _ in }
    ) async throws -> Member {
        let logs = MemoryLogs(self)
        var cluster = ClusterOptions(logs: logs)
        cluster.mayLead = mayLead
        cluster.leaseDuration = .milliseconds(400)
        cluster.editTimeout = .seconds(5)
        change(&cluster)
        var options = TestServer.options
        options.cluster = cluster
        let member = Member(server: try await TestServer.start(options), logs: logs)
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

    func close() { for log in logs.withLock({ $0 }) { log.close() } }

    func cutOff(_ directions: MemoryLog.Directions = .both) {
        for log in logs.withLock({ $0 }) { log.cutOff(directions) }
    }

    func mend() { for log in logs.withLock({ $0 }) { log.mend() } }
}
