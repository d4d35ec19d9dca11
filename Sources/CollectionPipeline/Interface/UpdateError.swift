import CollectionChanges

/// The reason that a submission was rejected.
///
/// Maps, counts and view are unchanged (Whole Or Nothing). The model belongs to the caller: while
/// it may differ from the last accepted state, `divergence` describes the difference, and names the
/// submission that began it.
public struct UpdateError: Error, Sendable {
    /// The kind of fault.
    public let code: Code

    /// The fault in one sentence, with its values. ``summary`` is shorter, and ``description``
    /// contains all lines.
    public let message: String

    /// The rejected submission; `nil` if it had no number yet.
    public internal(set) var submission: SubmissionID?

    /// The fault of the change set, for ``Code/invalidUpdate``.
    public let hierarchyError: HierarchyUpdateError?

    /// The error that the updates closure threw, for ``Code/updatesThrew``; the reason of the
    /// withdrawal, for ``Code/withdrawn``; the `DifferenceError` that caused it, if any, for
    /// ``Code/invalidState``.
    public let underlyingError: (any Error)?

    /// The possible difference between the data source and the last accepted state after this
    /// rejection. It starts with the first submission that was rejected in this way, which may be
    /// this one.
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

    /// Creates the error for a change set that does not match the data source with this name.
    init(_ error: HierarchyUpdateError, dataSourceName: String) {
        var error = error
        error.dataSourceName = dataSourceName
        self.init(.invalidUpdate, error.message, hierarchyError: error)
    }

    /// The name of a fault. New codes may be added, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Whether the caller's model may have changed before the rejection.
        var mayDiverge: Bool {
            [.invalidUpdate, .updatesThrew, .dataSourceChangedDuringRead].contains(self)
        }

        /// The change set does not match the data source; see `hierarchyError`.
        public static let invalidUpdate = Code(rawValue: "invalidUpdate")
        /// The change set was recorded against a map that is no longer the newest.
        public static let stale = Code(rawValue: "stale")
        /// The backlog is full, and the caller cannot be suspended.
        public static let backlogFull = Code(rawValue: "backlogFull")
        /// The updates closure threw an error; its whole record was dropped.
        public static let updatesThrew = Code(rawValue: "updatesThrew")
        /// The updates closure threw a ``Withdrawal`` before it changed anything.
        public static let withdrawn = Code(rawValue: "withdrawn")
        /// An applied state cannot be compared with the current one; the `DifferenceError` is the
        /// ``UpdateError/underlyingError``.
        public static let invalidState = Code(rawValue: "invalidState")
        /// There is nothing to undo or redo, or the edits of others have made the step ineffective.
        public static let nothingToUndo = Code(rawValue: "nothingToUndo")
        /// A batch was ended that had not been begun.
        public static let unbalancedEnd = Code(rawValue: "unbalancedEnd")
        /// The submission was made from within a method of the data source.
        public static let reentrantSubmission = Code(rawValue: "reentrantSubmission")
        /// The data source submitted while the controller was calling it, or its counts changed.
        public static let dataSourceChangedDuringRead = Code(
            rawValue: "dataSourceChangedDuringRead"
        )
        /// A relayout was submitted while the data source was known to differ from the last
        /// accepted state.
        public static let diverged = Code(rawValue: "diverged")
        /// A relayout names an element that is not in the newest accepted map.
        public static let unknownElement = Code(rawValue: "unknownElement")
        /// The view refused a reload, which cannot be delivered in any other form.
        public static let viewRefused = Code(rawValue: "viewRefused")
        /// The controller is closing or closed, or closed before the edits reached the view.
        public static let closed = Code(rawValue: "closed")
        /// The caller's task was cancelled before the submission was accepted; only asynchronous
        /// calls throw this.
        public static let cancelled = Code(rawValue: "cancelled")
    }
}

extension UpdateError: CustomStringConvertible {
    /// The fault in one line of less than 100 characters.
    public var summary: String { hierarchyError?.summary ?? message.asSummary }

    /// The likely mistake, or a suggested action.
    public var hint: String? { hierarchyError?.hint ?? code.advice }

    /// Several lines: the summary; the likely mistake or an action; for an invalid change set, the
    /// operation at fault, both shapes and the data source; the submission; the state of the model;
    /// and finally the code with the whole message.
    public var description: String {
        var more: [String] = []
        if let submission { more.append("Submission: \(submission)") }
        if let state = stateOfTheModel { more.append("Model: \(state)") }
        if let hierarchyError { return hierarchyError.description(with: more) }
        var lines = [summary]
        if let hint { lines.append("\(hint).") }
        lines += more
        lines.append(summary == message ? "[\(code.rawValue)]" : "[\(code.rawValue)] \(message)")
        return lines.joined(separator: "\n")
    }

    /// The possible state of the caller's model.
    private var stateOfTheModel: String? {
        switch divergence {
        case .counts(let since) where since == submission:
            switch (hierarchyError?.oldShape, hierarchyError?.newShape) {
            case (let old?, let new?) where old != new:
                "It keeps the changes of the batch; undo them, or reload"
            case (_?, _?):
                "Its counts are those of the last accepted state; if items were changed, undo that,"
                    + " or reload"
            default: "It may have been changed; undo that, or reload"
            }
        case .counts(let since):
            "The data source may differ from the last accepted state since submission \(since);"
                + " reload to catch up"
        case .content(let since):
            "Items may be older than in the data source since submission \(since); reload, or"
                + " declareContentCurrent() in a batch"
        case nil: nil
        }
    }
}

extension UpdateError.Code {
    /// The advice for the fault; `nil` if the fault of the change set contains it.
    fileprivate var advice: String? {
        switch self {
        case .stale: "Record the change set again, against the newest pendingMap"
        case .backlogFull:
            "Wait for completions, raise backlogLimit, or use an asynchronous form, which waits"
                + " if backlogPolicy is .suspend"
        case .updatesThrew:
            "Throw a Withdrawal before you change anything, undo the changes of the model, or reload"
        case .unbalancedEnd: "Call beginUpdates() first, or use performBatchUpdates(_:)"
        case .reentrantSubmission:
            "Submit in a later turn (the lane's enqueue(_:)), not from within the data source"
        case .dataSourceChangedDuringRead:
            "Change the model in updates closures only, never in a member of the data source"
        case .diverged: "Reload, or record the differences, before you request a relayout"
        case .unknownElement:
            "Use paths of pendingMap; dataSourcePath(for:) converts those of the view"
        case .closed:
            "Submit before the controller closes, or to a new one"
        case .viewRefused:
            "Find out why the closure of deploy(_:) threw; the view's next update is a reload"
        case .invalidState:
            "Give sections and items distinct identifiers, or distinguish them by occurrence with"
                + " DifferenceOptions"
        case .cancelled: "Nothing has changed; submit again if you still need the change"
        default: nil
        }
    }
}
