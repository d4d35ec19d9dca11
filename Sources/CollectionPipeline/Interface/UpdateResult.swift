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
