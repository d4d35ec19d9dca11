import CollectionElements
import CollectionPipeline
import PipelineTesting

/// Runs `body` on the controller's main lane and returns its result.
@discardableResult
package func onMain<Source, Result: Sendable, Failure: Error>(
    _ controller: DataController<Source>,
    _ body: @escaping @Sendable (DataController<Source>) throws(Failure) -> Result
) async throws(Failure) -> Result {
    try await controller.lane.run { () throws(Failure) in try body(controller) }
}

extension DataController {
    /// Returns when every submission has completed, animations included.
    package func settle() async {
        await whenReached(.completed)
    }
}

extension Stage {
    /// Returns when the workers have finished all earlier work. Only for a stage with one worker
    /// and jobs of fewer than a hundred parts, because jobs take turns part by part.
    package func workersAreDone() async {
        await suspend { resume in
            environment.fork(parts: 100, joinOn: lane, body: { _ in }, join: { resume(()) })
        }
    }
}

extension UpdateResult {
    package var text: String { outcome.text }
}

extension UpdateOutcome {
    /// The outcome in one word, such as `superseded(#3)` or `rejected(stale)`.
    package var text: String {
        switch self {
        case .deployed: "deployed"
        case .deployedByReload: "deployedByReload"
        case .superseded(let id): "superseded(\(id))"
        case .rejected(let error):
            "rejected(\(error.hierarchyError?.code.rawValue ?? error.code.rawValue))"
        case .refusedByView(let error): "refused(\(error.code.rawValue))"
        case .cancelled: "cancelled"
        }
    }
}

extension EventRecorder {
    /// Returns when at least `count` events of `kind` have occurred.
    package func wait(for kind: PipelineEvent.Kind, count: Int = 1) async {
        while events(kind).count < count { await Task.yield() }
    }
}

extension PipelineConfiguration {
    /// The defaults without stall reports: virtual time passes any timeout as soon as no other work
    /// is pending.
    package static var unwatched: PipelineConfiguration {
        var configuration = PipelineConfiguration()
        configuration.stallTimeout = nil
        return configuration
    }
}
