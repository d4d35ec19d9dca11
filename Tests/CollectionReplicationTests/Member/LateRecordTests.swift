import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication
@testable import PipelineTesting

/// Records that come while who is about to lead finds out what the log has.
@Suite("Records that come late")
struct LateRecordTests {
    private let stage = ReplicaStage()

    /// Keeps the answers to reads behind a request to create the log.
    private final class HeldReads: Sendable {
        private enum Phase {
            case passing
            case armed
            case holding([@Sendable () -> Void])
        }

        private let phase = Lock(Phase.passing)

        var isHolding: Bool {
            phase.withLock { if case .holding(let held) = $0 { !held.isEmpty } else { false } }
        }

        func arm() { phase.withLock { $0 = .armed } }

        func release() {
            let phase = phase.withLock { phase in
                defer { phase = .passing }
                return phase
            }
            if case .holding(let held) = phase { for answer in held { answer() } }
        }

        func log(over log: MemoryLog) -> TwistedLog {
            TwistedLog(log) { [self] request, log, answer in
                log.ask(request) { [self] said in
                    let isHeld = phase.withLock { phase in
                        switch (phase, request) {
                        case (.armed, .create): phase = .holding([])
                        case (.holding(let held), .read):
                            phase = .holding(held + [{ answer(said) }])
                            return true
                        default: break
                        }
                        return false
                    }
                    if !isHeld { answer(said) }
                }
            }
        }
    }

    /// What follows on the end of the log, and opens an epoch.
    private func rivals(_ epoch: UInt64, of member: StagedMember) throws -> [PendingRecord] {
        let snapshot = member.replica.hub.snapshot
        let chain = LogChain(
            at: try #require(stage.records.last).position,
            KeptState(snapshot.state),
            LastNumbers(item: 1 << 30, section: 1 << 30),
            key: .usual,
            limits: ShapeLimits()
        )
        let opening = try chain.opening(epoch: epoch, writer: 99, jump: 1 << 20)
        let update = try opening.chain.sealed(
            .unchanged(snapshot.state.shape),
            PublishedContents(),
            version: opening.chain.version.number + 1
        )
        return [opening, update]
    }

    /// It has shown more to its readers than the log has, and waited for long enough; but what others were shown has come
    /// since it looked.
    @Test func whoHasMoreThanTheLogDoesNotGoOverWhatCameMeanwhile() throws {
        let held = HeldReads()
        var configuration = ReplicationConfiguration()
        configuration.name = "first"
        configuration.visibility = .immediately
        configuration.rollbackPatience = .seconds(3)
        configuration.answerTimeout = .seconds(60)
        let first = stage.add(
            "first",
            configured: configuration,
            journal: MemoryJournalStorage(),
            over: held.log
        )
        let second = stage.add("second")
        first.lead()
        stage.run()
        first.publish(3)
        stage.run()
        let rivals = try rivals(2, of: second)
        first.log.cutOff(.both)
        first.publish(3)
        stage.run(.seconds(1))
        #expect(first.version.number > second.version.number)
        stage.overwrite(.lease, with: LogLease(writer: 99, epoch: 2).encoded(key: .usual))
        held.arm()
        first.log.mend()
        for _ in 0..<100 where !held.isHolding { stage.run(.seconds(1)) }
        try #require(held.isHolding, "\(first.events)")
        for rival in rivals { stage.broker.appendFromStranger(rival.bytes) }
        stage.run()
        let shown = second.version
        #expect(shown.number == rivals[1].chain.version.number)
        held.release()
        stage.run(.seconds(20))
        let later = try #require(stage.records.first { $0.position.epoch > 2 })
        #expect(later.previous == rivals[1].chain.position.hash, "\(first.events)")
        stage.checkConverged(leader: "first")
    }
}
