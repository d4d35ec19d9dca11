import CollectionChanges
import CollectionPublishing
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionReplication

/// What is no record of the chain is passed over, by its name, and stops nobody.
@Suite("Records that are passed over", .endsHangs)
struct PassedRecordTests {
    private func stage() -> (ReplicaStage, StagedMember, StagedMember) {
        let stage = ReplicaStage()
        let first = stage.add("first")
        let second = stage.add("second")
        first.lead()
        stage.run()
        first.publish(6)
        stage.run()
        return (stage, first, second)
    }

    private func check(
        _ reason: PassedRecord,
        _ meddle: (ReplicaStage) throws -> Void
    ) rethrows {
        let (stage, first, second) = stage()
        try meddle(stage)
        stage.run(.seconds(1))
        for member in [first, second] {
            #expect(member.has(.passedOver(reason)), "\(member.events)")
            #expect(member.count("recovering") == 0, "\(member.events)")
        }
        first.publish(2)
        stage.run(.seconds(1))
        #expect(first.changes == ["began"])
        stage.checkConverged(leader: "first")
    }

    @Test func aRecordThatComesTwice() {
        check(.duplicate) { stage in
            for record in stage.broker.contents?.log.suffix(3) ?? [] {
                stage.broker.appendFromStranger(record)
            }
        }
    }

    @Test func aRecordOfAnEarlierEpoch() throws {
        let (stage, first, second) = stage()
        let old = stage.broker.contents?.log.last ?? []
        first.replica.resign()
        second.lead()
        stage.run()
        second.publish()
        stage.run()
        stage.broker.appendFromStranger(old)
        try stage.appendForged { record in
            record.previous = record.position.hash
            record.position.sequence += 1
            record.position.epoch = 1
        }
        stage.run(.seconds(1))
        for member in [first, second] {
            #expect(member.count("\(ReplicationEvent.passedOver(.stale))") == 2)
        }
        second.publish()
        stage.run(.seconds(1))
        stage.checkConverged(leader: "second")
    }

    @Test func aRecordOfTheSameEpochThatFollowsOnSomethingElse() throws {
        try check(.rival) { stage in
            try stage.appendForged { $0.digest = StateDigest(low: 1, high: 2) }
            try stage.appendForged { record in
                record.position.sequence += 1
                record.previous = StateDigest(low: 1, high: 2)
            }
        }
    }

    @Test func aRecordOfAnotherHistory() throws {
        try check(.foreign) { stage in
            try stage.appendForged { $0.position.handle = HistoryHandle(rawValue: 1) }
        }
    }

    @Test func whatIsNoRecord() {
        check(.unreadable) { stage in
            stage.broker.appendFromStranger([])
            stage.broker.appendFromStranger(Array(repeating: 7, count: 1_000))
            stage.broker.appendFromStranger(Array(stage.broker.contents?.log[0].dropLast() ?? []))
        }
    }

    @Test func recordsOfWhoLacksTheKey() throws {
        let stage = ReplicaStage()
        let secret = StableHashKey(low: 0x5EC2_E7, high: 0x5EC2_E7)
        let members = ["first", "second"].map { stage.add($0) { $0.key = secret } }
        members[0].lead()
        stage.run()
        members[0].publish(3)
        stage.run()
        // Whatever is right about them but the key.
        let last = try #require(members[0].replica.status.position)
        var place = last
        place.sequence += 1
        place.version += 1
        for epoch in 1...3 as ClosedRange<UInt64> {
            place.epoch = epoch
            var record = LogRecord(
                position: place,
                from: last.version,
                previous: last.hash,
                digest: members[0].digest,
                body: .opening
            )
            stage.broker.appendFromStranger(record.seal(key: .usual))
        }
        stage.run(.seconds(1))
        for member in members {
            #expect(member.count("\(ReplicationEvent.passedOver(.unreadable))") == 3)
            #expect(member.replica.status.position == last)
        }
        members[0].publish()
        stage.run(.seconds(1))
        stage.checkConverged(leader: "first")
    }

    @Test func tenThousandRecordsOfAStrangerBetweenTrueOnesStopNobody() {
        let stage = ReplicaStage()
        let logs = CountedReads()
        let members = ["first", "second"].map { name in
            stage.add(name) { logs.wrap($0) }
        }
        members[0].lead()
        stage.run()
        members[0].publish(20)
        stage.run()
        let known = stage.broker.contents?.log ?? []
        var mutilation = Mutilation(seed: 5)
        let count = Effort.number(10_000, usually: 2_000)
        for round in 0..<20 {
            for index in 0..<count / 20 {
                let record = known[(index * 7 + round) % known.count]
                var spoiled = mutilation.spoil(record)
                if spoiled == record { spoiled.append(0) }
                stage.broker.appendFromStranger(spoiled)
            }
            members[0].publish(2)
            stage.run(.milliseconds(300))
        }
        stage.run()
        stage.checkConverged(leader: "first")
        #expect(members[0].changes == ["began"])
        for member in members {
            #expect(member.count("recovering") == 0)
            #expect(member.count("\(ReplicationEvent.passedOver(.unreadable))") == count)
        }
        // Each read is of many records, and some are read again to see whether what was read is still there.
        let reads = logs.total
        #expect(reads < 20 * 40, "\(reads)")
        #expect(logs.greatest <= ReplicationConfiguration().readLimit.records)
    }
}
