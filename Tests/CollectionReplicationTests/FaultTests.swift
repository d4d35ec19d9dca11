import CollectionChanges
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionReplication

@Suite struct FaultTests {
    @Test func membersConvergeWhenFaultsEnd() {
        for seed in 0..<UInt64(Effort.number(200, usually: 10)) {
            let stage = ReplicaStage(
                seed: seed,
                faults: BrokerFaults(seed: seed, longestDelay: .milliseconds(800))
            )
            let visibilities: [ReplicationVisibility] = [
                .immediately, .afterLocalSync, .afterBroker,
            ]
            let members = ["first", "second", "third"].enumerated().map { index, name in
                stage.add(name, journal: index < 2 ? MemoryJournalStorage() : nil) {
                    $0.visibility = visibilities[Int(seed) % 3]
                    $0.snapshotInterval = 5
                    $0.answerTimeout = .milliseconds(300)
                    $0.rollbackPatience = .seconds(4)
                    if seed % 2 == 0 { $0.pendingRecords = 8 }
                    if seed % 4 == 1 { $0.recordByteLimit = 300 }
                }
            }
            members[0].lead()
            members[1].lead()
            for _ in 0..<40 {
                for member in members { member.publish() }
                stage.run(.milliseconds(250))
            }
            stage.broker.heal()
            stage.run(.seconds(40))
            for member in members { member.publish() }
            stage.run(.seconds(20))
            let leaders = members.filter { $0.replica.status.isLeading }
            let leader = leaders.first ?? members[0]
            #expect(leaders.count == 1, "seed \(seed): \(members.map(\.replica.status))")
            for member in members {
                #expect(
                    member.version == leader.version && member.state == leader.state,
                    "seed \(seed), \(member.name): \(member.events.suffix(14))"
                )
            }
        }
    }
}
