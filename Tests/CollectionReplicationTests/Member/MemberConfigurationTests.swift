import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// Members follow each setting of their configuration.
@Suite("Configurations of members", .endsHangs)
struct MemberConfigurationTests {
    private static let nameBytes = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-".utf8
    )

    @Test func requestsFollowTheConfiguration() throws {
        let stage = ReplicaStage()
        let requests = RequestRecorder()
        var configuration = ReplicationConfiguration()
        configuration.readLimit = LogReadLimit(records: 7, bytes: 5_000)
        configuration.readWait = .milliseconds(230)
        configuration.chunkByteCount = 90
        configuration.snapshotInterval = 5
        let first = stage.add("first", configured: configuration, over: requests.wrap)
        first.campaign()
        stage.run()
        for _ in 0..<10 {
            first.publish(4)
            stage.run(.milliseconds(300))
        }
        var waits: Set<Duration> = []
        var parts: [String: [Int]] = [:]
        for request in requests.all {
            switch request {
            case .read(_, let limit, let wait):
                // The last record is checked with a read of its own.
                #expect(limit == configuration.readLimit || limit.records == 1)
                #expect(limit.bytes == 5_000)
                waits.insert(wait)
            case .put(let chunk, let index, let snapshot):
                #expect(index == parts[snapshot, default: []].count)
                parts[snapshot, default: []].append(chunk.count)
            default: break
            }
        }
        // A member that looks for its position does not wait.
        #expect(waits == [.zero, .milliseconds(230)])
        for sizes in parts.values {
            #expect(sizes.dropLast().allSatisfy { $0 == 90 })
            #expect(try #require(sizes.last) <= 90)
        }
        #expect(parts.values.contains { $0.count > 2 })
        for name in parts.keys {
            #expect(name.count <= 100 && !name.isEmpty)
            #expect(name.utf8.allSatisfy { Self.nameBytes.contains($0) }, "\(name)")
        }
    }

    @Test func catchingUpIsNoFasterThanTheHubPublishes() throws {
        let stage = ReplicaStage()
        let first = stage.add("first")
        first.campaign()
        stage.run()
        for _ in 0..<45 {
            for _ in 0..<30 { first.source?.touch() }
            stage.run(.milliseconds(20))
        }
        stage.run()
        let last = try #require(stage.broker.contents?.last)
        #expect(last > 600)
        var configuration = ReplicationConfiguration()
        configuration.readLimit = LogReadLimit(records: 10, bytes: 1 << 20)
        configuration.hub.name = "held hub"
        // The hub does nothing as long as this simulation takes no steps.
        let hubs = Simulation(seed: 2)
        let environment = SplitEnvironment(
            base: stage.simulation.environment,
            hubs: hubs.environment,
            label: configuration.hub.name
        )
        let late = stage.makeMember(configuration, environment: environment)
        late.follow()
        stage.run(.seconds(10))
        // As many updates as may be pending, and the rest of the last batch.
        #expect((200...270).contains(late.status.logPosition), "\(late.status)")
        for _ in 0..<20 {
            hubs.run()
            stage.run(.seconds(1))
        }
        #expect(late.status.logPosition == last && late.hub.snapshot.version == first.version)
    }

    @Test func everyAttemptToAppendARecordHasItsUniqueID() {
        let stage = ReplicaStage()
        let requests = RequestRecorder(losingEvery: 5)
        var configuration = ReplicationConfiguration()
        configuration.answerTimeout = .milliseconds(200)
        configuration.inFlightRecordLimit = 3
        let first = stage.add("first", configured: configuration, over: requests.wrap)
        first.campaign()
        stage.run()
        for _ in 0..<20 {
            first.publish(3)
            stage.run(.seconds(1))
        }
        var ids: [[UInt8]: Set<String>] = [:]
        var records: [String: Set<[UInt8]>] = [:]
        var attempts = 0
        for case .append(let record, let id, _) in requests.all {
            ids[record, default: []].insert(id)
            records[id, default: []].insert(record)
            attempts += 1
        }
        #expect(ids.values.allSatisfy { $0.count == 1 })
        #expect(records.values.allSatisfy { $0.count == 1 })
        #expect(attempts > ids.count && ids.count > 20, "\(attempts), \(ids.count)")
    }

    // MARK: Times

    @Test func failedRequestsAreRetriedAndReportedOnce() {
        let stage = ReplicaStage()
        let first = stage.add("first")
        first.campaign()
        stage.run()
        stage.broker.stop()
        let requests = RequestRecorder()
        var configuration = ReplicationConfiguration()
        configuration.retryInterval = .milliseconds(250)
        let member = stage.add("member", configured: configuration, over: requests.wrap)
        let begin = stage.simulation.now
        stage.run(.seconds(10))
        // Each attempt waits for the interval after the previous one.
        let intervals = Int((stage.simulation.now - begin) / .milliseconds(250))
        #expect(
            (intervals / 2...intervals + 1).contains(requests.all.count),
            "\(requests.all.count)"
        )
        #expect(member.count("failed") == 1)
        // A success in between.
        stage.broker.start()
        stage.run()
        #expect(member.version == first.version)
        stage.broker.stop()
        stage.run(.seconds(10))
        #expect(member.count("failed") == 2, "\(member.events)")
    }

    @Test func shortIntervalsDoNotFloodTheBroker() {
        for time in [Duration.zero, .nanoseconds(1), .seconds(-5)] {
            let stage = ReplicaStage()
            let requests = RequestRecorder()
            var configuration = ReplicationConfiguration()
            configuration.leaseDuration = time
            configuration.answerTimeout = time
            configuration.retryInterval = time
            let member = stage.add("member", configured: configuration, over: requests.wrap)
            stage.broker.stop()
            member.campaign()
            let end = Duration.milliseconds(50)
            for _ in 0..<50_000 where stage.simulation.now < end { _ = stage.simulation.step() }
            // Otherwise time stands still.
            #expect(stage.simulation.now >= end)
            #expect(requests.all.count < 1_000, "\(requests.all.count)")
        }
    }

    @Test func leasesAreNotTakenBeforeTheyExpire() {
        let stage = ReplicaStage()
        let configure = { (configuration: inout ReplicationConfiguration) in
            configuration.leaseDuration = .seconds(12)
        }
        var first: StagedMember? = stage.add("first", configure)
        first?.campaign()
        stage.run(.seconds(20))
        #expect(first?.replica.status.isLeading == true)
        let second = stage.add("second", configure)
        second.campaign()
        // No other member leads as long as the lease is renewed.
        stage.run(.seconds(60))
        #expect(first?.changes == ["began"] && second.changes == [])
        stage.forget("first")
        first = nil
        // The last renewal was at most a third of the duration ago.
        stage.run(.milliseconds(7_500))
        #expect(!second.replica.status.isLeading)
        stage.run(.seconds(10))
        #expect(second.replica.status.isLeading, "\(second.events)")
    }

    @Test func membersAheadOfTheLogWaitBeforeTheyRollBack() {
        let stage = ReplicaStage()
        let first = stage.add("first")
        let second = stage.add("second") { $0.rollbackGracePeriod = .seconds(30) }
        first.campaign()
        stage.run()
        first.publish(4)
        stage.run()
        let (old, oldState) = (stage.broker.contents, second.state)
        first.publish(4)
        stage.run()
        let (version, state) = (second.version, second.state)
        // No member is connected that could restore the log.
        first.log.cutOff(.both)
        stage.broker.restore(old)
        stage.run(.seconds(25))
        #expect(second.has(.recovering(.rolledBack)), "\(second.events)")
        #expect(second.version == version && second.state == state)
        stage.run(.seconds(15))
        #expect(second.state == oldState && oldState != state, "\(second.events)")
    }

    // MARK: Snapshots

    @Test func snapshotsBeyondTheLimitAreNotRead() {
        let stage = ReplicaStage()
        let first = stage.add("first") { $0.snapshotInterval = 1 }
        first.campaign()
        stage.run()
        first.publish(20)
        stage.run()
        let requests = RequestRecorder()
        var configuration = ReplicationConfiguration()
        configuration.snapshotByteLimit = 20
        let late = stage.add("late", configured: configuration, over: requests.wrap)
        stage.run(.seconds(5))
        #expect(late.has(.recovering(.damagedSnapshot)))
        #expect(late.replica.status.position == nil && late.version.number == 0)
        for case .chunk in requests.all { Issue.record("a part of the snapshot was read") }
    }

    @Test func snapshotsFollowWhenRecordsAreAsLongAsThePreviousOne() throws {
        let stage = ReplicaStage()
        let first = stage.add("first") { $0.snapshotInterval = 1 }
        first.campaign()
        stage.run()
        // A state that is much longer than the records after it.
        first.publish(30)
        stage.run()
        var (records, heads): ([UInt64: Int], [LogHead.Snapshot]) = ([:], [])
        for _ in 0..<200 {
            first.source?.touch()
            stage.run(.milliseconds(50))
            let contents = try #require(stage.broker.contents)
            for (index, record) in contents.log.enumerated() {
                records[contents.first + UInt64(index)] = record.count
            }
            let head = try #require(stage.head).snapshot
            if head != heads.last { heads.append(head) }
        }
        #expect(heads.count > 2)
        for (old, new) in zip(heads, heads.dropFirst()) {
            let between = (old.logPosition + 1...new.logPosition).compactMap { records[$0] }
            #expect(between.count > 1 && between.reduce(0, +) >= old.bytes)
        }
    }
}

/// An environment in which one lane belongs to another environment.
private struct SplitEnvironment: ForwardingEnvironment {
    let base: any PipelineEnvironment
    let hubs: any PipelineEnvironment
    let label: String

    func makeLane(label: String) -> any Lane {
        (label == self.label ? hubs : base).makeLane(label: label)
    }
}
