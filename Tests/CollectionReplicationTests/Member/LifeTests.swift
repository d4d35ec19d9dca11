import CollectionElements
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// Leadership, takeover and departure, including brokers that lost data.
@Suite("Leadership, takeover and departure", .endsHangs)
struct LifeTests {
    private let stage = ReplicaStage()

    // MARK: Expired leases

    /// Returns a leader with some records in the log, and a follower that campaigns for leadership.
    private func leaderAndNext() -> (StagedMember, StagedMember) {
        let members = ["first", "second"].map { name in
            let member = stage.add(name) { $0.answerTimeout = .milliseconds(300) }
            member.campaign()
            stage.run()
            return member
        }
        members[0].publish(4)
        stage.run()
        return (members[0], members[1])
    }

    @Test func replacedLeadersDoNotRefillTheLog() {
        let (first, second) = leaderAndNext()
        first.log.cutOff(.both)
        first.publish(3)
        stage.run(.seconds(4))
        #expect(second.count("leading") == 1, "\(second.events)")
        second.publish(3)
        stage.run(.seconds(1))
        let (version, confirmed) = (first.version, second.state)
        // The former leader reconnects before the current one, and does not know yet that it was
        // replaced.
        second.log.cutOff(.both)
        stage.broker.restore(nil)
        first.log.reconnect()
        stage.run(.milliseconds(400))
        #expect(first.version == version)
        second.log.reconnect()
        stage.run()
        #expect(first.has(.resigned(.leaseLost)), "\(first.events)")
        #expect(second.count("resigned") == 0)
        #expect(second.state == confirmed)
        second.publish(2)
        stage.run()
        stage.checkConverged(leader: "second")
    }

    /// Other members campaign for the lost lease, but yield to its former holder.
    @Test func theLeaderRefillsALogThatWasLostDuringAnOutage() {
        let (first, second) = leaderAndNext()
        second.log.cutOff(.both)
        first.publish(3)
        stage.run(.milliseconds(200))
        let state = first.state
        stage.broker.stop()
        second.log.reconnect()
        stage.run(.seconds(5))
        stage.broker.restore(nil)
        stage.broker.start()
        stage.run()
        #expect(first.count("resigned") == 0, "\(first.events)")
        #expect(second.count("leading") == 0, "\(second.events)")
        #expect(first.state == state)
        stage.checkConverged(leader: "first")
    }

    // MARK: A log that was rolled back and has grown again

    /// Makes `leader` lead and append until the log has its former length.
    private func regrow(_ leader: StagedMember, to length: Int) {
        leader.campaign()
        stage.run(.seconds(10))
        #expect(leader.replica.status.isLeading, "\(leader.events)")
        while let log = stage.broker.contents?.log, log.count < length {
            leader.source?.touch()
            stage.run(.milliseconds(100))
        }
        #expect(stage.broker.contents?.log.count == length)
    }

    @Test func recordsAfterLostOnesAreNotFollowedForLong() throws {
        let first = stage.add("first")
        let second = stage.add("second")
        let third = stage.add("third")
        first.campaign()
        stage.run()
        let old = stage.broker.contents
        first.publish(5)
        stage.run()
        let length = try #require(stage.broker.contents?.log.count)
        second.log.cutOff(.both)
        first.publish(1)
        stage.run(.milliseconds(100))
        let last = try #require(stage.broker.contents?.log.last)
        first.log.cutOff(.both)
        stage.broker.restore(old)
        regrow(third, to: length)
        // It is at its old position and follows the lost record.
        stage.broker.appendFromStranger(last)
        stage.run(.seconds(1))
        let (state, version) = (third.state, third.version)
        second.log.reconnect()
        stage.run(.seconds(20))
        #expect(second.state == state && second.version == version, "\(second.events)")
        first.log.reconnect()
        stage.run(.seconds(20))
        stage.checkConverged(leader: "third")
    }

