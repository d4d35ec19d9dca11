import CollectionChanges
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication
@testable import PipelineTesting

/// Callbacks of a member, the objects that it retains, and the messages to its readers.
@Suite("Interface of a member", .endsHangs)
struct MemberInterfaceTests {
    private func stage() -> (ReplicaStage, StagedMember, StagedMember) {
        let stage = ReplicaStage()
        let (first, second) = (stage.add("first"), stage.add("second"))
        first.campaign()
        stage.run()
        first.publish(5)
        stage.run()
        return (stage, first, second)
    }

    // MARK: Calls

    @Test func noCallbackRunsInsideACall() {
        let stage = ReplicaStage()
        let calls = Lock<[String]>([])
        let note = { @Sendable (name: String) in calls.withLock { $0.append(name) } }
        let replica = stage.makeMember { () throws(JournalError) in
            note("journal")
            return MemoryJournalStorage()
        }
        replica.follow()
        replica.campaign { _ in note("leadership") }
        replica.whenVisible(sourceVersion: 1) { _ in note("shown") }
        #expect(calls.withLock { $0 } == [])
        stage.run()
        #expect(calls.withLock { Set($0) } == ["journal", "leadership", "shown"])
        calls.withLock { $0 = [] }
        replica.resign()
        replica.close { note("closed") }
        #expect(calls.withLock { $0 } == [])
        stage.run()
        // These are the last callbacks.
        #expect(calls.withLock { $0 } == ["leadership", "closed"])
    }

    @Test func membersThatDoNotLeadPublishNothing() {
        let (stage, first, second) = stage()
        let (state, version) = (first.state, first.version)
        let records = stage.broker.contents?.last
        var source: StagedSource? = StagedSource(PublishedState(), stage.simulation.environment)
        weak let hub = source?.hub
        if let hub { second.replica.publish(from: hub) }
        stage.run()
        #expect(stage.broker.contents?.last == records)
        #expect(second.state == state && second.version == version)
        // The source is not retained for later either.
        source = nil
        #expect(hub == nil)
    }

    /// Some callers wait for an earlier number than others, or for the same one.
    @Test func callersReceiveVersionsInTheOrderOfTheirNumbers() {
        let (stage, first, second) = stage()
        let answers = Journal<(number: Int, version: PublishedVersion?)>()
        let newest = first.source?.generation ?? 0
        for number in [newest + 2, newest, newest + 1, newest + 2, 0] {
            first.replica.whenVisible(sourceVersion: number) { answers.append((number, $0)) }
        }
        second.replica.whenVisible(sourceVersion: 0) { answers.append((-1, $0)) }
        stage.run(.seconds(1))
        #expect(answers.values.map(\.number).sorted() == [-1, 0, newest])
        first.publish(2)
        stage.run()
        let sorted = answers.values.sorted { $0.number < $1.number }
        #expect(sorted.map(\.number) == [-1, 0, newest, newest + 1, newest + 2, newest + 2])
        #expect(sorted[0].version == nil, "a member without a source")
        let versions = sorted.dropFirst().compactMap { $0.version?.number }
        #expect(versions.count == 5 && versions == versions.sorted())
        #expect(versions.last ?? .max <= first.version.number)
    }

    @Test func sourcesChangeNothingBeforeTheyHaveLoaded() {
        let (stage, first, second) = stage()
        let state = first.state
        let source = StagedSource(stage.simulation.environment)
        second.replica.campaign { [weak second, hub = source.hub] change in
            if case .began = change { second?.replica.publish(from: hub) }
        }
        first.replica.resign()
        stage.run()
        // Readers see the previous state until then, not an empty list.
        #expect(second.replica.status.isLeading && state.numberOfItems > 0)
        #expect(first.state == state && second.state == state)
        let position = second.replica.status.position
        source.load(state)
        stage.run()
        // A state with the same payloads is unchanged and keeps its numbers.
        #expect(first.state == state && second.state == state)
        #expect(second.replica.status.position?.sequence == position.map { $0.sequence + 1 })
        // From then on, every update is published.
        source.hub.publish(
            RenderedUpdate(
                .reloadingData(from: state.shape, to: .empty, animation: .automatic),
                to: 2
            ) { _ in nil }
        )
        stage.run()
        #expect(first.state.numberOfSections == 0 && first.version == second.version)
    }

