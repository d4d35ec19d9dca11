import BrokerProcesses
import CollectionPipeline
import CollectionPublishing
import CollectionReplication
import Dispatch
import Foundation
import JournalSupport

/// A member that leads, with the controller of its list.
final class BenchLeader: Sendable {
    let member: BenchMember
    private let source = UpdateHub()
    private let controller: DataController<BenchList>
    private let failure = Tally()

    init(_ member: BenchMember, rows: Int) throws {
        self.member = member
        controller = DataController(dataSource: BenchList(rows: rows), view: source)
        member.replica.lead { _ in }
        let replica = member.replica
        try BenchMember.wait("a leader") { replica.status.isLeading }
        let loaded = DispatchSemaphore(value: 0)
        let (controller, failure) = (controller, failure)
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadData()
        } completion: { result in
            failure.note(result)
            loaded.signal()
        }
        loaded.wait()
        replica.publish(from: source)
        _ = try shownVersion(of: controller.visibleMap.generation)
    }

    /// The version at which members show an update of the controller; waits until its own readers are shown it.
    func shownVersion(of generation: Int) throws -> Int {
        let found = Guarded<Int?>(nil)
        let done = DispatchSemaphore(value: 0)
        member.replica.whenShown(source: generation) { version in
            found.withLock { $0 = version?.number }
            done.signal()
        }
        done.wait()
        guard let version = found.withLock({ $0 }) else { throw BenchFailure("it does not lead") }
        return version
    }

    /// Does one change set, and says when it was deployed, and which it is.
    func editOnce() throws -> (DispatchTime, generation: Int) {
        let deployed = Guarded<(DispatchTime, Int)?>(nil)
        let done = DispatchSemaphore(value: 0)
        let failure = failure
        controller.enqueueBatchUpdates { list, changes in
            list.edit(&changes)
        } completion: { result in
            failure.note(result)
            deployed.withLock { $0 = (.now(), result.generation ?? 0) }
            done.signal()
        }
        done.wait()
        if let failure = failure.failure { throw BenchFailure(failure) }
        guard let deployed = deployed.withLock({ $0 }) else { throw BenchFailure("no answer") }
        return deployed
    }

    /// Does many change sets, some under way at once, and returns the last when all are deployed.
    func edit(count: Int) throws -> Int {
        let places = DispatchSemaphore(value: Self.window)
        let failure = failure
        for _ in 0..<count {
            places.wait()
            controller.enqueueBatchUpdates { list, changes in
                list.edit(&changes)
            } completion: { result in
                failure.note(result)
                places.signal()
            }
        }
        for _ in 0..<Self.window { places.wait() }
        for _ in 0..<Self.window { places.signal() }
        if let failure = failure.failure { throw BenchFailure(failure) }
        return controller.visibleMap.generation
    }

    /// How many change sets are under way in the controller: with more its source would be read as merged ones.
    private static let window = 32

    func close() { member.close() }
}

extension Tally {
    fileprivate func note(_ result: UpdateResult) {
        if case .deployed = result.outcome { return }
        if case .deployedByReload = result.outcome { return }
        fail("a change set was not deployed: \(result.outcome)")
    }
}
