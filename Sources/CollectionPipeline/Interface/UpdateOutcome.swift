/// How a submission ended. Every submission ends once (Exactly One Completion).
public enum UpdateOutcome: Sendable {
    /// Its edits reached the view, one change set among others.
    case deployed

    /// It reached the view as a reload of everything, because the view refused its edits.
    case deployedByReload

    /// Its edits reached the view inside a later submission.
    case superseded(by: SubmissionID)

    /// It was refused, and nothing has changed.
    indirect case rejected(UpdateError)

    /// The controller was closed or dropped before the edits reached the view.
    case cancelled
}

/// What a completion is told.
public struct UpdateResult: Sendable {
    /// Which submission ended.
    public let submission: SubmissionID

    /// How it ended.
    public let outcome: UpdateOutcome

    /// The value that the submission was made with.
    public let context: (any Sendable)?

    package init(
        submission: SubmissionID,
        outcome: UpdateOutcome,
        context: (any Sendable)?
    ) {
        self.submission = submission
        self.outcome = outcome
        self.context = context
    }
}

/// Called once, on the main lane, in a turn of its own.
public typealias UpdateCompletion = @Sendable (UpdateResult) -> Void
