import CollectionElements

/// The result of a submission, which its completion receives and its asynchronous call returns.
public struct UpdateResult: Sendable {
    /// The number of the submission.
    public let submission: SubmissionID

    /// The outcome of the submission.
    public internal(set) var outcome: UpdateOutcome

    /// The ``ElementMap/generation`` of the pending map that the submission led to, whether or not
    /// the view shows it; `nil` if the submission was not accepted.
    public let generation: Int?

    /// The caller's context.
    public let callerContext: (any Sendable)?

    /// The failed elements of the submission; they are shown with estimated sizes.
    public let failedElements: FailedElements

    /// Whether the controller's view had been deallocated, so that only the visible map contains
    /// the update.
    ///
    /// A controller holds its view weakly: the application must retain it, unless it dropped the
    /// view on purpose (``CollectionView``).
    public let viewWasGone: Bool

    package init(
        submission: SubmissionID,
        outcome: UpdateOutcome,
        generation: Int? = nil,
        callerContext: (any Sendable)?,
        failedElements: FailedElements = FailedElements(),
        viewWasGone: Bool = false
    ) {
        self.submission = submission
        self.outcome = outcome
        self.generation = generation
        self.callerContext = callerContext
        self.failedElements = failedElements
        self.viewWasGone = viewWasGone
    }
}

/// The number of a submission. Numbers ascend in the order in which the controller received the
/// submissions.
///
/// Every outcome, error and event of a submission contains its number.
public struct SubmissionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number, starting at 1.
    public let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Returns whether the left number is lower.
    public static func < (left: SubmissionID, right: SubmissionID) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The number with a mark, such as `#12`.
    public var description: String { "#\(rawValue)" }
}

/// The outcome of a submission. Every submission ends exactly once (Exactly One Completion).
@nonexhaustive
public enum UpdateOutcome: Sendable {
    /// The edits reached the view in a change set, or only the visible map if there is no view or
    /// it was deallocated (``UpdateResult/viewWasGone``).
    case deployed

    /// The change set reached the view as a reload of everything, because the view refused the
    /// edits or the load before them, or because no content was loaded to which the edits could
    /// apply. A submission without edits before the first load is `deployed`.
    case deployedByReload

    /// The edits reached the view as part of a later submission.
    case superseded(by: SubmissionID)

    /// The submission was rejected, and nothing has changed.
    indirect case rejected(UpdateError)

    /// The submission was accepted, but the view also refused to show it as a reload: the maps
    /// contain the change, but the view does not show it. The next update that the view receives is
    /// a reload of everything.
    indirect case refusedByView(UpdateError)

    /// The controller was closed or dropped before the edits reached the view, or the caller's task
    /// was cancelled before the submission was accepted.
    case cancelled
}

/// A closure that receives the result of a submission. It is called once, in a separate turn of the
/// main lane.
public typealias UpdateCompletion = @Sendable (UpdateResult) -> Void

/// A point in the progress of submissions that callers can wait for.
///
/// A task waits with ``DataController/whenReached(_:)``, a thread with
/// ``DataController/waitUntilReached(_:)``; ``DataController/whenReached(_:_:)`` calls a closure.
@nonexhaustive
public enum Milestone: Hashable, Sendable {
    /// Every change set that was accepted before the wait began was passed to the view, which may
    /// deploy it later, or was cancelled by a close.
    case deliveredToView

    /// Every submission has completed, including animations. This includes submissions made since
    /// the wait began, and those that wait for capacity in the backlog.
    case completed
}

/// The policy for an update that was made against a map which is no longer the newest.
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
    /// The update is rejected as ``UpdateError/Code/stale``.
    case reject
    /// The update is rebased onto the newest map: edits that others submitted in the meantime are
    /// kept, and edits that no longer have an effect are dropped. `order` says whether the update
    /// counts as the later one. If it does, its insertions are placed after the others, and its
    /// moves win.
    case rebase(_ order: RebaseOrder = .later)
}

/// The failure of an element whose node could not be created or measured. The element is shown with
/// an estimated size; a reconfigured element keeps its previous state.
///
/// Retains the element.
public struct ElementFailure: Sendable {
    /// The change set that contained the failed element; with a layout delegate, the change set
    /// whose layout encountered it.
    public let submission: SubmissionID

    /// The failed element, with the revision that could not be prepared and its model.
    public let content: ElementContent

    /// The path of the element in the data source, as of that change set; `nil` if it has been
    /// removed since.
    public let dataSourcePath: ItemPath?

    /// The path at which the view showed the element when it failed; `nil` if the view did not show
    /// it yet.
    public let viewPath: ItemPath?

    /// The error that the provider or the node threw, or that describes an invalid size.
    public let error: any Error

    /// The failed element.
    public var element: CollectionElement { content.element }

    /// The kind of a supplementary element; `nil` for an item.
    public var kind: SupplementaryKind? { element.kind }
}

extension ElementFailure: CustomStringConvertible {
    /// One line, such as `item 0 - 3 (view: 0 - 2) failed in #12: no image`.
    public var description: String {
        let place = dataSourcePath.map { " \($0)" } ?? ""
        let shown = viewPath.map { " (view: \($0))" } ?? ""
        return "\(kind.map { "\($0)" } ?? "item")\(place)\(shown) failed in \(submission): \(error)"
    }
}

/// The failed elements of a change set: their number, and the first of them. The change set deploys
/// nevertheless.
public struct FailedElements: Sendable {
    /// The number of failed elements.
    public private(set) var count = 0

    /// The first failed elements, at most ``limit``, in the order in which they failed.
    public private(set) var first: [ElementFailure] = []

    /// The largest number of failures that are listed, so that a result does not grow with the
    /// collection. Events report all failures.
    public static var limit: Int { 8 }

    /// Whether no element failed.
    public var isEmpty: Bool { count == 0 }

    mutating func append(_ failure: ElementFailure) {
        count += 1
        if first.count < Self.limit { first.append(failure) }
    }
}

extension FailedElements: CustomStringConvertible {
    /// The number of failures, followed by one line per listed failure.
    public var description: String {
        let lines = ["\(count) failed"] + first.map(\.description)
        return (count > first.count ? lines + ["…"] : lines).joined(separator: "\n")
    }
}
