import CollectionChanges
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

@Suite("What members of a cluster append and accept", .endsHangs)
struct ClusterOracleChainTests {
    private let stage = ClusterStage()
    private var oracle: ClusterOracle { stage.oracle }
    private var member: SimulatedMember { stage.member }

    // MARK: Appending

    @Test func sourcesAreCountedFromOne() {
        #expect((1...3).allSatisfy { oracle.takeSourceNumber() == $0 })
    }

    /// At the very end of a lease another may have taken it.
    @Test func whoChangesTheLogHasALease() {
        #expect(stage.broken { oracle.changes(by: member) } == ["One Writer"], "never set")
        let duration = member.configuration.leaseDuration
        stage.cluster.simulation.advanceClock(by: .milliseconds(400))
        member.track.leaseSetAt = .milliseconds(400)
        #expect(stage.broken { oracle.changes(by: member) } == [])
        stage.cluster.simulation.advanceClock(by: duration - .nanoseconds(1))
        #expect(stage.broken { oracle.changes(by: member) } == [])
        stage.cluster.simulation.advanceClock(by: .nanoseconds(1))
        #expect(stage.broken { oracle.changes(by: member) } == ["One Writer"])
    }

    @Test func whatIsAppendedIsARecordOfSomebodyWithALease() {
        let (bytes, _) = stage.record(1, from: 0, to: 10, isOpening: true)
        #expect(stage.broken { oracle.sealed([1, 2], by: member) } == ["Prefix"])
        #expect(stage.broken { oracle.sealed(bytes, by: member) } == ["One Writer"])
        member.track.leaseSetAt = .zero
        #expect(stage.broken { oracle.sealed(bytes, by: member) } == [])
    }

    @Test func oneRecordLeadsToAVersion() {
        member.track.leaseSetAt = .zero
        let first = stage.record(1, from: 0, to: 10, isOpening: true)
        let second = stage.record(2, from: 10, to: 11, after: first.position)
        let other = stage.record(3, from: 10, to: 11, after: second.position)
        #expect(stage.broken { oracle.sealed(first.bytes, by: member) } == [])
        #expect(stage.broken { oracle.sealed(second.bytes, by: member) } == [])
        #expect(stage.broken { oracle.sealed(second.bytes, by: member) } == [], "once more")
        let broken = stage.broken { oracle.sealed(other.bytes, by: member) }
        #expect(broken == ["No Gap No Double"])
    }

    @Test func whatIsAppendedIsInTheTrace() throws {
        let stage = ClusterStage(keepsTrace: true)
        stage.cluster.lane.enqueue {}
        #expect(stage.cluster.simulation.step())
        stage.member.track.leaseSetAt = .zero
        let (bytes, _) = stage.record(9, epoch: 4, from: 0, to: 10)
        stage.oracle.sealed(bytes, by: stage.member)
        let notes = try #require(stage.cluster.simulation.trace.last?.notes)
        #expect(notes == ["0: appends 4/9"])
    }

    // MARK: Events

    @Test func whoHasFoundItsPlaceIsLostNoMore() {
        let found: [ReplicationEvent] = [
            .following(ClusterStage.version(1)), .current(ClusterStage.version(1)),
        ]
        for event in found {
            member.track.isLost = true
            #expect(stage.broken { oracle.observe(event, of: member) } == [])
            #expect(!member.track.isLost)
        }
        let lost: [ReplicationEvent] = [
            .failed(LogError(.unanswered, "")), .recovering(.gap), .resigned(.fenced),
        ]
        for event in lost {
            member.track.isLost = false
            #expect(stage.broken { oracle.observe(event, of: member) } == [])
            #expect(member.track.isLost)
        }
        for isLost in [false, true] {
            member.track.isLost = isLost
            oracle.observe(.leading(epoch: 1), of: member)
            oracle.observe(.passedOver(.stale), of: member)
            oracle.observe(.snapshotTaken(ClusterStage.version(1), bytes: 1), of: member)
            #expect(member.track.isLost == isLost)
        }
    }

