import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// A broker that went back to an older state, and has as many records again when somebody looks.
@Suite("A log that has grown again")
struct RegrownLogTests {
    private let stage = ReplicaStage()

    /// Lets `leader` lead, and append until the log is as long as it was.
    private func regrow(_ leader: StagedMember, to length: Int) {
        leader.lead()
        stage.run(.seconds(10))
        #expect(leader.replica.status.isLeading, "\(leader.events)")
        while let log = stage.broker.contents?.log, log.count < length {
            leader.source?.touch()
            stage.run(.milliseconds(100))
        }
        #expect(stage.broker.contents?.log.count == length)
    }

    @Test func aRecordBehindWhatIsNotThereAnyMoreIsNotGoneOnWithForLong() throws {
        let first = stage.add("first")
        let second = stage.add("second")
        let third = stage.add("third")
        first.lead()
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
        // It is where it was, and follows on what was there.
        stage.broker.appendFromStranger(last)
        stage.run(.seconds(1))
        let (state, version) = (third.state, third.version)
        second.log.mend()
        stage.run(.seconds(20))
        #expect(second.state == state && second.version == version, "\(second.events)")
        first.log.mend()
        stage.run(.seconds(20))
        stage.checkConverged(leader: "third")
    }

    @Test func whatALeaderAppendsBehindWhatIsNotThereAnyMoreDoesNotCountAsWritten() throws {
        // It has asked for what comes, and nothing fails, before or after.
        let first = stage.add("first") {
            $0.visibility = .afterBroker
            $0.readWait = .seconds(600)
            $0.answerTimeout = .seconds(600)
            // As if its clock stood still: by that it has the lease yet when another leads.
            $0.leaseDuration = .seconds(3000)
        }
        let second = stage.add("second")
        first.lead()
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
        first.log.mend()
        var versions: Set<PublishedVersion> = []
        for _ in 0..<1000 {
            stage.run(.milliseconds(1))
            versions.insert(first.version)
        }
        // The broker took it in all the same.
        #expect(stage.records.count > length && second.has(.passedOver(.stale)))
        #expect(versions.isSubset(of: [shown, second.version]))
        stage.run(.seconds(2000))
        stage.checkConverged(leader: "second")
    }

    @Test func snapshotsOfLaterLeadershipsHaveLaterNames() throws {
        var names: [String] = []
        func look() {
            for name in stage.broker.contents?.snapshotNames ?? [] where !names.contains(name) {
                names.append(name)
            }
        }
        for round in 0..<3 {
            let leader = stage.add("leader \(round)") { $0.snapshotInterval = 2 }
            leader.lead()
            stage.run(.seconds(10))
            for _ in 0..<20 {
                leader.publish(1)
                stage.run(.milliseconds(200))
                look()
            }
            leader.replica.resign()
            stage.run()
            look()
        }
        #expect(names.count > 5)
        #expect(names == names.sorted(), "whoever removes the earlier ones removes no later one")
        #expect(stage.broker.contents?.snapshotNames.count ?? 0 <= 2, "nor are they kept for ever")
    }
}
