/// Why a submission was rejected.
///
/// Maps, counts and view are as they were (Whole Or Nothing). The caller's model is its own: while it may
/// differ from what was last accepted, `divergence` says how, and since which submission.
public struct UpdateError: Error, Sendable {
    /// Which fault it is.
    public let code: Code

    /// The fault in a sentence, with its values. ``summary`` is shorter, and ``description`` has all lines.
    public let message: String

    /// The submission that was rejected, where it had a number by then.
    public internal(set) var submission: SubmissionID?

    /// The fault of the change set, for ``Code/invalidUpdate``.
    public let hierarchyError: HierarchyUpdateError?

    /// What the updates closure threw, for ``Code/updatesThrew``; the reason, for ``Code/withdrawn``; for
    /// ``Code/invalidState`` the `DifferenceError`, where that is why.
    public let underlyingError: (any Error)?

    /// How the data source and the last accepted state may differ after this rejection, since the first
    /// submission that was rejected so; this one where it is the first.
    public internal(set) var divergence: Divergence?

    init(
        _ code: Code,
        _ message: String,
        hierarchyError: HierarchyUpdateError? = nil,
        underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.hierarchyError = hierarchyError
        self.underlyingError = underlyingError
    }

    /// A change set that does not fit the data source of this name.
    init(_ error: HierarchyUpdateError, dataSourceName: String) {
        var error = error
        error.dataSourceName = dataSourceName
        self.init(.invalidUpdate, error.message, hierarchyError: error)
    }
}

extension UpdateError {
    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Whether the caller's model may have changed before the rejection.
        var mayDiverge: Bool {
            [.invalidUpdate, .updatesThrew, .dataSourceChangedDuringLatch].contains(self)
        }

        /// The change set and the data source do not fit; see `hierarchyError`.
        public static let invalidUpdate = Code(rawValue: "invalidUpdate")
        /// The change set was recorded against a map that is no longer the newest.
        public static let stale = Code(rawValue: "stale")
        /// The backlog is full, and the caller cannot be suspended.
        public static let backlogFull = Code(rawValue: "backlogFull")
        /// The updates closure threw; its whole record was dropped.
        public static let updatesThrew = Code(rawValue: "updatesThrew")
        /// The updates closure threw a ``Withdrawal``, before it changed anything.
        public static let withdrawn = Code(rawValue: "withdrawn")
        /// A state was applied that cannot be compared with what is there; the `DifferenceError` is the
        /// ``UpdateError/underlyingError``.
        public static let invalidState = Code(rawValue: "invalidState")
        /// There is nothing to undo or redo, or others have left nothing of it to do.
        public static let nothingToUndo = Code(rawValue: "nothingToUndo")
        /// An end without a begin.
        public static let unbalancedEnd = Code(rawValue: "unbalancedEnd")
        /// A submission from inside a data-source callback.
        public static let submissionDuringLatch = Code(rawValue: "submissionDuringLatch")
        /// The data source submitted while it was asked, or its counts changed.
        public static let dataSourceChangedDuringLatch = Code(
            rawValue: "dataSourceChangedDuringLatch"
        )
        /// A relayout came while the data source was known to differ from the last accepted state.
        public static let diverged = Code(rawValue: "diverged")
        /// A relayout names an element that is not in the newest accepted map.
        public static let unknownElement = Code(rawValue: "unknownElement")
        /// The view refused an update that nothing more can be made of: a reload.
        public static let viewRefused = Code(rawValue: "viewRefused")
        /// The controller is closing or closed, or was so before the edits reached the view.
        public static let closed = Code(rawValue: "closed")
        /// The submission's task was cancelled before it was accepted; thrown by asynchronous calls
        /// only.
        public static let cancelled = Code(rawValue: "cancelled")
    }
}
