import CollectionPipeline
import Dispatch
import Synchronization

/// Lets a thread that is on no lane wait for a completion.
final class AwaitedOutcome: Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let outcome = Mutex<UpdateOutcome?>(nil)

    /// The completion.
    func note(_ result: UpdateResult) {
        outcome.withLock { $0 = result.outcome }
        arrived.signal()
    }

    /// For calls that throw what their completion is told as well.
    func ignore(_ call: () throws -> Void) { try? call() }

    /// Returns when the change set is deployed.
    func waitUntilDeployed() throws(Failure) {
        arrived.wait()
        let outcome = outcome.withLock { $0 }
        guard case .deployed = outcome else {
            throw Failure("a change set that had to deploy ended as \(String(describing: outcome))")
        }
    }
}

extension DataController {
    /// Records edits beside a change of the model, and returns when they are deployed; not on the main lane.
    func deploy(
        _ updates: @escaping @Sendable (Source, inout BatchRecorder) -> Void
    ) throws(Failure) {
        let outcome = AwaitedOutcome()
        enqueueBatchUpdates { source, changes in
            updates(source, &changes)
        } completion: {
            outcome.note($0)
        }
        try outcome.waitUntilDeployed()
    }
}

/// The pipeline did something else than it was measured for.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
