import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication

/// Records that a member has not read, or reads late, when it writes a snapshot.
@Suite("Unread records", .endsHangs)
struct UnreadRecordTests {
    private let stage = ReplicaStage()

    /// Loses one record of the reads; after a snapshot was loaded, loses all reads until the lease
    /// is claimed.
    private final class LostReads: Sendable {
        private enum Phase {
            case passing
            case losing(UInt64)
            case losingAll
        }

        private let phase = Lock(Phase.passing)

        var isSilent: Bool { phase.withLock { if case .losingAll = $0 { true } else { false } } }

        func lose(at place: UInt64) { phase.withLock { $0 = .losing(place) } }

        func end() { phase.withLock { $0 = .passing } }

        func log(over log: MemoryLog) -> TwistedLog {
            TwistedLog(log) { [self] request, log, answer in
                log.ask(request) { [self] response in
                    if let response = passing(response, to: request) { answer(response) }
                }
            }
        }

        private func passing(_ response: LogAnswer, to request: LogRequest) -> LogAnswer? {
            phase.withLock { phase in
                switch (phase, request, response) {
                case (.losing(let place), .read, .batch(var batch)) where batch.start <= place:
                    let index = Int(place - batch.start)
                    if batch.records.indices.contains(index) { batch.records[index] = [] }
                    return .batch(batch)
                // A snapshot was loaded: the continuation was found, but no later read succeeds.
                case (.losing, .chunk, _): phase = .losingAll
                case (.losingAll, .read(_, _, let wait), _) where wait == .zero: return nil
                case (_, .set(_, .lease, _), _): phase = .passing
                default: break
                }
                return response
            }
        }
    }

    private func waitUntilLeading(_ member: StagedMember) {
        for _ in 0..<60 where !member.replica.status.isLeading { stage.run(.seconds(1)) }
    }

    /// Checks that the next leader continues from the last record of the previous leader.
    private func checkGoesOn(
        _ member: StagedMember,
        from last: LogRecord,
        _ shown: PublishedVersion
    ) throws {
        waitUntilLeading(member)
        let opening = try #require(
            stage.records.first { $0.position.epoch > last.position.epoch },
            "\(member.events)"
        )
        #expect(opening.previous == last.position.hash, "\(member.events)")
        #expect(opening.from == shown.number)
        stage.run(.seconds(10))
        stage.checkConverged(leader: member.name)
    }

    /// A damaged head does not say where the log continues, but a member with a part of the log can
    /// find out.
    @Test func rebuildingAHeadIncludesTheWholeLog() throws {
        let lost = LostReads()
        let first = stage.add("first") { $0.snapshotInterval = .max }
        let second = stage.add("second", over: lost.log)
        let third = stage.add("third")
        first.campaign()
        stage.run()
        first.publish(3)
        stage.run()
        lost.lose(at: UInt64(stage.records.count) + 2)
        first.publish(4)
        stage.run(.milliseconds(100))
        let last = try #require(stage.records.last)
        let shown = third.version
        first.log.cutOff(.both)
        stage.forget("first")
        stage.overwrite(.head, with: [1, 2, 3])
        lost.end()
        stage.run(.seconds(1))
        #expect(second.version.number < shown.number)
        second.campaign()
        try checkGoesOn(second, from: last, shown)
        #expect(third.version == second.version)
    }

    /// Records were missing for a while, so the member was about to abandon this part of the log.
    /// Then it loaded a snapshot, whose following records are only late.
    @Test func stuckMembersContinueFromALoadedSnapshot() throws {
        let lost = LostReads()
        var configuration = ReplicationConfiguration()
        configuration.name = "second"
        configuration.rollbackGracePeriod = .seconds(1)
        let first = stage.add("first") { $0.snapshotInterval = .max }
        let second = stage.add("second", configured: configuration, over: lost.log)
        let third = stage.add("third")
        first.campaign()
        stage.run()
        first.publish(3)
        stage.run()
        second.campaign()
        lost.lose(at: UInt64(stage.records.count) + 2)
        first.publish(20)
        for _ in 0..<60 where !lost.isSilent { stage.run(.seconds(1)) }
        try #require(lost.isSilent, "\(second.events)")
        #expect(second.count("recovering(CollectionReplication.RecoveryReason.gap)") > 1)
        first.publish(4)
        stage.run()
        let last = try #require(stage.records.last)
        let shown = third.version
        first.log.cutOff(.both)
        stage.forget("first")
        stage.run(.seconds(20))
        lost.end()
        try checkGoesOn(second, from: last, shown)
        #expect(third.version == second.version)
    }

    /// An earlier leader was delayed while it set the head, and completes this after the broker has
    /// lost the newer head. The current log does not contain the head's position.
    @Test func leadersRepairAHeadSetLateByAnEarlierLeader() throws {
        let first = stage.add("first")
        let second = stage.add("second")
        first.campaign()
        stage.run()
        first.publish(3)
        stage.run()
        let early = try #require(stage.head)
        stage.forget("first")
        first.log.cutOff(.both)
        second.campaign()
        waitUntilLeading(second)
        second.publish(3)
        stage.run()
        #expect(second.replica.status.isLeading)
        var place = early.snapshot.position
        (place.sequence, place.hash) = (place.sequence + 100, StateDigest(low: 1, high: 2))
        var snapshot = early.snapshot
        snapshot.position = place
        let late = LogHead(snapshot: snapshot, previous: nil, epoch: 1, writer: early.writer)
        stage.overwrite(.head, with: late.encoded(key: .usual))
        stage.run(.seconds(10))
        #expect(stage.head?.snapshot.position.epoch == 2, "\(second.events)")
        second.publish(2)
        let third = stage.add("third")
        stage.run(.seconds(10))
        #expect(third.version == second.version)
        stage.checkConverged(leader: "second")
    }

    // MARK: Records that arrive while a future leader reads the log

    /// Holds the responses to reads after a request to create the log.
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
                log.ask(request) { [self] response in
                    let isHeld = phase.withLock { phase in
                        switch (phase, request) {
                        case (.armed, .create): phase = .holding([])
                        case (.holding(let held), .read):
                            phase = .holding(held + [{ answer(response) }])
                            return true
                        default: break
                        }
                        return false
                    }
                    if !isHeld { answer(response) }
                }
            }
        }
    }

    /// Returns records that extend the end of the log with a new epoch.
    private func rivals(_ epoch: UInt64, of member: StagedMember) throws -> [PendingRecord] {
        let snapshot = member.replica.hub.snapshot
        let chain = LogChain(
            at: try #require(stage.records.last).position,
            StateWithDigest(snapshot.state),
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

    /// The member has shown more to its readers than the log contains, and has waited long enough;
    /// but other members' records have arrived since it read the log.
    @Test func membersAheadOfTheLogDoNotOverwriteNewRecords() throws {
        let held = HeldReads()
        var configuration = ReplicationConfiguration()
        configuration.name = "first"
        configuration.visibility = .immediately
        configuration.rollbackGracePeriod = .seconds(3)
        configuration.answerTimeout = .seconds(60)
        let first = stage.add(
            "first",
            configured: configuration,
            journal: MemoryJournalStorage(),
            over: held.log
        )
        let second = stage.add("second")
        first.campaign()
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
        first.log.reconnect()
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
