/// What a completion is told, and what an asynchronous call returns.
public struct UpdateResult: Sendable {
    /// Which submission ended.
    public let submission: SubmissionID

    /// How it ended.
    public internal(set) var outcome: UpdateOutcome

    /// The ``ElementMap/generation`` of the pending map that it led to, whatever became of it on the view; nil where it
    /// was not accepted.
    public let generation: Int?

    /// The value that the submission was made with.
    public let context: (any Sendable)?

    /// The elements that the submission brought and that failed; they are shown with estimated sizes.
    public let failedElements: FailedElements

    /// Whether the view that the controller was made with was gone, so that the update is in the visible map alone.
    ///
    /// A controller holds its view weakly: keep it, unless it was dropped on purpose (``CollectionView``).
    public let viewWasGone: Bool

    package init(
        submission: SubmissionID,
        outcome: UpdateOutcome,
        generation: Int? = nil,
        context: (any Sendable)?,
        failedElements: FailedElements = FailedElements(),
        viewWasGone: Bool = false
    ) {
        self.submission = submission
        self.outcome = outcome
        self.generation = generation
        self.context = context
        self.failedElements = failedElements
        self.viewWasGone = viewWasGone
    }
}

/// The number of a submission: ascending in the order in which a controller took them in.
///
/// Every outcome, every error that is thrown or told, and every event of a submission carries it.
public struct SubmissionID: Hashable, Comparable, Sendable {
    /// The number, from 1.
    public let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Orders by number.
    public static func < (left: SubmissionID, right: SubmissionID) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension SubmissionID: CustomStringConvertible {
    /// The number with a mark, such as `#12`.
    public var description: String { "#\(rawValue)" }
}

/// How a submission ended. Every submission ends once (Exactly One Completion).
@nonexhaustive
public enum UpdateOutcome: Sendable {
    /// Its edits reached the view, one change set among others; or the visible map alone, if there is no view or it is
    /// gone (``UpdateResult/viewWasGone``).
    case deployed

    /// It reached the view as a reload of everything: the view refused its edits, or had refused the load before them,
    /// or nothing was loaded yet that they could have edited. What recorded no edits before the first load is `deployed`.
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

/// Called once, on the main lane, in a turn of its own.
public typealias UpdateCompletion = @Sendable (UpdateResult) -> Void

/// A point that all earlier submissions reach, and that somebody may wait for.
///
/// Each can be awaited by a task, called back at, and waited for by a thread:
/// ``DataController/reached(_:)``, ``DataController/whenReached(_:_:)``,
/// ``DataController/waitUntilReached(_:)``.
@nonexhaustive
public enum Milestone: Hashable, Sendable {
    /// Every change set that was accepted before the wait began was handed to the view, which may
    /// deploy it later, or was cancelled by a close.
    case handedOver

    /// Every submission has completed, animations included; also those that were made since the wait began,
    /// and those that wait for room.
    case completed
}

/// What happens to an update that was made against a map which is no longer the newest.
///
/// ```swift
/// let seen = controller.pendingMap
/// let update = try changes.validated(from: seen.shape, to: newShape)
/// try await controller.submit(update, recordedAgainst: seen, whenStale: .rebase()) { list, rebased in
///     rebased.update.apply(to: &list.rows) { _ in Row() }
/// }
/// ```
@nonexhaustive
public enum StalePolicy: Hashable, Sendable {
    /// It is rejected as ``UpdateError/Code/stale``.
    case reject
    /// It is brought to the newest map: what others did meanwhile stays, and what of the update has nothing left to
    /// do for is dropped. `order` says whether it counts as the later of the two, so that its insertions stand
    /// behind and its moves win.
    case rebase(_ order: RebaseOrder = .later)
}
