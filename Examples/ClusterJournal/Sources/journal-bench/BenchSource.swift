import CollectionPipeline
import CollectionPublishing
import Dispatch
import JournalSupport

/// The controller of a leader's list, and the hub that it is shown by.
final class BenchSource: Sendable {
    let hub = UpdateHub()
    private let controller: DataController<BenchList>
    private let failure = Tally()

    /// How many change sets are under way in the controller: with more the hub would be read as merged ones.
    private static let window = 32

    init(rows: Int) throws {
        controller = DataController(dataSource: BenchList(rows: rows), view: hub)
        let loaded = DispatchSemaphore(value: 0)
        let failure = failure
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadData()
        } completion: { result in
            failure.note(result)
            loaded.signal()
        }
        loaded.wait()
        try check()
    }

    /// What the controller has come to.
    var generation: Int { controller.visibleMap.generation }

    private func check() throws {
        if let failure = failure.failure { throw BenchFailure(failure) }
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
        try check()
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
        try check()
        return generation
    }
}

extension Tally {
    fileprivate func note(_ result: UpdateResult) {
        switch result.outcome {
        case .deployed, .deployedByReload: break
        default: fail("a change set was not deployed: \(result.outcome)")
        }
    }
}
