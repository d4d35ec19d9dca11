/// What a completion is told, and what an asynchronous call returns.
public struct UpdateResult: Sendable {
    /// Which submission ended.
    public let submission: SubmissionID

    /// How it ended.
    public let outcome: UpdateOutcome

    /// The ``ElementMap/generation`` of the pending map that it led to, whatever became of it on the view; nil where it
    /// was not accepted.
    public let generation: Int?

    /// The value that the submission was made with.
    public let context: (any Sendable)?

    /// The elements that the submission brought and that failed; they are shown with estimated sizes.
    public let failedElements: FailedElements

    package init(
        submission: SubmissionID,
        outcome: UpdateOutcome,
        generation: Int? = nil,
        context: (any Sendable)?,
        failedElements: FailedElements = FailedElements()
    ) {
        self.submission = submission
        self.outcome = outcome
        self.generation = generation
        self.context = context
        self.failedElements = failedElements
    }
}
