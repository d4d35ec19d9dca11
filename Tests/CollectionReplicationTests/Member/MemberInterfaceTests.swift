import CollectionChanges
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication
@testable import PipelineTesting

/// What a process has of its member: when it is called back, what is retained, and what readers are told.
@Suite("What a process has of its member", .endsHangs)
struct MemberInterfaceTests {
    /// A leader and a follower with something to show.
    private func stage() -> (ReplicaStage, StagedMember, StagedMember) {
        let stage = ReplicaStage()
        let (first, second) = (stage.add("first"), stage.add("second"))
        first.lead()
        stage.run()
        first.publish(5)
        stage.run()
        return (stage, first, second)
    }

    // MARK: Calls

    @Test func nothingIsCalledBackWithinACall() {
        let stage = ReplicaStage()
        let calls = Lock<[String]>([])
        let told = { @Sendable (name: String) in calls.withLock { $0.append(name) } }
        let replica = stage.makeMember { () throws(JournalError) in
            told("journal")
            return MemoryJournalStorage()
        }
        replica.follow()
        replica.lead { _ in told("leadership") }
        replica.whenShown(source: 1) { _ in told("shown") }
        #expect(calls.withLock { $0 } == [])
        stage.run()
        #expect(calls.withLock { Set($0) } == ["journal", "leadership", "shown"])
        calls.withLock { $0 = [] }
        replica.resign()
        replica.close { told("closed") }
        #expect(calls.withLock { $0 } == [])
        stage.run()
        // The last that it says.
        #expect(calls.withLock { $0 } == ["leadership", "closed"])
    }

    @Test func whoDoesNotFollowNeitherShowsNorLeads() {
        let (stage, first, _) = stage()
        first.replica.resign()
        let replica = stage.makeMember()
        replica.lead { _ in }
        stage.run(.seconds(30))
        #expect(replica.status == ReplicationStatus() && replica.hub.snapshot.version.number == 0)
        replica.follow()
        stage.run()
        #expect(replica.status.isLeading && replica.hub.snapshot.state == first.state)
    }

    @Test func whoDoesNotLeadPublishesNothing() {
        let (stage, first, second) = stage()
        let (state, version) = (first.state, first.version)
        let records = stage.broker.contents?.last
        var source: StagedSource? = StagedSource(PublishedState(), stage.simulation.environment)
        weak let hub = source?.hub
        if let hub { second.replica.publish(from: hub) }
        stage.run()
        #expect(stage.broker.contents?.last == records)
        #expect(second.state == state && second.version == version)
        // Nor is it kept for later.
        source = nil
        #expect(hub == nil)
    }

    @Test func aSourceThatLoadsChangesNothingBeforeItHasLoaded() {
        let (stage, first, second) = stage()
        let state = first.state
        let source = UpdateHub(environment: stage.simulation.environment)
        second.replica.lead { [weak second] change in
            if case .began = change { second?.replica.publish(from: source) }
        }
        first.replica.resign()
        stage.run()
        // Readers see what there was, and not an empty list meanwhile.
        #expect(second.replica.status.isLeading && state.numberOfItems > 0)
        #expect(first.state == state && second.state == state)
        let position = second.replica.status.position
        let reload = ValidatedChangeSet.reloadingData(
            from: .empty,
            to: state.shape,
            animation: .automatic
        )
        source.publish(
            RenderedUpdate(reload, to: 1) {
                state.item(at: $0)?.payload
            } header: {
                state.section(at: $0)?.payload
            }
        )
        stage.run()
        // What shows the same is the same, with its number.
        #expect(first.state == state && second.state == state)
        #expect(second.replica.status.position?.sequence == position.map { $0.sequence + 1 })
        // An update is one, from then on.
        source.publish(
            RenderedUpdate(
                .reloadingData(from: state.shape, to: .empty, animation: .automatic),
                to: 2
            ) { _ in nil }
        )
        stage.run()
        #expect(first.state.numberOfSections == 0 && first.version == second.version)
    }

    @Test func aLeaderBeginsWithWhatTheLogHas() throws {
        let (stage, first, second) = stage()
        let began = Lock<PublishedSnapshot?>(nil)
        second.replica.lead { change in
            guard case .began(let snapshot) = change else { return }
            began.withLock { $0 = snapshot }
        }
        first.replica.resign()
        stage.run()
        let snapshot = try #require(began.withLock { $0 })
        #expect(snapshot.state == first.state && snapshot.digest == first.digest)
        #expect(snapshot.version == second.version && first.version == second.version)
    }

    @Test func theStatusSaysWhereAMemberIs() throws {
        let stage = ReplicaStage()
        let own = stage.makeMember()
        own.follow()
        stage.run()
        #expect(own.status.position == nil && !own.status.isCurrent)
        let first = stage.add("first")
        first.lead()
        stage.run()
        first.publish(5)
        stage.run()
        for status in [own.status, first.replica.status] {
            let position = try #require(status.position)
            let last = try #require(stage.records.last).position
            #expect(position == last && position.epoch == 1 && status.isCurrent)
            // The opening is a record too.
            #expect(position.sequence == UInt64(stage.records.count))
            #expect(position.version == first.version.number)
            #expect(status.logPosition == stage.broker.contents?.last)
            #expect(status.recordsBehind == 0 && status.pendingRecords == 0)
        }
        #expect(!own.status.isLeading && first.replica.status.isLeading)
    }

    @Test func eventsSayInWhichOrderThingsHappen() throws {
        let (stage, first, _) = stage()
        let late = stage.add("late")
        stage.run()
        // From the snapshot of nothing that the log begins with, to its end.
        let begun = PublishedVersion(
            handle: first.version.handle,
            number: try #require(stage.head).snapshot.position.version
        )
        #expect(begun.number < first.version.number)
        #expect(
            late.events == [
                "\(ReplicationEvent.following(begun))",
                "\(ReplicationEvent.current(first.version))",
            ]
        )
        first.replica.resign()
        stage.settle()
        let told = first.events.filter { $0.hasPrefix("leading") || $0.hasPrefix("resigned") }
        #expect(
            told == [
                "\(ReplicationEvent.leading(epoch: 1))", "\(ReplicationEvent.resigned(.asked))",
            ]
        )
    }

    @Test func whoLostTheLeaseLeadsAgainWhenTheOtherIsGone() {
        let (stage, first, _) = stage()
        // Somebody who never renews it.
        let lease = LogLease(writer: 77, epoch: 50)
        stage.overwrite(.lease, with: lease.encoded(key: .usual))
        stage.run(.seconds(1))
        #expect(first.changes == ["began", "ended leaseLost"])
        stage.run(.seconds(10))
        #expect(first.changes == ["began", "ended leaseLost", "began"])
        first.publish()
        stage.run()
        stage.checkConverged(leader: "first")
    }

    // MARK: Readers

    @Test func whoMovesToAnotherMemberIsToldWhatItMissed() throws {
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
        // Everything at first, and then what is different.
        #expect(resets.count == 1 && updates.count == 1, "\(reader.messages)")
        #expect(first.version == second.version)
    }

    @Test(arguments: [true, false])
    func readersAreToldThatAMemberIsClosedOrGone(_ isClosed: Bool) throws {
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

/// A reader that takes its version from one hub to another.
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
