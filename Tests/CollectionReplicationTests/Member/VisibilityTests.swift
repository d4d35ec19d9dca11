import CollectionChanges
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionReplication

/// What readers of a leader's hub are shown when, and what survives of it.
@Suite("What is shown when", .endsHangs)
struct VisibilityTests {
    /// A leader and a follower, and a broker that has stopped.
    private func stage(
        _ visibility: ReplicationVisibility,
        _ storage: (any JournalStorage)? = nil
    ) -> (ReplicaStage, StagedMember, StagedMember) {
        let stage = ReplicaStage()
        let first = stage.add("first", storage: storage) { $0.visibility = visibility }
        let second = stage.add("second") { $0.visibility = visibility }
        first.lead()
        stage.run()
        first.publish(3)
        stage.run()
        stage.broker.stop()
        stage.run()
        return (stage, first, second)
    }

    @Test(arguments: [true, false])
    func whatIsShownAtOnceWaitsForNothing(_ hasJournal: Bool) {
        let (stage, first, second) = stage(
            .immediately,
            hasJournal ? MemoryJournalStorage() : nil
        )
        let before = first.version
        first.publish(4)
        stage.run(.milliseconds(1))
        #expect(first.version.number > before.number)
        #expect(second.version == before)
        stage.broker.start()
        stage.run()
        stage.checkConverged(leader: "first")
    }

    @Test func whatIsShownAfterTheJournalWaitsForItAndForNothingElse() {
        let storage = HeldStorage()
        let (stage, first, second) = stage(.afterLocalSync, storage)
        let before = first.version
        storage.failsNext = true
        first.publish()
        stage.run(.milliseconds(1))
        // It never came to be in the journal: nobody is shown it, and it ends the leadership.
        #expect(first.version == before)
        #expect(first.has(.resigned(.journalFailed)))

        let (other, leader, follower) = self.stage(.afterLocalSync, HeldStorage())
        let old = leader.version
        leader.publish(2)
        other.run(.milliseconds(1))
        #expect(leader.version.number > old.number && follower.version == old)
        #expect(second.version == before)
        other.broker.start()
        other.run()
        other.checkConverged(leader: "first")
    }

    @Test(arguments: [true, false])
    func whatIsShownAfterTheBrokerWaitsUntilItIsReadBack(_ hasJournal: Bool) {
        let (stage, first, second) = stage(
            .afterBroker,
            hasJournal ? MemoryJournalStorage() : nil
        )
        let before = first.version
        first.publish(4)
        stage.run(.seconds(3))
        #expect(first.version == before && second.version == before)
        #expect(first.replica.status.pendingRecords > 0)
        stage.broker.start()
        stage.run()
        #expect(first.version.number > before.number)
        #expect(first.replica.status.pendingRecords == 0)
        stage.checkConverged(leader: "first")
    }

    @Test(arguments: [ReplicationVisibility.immediately, .afterLocalSync])
    func whatWasShownAfterTheJournalComesBackWithTheLeader(_ visibility: ReplicationVisibility) {
        let storage = MemoryJournalStorage()
        let stage = ReplicaStage()
        var first: StagedMember? = stage.add("first", journal: storage) {
            $0.visibility = visibility
        }
        first?.lead()
        stage.run()
        first?.publish(3)
        stage.run()
        stage.broker.stop()
        stage.run()
        first?.publish(4)
        stage.run(.milliseconds(10))
        let (state, version) = (first?.state, first?.version)
        stage.forget("first")
        first = nil
        stage.run(.seconds(1))
        stage.broker.start()
        let again = stage.add("first", journal: storage) { $0.visibility = visibility }
        stage.run(.milliseconds(100))
        // Also to its readers, at once and under the same version.
        #expect(again.version == version && again.state == state)
        again.lead()
        let late = stage.add("late")
        stage.run(.seconds(20))
        #expect(again.state == state && late.state == state, "\(again.events)")
        again.publish()
        stage.run()
        stage.checkConverged(leader: "first")
    }

    @Test func whatWasNotConfirmedIsNotShownAgainWhereReadersWaitForTheBroker() {
        let storage = MemoryJournalStorage()
        let stage = ReplicaStage()
        var first: StagedMember? = stage.add("first", journal: storage)
        first?.lead()
        stage.run()
        first?.publish(3)
        stage.run()
        stage.broker.stop()
        stage.run()
        first?.publish(4)
        stage.run(.milliseconds(10))
        let version = first?.version
        stage.forget("first")
        first = nil
        stage.run(.seconds(1))
        let again = stage.add("first", journal: storage)
        stage.run(.seconds(1))
        #expect(again.version.number == 0)
        stage.broker.start()
        stage.run(.seconds(20))
        #expect(again.version.number >= version?.number ?? .max, "\(again.events)")
    }

    // MARK: A broker that has lost everything

    @Test(arguments: [false, true])
    func aBrokerThatLostEverythingIsRefilledFromTheJournal(_ keepsOld: Bool) {
        let storage = MemoryJournalStorage()
        let stage = ReplicaStage()
        var first: StagedMember? = stage.add("first", journal: storage)
        first?.lead()
        stage.run()
        first?.publish(2)
        stage.run()
        let old = stage.broker.contents
        first?.publish(6)
        stage.run()
        let (state, version) = (first?.state, first?.version)
        stage.forget("first")
        first = nil
        stage.run(.seconds(1))
        stage.broker.restore(keepsOld ? old : nil)
        let again = stage.add("first", journal: storage)
        again.lead()
        stage.run(.seconds(20))
        #expect(again.replica.status.isLeading, "\(again.events)")
        #expect(again.state == state, "\(again.events)")
        #expect(again.version.handle == version?.handle)
        let late = stage.add("late")
        stage.run()
        #expect(late.state == state)
        again.publish()
        stage.run()
        stage.checkConverged(leader: "first")
    }

    @Test func aBrokerThatLostALeadershipIsRefilledFromTheJournal() {
        let storage = MemoryJournalStorage()
        let stage = ReplicaStage()
        let other = stage.add("other")
        other.lead()
        stage.run()
        other.publish(2)
        stage.run()
        // From the time before the leadership of which there is a journal.
        let old = stage.broker.contents
        other.replica.close()
        stage.forget("other")
        var first: StagedMember? = stage.add("first", journal: storage)
        first?.lead()
        stage.run()
        first?.publish(6)
        stage.run()
        let (state, version) = (first?.state, first?.version)
        #expect(first?.replica.status.isLeading == true)
        stage.forget("first")
        first = nil
        stage.run(.seconds(1))
        stage.broker.restore(old)
        let again = stage.add("first", journal: storage)
        again.lead()
        stage.run(.seconds(30))
        #expect(again.replica.status.isLeading, "\(again.events)")
        #expect(again.state == state, "\(again.events)")
        #expect(again.version.handle == version?.handle)
    }
}

/// A storage in memory, that fails when it is told to.
final class HeldStorage: JournalStorage {
    private let base = MemoryJournalStorage()
    var failsNext = false

    func byteCount() -> Int { base.byteCount() }
    func read(_ range: Range<Int>) throws(JournalError) -> [UInt8] { try base.read(range) }
    func truncate(to byteCount: Int) { base.truncate(to: byteCount) }
    func replaceAll(with bytes: [UInt8]) { base.replaceAll(with: bytes) }
    func sync() {}

    func append(_ bytes: [UInt8]) throws(JournalError) {
        if failsNext { throw JournalError(.storage, "the disk is full") }
        base.append(bytes)
    }
}
