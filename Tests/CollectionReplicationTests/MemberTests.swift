import CollectionChanges
import PipelineTesting
import Testing

@testable import CollectionReplication

@Suite struct MemberTests {
    @Test func followersHaveWhatTheLeaderPublishes() {
        let stage = ReplicaStage()
        let first = stage.add("first")
        let others = [stage.add("second"), stage.add("third")]
        first.lead()
        stage.run()
        #expect(first.replica.status.isLeading, "\(first.events)")
        for _ in 0..<20 {
            first.publish(3)
            stage.run(.milliseconds(20))
        }
        stage.run()
        #expect(first.state.shape.numberOfSections > 0)
        for other in others {
            #expect(other.version == first.version, "\(other.events)")
            #expect(other.state == first.state)
        }
    }

    @Test func whoStandsByLeadsWhenTheLeaderIsGone() {
        let stage = ReplicaStage()
        var first: StagedMember? = stage.add("first", journal: MemoryJournalStorage())
        let second = stage.add("second", journal: MemoryJournalStorage())
        first?.lead()
        stage.run()
        second.lead()
        first?.publish(10)
        stage.run()
        let version = first?.version
        #expect(second.version == version)
        stage.forget("first")
        first = nil
        stage.run()
        #expect(second.replica.status.isLeading, "\(second.events)")
        second.publish(10)
        let third = stage.add("third")
        stage.run()
        #expect(third.state == second.state)
        #expect(third.version == second.version)
        #expect(second.version.handle == version?.handle)
    }

    @Test func whoCatchesUpSaysHowManyRecordsItIsBehind() {
        let stage = ReplicaStage()
        let leader = stage.add("leader")
        leader.lead()
        stage.run()
        for _ in 0..<20 {
            leader.publish(1)
            stage.run(.milliseconds(20))
        }
        let late = stage.add("late") { $0.readLimit = LogReadLimit(records: 3, bytes: 1 << 20) }
        var seen: [UInt64] = []
        for _ in 0..<1000 where stage.simulation.step() {
            let status = late.replica.status
            if status.recordsBehind != seen.last { seen.append(status.recordsBehind) }
            // Who has read everything is behind nothing.
            if status.isCurrent { #expect(status.recordsBehind == 0) }
        }
        #expect(late.version == leader.version)
        #expect(seen.last == 0 && seen.contains { $0 >= 15 }, "\(seen)")
        #expect(Set(seen).count > 4, "\(seen)")
    }

    @Test func whoCannotReadSaysForHowLongAlready() {
        let stage = ReplicaStage()
        let leader = stage.add("leader")
        let other = stage.add("other")
        #expect(other.replica.status.timeBehind == .zero)
        leader.lead()
        stage.run()
        #expect(other.replica.status.timeBehind == .zero)
        let start = stage.simulation.now
        other.log.cutOff(.both)
        stage.run(.seconds(60))
        // It learns of it when an answer is missing.
        let configuration = ReplicationConfiguration()
        let patience = configuration.readWait + configuration.answerTimeout
        let (time, passed) = (other.replica.status.timeBehind, stage.simulation.now - start)
        #expect(time <= passed && time >= passed - patience - .seconds(1), "\(time) of \(passed)")
        #expect(leader.replica.status.timeBehind == .zero)
        other.log.mend()
        stage.run()
        #expect(other.replica.status.timeBehind == .zero)
    }
}
