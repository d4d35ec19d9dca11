/// What a controller is doing and waiting for, at one moment: for a person who wonders why nothing happens.
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
///   waiting to come in: 1 for room in the backlog, 0 for the end of the open batch
///   view: SimulatedCollectionView
/// ```
///
/// Shape: ``description`` has at most some twenty lines. Times are known only where there is an observer, since
/// without one no clock is read.
public struct PipelineReport: Sendable {
    /// The name that the controller was configured with.
    public let pipeline: String

    /// The generations of the pending and the visible map; how far they differ is what is on its way.
    public let generations: (pending: Int, visible: Int)

    /// How the data source and the last accepted state may differ.
    public let divergence: Divergence?

    /// What the main lane says of everything else; nil where it has not answered.
    public let details: Details?

    /// For how long the main lane was waited for where it did not answer.
    let patience: Duration

    /// What only the main lane knows.
    public struct Details: Sendable {
        /// How far the controller is from its end.
        public internal(set) var phase: Phase
        /// How many change sets were accepted and not yet deployed.
        public internal(set) var backlog: Int
        /// How many there may be.
        public internal(set) var backlogLimit: Int
        /// The batch that is open, what was accepted and has not completed, in its order, and states that are not
        /// compared yet.
        public internal(set) var waiting: [Waiting]
        /// How many wait to come in, for room in the backlog.
        public internal(set) var suspendedForRoom: Int
        /// How many wait to come in, for the end of a batch.
        public internal(set) var suspendedForBatch: Int
        /// The type of the view, or that it is gone; nil where there never was one.
        public internal(set) var view: String?
        /// The first line of the last rejection's error.
        public internal(set) var lastError: String?
    }

    /// How far a controller is from its end.
    @nonexhaustive
    public enum Phase: String, Hashable, Sendable {
        /// Submissions are taken in.
        case open
        /// A close is under way.
        case closing
        /// A close has ended.
        case closed
    }

    /// Who waits for what, and for how long.
    public struct Waiting: Hashable, Sendable {
        /// Who waits.
        public let submission: SubmissionID
        /// What it waits for.
        public let wait: PipelineWait
        /// For how long it has been where it is; nil where there is no observer.
        public let duration: Duration?
    }
}

extension PipelineReport: CustomStringConvertible {
    /// How many submissions are listed.
    private static let listed = 10

    /// The report as text.
    public var description: String { lines.joined(separator: "\n") }

    private var lines: [String] {
        var lines = ["\(pipeline): \(details?.phase.rawValue ?? "unknown")"]
        if details == nil {
            let time = patience.shortText
            lines.append(
                "  the main lane has not answered for \(time): \(PipelineWait.mainLane.advice)"
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
        if details.suspendedForRoom + details.suspendedForBatch > 0 {
            lines.append(
                "  waiting to come in: \(details.suspendedForRoom) for \(PipelineWait.room),"
                    + " \(details.suspendedForBatch) for \(PipelineWait.batchEnd)"
            )
        }
        lines.append("  view: \(details.view ?? "none")")
        return lines
    }
}

extension PipelineReport.Waiting: CustomStringConvertible {
    /// Such as `#5 waits for the view to finish it, for 12 s`.
    public var description: String {
        let time = duration.map { ", for \($0.shortText)" }
        return "\(submission) waits for \(wait)\(time ?? "")"
    }
}
