import CollectionChanges
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication
@testable import PipelineTesting

/// What a member retains, and until when.
@Suite("What a member retains", .endsHangs)
struct MemberRetentionTests {
    @Test func aSourceIsRetainedAsLongAsItIsRead() {
        let stage = ReplicaStage()
        let first = stage.add("first")
        first.lead()
        stage.run()
        first.publish(5)
        stage.run()
        func source() -> UpdateHub { StagedSource(first.state, stage.simulation.environment).hub }
        weak var old: UpdateHub?
        weak var new: UpdateHub?
        do {
            let hub = source()
            old = hub
            first.replica.publish(from: hub)
        }
        stage.run(.seconds(1))
        #expect(old != nil)
        do {
            let hub = source()
            new = hub
            first.replica.publish(from: hub)
        }
        stage.run(.seconds(1))
        #expect(old == nil && new != nil)
        first.replica.resign()
        stage.run(.seconds(1))
        #expect(new == nil)
    }

    @Test func aMemberThatIsClosedHasLetGoOfItsJournal() {
        let stage = ReplicaStage()
        let opened = Lock(WeakStorage())
        let replica = stage.makeMember { () throws(JournalError) in
            let storage = MemoryJournalStorage()
            opened.withLock { $0.storage = storage }
            return storage
        }
        replica.follow()
        replica.lead { _ in }
        stage.run()
        #expect(opened.withLock { $0.storage } != nil && replica.status.isLeading)
        let isGone = Lock<Bool?>(nil)
        replica.close { isGone.withLock { $0 = opened.withLock { $0.storage } == nil } }
        stage.settle()
        #expect(isGone.withLock { $0 } == true)
    }

    @Test(arguments: [true, false])
    func whoIsToldOfLeadershipsIsReleased(_ isClosed: Bool) {
        final class Application: Sendable {}
        let stage = ReplicaStage()
        var application: Application? = Application()
        weak let told = application
        var replica: ReplicatedHub? = stage.makeMember()
        replica?.follow()
        replica?.lead { [application] _ in _ = application }
        application = nil
        stage.run()
        #expect(told != nil && replica?.status.isLeading == true)
        if isClosed { replica?.close() } else { replica = nil }
        stage.run()
        #expect(told == nil)
    }

    @Test func anObserverIsRetainedByItsMember() {
        final class Observer: ReplicationObserver {
            let count = Lock(0)
            func observe(_ event: ReplicationEvent) { count.withLock { $0 += 1 } }
        }
        let stage = ReplicaStage()
        var observer: Observer? = Observer()
        weak let observed = observer
        var replica: ReplicatedHub? = stage.makeMember(observer: observer)
        observer = nil
        replica?.follow()
        replica?.lead { _ in }
        stage.run()
        #expect(observed?.count.withLock { $0 } ?? 0 > 2)
        replica = nil
        stage.run()
        #expect(observed == nil)
    }

    private struct WeakStorage {
        weak var storage: MemoryJournalStorage?
    }
}
