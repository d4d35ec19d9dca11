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
        print(first.events, others[0].events)
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
        print(second.events, third.events)
    }
}
