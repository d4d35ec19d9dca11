import CollectionChanges
import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// Who leads, who takes over, and who goes away when.
@Suite("Leading, taking over and going away", .endsHangs)
struct LifeTests {
    /// Which epochs were led, by everybody.
    private func epochs(_ members: [StagedMember]) -> [String] {
        members.flatMap { $0.events.filter { $0.hasPrefix("leading") } }
    }

    @Test func ofTwoWhoStandAtOnceOneLeads() {
        for seed in 0..<UInt64(Effort.number(200, usually: 40)) {
            let stage = ReplicaStage(seed: seed)
            let members = ["first", "second"].map { stage.add($0) }
            // Now with the log there already, now without.
            if seed.isMultiple(of: 2) {
                let maker = stage.add("maker")
                maker.lead()
                stage.run()
                maker.publish()
                stage.run()
                maker.replica.resign()
            }
            for member in members { member.lead() }
            stage.run(.seconds(10))
            stage.checkConverged("seed \(seed)")
            for member in members { member.publish(2) }
            stage.run(.seconds(10))
            stage.checkConverged("seed \(seed)")
            let led = epochs(Array(stage.members.values))
            #expect(Set(led).count == led.count, "seed \(seed): \(led)")
        }
    }

    @Test(arguments: [ReplicationVisibility.immediately, .afterBroker])
    func whoWasPausedPastItsLeaseChangesNothingForOthers(_ visibility: ReplicationVisibility) {
        for moment in 0..<10 {
            let stage = ReplicaStage(seed: UInt64(moment))
            let first = stage.add("first") { $0.visibility = visibility }
            let second = stage.add("second")
            let third = stage.add("third")
            first.lead()
            stage.run()
            second.lead()
            first.publish(4)
            stage.run(.milliseconds(moment * 170))
            first.log.cutOff(.both)
            first.publish(5)
            stage.run(.seconds(10))
            #expect(second.replica.status.isLeading, "\(second.events)")
            second.publish(4)
            stage.run(.seconds(1))
            let (state, version) = (third.state, third.version)
            #expect(version == second.version)
            // It comes back, and goes on where it was.
            first.publish(3)
            first.log.mend()
            first.publish(3)
            stage.run()
            #expect(third.state == state && third.version == version)
            #expect(first.changes.count == 2, "\(first.changes)")
            second.publish()
            stage.run()
            stage.checkConverged("\(moment)", leader: "second")
        }
    }

    @Test func whatAZombieAppendsThoughTheBrokerShouldNotLetItIsPassedOver() {
        let stage = ReplicaStage()
        let first = stage.add("first") { $0.leaseDuration = .seconds(300) }
        let second = stage.add("second")
        first.lead()
        stage.run()
        second.lead()
        first.publish(4)
        stage.run(.milliseconds(100))
        let before = stage.broker.contents
        first.log.cutOff(.answers)
        first.publish(2)
        stage.run(.milliseconds(100))
        // What it wrote last comes behind the opening of another.
        let lost = stage.broker.contents?.log.dropFirst(before?.log.count ?? 0) ?? []
        first.log.cutOff(.both)
        stage.broker.restore(before)
        stage.run(.seconds(10))
        #expect(second.replica.status.isLeading, "\(second.events)")
        for record in lost { stage.broker.appendFromStranger(record) }
        second.publish(2)
        stage.run(.seconds(1))
        #expect(lost.count > 0 && second.has(.passedOver(.stale)))
        first.log.mend()
        stage.run(.seconds(60))
        // What it wrote last lies in the log, behind what goes on from it, and so leads nowhere.
        #expect(first.has(.resigned(.overwritten)))
        stage.checkConverged(leader: "second")
        second.publish(2)
        stage.run(.seconds(1))
        stage.checkConverged(leader: "second")
    }

    @Test func whoHasGivenUpTheLeaseWhileNobodyStandsMayLeadAgainLater() {
        let stage = ReplicaStage()
        let first = stage.add("first")
        first.lead()
        stage.run()
        first.publish(3)
        stage.run()
        let state = first.state
        first.replica.close()
        stage.run()
        #expect(first.changes == ["began", "ended asked"])
        stage.forget("first")
        let second = stage.add("second")
        second.lead()
        // Less than a lease lasts, which it need not wait for.
        stage.run(.milliseconds(1800))
        #expect(second.replica.status.isLeading && second.state == state)
    }

    // MARK: Going away in every phase

    @Test(arguments: [true, false])
    func whoIsClosedOrReleasedInAnyPhaseIsQuietAndStopsNobody(_ isClosed: Bool) {
        for steps in stride(from: 0, to: Effort.number(600, usually: 240), by: isClosed ? 7 : 11) {
            let stage = ReplicaStage(seed: UInt64(steps))
            let first = stage.add("first", journal: MemoryJournalStorage()) {
                $0.snapshotInterval = 3
            }
            let second = stage.add("second")
            second.lead()
            stage.run(.milliseconds(700))
            var third: StagedMember? = stage.add("third", journal: MemoryJournalStorage()) {
                $0.visibility = .afterLocalSync
                $0.snapshotInterval = 2
            }
            second.publish(5)
            second.replica.resign()
            third?.lead()
            for step in 0..<steps {
                if step % 20 == 0 { third?.publish() }
                _ = stage.simulation.step()
            }
            let isOver = Lock(false)
            if isClosed {
                let replica = third?.replica
                replica?.close { isOver.withLock { $0 = true } }
                replica?.close()
                stage.run(.milliseconds(50))
                #expect(isOver.withLock { $0 }, "\(steps)")
                let count = third?.events.count
                let changes = third?.changes ?? []
                #expect(changes.count.isMultiple(of: 2), "\(steps): \(changes)")
                // It does nothing any more, also if it is asked to.
                replica?.follow()
                third?.lead()
                third?.publish()
                stage.run()
                #expect(third?.events.count == count && third?.changes == changes)
                #expect(third?.replica.status.isLeading == false)
            } else {
                weak let replica = third?.replica
                stage.forget("third")
                third = nil
                #expect(replica == nil)
            }
            stage.forget("third")
            first.lead()
            stage.run(.seconds(8))
            first.publish()
            stage.run()
            stage.checkConverged("\(steps)", leader: "first")
        }
    }

    @Test func leadershipsBeginAndEndInTurn() {
        for seed in 0..<UInt64(Effort.number(60, usually: 8)) {
            let faults = BrokerFaults(seed: seed, longestDelay: .milliseconds(900))
            let stage = ReplicaStage(seed: seed, faults: faults)
            let members = ["first", "second"].map { name in
                stage.add(name, journal: MemoryJournalStorage()) {
                    $0.answerTimeout = .milliseconds(300)
                    $0.leaseDuration = .seconds(1)
                }
            }
            for member in members { member.lead() }
            for step in 0..<60 {
                for member in members { member.publish() }
                if step % 17 == 16 { members[step % 2].replica.resign() }
                if step % 17 == 3 { members[0].lead() }
                stage.run(.milliseconds(400))
            }
            stage.broker.heal()
            stage.run(.seconds(10))
            for member in members {
                for (index, change) in member.changes.enumerated() {
                    #expect(change.hasPrefix(index % 2 == 0 ? "began" : "ended"))
                }
                #expect(member.changes.count % 2 == (member.replica.status.isLeading ? 1 : 0))
            }
        }
    }
}
