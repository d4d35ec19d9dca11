/// What a completion is told, and what an asynchronous call returns.
public struct UpdateResult: Sendable {
    /// Which submission ended.
    public let submission: SubmissionID

    /// How it ended.
    public let outcome: UpdateOutcome

    /// The value that the submission was made with.
    public let context: (any Sendable)?

    /// The elements that the submission brought and that failed; they are shown with estimated sizes.
    public let failedElements: FailedElements

    package init(
        submission: SubmissionID,
        outcome: UpdateOutcome,
        context: (any Sendable)?,
        failedElements: FailedElements = FailedElements()
    ) {
        self.submission = submission
        self.outcome = outcome
        self.context = context
        self.failedElements = failedElements
    }
}