    @Test func eventsAreCountedByTheirReasons() {
        let events: [ReplicationEvent] = [
            .recovering(.trimmed), .recovering(.trimmed), .recovering(.fork), .leading(epoch: 1),
            .resigned(.asked), .passedOver(.rival),
            .snapshotTaken(ClusterStage.version(1), bytes: 1),
            .journalFailed("the last 3 bytes could not be read"),
        ]
        for event in events { oracle.observe(event, of: member) }
        let expected = [
            "recovering trimmed": 2, "recovering fork": 1, "leading": 1, "resigned asked": 1,
            "passed over rival": 1, "snapshot": 1, "journal failed": 1,
        ]
        #expect(stage.marks() == expected)
    }

    @Test func whatCannotBePublishedOrWrittenIsBroken() {
        let broken = stage.broken {
            oracle.observe(.unpublishable("too large"), of: member)
            oracle.observe(.journalFailed("it is full"), of: member)
            oracle.observe(.journalFailed("the last 3 bytes could not be read"), of: member)
        }
        #expect(broken == ["No Gap No Double", "Durable As Promised"])
    }

    // MARK: Accepting

    /// A leader that has accepted the opening and two more records, and what these are.
    private func accepted() throws -> [RecordSummary] {
        try stage.lead()
        try stage.publish()
        let records = (stage.cluster.broker.contents?.log ?? [])
            .compactMap { RecordSummary(of: $0, key: member.configuration.key) }
        try #require(records.count == 3)
        try #require(records.last?.position == member.replica?.status.position)
        #expect(stage.cluster.violations == [])
        return records
    }

    /// What is broken where the member comes from a position to where it is.
    private func broken(from old: ChainPosition?, isLost: Bool = false) -> [String] {
        (member.track.position, member.track.isLost) = (old, isLost)
        return stage.broken { oracle.look(at: member) }
    }

    /// What is before the first record.
    private func beginning(_ opening: RecordSummary) -> ChainPosition {
        ChainPosition(
            handle: opening.position.handle,
            epoch: 0,
            writer: 0,
            sequence: 0,
            version: opening.from,
            hash: opening.previous
        )
    }

    @Test func whatFollowsMayBeAcceptedInAnyNumber() throws {
        let records = try accepted()
        for old in records.map(\.position) + [beginning(records[0])] {
            #expect(broken(from: old) == [], "from \(old.sequence)")
            #expect(member.track.position == records[2].position, "where it is seen from then on")
        }
    }

    @Test func whatDoesNotFollowIsNotAccepted() throws {
        let records = try accepted()
        let places = records.map(\.position)
        let changes: [(ChainPosition, (inout ChainPosition) -> Void)] = [
            // Not further.
            (places[1], { $0.handle = HistoryHandle(rawValue: ~$0.handle.rawValue) }),
            (places[2], { $0.hash = StateDigest(low: 1, high: 1) }),
            (places[2], { $0.sequence += 1 }),
            // On something else.
            (places[1], { $0.hash = StateDigest(low: 1, high: 1) }),
            (places[0], { $0.hash = StateDigest(low: 1, high: 1) }),
            (self.beginning(records[0]), { $0.hash = StateDigest(low: 1, high: 1) }),
            // In the wrong epoch, or of another writer in the same.
            (places[1], { $0.epoch += 1 }), (places[1], { $0.writer = ~$0.writer }),
            // An epoch that is not opened, or was already.
            (places[1], { $0.epoch -= 1 }),
            (
                self.beginning(records[0]),
                { ($0.epoch, $0.writer) = (places[0].epoch, places[0].writer) }
            ),
        ]
        for (index, (place, change)) in changes.enumerated() {
            var old = place
            change(&old)
            #expect(broken(from: old) == ["One Writer"], "change \(index)")
            #expect(broken(from: old, isLost: true) == [], "it may look for its place")
        }
        #expect(broken(from: nil) == [], "it begins anywhere")
    }

    @Test func whatIsAcceptedIsCounted() throws {
        let records = try accepted()
        var count = 0
        member.track.position = records[2].position
        oracle.look(at: member)
        for old in records.dropLast() {
            _ = broken(from: old.position)
            count += 1
        }
        // What was there before the test looked: three records, one or more at once, and where it began.
        let marks = stage.marks()
        #expect((count + 1...count + 5).contains(marks["accepted"] ?? 0))
    }

    @Test func nothingIsCheckedOfWhoIsNotThere() {
        #expect(stage.broken { oracle.look(at: member) } == [])
        #expect(member.track.position == nil)
        #expect(stage.marks()["accepted"] == nil)
    }
}
