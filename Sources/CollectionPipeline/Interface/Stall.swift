/// A wait that has lasted longer than ``PipelineConfiguration/stallTimeout``: who waits for what since when.
public struct Stall: Hashable, Sendable {
    /// What is waited for.
    public let wait: PipelineWait

    /// Who waits: the submission that is not measured, deployed or finished, the batch that was not ended,
    /// or the first of those that wait for room; nil where the whole controller waits for its main lane.
    public let submission: SubmissionID?

    /// Since when, by ``PipelineEnvironment/now``.
    public let since: Duration
}

extension Stall: CustomStringConvertible {
    /// Who waits for what, and what to look at, in a line.
    public var description: String { "\(waiter) waits for \(wait): \(wait.advice)" }

    /// That it is over, in a line.
    var endDescription: String { "\(waiter) no longer waits for \(wait)" }

    private var waiter: String { submission.map { "\($0)" } ?? "The controller" }
}
