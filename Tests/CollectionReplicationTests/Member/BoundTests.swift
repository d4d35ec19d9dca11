import CollectionChanges
import PipelineTestSupport
import Testing

@testable import CollectionReplication

/// Pending records, concurrent requests, snapshots and the log are all bounded.
@Suite("Bounds", .endsHangs)
struct BoundTests {
    @Test(arguments: [ReplicationVisibility.immediately, .afterLocalSync, .afterBroker])
    func pendingRecordsAreBoundedWhileTheBrokerIsDown(_ visibility: ReplicationVisibility) {
        for limitsBytes in [false, true] {
            let stage = ReplicaStage()
            let first = stage.add("first", journal: MemoryJournalStorage()) {
                $0.visibility = visibility
                $0.pendingRecordLimit = limitsBytes ? .max : 8
                $0.pendingByteLimit = limitsBytes ? 4_000 : .max
            }
            let second = stage.add("second")
            first.campaign()
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
            // Some messages are read ahead.
            #expect(greatest <= 32, "\(visibility), \(limitsBytes)")
            stage.broker.start()
            stage.run(.seconds(10))
            first.publish()
            stage.run()
            #expect(first.changes == ["began"])
            #expect(second.version == first.version)
            stage.checkConverged(leader: "first")
        }
    }

    /// Either the member knows the limit itself, or its broker rejects longer records.
    @Test(arguments: [true, false])
    func recordsBeyondTheSizeLimitBecomeSnapshots(_ isKnown: Bool) {
        var limits = MemoryBrokerConfiguration()
        if !isKnown { limits.recordByteLimit = 260 }
        let stage = ReplicaStage(broker: limits)
        let members = ["first", "second"].map { name in
            stage.add(name) {
                if isKnown { $0.recordByteLimit = 260 }
                $0.chunkByteCount = 200
            }
        }
        let (first, second) = (members[0], members[1])
        first.campaign()
        stage.run()
        for _ in 0..<12 {
            first.publish(5)
            stage.run(.seconds(4))
            #expect(second.version == first.version)
            #expect(second.state == first.state)
        }
        // The limit of a broker becomes known only through rejections.
        #expect(first.count("snapshotTaken") > (isKnown ? 3 : 1), "\(first.events)")
        #expect(stage.broker.contents?.log.allSatisfy { $0.count <= 260 } == true)
        #expect(first.changes == ["began"])
        stage.checkConverged(leader: "first")
    }

    @Test(arguments: [(3, Int.max), (Int.max, 1_000), (1, 1)])
    func appendsInFlightAreBounded(_ records: Int, _ bytes: Int) {
        let stage = ReplicaStage()
        let requests = RequestRecorder()
        var configuration = ReplicationConfiguration()
        configuration.inFlightRecordLimit = records
        configuration.inFlightByteLimit = bytes
        let first = stage.add("first", configured: configuration, over: requests.wrap)
        let second = stage.add("second")
        first.campaign()
        stage.run()
        for _ in 0..<10 {
            first.publish(20)
            stage.run(.seconds(1))
        }
        let greatest = requests.greatest
        var longest = 0
        for case .append(let record, _, _) in requests.all { longest = max(longest, record.count) }
        #expect(greatest.records <= records && greatest.records > 0)
        // While so many are in flight, the source merges its updates.
        let appends = requests.all.count { if case .append = $0 { true } else { false } }
        #expect(appends < (records == .max ? .max : 100), "of 200 updates")
        // One record is always sent, and so is the one that reaches the limit.
        #expect(bytes == .max || greatest.bytes <= bytes + longest)
        #expect(second.version == first.version)
        stage.checkConverged(leader: "first")
    }

    @Test func snapshotsAreRegularAndOldRecordsArePurged() throws {
        let stage = ReplicaStage()
        var names: [String] = []
        for round in 0..<3 {
            let leader = stage.add("leader \(round)") { $0.snapshotInterval = 10 }
            leader.campaign()
            stage.run(.seconds(10))
            for _ in 0..<60 {
                leader.publish()
                stage.run(.milliseconds(100))
                let contents = try #require(stage.broker.contents)
                let head = try #require(stage.head)
                // The log after the previous snapshot exists, and so do both snapshots.
                let kept = head.previous ?? head.snapshot
                #expect(contents.first <= kept.logPosition + 1)
                for snapshot in [head.snapshot, head.previous].compactMap({ $0 }) {
                    let chunks = (0..<snapshot.chunks).compactMap {
                        contents.chunk(at: $0, of: snapshot.name)
                    }
                    #expect(chunks.count == snapshot.chunks)
                    #expect(chunks.reduce(0) { $0 + $1.count } == snapshot.bytes)
                }
                names += contents.snapshotNames.filter { !names.contains($0) }
            }
            stage.run()
            let contents = try #require(stage.broker.contents)
            #expect(names.count > 2 * (round + 1), "\(leader.events)")
            #expect(contents.first > 1 && Int(contents.last - contents.first) < 80)
            #expect(contents.snapshotNames.count <= 2, "old snapshots are removed")
            leader.replica.resign()
            stage.run()
        }
        #expect(
            names == names.sorted(),
            "a leader that removes earlier snapshots removes no later one"
        )
    }
}
