/// Something that happened in a pipeline, for logs, metrics and traces.
///
/// The library itself logs nothing. Every event has a ``kind``, ``pipeline`` and time, and those of a
/// submission have its number and, but for stalls, its context. Which other fields a kind has stands with the kind; all others
/// are nil. Fields may be added.
///
/// The events of one submission come in the order in which ``Kind`` lists them, each at most once, but
/// for ``Kind/elementFailed``. An accepted one ends with ``Kind/completed``, whatever becomes of it; only
/// the work of one that a close has cancelled may still end after that.
public struct PipelineEvent: Sendable {
    /// What happened.
    public let kind: Kind

    /// The name that the controller was configured with.
    public let pipeline: String

    /// The submission that it happened to.
    public let submission: SubmissionID?

    /// The value that the submission was made with; of a batch in several calls it is known at the end.
    public let context: (any Sendable)?

    /// When it happened, by ``PipelineEnvironment/now``: only differences mean something.
    public let timestamp: Duration

    /// How long what ended with this event had taken.
    public internal(set) var duration: Duration?

    /// How many change sets were accepted and not yet deployed.
    public internal(set) var backlog: Int?

    /// How many edits the change set has; a reload or move counts as two.
    public internal(set) var editCount: Int?

    /// How many elements were to be measured.
    public internal(set) var elementCount: Int?

    /// How the data source and the last accepted state may differ now that a change set was accepted or
    /// rejected; nil where they do not.
    public internal(set) var divergence: Divergence?

    /// What a submission waits for before it comes in.
    public internal(set) var wait: PipelineWait?

    /// Where the models of map and data source differ.
    public internal(set) var disagreement: Disagreement?

    /// What lasts, or lasted, too long.
    public internal(set) var stall: Stall?

    /// Why something was rejected or failed.
    public internal(set) var error: (any Error)?

    /// Which element failed, for ``Kind/elementFailed``.
    public internal(set) var failedElement: ElementFailure?
}

/// Told of everything that happens in a pipeline.
///
/// Called on the lane or worker where it happened, in order on each lane. It must not block and must
/// not call the controller. A close completes after the last call has returned (Quiet After Close).
/// Without an observer there is no clock read and no allocation.
public protocol PipelineObserver: Sendable {
    /// Something happened.
    func observe(_ event: PipelineEvent)
}
