import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication

/// Members on threads with random delays, over a broker with every fault; mainly for
/// ThreadSanitizer.
@Suite("Members on threads", .endsHangs)
struct ThreadedMemberTests {
    /// A member with a reader and, while it leads, a source.
    final class ThreadedMember: @unchecked Sendable {  // mutable state is guarded by the lock
        let replica: ReplicatedHub
        private let lock = Lock(())
        private var source: StagedSource?
        private var random: SeededGenerator
        private var copy = CollectionReplica()
        private var errors: [ReplicaError] = []
        private var token: HubReader?

        init(_ index: Int, _ broker: MemoryBroker, _ environment: any PipelineEnvironment) throws {
            random = SeededGenerator(seed: UInt64(index))
            var configuration = ReplicationConfiguration()
            configuration.name = "member \(index)"
            configuration.snapshotInterval = 4
            configuration.chunkByteCount = 500
            configuration.leaseDuration = .seconds(1)
            configuration.answerTimeout = .milliseconds(500)
            configuration.readWait = .milliseconds(30)
            configuration.retryInterval = .milliseconds(3)
            configuration.rollbackGracePeriod = .milliseconds(200)
            configuration.visibility = [.immediately, .afterLocalSync, .afterBroker][index % 3]
            replica = ReplicatedHub(
                log: broker.makeLog(label: "member \(index)"),
                journal: { () throws(JournalError) in MemoryJournalStorage() },
                configuration: configuration,
                environment: environment
            )
            token = try replica.hub.addReader { [weak self] in
                self?.take($0)
                return .more
            }
            replica.follow()
            replica.campaign { [weak self] change in self?.changed(change, environment) }
        }

        private func take(_ message: HubMessage) {
            lock.withLock { _ in
                do throws(ReplicaError) { try copy.apply(message) } catch { errors.append(error) }
            }
        }

        private func changed(
            _ change: LeadershipChange,
            _ environment: any PipelineEnvironment
        ) {
            switch change {
            case .began(let snapshot):
                let made = StagedSource(snapshot.state, environment)
                lock.withLock { _ in source = made }
                replica.publish(from: made.hub)
            case .ended: lock.withLock { _ in source = nil }
            }
        }

        func publish() { lock.withLock { _ in source?.publish(&random) } }

        var found: (version: PublishedVersion?, digest: StateDigest, errors: [ReplicaError]) {
            lock.withLock { _ in (copy.version, copy.digest, errors) }
        }
    }

    @Test func membersOnThreadsConvergeWhenFaultsEnd() async throws {
        for seed in 1...UInt64(Effort.number(6, usually: 1)) {
            let base = DispatchEnvironment(workerCount: 2)
            let jitter = Jitter(seed: seed, maximumMicroseconds: 150)
            let environment = JitteredEnvironment(base, jitter)
            let broker = MemoryBroker(
                environment: environment,
                faults: BrokerFaults(seed: seed, longestDelay: .milliseconds(30))
            )
            let members = try (0..<3).map { try ThreadedMember($0, broker, environment) }
            for round in 0..<3_000 {
                // On a busy machine, the first election may take a while.
                let sequence = members[0].replica.status.position?.sequence ?? 0
                if round >= 150, sequence > 10 { break }
                for member in members {
                    member.publish()
                    _ = member.replica.status
                    _ = member.replica.hub.snapshot.version
                }
                try await Task.sleep(for: .milliseconds(4))
            }
            broker.endFaults()
            // All members converge to the state of the current leader. On a busy machine, responses
            // and renewals are late, and each late one costs another election.
            for _ in 0..<12_000 where !isConverged(members) {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(isConverged(members), "\(members.map(\.replica.status))")
            for member in members { #expect(member.found.errors == []) }
            for member in members {
                await withCheckedContinuation { done in member.replica.close { done.resume() } }
            }
        }
    }

    private func isConverged(_ members: [ThreadedMember]) -> Bool {
        let found = members.map(\.found)
        let position = members[0].replica.status.position
        return members.count { $0.replica.status.isLeading } == 1
            && position != nil
            && members.allSatisfy { $0.replica.status.position == position }
            && found.allSatisfy { $0.version == found[0].version && $0.digest == found[0].digest }
    }
}
