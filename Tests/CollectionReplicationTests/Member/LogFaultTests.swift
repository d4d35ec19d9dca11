import CollectionChanges
import CollectionPublishing
import PipelineSimulation
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionReplication

/// All faults of a log or a leadership by name, and the recovery from them.
@Suite("Faults of a log", .endsHangs)
struct LogFaultTests {
    /// A fault of a log with a leader, a follower, and sometimes a standby.
    private struct Row: Sendable {
        let name: String
        /// The event that each member in `reporters` reports at least once.
        let event: ReplicationEvent
        var reporters = ["first", "second"]
        var time = Duration.seconds(20)
        /// The later leader; any member if `nil`.
        var leader: String? = "first"
        /// Whether the state that readers saw is kept.
        var keepsState = false
        var configure: @Sendable (inout ReplicationConfiguration) -> Void = { _ in }
        let meddle: @Sendable (ReplicaStage, StagedMember) throws -> Void
    }

    /// Returns a leader with some records in the log, and a follower that may be a standby.
    private func stage(
        standsBy: Bool = false,
        _ configure: (inout ReplicationConfiguration) -> Void = { _ in }
    ) -> (ReplicaStage, StagedMember, StagedMember) {
        let stage = ReplicaStage()
        let first = stage.add("first", configure)
        let second = stage.add("second", configure)
        first.campaign()
        stage.run()
        if standsBy { second.campaign() }
        first.publish(6)
        stage.run()
        stage.checkConverged("at first", leader: "first")
        return (stage, first, second)
    }

    private static let noHash = StateDigest(low: 1, high: 2)

    // MARK: Ignored records

    private static let passed: [Row] = [
        Row(name: "records that come twice", event: .ignoredRecord(.duplicate)) { stage, _ in
            for record in stage.broker.contents?.log.suffix(3) ?? [] {
                stage.broker.appendFromStranger(record)
            }
        },
        Row(name: "records that follow on something else", event: .ignoredRecord(.rival)) {
            stage,
            _ in
            try stage.appendForged { $0.digest = noHash }
            try stage.appendForged { record in
                record.position.sequence += 1
                record.previous = noHash
            }
        },
        Row(name: "a record of another history", event: .ignoredRecord(.foreign)) { stage, _ in
            try stage.appendForged { $0.position.handle = HistoryID(rawValue: 1) }
        },
        Row(name: "a record of an earlier epoch", event: .ignoredRecord(.stale)) { stage, _ in
            try stage.appendForged { record in
                record.previous = record.position.hash
                record.position.sequence += 1
                record.position.epoch = 0
            }
        },
        Row(name: "no records", event: .ignoredRecord(.unreadable)) { stage, _ in
            stage.broker.appendFromStranger([])
            stage.broker.appendFromStranger(Array(repeating: 7, count: 1_000))
            stage.broker.appendFromStranger(Array(stage.broker.contents?.log[0].dropLast() ?? []))
        },
        Row(name: "a record with another key", event: .ignoredRecord(.unreadable)) { stage, _ in
            var record = try #require(stage.records.last)
            record.previous = record.position.hash
            record.position.sequence += 1
            record.position.epoch += 1
            record.body = .opening
            stage.broker.appendFromStranger(record.seal(key: Samples.other))
        },
    ]

    @Test func recordsOutsideTheChainAreIgnored() throws {
        for row in Self.passed {
            let (stage, first, second) = stage()
            try row.meddle(stage, first)
            stage.run(.seconds(1))
            for member in [first, second] {
                let found = (member.has(row.event), member.count("recovering"))
                #expect(found == (true, 0), "\(row.name): \(member.events)")
            }
            first.publish(2)
            stage.run(.seconds(1))
            #expect(first.changes == ["began"], "\(row.name)")
            stage.checkConverged("\(row.name)", leader: "first")
        }
    }

