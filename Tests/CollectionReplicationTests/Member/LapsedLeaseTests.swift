import CollectionElements
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionReplication

/// Who leads changes nothing in the log while another may have taken its lease: where a broker has forgotten everything,
/// nothing else would keep two from leading.
@Suite("Leases that have run out", .endsHangs)
struct LapsedLeaseTests {
    private let stage = ReplicaStage()

    /// What is asked of a connection, of which leases are set in vain while that is turned on.
    private final class VainLease: Sendable {
        private let isOn = Lock(false)

        func turn(on isOn: Bool) { self.isOn.withLock { $0 = isOn } }

        func wrap(_ log: MemoryLog) -> any ReplicatedLog {
            TwistedLog(log) { [self] request, log, answer in
                guard case .set(_, .lease, _) = request, isOn.withLock({ $0 }) else {
                    return log.ask(request, answer)
                }
                answer(.failed(LogError(.unavailable, "not now")))
            }
        }
    }

    /// A leader with some records in the log, and a follower that stands for leadership.
    private func leaderAndNext() -> (StagedMember, StagedMember) {
        let members = ["first", "second"].map { name in
            let member = stage.add(name) { $0.answerTimeout = .milliseconds(300) }
            member.lead()
            stage.run()
            return member
        }
        members[0].publish(4)
        stage.run()
        return (members[0], members[1])
    }

    @Test func nothingIsAppendedBeforeTheLeaseIsRenewed() {
        let lease = VainLease()
        let first = stage.add("first", over: lease.wrap)
        first.lead()
        stage.run()
        lease.turn(on: true)
        stage.run(.milliseconds(1_000))
        let version = first.version
        first.publish()
        stage.run(.milliseconds(200))
        #expect(first.version.number > version.number, "it has not run out yet")
        stage.run(.seconds(2))
        let (count, last) = (stage.broker.contents?.log.count, first.version)
        first.publish(3)
        stage.run()
        #expect(stage.broker.contents?.log.count == count)
        #expect(first.version == last)
        lease.turn(on: false)
        stage.run()
        #expect(first.version.number > last.number)
        #expect(first.count("resigned") == 0)
        stage.checkConverged(leader: "first")
    }

    /// The head and the snapshots are others' too.
    @Test func noSnapshotIsPutBeforeTheLeaseIsRenewed() {
        let lease = VainLease()
        let first = stage.add("first", over: lease.wrap)
        first.lead()
        stage.run()
        first.publish(4)
        stage.run()
        lease.turn(on: true)
        stage.run(.seconds(4))
        stage.broker.restore(nil)
        stage.run()
        #expect(stage.head == nil)
        lease.turn(on: false)
        stage.run()
        #expect(stage.head != nil)
        stage.checkConverged(leader: "first")
    }

    @Test func whoWasReplacedDoesNotFillWhatTheBrokerForgot() {
        let (first, second) = leaderAndNext()
        first.log.cutOff(.both)
        first.publish(3)
        stage.run(.seconds(4))
        #expect(second.count("leading") == 1, "\(second.events)")
        second.publish(3)
        stage.run(.seconds(1))
        let (version, confirmed) = (first.version, second.state)
        // Who was replaced comes back before who leads, and does not know that yet.
        second.log.cutOff(.both)
        stage.broker.restore(nil)
        first.log.mend()
        stage.run(.milliseconds(400))
        #expect(first.version == version)
        second.log.mend()
        stage.run()
        #expect(first.has(.resigned(.leaseLost)), "\(first.events)")
        #expect(second.count("resigned") == 0)
        #expect(second.state == confirmed)
        second.publish(2)
        stage.run()
        stage.checkConverged(leader: "second")
    }

    /// Others stand for a lease that is gone, but give way to whose it was.
    @Test func whatABrokerForgotWhileNobodyReachedItIsFilledByWhoLed() {
        let (first, second) = leaderAndNext()
        second.log.cutOff(.both)
        first.publish(3)
        stage.run(.milliseconds(200))
        let state = first.state
        stage.broker.stop()
        second.log.mend()
        stage.run(.seconds(5))
        stage.broker.restore(nil)
        stage.broker.start()
        stage.run()
        #expect(first.count("resigned") == 0, "\(first.events)")
        #expect(second.count("leading") == 0, "\(second.events)")
        #expect(first.state == state)
        stage.checkConverged(leader: "first")
    }
}
