import CollectionChanges
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// Everything has a bound: what waits for the broker, what is under way, what lies beside the log and in it.
@Suite("Bounds", .endsHangs)
struct BoundTests {
    /// What is read ahead of a member of its source.
    static let ahead = 64

    @Test(arguments: [ReplicationVisibility.immediately, .afterLocalSync, .afterBroker])
    func whatALeaderKeepsWhileTheBrokerIsDownIsBounded(_ visibility: ReplicationVisibility) {
        for limitsBytes in [false, true] {
            let stage = ReplicaStage()
            let first = stage.add("first", journal: MemoryJournalStorage()) {
                $0.visibility = visibility
                $0.pendingRecords = limitsBytes ? .max : 8
                $0.pendingBytes = limitsBytes ? 4_000 : .max
            }
            let second = stage.add("second")
            first.lead()
            stage.run()
            first.publish(3)
            stage.run()
            stage.broker.stop()
            var greatest = 0
            for _ in 0..<120 {
                first.publish()
                stage.run(.milliseconds(10))
                greatest = max(greatest, first.replica.status.pendingRecords)
            }
            #expect(greatest > 1)
            // Messages are read some way ahead.
            #expect(greatest <= 8 + Self.ahead, "\(visibility), \(limitsBytes)")
            if visibility != .afterBroker { #expect(greatest <= 32) }
            stage.broker.start()
            stage.run(.seconds(10))
            first.publish()
            stage.run()
            #expect(first.changes == ["began"])
            #expect(second.version == first.version)
            stage.checkConverged(leader: "first")
        }
    }

    @Test func recordsBeyondTheLimitGoRoundTheLog() {
        let stage = ReplicaStage()
        let configure = { (configuration: inout ReplicationConfiguration) in
            configuration.recordByteLimit = 260
            configuration.chunkByteCount = 300
        }
        let first = stage.add("first", configure)
        let second = stage.add("second", configure)
        first.lead()
        stage.run()
        var snapshots = 0
        for _ in 0..<12 {
            first.publish(4)
            stage.run(.seconds(4))
            #expect(second.version == first.version)
            #expect(second.state == first.state)
            snapshots = first.count("snapshotTaken")
        }
        #expect(snapshots > 3, "\(first.events)")
        #expect(stage.broker.contents?.log.allSatisfy { $0.count <= 260 } == true)
        #expect(first.changes == ["began"])
        stage.checkConverged(leader: "first")
    }

    @Test func whatABrokerRejectsGoesRoundTheLog() {
        var limits = MemoryBrokerConfiguration()
        limits.recordByteLimit = 260
        let stage = ReplicaStage(broker: limits)
        let first = stage.add("first") { $0.chunkByteCount = 200 }
        let second = stage.add("second")
        first.lead()
        stage.run()
        for _ in 0..<10 {
            first.publish(5)
            stage.run(.seconds(3))
        }
        #expect(first.count("snapshotTaken") > 1, "\(first.events)")
        #expect(second.state == first.state)
        stage.checkConverged(leader: "first")
    }

    @Test(arguments: [(3, Int.max), (Int.max, 1_000), (1, 1)])
    func whatIsUnderWayIsBounded(_ records: Int, _ bytes: Int) {
        let stage = ReplicaStage()
        let appends = CountedAppends()
        var configuration = ReplicationConfiguration()
        configuration.inFlightRecords = records
        configuration.inFlightBytes = bytes
        let first = stage.add("first", configured: configuration) { appends.wrap($0) }
        let second = stage.add("second")
        first.lead()
        stage.run()
        for _ in 0..<10 {
            first.publish(20)
            stage.run(.seconds(1))
        }
        let greatest = appends.greatest
        #expect(greatest.records <= records && greatest.records > 0)
        // One is always let through, and that which reaches the bound.
        #expect(bytes == .max || greatest.bytes <= bytes + appends.longest)
        #expect(second.version == first.version)
        stage.checkConverged(leader: "first")
    }

    @Test func snapshotsComeEverySoManyRecordsAndWhatLiesBehindThePreviousOneGoes() throws {
        let stage = ReplicaStage()
        let first = stage.add("first") { $0.snapshotInterval = 10 }
        first.lead()
        stage.run()
        var seen: Set<String> = []
        for _ in 0..<120 {
            first.publish()
            stage.run(.milliseconds(100))
            let contents = try #require(stage.broker.contents)
            let head = try #require(stage.head)
            seen.insert(head.snapshot.name)
            // Everything behind the snapshot before is there, and both snapshots are.
            let kept = head.previous ?? head.snapshot
            #expect(contents.first <= kept.logPosition + 1)
            for snapshot in [head.snapshot, head.previous].compactMap({ $0 }) {
                let chunks = (0..<snapshot.chunks).compactMap {
                    contents.chunk(at: $0, of: snapshot.name)
                }
                #expect(chunks.count == snapshot.chunks)
                #expect(chunks.reduce(0) { $0 + $1.count } == snapshot.bytes)
            }
        }
        stage.run()
        let contents = try #require(stage.broker.contents)
        #expect(seen.count > 3, "\(first.events)")
        #expect(contents.first > 1)
        #expect(contents.snapshotNames.count <= 2)
        #expect(Int(contents.last - contents.first) < 80)
    }

    @Test func whoJoinsWhileOldRecordsGoIsCurrentInTheEnd() {
        for seed in 0..<UInt64(Effort.number(60, usually: 3)) {
            let stage = ReplicaStage(seed: seed)
            let first = stage.add("first") {
                $0.snapshotInterval = 3
                $0.chunkByteCount = 100
            }
            first.lead()
            stage.run()
            first.publish(10)
            stage.run()
            for number in 0..<6 {
                let environment = stage.simulation.environment
                // Its answers come late, so that what it was told of is gone by then.
                let late = stage.add("late \(number)") { log in
                    TwistedLog(log) { request, log, answer in
                        log.ask(request) { said in
                            environment.schedule(
                                after: .milliseconds(40 + 30 * number),
                                on: log.lanes.answers
                            ) { answer(said) }
                        }
                    }
                }
                for _ in 0..<40 {
                    first.publish()
                    stage.run(.milliseconds(50))
                }
                stage.run(.seconds(10))
                #expect(late.version == first.version, "\(seed): \(late.events.suffix(5))")
            }
            stage.checkConverged(leader: "first")
        }
    }
}
