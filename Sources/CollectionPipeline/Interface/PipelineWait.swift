/// What a submission, or a whole controller, waits for.
@nonexhaustive
public enum PipelineWait: Hashable, Sendable {
    /// Room in the backlog: the view must deploy what was accepted earlier.
    case room
    /// The end of a batch that is open across turns.
    case batchEnd
    /// The end of the comparison of a state that was applied with the one before it.
    case comparing
    /// The end of step 3: node providers, measurements or a layout.
    case measuring
    /// The view, which has the update and is to deploy it.
    case deploying
    /// The view, which has deployed the update and is to finish it.
    case finishing
    /// The reload that stands for the update, which the view refused or can no longer apply.
    case reload
    /// Those before it, to complete; the view is done with it.
    case earlier
    /// A turn of the main lane.
    case mainLane
}

extension PipelineWait: CustomStringConvertible {
    /// What is waited for, such as `the view to deploy it`.
    public var description: String {
        switch self {
        case .room: "room in the backlog"
        case .batchEnd: "the end of the open batch"
        case .comparing: "its state to be compared"
        case .measuring: "its nodes to be measured"
        case .deploying: "the view to deploy it"
        case .finishing: "the view to finish it"
        case .reload: "the reload that stands for it"
        case .earlier: "those before it"
        case .mainLane: "a turn of the main lane"
        }
    }

    /// What to look at where it takes too long.
    var advice: String {
        switch self {
        case .room: "the view must deploy what was accepted earlier"
        case .batchEnd: "look for a beginUpdates() without its endUpdates()"
        case .comparing: "look for a state that is slow to compare, or for busy workers"
        case .measuring: "look for a node provider, a measurement or a layout that blocks"
        case .deploying: "look for a perform(_:) that keeps its update and never calls deploy(_:)"
        case .finishing: "look for an update whose finish() is never called"
        case .reload: "the view refused an update, and a reload is on its way"
        case .earlier: "the view must finish what came before it"
        case .mainLane: "look for what blocks it, or for why nobody drains it"
        }
    }
}

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