    @Test func theStatusContainsTheMembersPosition() throws {
        let stage = ReplicaStage()
        let own = stage.makeMember()
        own.follow()
        stage.run()
        #expect(own.status.position == nil && !own.status.isCurrent)
        let first = stage.add("first")
        first.campaign()
        stage.run()
        first.publish(5)
        stage.run()
        for status in [own.status, first.replica.status] {
            let position = try #require(status.position)
            let last = try #require(stage.records.last).position
            #expect(position == last && position.epoch == 1 && status.isCurrent)
            // The opening is also a record.
            #expect(position.sequence == UInt64(stage.records.count))
            #expect(position.version == first.version.number)
            #expect(status.logPosition == stage.broker.contents?.last)
            #expect(status.recordsBehind == 0 && status.pendingRecords == 0)
        }
        #expect(!own.status.isLeading && first.replica.status.isLeading)
    }

    @Test func theStatusCountsMissingRecordsDuringCatchUp() {
        let stage = ReplicaStage()
        let leader = stage.add("leader")
        leader.campaign()
        stage.run()
        for _ in 0..<20 {
            leader.publish(1)
            stage.run(.milliseconds(20))
        }
        let late = stage.add("late") { $0.readLimit = LogReadLimit(records: 3, bytes: 1 << 20) }
        var seen: [UInt64] = []
        for _ in 0..<1000 where stage.simulation.step() {
            let status = late.replica.status
            if status.recordsBehind != seen.last { seen.append(status.recordsBehind) }
            // A member that has read everything is not behind.
            if status.isCurrent { #expect(status.recordsBehind == 0) }
        }
        #expect(late.version == leader.version)
        #expect(seen.last == 0 && seen.contains { $0 >= 15 }, "\(seen)")
        #expect(Set(seen).count > 4, "\(seen)")
    }

    @Test func theStatusMeasuresHowLongReadsHaveFailed() {
        let (stage, first, second) = stage()
        #expect(second.replica.status.timeBehind == .zero)
        let start = stage.simulation.now
        second.log.cutOff(.both)
        stage.run(.seconds(60))
        // The member notices when a response is missing.
        let configuration = ReplicationConfiguration()
        let patience = configuration.readWait + configuration.answerTimeout
        let time = second.replica.status.timeBehind
        let passed = stage.simulation.now - start
        #expect(time <= passed && time >= passed - patience - .seconds(1), "\(time) of \(passed)")
        #expect(first.replica.status.timeBehind == .zero)
        second.log.reconnect()
        stage.run()
        #expect(second.replica.status.timeBehind == .zero)
    }

    // MARK: Lifetimes

    @Test func aSecondSourceReplacesTheFirst() {
        let (stage, first, second) = stage()
        let answers = Lock<[PublishedVersion?]>([])
        stage.broker.stop()
        stage.run()
        first.publish()
        first.replica.whenVisible(sourceVersion: first.source?.generation ?? 0) { version in
            answers.withLock { $0.append(version) }
        }
        stage.settle()
        #expect(answers.withLock { $0 } == [])
        func next() -> StagedSource { StagedSource(first.state, stage.simulation.environment) }
        var source = next()
        first.replica.publish(from: source.hub)
        stage.run(.seconds(1))
        #expect(answers.withLock { $0 } == [nil])
        stage.broker.start()
        stage.run()
        let (state, version) = (first.state, first.version)
        // The former source is no longer read.
        first.publish()
        stage.run(.seconds(1))
        #expect(first.state == state && first.version == version)
        var random = SeededGenerator(seed: 9)
        for _ in 0..<5 { source.publish(&random) }
        stage.run(.seconds(1))
        #expect(first.version.number > version.number && second.state == first.state)
        stage.checkConverged(leader: "first")
        // A source is retained as long as it is read.
        weak let old = source.hub
        source = next()
        #expect(old != nil)
        // The numbers of the former source say nothing about the new one.
        let former = first.version
        let reached = Lock<PublishedVersion?>(nil)
        first.replica.publish(from: source.hub)
        first.replica.whenVisible(sourceVersion: source.generation) { version in
            reached.withLock { $0 = version }
        }
        stage.run(.seconds(1))
        #expect(reached.withLock { $0?.number ?? 0 } > former.number)
        weak let new = source.hub
        source = next()
        #expect(old == nil && new != nil)
        first.replica.resign()
        stage.run(.seconds(1))
        #expect(new == nil)
    }

    @Test func closedMembersReleaseTheirJournal() {
        struct WeakStorage {
            weak var storage: MemoryJournalStorage?
        }
        let stage = ReplicaStage()
        let opened = Lock(WeakStorage())
        let replica = stage.makeMember { () throws(JournalError) in
            let storage = MemoryJournalStorage()
            opened.withLock { $0.storage = storage }
            return storage
        }
        replica.follow()
        replica.campaign { _ in }
        stage.run()
        #expect(opened.withLock { $0.storage } != nil && replica.status.isLeading)
        let isGone = Lock<Bool?>(nil)
        replica.close { isGone.withLock { $0 = opened.withLock { $0.storage } == nil } }
        stage.settle()
        #expect(isGone.withLock { $0 } == true)
    }

    @Test(arguments: [true, false])
    func observersAreReleasedWithTheirMember(_ isClosed: Bool) {
        final class Observer: ReplicationObserver {
            let count = Lock(0)
            func observe(_ event: ReplicationEvent) { count.withLock { $0 += 1 } }
        }
        final class Application: Sendable {}
        let stage = ReplicaStage()
        var observer: Observer? = Observer()
        var application: Application? = Application()
        weak let observed = observer
        weak let retained = application
        var replica: ReplicatedHub? = stage.makeMember(observer: observer)
        replica?.follow()
        replica?.campaign { [application] _ in _ = application }
        (observer, application) = (nil, nil)
        stage.run()
        #expect(retained != nil && replica?.status.isLeading == true)
        #expect(observed?.count.withLock { $0 } ?? 0 > 2)
        if isClosed { replica?.close() } else { replica = nil }
        stage.run()
        #expect(retained == nil)
        replica = nil
        stage.run()
        #expect(observed == nil)
    }

    // MARK: Readers

    @Test func readersThatChangeMembersReceiveTheDifference() throws {
        let (stage, first, second) = stage()
        let reader = MovingReader()
        try reader.join(first.replica.hub)
        stage.settle()
        #expect(reader.replica.version == first.version)
        reader.leave()
        first.publish(3)
        stage.run()
        try reader.join(second.replica.hub)
        stage.settle()
        #expect(reader.replica.version == second.version && reader.replica.state == second.state)
        let updates = reader.messages.filter { if case .update = $0 { true } else { false } }
        let resets = reader.messages.filter { if case .reset = $0 { true } else { false } }
        // First the whole state, and then only the difference.
        #expect(resets.count == 1 && updates.count == 1, "\(reader.messages)")
        #expect(first.version == second.version)
    }

    @Test(arguments: [true, false])
    func readersAreNotifiedOfTheEndOfAMember(_ isClosed: Bool) throws {
        let (stage, _, _) = stage()
        var replica: ReplicatedHub? = stage.makeMember()
        replica?.follow()
        stage.run()
        let reader = MovingReader()
        try reader.join(try #require(replica).hub)
        stage.settle()
        #expect(!reader.replica.isClosed && reader.replica.state.numberOfSections > 0)
        if isClosed { replica?.close() } else { replica = nil }
        stage.settle()
        #expect(reader.replica.isClosed)
    }
}

/// A reader that moves from hub to hub and resumes from its version.
private final class MovingReader: @unchecked Sendable {  // one thread
    private(set) var messages: [HubMessage] = []
    private(set) var replica = CollectionReplica()
    private var reader: HubReader?

    func join(_ hub: UpdateHub) throws {
        reader = try hub.addReader(from: replica.version) { [unowned self] message in
            messages.append(message)
            do {
                try replica.apply(message)
            } catch {
                Issue.record("\(error)")
            }
            return .more
        }
    }

    func leave() { reader = nil }
}
