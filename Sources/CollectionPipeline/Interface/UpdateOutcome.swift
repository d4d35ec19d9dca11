/// How a submission ended. Every submission ends once (Exactly One Completion).
@nonexhaustive
public enum UpdateOutcome: Sendable {
    /// Its edits reached the view, one change set among others.
    case deployed

    /// It reached the view as a reload of everything: the view refused its edits, or had refused the load before them,
    /// or nothing was loaded yet that they could have edited.
    case deployedByReload

    /// Its edits reached the view inside a later submission.
    case superseded(by: SubmissionID)

    /// It was rejected, and nothing has changed.
    indirect case rejected(UpdateError)

    /// It was accepted, but the view refused to show it as a reload too: the maps have it, the view does not.
    /// The next update that the view gets is a reload of everything.
    indirect case refused(UpdateError)

    /// The controller was closed or dropped before the edits reached the view; or the submission's task was
    /// cancelled before it was accepted.
    case cancelled
}
