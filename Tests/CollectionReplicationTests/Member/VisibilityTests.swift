import CollectionChanges
import PipelineSimulation
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionReplication

/// The updates that readers of a leader's hub see, when they see them, and which of them survive.
@Suite("Visibility of updates", .endsHangs)
struct VisibilityTests {
    /// Returns a leader and a follower; their broker has stopped.
    private func stage(
        _ visibility: ReplicationVisibility,
        _ storage: (any JournalStorage)? = nil
    ) -> (ReplicaStage, StagedMember, StagedMember) {
        let stage = ReplicaStage()
        let first = stage.add("first", journal: storage) { $0.visibility = visibility }
        let second = stage.add("second") { $0.visibility = visibility }
        first.campaign()
        stage.run()
        first.publish(3)
        stage.run()
        stage.broker.stop()
        stage.run()
        return (stage, first, second)
    }

    @Test(arguments: [ReplicationVisibility.immediately, .afterLocalSync, .afterBroker])
    func leadersShowEarlyAndFollowersShowTheLog(_ visibility: ReplicationVisibility) {
        for hasJournal in [true, false] {
            let (stage, first, second) = stage(
                visibility,
                hasJournal ? MemoryJournalStorage() : nil
            )
            let before = first.version
            first.publish(4)
            stage.run(.milliseconds(1))
            let waits = visibility == .afterBroker
            #expect((first.version == before) == waits, "\(visibility), \(hasJournal)")
            stage.run(.seconds(3))
            #expect((first.version == before) == waits && second.version == before)
            #expect(first.replica.status.pendingRecords > 0)
            stage.broker.start()
            stage.run()
            #expect(first.version.number > before.number)
            #expect(first.replica.status.pendingRecords == 0)
            stage.checkConverged(leader: "first")
        }
    }

    @Test func unjournaledUpdatesStayHiddenAndEndTheLeadership() {
        let storage = VolatileStorage(SeededGenerator(seed: 1), leavesGaps: false)
        let (stage, first, _) = stage(.afterLocalSync, storage)
        let before = first.version
        storage.losePower()
        first.publish()
        stage.run(.milliseconds(1))
        #expect(first.version == before)
        #expect(first.has(.resigned(.journalFailed)))
    }

    @Test(arguments: [ReplicationVisibility.immediately, .afterLocalSync, .afterBroker])
    func visibleUpdatesReturnWithTheLeader(_ visibility: ReplicationVisibility) {
        let storage = MemoryJournalStorage()
        let stage = self.stage(visibility, storage).0
        var first = stage.members["first"]
        first?.publish(4)
        stage.run(.milliseconds(10))
        let (state, version) = (first?.state, first?.version)
        stage.forget("first")
        first = nil
        stage.run(.seconds(1))
        let again = stage.add("first", journal: storage) { $0.visibility = visibility }
        stage.run(.seconds(1))
        // Readers see it immediately under the same version, unless updates wait for the broker.
        let isShown = visibility != .afterBroker
        #expect((again.version == version && again.state == state) == isShown)
        #expect((again.version.number == 0) != isShown)
        stage.broker.start()
        again.campaign()
        let late = stage.add("late")
        stage.run(.seconds(20))
        #expect(again.version.number > version?.number ?? .max, "\(again.events)")
        if isShown { #expect(again.state == state && late.state == state, "\(again.events)") }
        again.publish()
        stage.run()
        stage.checkConverged(leader: "first")
    }

    // MARK: A broker that has lost data

    /// The age of the restored broker: before the log existed, from an earlier leadership, or from
    /// the same one.
    @Test(arguments: 0..<3)
    func brokersAreRefilledFromTheJournal(_ age: Int) {
        let storage = MemoryJournalStorage()
        let stage = ReplicaStage()
        var olds = [stage.broker.contents]
        let other = stage.add("other")
        other.campaign()
        stage.run()
        other.publish(2)
        stage.run()
        olds.append(stage.broker.contents)
        other.replica.close()
        stage.forget("other")
        var first: StagedMember? = stage.add("first", journal: storage)
        first?.campaign()
        stage.run()
        first?.publish(2)
        stage.run()
        olds.append(stage.broker.contents)
        first?.publish(6)
        stage.run()
        let (state, version) = (first?.state, first?.version)
        #expect(first?.replica.status.isLeading == true)
        stage.forget("first")
        first = nil
        stage.run(.seconds(1))
        stage.broker.restore(olds[age])
        let again = stage.add("first", journal: storage)
        again.campaign()
        stage.run(.seconds(30))
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
}
