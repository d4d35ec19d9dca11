import CollectionChanges
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// Each way in which a leadership ends, by its name, and that another follows it.
@Suite("Resignations", .endsHangs)
struct ResignationTests {
    /// A leader with some records in the log, and one who stands by.
    private func stage(
        _ configure: (inout ReplicationConfiguration) -> Void = { _ in }
    ) -> (ReplicaStage, StagedMember, StagedMember) {
        let stage = ReplicaStage()
        let first = stage.add("first", configure)
        let second = stage.add("second", configure)
        first.lead()
        stage.run()
        second.lead()
        first.publish(6)
        stage.run()
        stage.checkConverged("at first", leader: "first")
        return (stage, first, second)
    }

    @Test func whoResignsHandsOverBeforeTheLeaseRunsOut() {
        for moment in 0..<20 {
            let (stage, first, second) = stage()
            // Wherever it is in renewing its lease, but for the moment when that is under way.
            stage.run(.milliseconds(moment * 40))
            first.publish()
            stage.run(.milliseconds(10))
            let state = first.state
            first.replica.resign()
            stage.run(.milliseconds(1_200))
            #expect(second.replica.status.isLeading, "\(moment): \(second.events)")
            #expect(first.changes == ["began", "ended asked"])
            #expect(first.has(.resigned(.asked)))
            #expect(second.state == state)
            second.publish()
            stage.run()
            stage.checkConverged(leader: "second")
        }
    }

    @Test func whoResignedLeadsAgainWhenAsked() {
        let stage = ReplicaStage()
        let first = stage.add("first")
        for _ in 0..<3 {
            first.lead()
            stage.run()
            first.publish(2)
            stage.run()
            #expect(first.replica.status.isLeading)
            first.replica.resign()
            stage.run()
            #expect(!first.replica.status.isLeading)
        }
        let both = ["began", "ended asked"]
        #expect(first.changes == both + both + both)
    }

    @Test func whoFindsALaterEpochInTheLogIsFenced() throws {
        let (stage, first, _) = stage()
        try stage.appendForged { record in
            record.previous = record.position.hash
            record.from = record.position.version
            record.position.sequence += 1
            record.position.version += 1 << 33
            record.position.epoch += 1
            record.position.writer = 77
            record.body = .opening
        }
        stage.run(.seconds(1))
        #expect(first.changes == ["began", "ended fenced"])
        #expect(first.has(.resigned(.fenced)))
        stage.run(.seconds(20))
        stage.checkConverged()
    }

    @Test func whoFindsAnothersLeaseDoesNotLeadOn() {
        let (stage, first, _) = stage()
        let lease = LogLease(writer: 77, epoch: 50)
        stage.overwrite(.lease, with: lease.encoded(key: .usual))
        stage.run(.seconds(1))
        #expect(first.changes == ["began", "ended leaseLost"])
        #expect(first.has(.resigned(.leaseLost)))
        stage.run(.seconds(20))
        stage.checkConverged()
    }

    @Test func aLeaseThatIsDamagedIsNoReasonToResign() {
        let (stage, first, second) = stage()
        for bytes in [[], [9], LogLease(writer: 4, epoch: 4).encoded(key: Samples.other)] {
            stage.overwrite(.lease, with: bytes)
            stage.run(.seconds(10))
        }
        first.publish()
        stage.run()
        #expect(first.changes == ["began"] && second.changes == [])
        stage.checkConverged(leader: "first")
    }

    @Test func whoseRecordsTheLogHasLostWhileAnotherWentOnIsOverwritten() {
        // The first finds out by the log, not by its lease, which it renews seldom.
        let stage = ReplicaStage()
        let first = stage.add("first") { $0.leaseDuration = .seconds(300) }
        let second = stage.add("second")
        first.lead()
        stage.run()
        second.lead()
        first.publish(6)
        stage.run(.milliseconds(100))
        let old = stage.broker.contents
        // What the other does not hear of.
        second.log.cutOff(.both)
        first.publish(4)
        stage.run(.seconds(1))
        first.log.cutOff(.both)
        stage.broker.restore(old)
        second.log.mend()
        stage.run(.seconds(10))
        #expect(second.replica.status.isLeading, "\(second.events)")
        second.publish(3)
        stage.run(.seconds(1))
        first.log.mend()
        stage.run()
        #expect(first.has(.resigned(.overwritten)), "\(first.events)")
        stage.run()
        stage.checkConverged(leader: "second")
    }

    @Test func whatCannotBeReadBackEndsALeadership() {
        let (stage, first, second) = stage()
        first.replica.resign()
        stage.run()
        second.replica.resign()
        let small = stage.add("small") { $0.limits = ShapeLimits(sections: 100, items: 40) }
        stage.run()
        small.lead()
        stage.run()
        #expect(small.replica.status.isLeading, "\(small.events)")
        for _ in 0..<200 where small.replica.status.isLeading {
            small.publish(5)
            stage.run(.milliseconds(50))
        }
        #expect(small.has(.resigned(.unpublishable)), "\(small.events.suffix(3))")
        #expect(small.count("unpublishable") == 1)
        // It does not stand again.
        stage.run(.seconds(10))
        #expect(small.changes == ["began", "ended unpublishable"])
        first.lead()
        stage.run()
        first.publish()
        stage.run()
        stage.checkConverged(leader: "first")
    }

    @Test func whoseJournalFailsDoesNotLeadOn() {
        for calls in 0..<25 {
            let stage = ReplicaStage()
            let storage = VolatileStorage(SeededGenerator(seed: 1), leavesGaps: false)
            let first = stage.add("first", storage: storage)
            let second = stage.add("second")
            storage.callsLeft = calls
            first.lead()
            stage.run()
            second.lead()
            for _ in 0..<15 {
                first.publish()
                stage.run(.milliseconds(100))
            }
            stage.run(.seconds(10))
            #expect(storage.isDown && first.count("journalFailed") > 0, "\(calls)")
            // Who never led is not told that it does not any more.
            let changes: [[String]] = [[], ["began", "ended journalFailed"]]
            #expect(changes.contains(first.changes), "\(calls): \(first.changes)")
            if first.changes.count == 2 { #expect(first.has(.resigned(.journalFailed))) }
            second.publish()
            stage.run()
            stage.checkConverged("\(calls)", leader: "second")
        }
    }

    @Test func whoseJournalCannotBeOpenedNeverLeads() {
        let stage = ReplicaStage()
        let storage = VolatileStorage(SeededGenerator(seed: 1), leavesGaps: false)
        storage.losePower()
        let first = stage.add("first", storage: storage)
        // Before it has found that out.
        first.lead()
        stage.run(.seconds(20))
        #expect(first.count("journalFailed") == 1)
        #expect(first.changes == [] && !first.replica.status.isLeading, "\(first.events)")
    }
}
