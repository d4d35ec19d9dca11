/// Something that happened in a pipeline, for logs, metrics and traces.
///
/// The library itself logs nothing. Fields may be added; those that an event has no value for are nil.
public struct PipelineEvent: Sendable {
    /// What happened.
    public let kind: Kind

    /// The name that the controller was configured with.
    public let pipeline: String

    /// The submission that it happened to.
    public let submission: SubmissionID?

    /// The value that the submission was made with.
    public let context: (any Sendable)?

    /// When it happened, on the environment's clock.
    public let timestampNanoseconds: UInt64

    /// How long what ended with this event had taken.
    public internal(set) var durationNanoseconds: UInt64?

    /// How many change sets were accepted and not yet deployed.
    public internal(set) var backlog: Int?

    /// How many edits the change set has; a reload or move counts as two.
    public internal(set) var editCount: Int?

    /// How many elements were to be measured.
    public internal(set) var elementCount: Int?

    /// How the data source and the last accepted state may differ now that a change set was accepted or
    /// rejected; nil where they do not.
    public internal(set) var divergence: Divergence?

    /// Why something was rejected or failed.
    public internal(set) var error: (any Error)?

    /// Which element failed, for ``Kind/elementFailed``.
    public internal(set) var failedElement: ElementFailure?

    /// The name of an event. New kinds may come, so a `switch` over them needs a default.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        /// Step 1 ended: the change set was accepted; the duration is that of the latch.
        public static let accepted = Kind("accepted")
        /// The submission was rejected.
        public static let rejected = Kind("rejected")
        /// Step 3 began.
        public static let measuringStarted = Kind("measuringStarted")
        /// Step 3 ended.
        public static let measuringFinished = Kind("measuringFinished")
        /// A node provider or a measurement threw; `failedElement` says which.
        public static let elementFailed = Kind("elementFailed")
        /// A layout delegate threw.
        public static let layoutFailed = Kind("layoutFailed")
        /// Step 4 ended: the view has the update; the duration is that of the hand-over.
        public static let handedOver = Kind("handedOver")
        /// Step 5 ended: the visible map is swapped and the view has applied the edits.
        public static let deployed = Kind("deployed")
        /// The view refused the edits of an update; a reload follows.
        public static let viewRefused = Kind("viewRefused")
        /// The completions of a submission have run.
        public static let completed = Kind("completed")
        /// Closing began.
        public static let closing = Kind("closing")
        /// Closing ended; the last event.
        public static let closed = Kind("closed")
    }
}
