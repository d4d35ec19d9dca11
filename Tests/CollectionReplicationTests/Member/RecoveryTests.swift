import CollectionChanges
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionReplication

/// Each way in which a log can be wrong, and the way back, by its name.
@Suite("Recoveries", .endsHangs)
struct RecoveryTests {
    /// A leader with some records in the log, and a follower.
    private func stage(
        _ configure: (inout ReplicationConfiguration) -> Void = { _ in }
    ) -> (ReplicaStage, StagedMember, StagedMember) {
        let stage = ReplicaStage()
        let first = stage.add("first", configure)
        let second = stage.add("second", configure)
        first.lead()
        stage.run()
        first.publish(6)
        stage.run()
        stage.checkConverged("at first", leader: "first")
        return (stage, first, second)
    }

    @Test func whoNeedsRecordsThatAreTrimmedBeginsWithTheSnapshot() {
        let (stage, first, second) = stage { $0.snapshotInterval = 4 }
        second.log.cutOff(.both)
        for _ in 0..<20 {
            first.publish(2)
            stage.run(.milliseconds(500))
        }
        second.log.mend()
        stage.run()
        #expect(second.has(.recovering(.trimmed)))
        stage.checkConverged(leader: "first")
    }

    @Test func aLogThatWentBackIsRefilledByWhoLeads() throws {
        let (stage, first, second) = stage()
        let old = stage.broker.contents
        first.publish(8)
        stage.run()
        let (state, version) = (first.state, first.version)
        stage.broker.restore(old)
        stage.run()
        for member in [first, second] {
            #expect(
                member.has(.recovering(.rolledBack)),
                "\(member.events)"
            )
            // What readers were shown is not lost.
            #expect(member.state == state)
            #expect(member.version.number >= version.number)
        }
        first.publish(3)
        stage.run()
        stage.checkConverged(leader: "first")
        #expect(first.count("resigned") == 0)
    }

    @Test func aRecordThatIsMissingInTheMiddleLeadsToANewSnapshot() {
        let (stage, _, second) = stage()
        stage.replaceLog { $0.remove(at: $0.count - 3) }
        let third = stage.add("third")
        stage.run(.seconds(30))
        #expect(third.has(.recovering(.gap)), "\(third.events)")
        #expect(second.count("recovering") > 0)
        stage.checkConverged()
    }

    @Test func anEpochThatGoesOnFromSomethingElseDoesNotStopMembers() throws {
        let (stage, first, second) = stage()
        try stage.appendForged { record in
            record.position.epoch += 1
            record.previous = StateDigest(low: 4, high: 4)
            record.body = .opening
        }
        stage.run(.seconds(40))
        #expect(second.has(.recovering(.fork)), "\(second.events)")
        first.publish(2)
        stage.run()
        stage.checkConverged()
    }

    @Test func aRecordInItsPlaceThatCannotBeTakenInLeadsToANewSnapshot() throws {
        let (stage, first, second) = stage()
        try stage.appendForged { record in
            record.previous = record.position.hash
            record.from = record.position.version
            record.position.sequence += 1
            record.position.version += 1
        }
        stage.run(.seconds(20))
        #expect(second.has(.recovering(.invalid)), "\(second.events)")
        first.publish(2)
        stage.run()
        stage.checkConverged(leader: "first")
    }

    @Test func aLogThatWasDeletedIsMadeAgainByWhoLeads() {
        let (stage, first, second) = stage()
        let (state, version) = (first.state, first.version)
        stage.broker.restore(nil)
        stage.run()
        #expect(second.has(.recovering(.missing)), "\(second.events)")
        #expect(first.state == state && second.state == state)
        #expect(first.version.handle == version.handle)
        first.publish(2)
        stage.run()
        stage.checkConverged(leader: "first")
    }

    @Test func aBrokerThatCannotBeReachedIsNotALogThatWasDeleted() {
        for pause in 0..<12 {
            let (stage, first, second) = stage()
            // Some are on their way through the log, others read on.
            let old = stage.broker.contents
            first.publish(4)
            stage.run(.milliseconds(50))
            if pause % 2 == 0 { stage.broker.restore(old) }
            stage.run(.milliseconds(pause))
            stage.broker.stop()
            stage.run(.seconds(1))
            stage.broker.start()
            stage.run(.seconds(15))
            for member in [first, second] {
                #expect(!member.has(.recovering(.missing)), "\(pause): \(member.events)")
            }
            stage.checkConverged(leader: "first")
        }
    }

    @Test func aSnapshotOfWhichAPartIsLostIsMadeAnew() {
        let (stage, first, _) = stage { $0.chunkByteCount = 60 }
        for number in 0..<3 {
            let names = stage.broker.contents?.snapshotNames ?? []
            for name in names.indices { stage.broker.loseChunk(name + number * names.count) }
            let late = stage.add("late \(number)") { $0.chunkByteCount = 60 }
            stage.run(.seconds(15))
            #expect(
                late.has(.recovering(.damagedSnapshot)),
                "\(late.events)"
            )
            first.publish()
            stage.run()
            stage.checkConverged(leader: "first")
        }
    }

    @Test func aHeadThatIsDamagedIsMadeAnew() {
        for bytes in [[], [1, 2, 3], Array(Samples.head.encoded(key: Samples.other))] {
            let (stage, first, _) = stage()
            stage.overwrite(.head, with: bytes)
            let late = stage.add("late")
            stage.run(.seconds(30))
            #expect(
                late.has(.recovering(.damagedSnapshot)),
                "\(late.events)"
            )
            first.publish()
            stage.run()
            stage.checkConverged(leader: "first")
        }
    }

    @Test func aLogWhosePositionsAreOthersIsFoundOutByWhatWasPassedOver() {
        let (stage, first, second) = stage()
        stage.replaceLog { log in
            log.insert(contentsOf: [[1], [2]], at: 0)
            log += [[3], [4], [5]]
        }
        stage.run(.seconds(10))
        #expect(second.has(.recovering(.doubt)), "\(second.events)")
        first.publish(2)
        stage.run()
        stage.checkConverged(leader: "first")
    }

    @Test func aLogThatLostMoreThanAnySnapshotBehindIsRefilledByWhoLeads() {
        // As many records behind the last snapshot as there are by default before the next one.
        let stage = ReplicaStage()
        let first = stage.add("first")
        first.lead()
        stage.run()
        let old = stage.broker.contents
        for _ in 0..<170 {
            for _ in 0..<30 { first.source?.touch() }
            stage.run(.milliseconds(20))
        }
        stage.run()
        let (state, version) = (first.state, first.version)
        #expect(first.replica.status.position?.sequence ?? 0 > 5_000)
        stage.broker.restore(old)
        stage.run(.seconds(20))
        #expect(first.state == state, "\(first.events)")
        #expect(first.version.number >= version.number)
        #expect(first.count("resigned") == 0, "\(first.events)")
        stage.checkConverged(leader: "first")
    }
}