    @Test func appendsAfterLostRecordsDoNotCountAsWritten() throws {
        // The member waits for new records, and no request fails before or after.
        let first = stage.add("first") {
            $0.visibility = .afterBroker
            $0.readWait = .seconds(600)
            $0.answerTimeout = .seconds(600)
            // As if its clock had stopped: the member still trusts its lease when another leads.
            $0.leaseDuration = .seconds(3000)
        }
        let second = stage.add("second")
        first.campaign()
        stage.run(.seconds(1000))
        let old = stage.broker.contents
        first.publish(5)
        stage.run()
        let length = try #require(stage.broker.contents?.log.count)
        first.log.cutOff(.both)
        stage.broker.restore(old)
        regrow(second, to: length)
        let shown = first.version
        first.publish(1)
        first.log.reconnect()
        var versions: Set<PublishedVersion> = []
        for _ in 0..<1000 {
            stage.run(.milliseconds(1))
            versions.insert(first.version)
        }
        // The broker accepted the record nevertheless.
        #expect(stage.records.count > length && second.has(.ignoredRecord(.stale)))
        #expect(versions.isSubset(of: [shown, second.version]))
        stage.run(.seconds(2000))
        stage.checkConverged(leader: "second")
    }

    /// The first member renews its lease too rarely to notice. Its last records are lost, or arrive
    /// after the opening of another leader, although the broker should reject them, and are
    /// ignored.
    @Test(arguments: [false, true])
    func leadersWithLostRecordsAreOverwritten(_ comeLate: Bool) {
        let first = stage.add("first") { $0.leaseDuration = .seconds(300) }
        let second = stage.add("second")
        first.campaign()
        stage.run()
        second.campaign()
        first.publish(6)
        stage.run(.milliseconds(100))
        let old = stage.broker.contents
        // Either the other member does not receive the records, or the first receives no
        // confirmations.
        if comeLate { first.log.cutOff(.answers) } else { second.log.cutOff(.both) }
        first.publish(4)
        stage.run(.seconds(1))
        let lost = stage.broker.contents?.log.dropFirst(old?.log.count ?? 0) ?? []
        first.log.cutOff(.both)
        stage.broker.restore(old)
        second.log.reconnect()
        stage.run(.seconds(10))
        #expect(second.replica.status.isLeading, "\(second.events)")
        if comeLate { for record in lost { stage.broker.appendFromStranger(record) } }
        second.publish(3)
        stage.run(.seconds(1))
        #expect(lost.count > 0 && second.has(.ignoredRecord(.stale)) == comeLate)
        first.log.reconnect()
        stage.run(.seconds(60))
        #expect(first.has(.resigned(.overwritten)), "\(first.events)")
        stage.checkConverged(leader: "second")
        second.publish(2)
        stage.run(.seconds(1))
        stage.checkConverged(leader: "second")
    }

    // MARK: Departure in every phase

    @Test(arguments: [true, false])
    func closedOrReleasedMembersAreQuietAndStopNoOther(_ isClosed: Bool) {
        for steps in stride(from: 0, to: Effort.number(600, usually: 240), by: isClosed ? 7 : 11) {
            let stage = ReplicaStage(seed: UInt64(steps))
            let first = stage.add("first", journal: MemoryJournalStorage()) {
                $0.snapshotInterval = 3
            }
            let second = stage.add("second")
            second.campaign()
            stage.run(.milliseconds(700))
            var third: StagedMember? = stage.add("third", journal: MemoryJournalStorage()) {
                $0.visibility = .afterLocalSync
                $0.snapshotInterval = 2
            }
            second.publish(5)
            second.replica.resign()
            third?.campaign()
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
                // A closed member ignores all further calls.
                replica?.follow()
                third?.campaign()
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
            first.campaign()
            stage.run(.seconds(8))
            first.publish()
            stage.run()
            stage.checkConverged("\(steps)", leader: "first")
        }
    }
}
