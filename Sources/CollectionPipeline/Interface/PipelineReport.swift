/// A report of a controller's state and current waits, for finding out why nothing happens.
///
/// ```swift
/// print(await controller.report())
/// ```
///
/// ```text
/// feed: open
///   maps: 7 accepted, 5 visible
///   backlog: 2 of 64
///   #5 waits for the view to finish it, for 12 s
///   #6 waits for the view to deploy it, for 3.1 s
///   waiting: 1 for room in the backlog, 0 for the end of the open batch
///   view: SimulatedCollectionView
/// ```
///
/// Shape: ``description`` has at most about twenty lines. Durations are known only with an
/// observer, because without one the clock is not read.
public struct PipelineReport: Sendable {
    /// The name in the controller's configuration.
    public let pipeline: String

    /// The generations of the pending and the visible map. The change sets between them have not
    /// been deployed yet.
    public let generations: (pending: Int, visible: Int)

    /// The possible difference between the data source and the last accepted state.
    public let divergence: Divergence?

    /// The information that only the main lane has; `nil` if the main lane did not respond.
    public let details: Details?

    /// The time that the report waited for the main lane if it did not respond.
    let patience: Duration

    /// The information that only the main lane has.
    public struct Details: Sendable {
        /// The phase of the controller's life.
        public internal(set) var phase: Phase
        /// The number of change sets that were accepted and not yet deployed.
        public internal(set) var backlog: Int
        /// The limit of the backlog.
        public internal(set) var backlogLimit: Int
        /// The open batch, the accepted submissions that have not completed, in order, and the
        /// states that have not been compared yet.
        public internal(set) var waiting: [Waiting]
        /// The number of submissions that wait for capacity in the backlog.
        public internal(set) var suspendedForCapacity: Int
        /// The number of submissions that wait for the end of a batch.
        public internal(set) var suspendedForBatch: Int
        /// The type of the view, or a note that it was deallocated; `nil` if there never was a
        /// view.
        public internal(set) var view: String?
        /// The first line of the last rejection's error.
        public internal(set) var lastError: String?
    }

    /// The phase of a controller's life.
    @nonexhaustive
    public enum Phase: String, Hashable, Sendable {
        /// The controller accepts submissions.
        case open
        /// A close is in progress.
        case closing
        /// A close has ended.
        case closed
    }

    /// A submission that waits, with the condition that it waits for and the time it has waited.
    public struct Waiting: Hashable, Sendable {
        /// The waiting submission.
        public let submission: SubmissionID
        /// The condition that it waits for.
        public let wait: PipelineWait
        /// The time since the submission reached its current state; `nil` if the controller has no
        /// observer.
        public let duration: Duration?
    }
}

extension PipelineReport: CustomStringConvertible {
    /// The number of submissions that are listed.
    private static let listed = 10

    /// The report as text.
    public var description: String { lines.joined(separator: "\n") }

    private var lines: [String] {
        var lines = ["\(pipeline): \(details?.phase.rawValue ?? "unknown")"]
        if details == nil {
            let time = patience.shortText
            lines.append(
                "  the main lane has not responded for \(time): \(PipelineWait.mainLane.advice)"
            )
        }
        let advice = generations.pending == 0 ? "; nothing is loaded yet: call reloadData()" : ""
        lines.append(
            "  maps: \(generations.pending) accepted, \(generations.visible) visible\(advice)"
        )
        if let details { lines += Self.lines(of: details) }
        if let divergence { lines.append("  the data source may differ: \(divergence)") }
        if let error = details?.lastError {
            lines.append("  last rejection: \(error)")
        }
        return lines
    }

    private static func lines(of details: Details) -> [String] {
        var lines = ["  backlog: \(details.backlog) of \(details.backlogLimit)"]
        for waiting in details.waiting.prefix(listed) { lines.append("  \(waiting)") }
        if details.waiting.count > listed {
            lines.append("  … and \(details.waiting.count - listed) more")
        }
        if details.suspendedForCapacity + details.suspendedForBatch > 0 {
            lines.append(
                "  waiting: \(details.suspendedForCapacity) for \(PipelineWait.backlogCapacity),"
                    + " \(details.suspendedForBatch) for \(PipelineWait.batchEnd)"
            )
        }
        lines.append("  view: \(details.view ?? "none")")
        return lines
    }
}

extension PipelineReport.Waiting: CustomStringConvertible {
    /// A text such as `#5 waits for the view to finish it, for 12 s`.
    public var description: String {
        let time = duration.map { ", for \($0.shortText)" }
        return "\(submission) waits for \(wait)\(time ?? "")"
    }
}

/// The condition that a submission or a whole controller waits for.
@nonexhaustive
public enum PipelineWait: Hashable, Sendable {
    /// Capacity in the backlog: the view must deploy earlier change sets.
    case backlogCapacity
    /// The end of a batch that is open across turns.
    case batchEnd
    /// The end of the comparison of an applied state with the previous one.
    case comparing
    /// The end of step 3: node providers, measurements or a layout.
    case measuring
    /// The deployment by the view, which has already received the update.
    case deploying
    /// The end of the update in the view, which has already deployed it.
    case finishing
    /// The reload that replaces the update, which the view refused or can no longer apply.
    case reload
    /// The completion of earlier submissions; the view has already finished this update.
    case earlier
    /// A turn of the main lane.
    case mainLane
}

extension PipelineWait: CustomStringConvertible {
    /// The condition as text, such as `the view to deploy it`.
    public var description: String {
        switch self {
        case .backlogCapacity: "room in the backlog"
        case .batchEnd: "the end of the open batch"
        case .comparing: "its state to be compared"
        case .measuring: "its nodes to be measured"
        case .deploying: "the view to deploy it"
        case .finishing: "the view to finish it"
        case .reload: "the reload that replaces it"
        case .earlier: "those before it"
        case .mainLane: "a turn of the main lane"
        }
    }

    /// The advice for a wait that takes too long.
    var advice: String {
        switch self {
        case .backlogCapacity: "the view must deploy what was accepted earlier"
        case .batchEnd: "look for a beginUpdates() without its endUpdates()"
        case .comparing: "look for a state that is slow to compare, or for busy workers"
        case .measuring: "look for a node provider, a measurement or a layout that blocks"
        case .deploying: "look for a perform(_:) that keeps its update and never calls deploy(_:)"
        case .finishing: "look for an update whose finish() is never called"
        case .reload: "the view refused an update, and a reload is on its way"
        case .earlier: "the view must finish earlier updates"
        case .mainLane: "look for what blocks it, or for a queue that is not drained"
        }
    }
}

/// A wait that has lasted longer than ``PipelineConfiguration/stallTimeout``.
public struct Stall: Hashable, Sendable {
    /// The condition that the submission waits for.
    public let wait: PipelineWait

    /// The waiting submission; `nil` if the whole controller waits for its main lane. If several
    /// submissions wait for capacity, this is the first of them.
    public let submission: SubmissionID?

    /// The time at which the wait began, in terms of ``PipelineEnvironment/now``.
    public let since: Duration
}

extension Stall: CustomStringConvertible {
    /// One line with the waiting submission, the condition and advice.
    public var description: String { "\(waiter) waits for \(wait): \(wait.advice)" }

    /// One line that says that the wait has ended.
    var endDescription: String { "\(waiter) no longer waits for \(wait)" }

    private var waiter: String { submission.map { "\($0)" } ?? "The controller" }
}