    @Test func tenThousandRecordsOfAStrangerStopNoMember() {
        let stage = ReplicaStage()
        let logs = RequestRecorder()
        let members = ["first", "second"].map { stage.add($0, over: logs.wrap) }
        members[0].campaign()
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
            #expect(member.count("\(ReplicationEvent.ignoredRecord(.unreadable))") == count)
        }
        // Each read returns many records; some are repeated to check that earlier records still
        // exist.
        #expect(logs.reads < 20 * 40, "\(logs.reads)")
    }

    // MARK: Recoveries

    private static let recoveries: [Row] = {
        var rows = [
            Row(
                name: "no log",
                event: .recovering(.missing),
                reporters: ["second"],
                keepsState: true
            ) {
                stage,
                _ in stage.broker.restore(nil)
            },
            Row(
                name: "an earlier log",
                event: .recovering(.rolledBack),
                keepsState: true
            ) { stage, first in
                let old = stage.broker.contents
                first.publish(8)
                stage.run()
                stage.broker.restore(old)
            },
            Row(
                name: "a gap",
                event: .recovering(.gap),
                reporters: ["third"],
                time: .seconds(30),
                leader: nil
            ) { stage, _ in
                stage.replaceLog { $0.remove(at: $0.count - 3) }
                _ = stage.add("third")
            },
            Row(
                name: "a fork",
                event: .recovering(.fork),
                reporters: ["second"],
                time: .seconds(40),
                leader: nil
            ) { stage, _ in
                try stage.appendForged { record in
                    record.position.epoch += 1
                    record.previous = noHash
                    record.body = .opening
                }
            },
            Row(name: "a wrong record", event: .recovering(.invalid), reporters: ["second"]) {
                stage,
                _ in
                try stage.appendForged { record in
                    record.previous = record.position.hash
                    record.from = record.position.version
                    record.position.sequence += 1
                    record.position.version += 1
                }
            },
            Row(
                name: "other positions",
                event: .recovering(.unverifiedPosition),
                reporters: ["second"]
            ) {
                stage,
                _ in
                stage.replaceLog { log in
                    log.insert(contentsOf: [[1], [2]], at: 0)
                    log += [[3], [4], [5]]
                }
            },
        ]
        rows += [
            Row(
                name: "a log that has lost more than any snapshot",
                event: .recovering(.rolledBack),
                keepsState: true,
                configure: { $0.snapshotInterval = 3 }
            ) { stage, first in
                let old = stage.broker.contents
                for _ in 0..<12 {
                    first.publish(2)
                    stage.run(.milliseconds(500))
                }
                stage.broker.restore(old)
            },
            Row(
                name: "records that are trimmed",
                event: .recovering(.trimmed),
                reporters: ["second"],
                configure: { $0.snapshotInterval = 4 }
            ) { stage, first in
                let second = try #require(stage.members["second"])
                second.log.cutOff(.both)
                for _ in 0..<20 {
                    first.publish(2)
                    stage.run(.milliseconds(500))
                }
                second.log.reconnect()
            },
        ]
        for number in 0..<3 {
            rows.append(
                Row(
                    name: "a snapshot without part \(number)",
                    event: .recovering(.damagedSnapshot),
                    reporters: ["late"],
                    configure: { $0.chunkByteCount = 60 }
                ) { stage, _ in
                    let names = stage.broker.contents?.snapshotNames ?? []
                    for name in names.indices {
                        stage.broker.loseChunk(name + number * names.count)
                    }
                    _ = stage.add("late") { $0.chunkByteCount = 60 }
                }
            )
        }
        for bytes in [[], [1, 2, 3], Array(Samples.head.encoded(key: Samples.other))] {
            rows.append(
                Row(
                    name: "a head of \(bytes.count) bytes",
                    event: .recovering(.damagedSnapshot),
                    reporters: ["late"],
                    time: .seconds(30)
                ) { stage, _ in
                    stage.overwrite(.head, with: bytes)
                    _ = stage.add("late")
                }
            )
        }
        return rows
    }()

    @Test func faultyLogsAreRepaired() throws {
        for row in Self.recoveries {
            let (stage, first, _) = stage(row.configure)
            try row.meddle(stage, first)
            let (state, version) = (first.state, first.version)
            stage.run(row.time)
            for name in row.reporters {
                let member = try #require(stage.members[name])
                #expect(member.has(row.event), "\(row.name): \(member.events)")
            }
            if row.keepsState {
                // The state that readers saw is not lost.
                for member in stage.members.values {
                    let isKept =
                        member.state == state && member.version.handle == version.handle
                        && member.version.number >= version.number
                    #expect(isKept, "\(row.name): \(member.events)")
                }
                #expect(first.count("resigned") == 0, "\(row.name)")
            }
            first.publish(3)
            stage.run()
            stage.checkConverged("\(row.name)", leader: row.leader)
        }
    }

    // MARK: Resignations

    private static let resignations: [Row] = [
        Row(name: "a later epoch", event: .resigned(.fenced), reporters: ["first"], leader: nil) {
            stage,
            _ in
            try stage.appendForged { record in
                record.previous = record.position.hash
                record.from = record.position.version
                record.position.sequence += 1
                record.position.version += 1 << 33
                record.position.epoch += 1
                record.position.writer = 77
                record.body = .opening
            }
        },
        Row(
            name: "a lease of another",
            event: .resigned(.leaseLost),
            reporters: ["first"],
            leader: nil
        ) { stage, _ in
            let lease = LogLease(writer: 77, epoch: 50)
            stage.overwrite(.lease, with: lease.encoded(key: .usual))
        },
    ]

    @Test func replacedLeadersResign() throws {
        for row in Self.resignations {
            let (stage, first, _) = stage(standsBy: true)
            try row.meddle(stage, first)
            stage.run(.seconds(1))
            #expect(first.has(row.event) && first.changes.count == 2, "\(row.name)")
            stage.run(row.time)
            stage.checkConverged("\(row.name)", leader: row.leader)
        }
    }

    @Test func resigningHandsOverBeforeTheLeaseExpires() {
        for moment in 0..<20 {
            let (stage, first, second) = stage(standsBy: true)
            // At any phase of renewing the lease, except during a renewal.
            stage.run(.milliseconds(moment * 40))
            first.publish()
            stage.run(.milliseconds(10))
            let state = first.state
            first.replica.resign()
            stage.run(.milliseconds(1_200))
            #expect(second.replica.status.isLeading, "\(moment): \(second.events)")
            #expect(first.changes == ["began", "ended requested"])
            #expect(first.has(.resigned(.requested)))
            #expect(second.state == state)
            second.publish()
            stage.run()
            stage.checkConverged(leader: "second")
        }
    }

    @Test func leadersSurviveADamagedLease() {
        let (stage, first, second) = stage(standsBy: true)
        for bytes in [[], [9], LogLease(writer: 4, epoch: 4).encoded(key: Samples.other)] {
            stage.overwrite(.lease, with: bytes)
            stage.run(.seconds(10))
        }
        first.publish()
        stage.run()
        #expect(first.changes == ["began"] && second.changes == [])
        stage.checkConverged(leader: "first")
    }

    @Test func unpublishableStatesEndALeadership() {
        let (stage, first, second) = stage(standsBy: true)
        first.replica.resign()
        stage.run()
        second.replica.resign()
        let small = stage.add("small") { $0.limits = ShapeLimits(sections: 100, items: 40) }
        stage.run()
        small.campaign()
        stage.run()
        #expect(small.replica.status.isLeading, "\(small.events)")
        for _ in 0..<200 where small.replica.status.isLeading {
            small.publish(5)
            stage.run(.milliseconds(50))
        }
        #expect(small.has(.resigned(.unpublishable)), "\(small.events.suffix(3))")
        #expect(small.count("unpublishable") == 1)
        // It does not campaign again.
        stage.run(.seconds(10))
        #expect(small.changes == ["began", "ended unpublishable"])
        first.campaign()
        stage.run()
        first.publish()
        stage.run()
        stage.checkConverged(leader: "first")
    }

    @Test func leadersResignWhenTheirJournalFails() {
        for calls in -1..<25 {
            let stage = ReplicaStage()
            let storage = VolatileStorage(SeededGenerator(seed: 1), leavesGaps: false)
            // At first the journal cannot even be opened, and the member has not noticed.
            if calls < 0 { storage.losePower() } else { storage.callsLeft = calls }
            let first = stage.add("first", journal: storage)
            let second = stage.add("second")
            first.campaign()
            stage.run()
            second.campaign()
            for _ in 0..<15 {
                first.publish()
                stage.run(.milliseconds(100))
            }
            stage.run(.seconds(10))
            #expect(storage.isDown && first.count("journalFailed") > 0, "\(calls)")
            if calls < 0 { #expect(first.count("journalFailed") == 1 && first.changes == []) }
            // A member that never led is not notified of an end.
            let changes: [[String]] = [[], ["began", "ended journalFailed"]]
            #expect(changes.contains(first.changes), "\(calls): \(first.changes)")
            if first.changes.count == 2 { #expect(first.has(.resigned(.journalFailed))) }
            second.publish()
            stage.run()
            stage.checkConverged("\(calls)", leader: "second")
        }
    }
}
