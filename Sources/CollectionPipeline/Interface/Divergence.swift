/// How the data source and the last accepted state may differ, because a submission was rejected after its
/// updates closure may have changed the model.
///
/// A rejected submission changes nothing here (Whole Or Nothing), but the model is the caller's, and
/// keeps what the closure did to it. From then on the controller tells two things apart:
///
/// - ``counts(since:)``: nothing was accepted since. Counts may differ, and content with them. Records are
///   validated as ever, a relayout is refused, and the next set that is accepted ends this state: its
///   counts agree.
/// - ``content(since:)``: counts agree again, which says nothing about what the items show. An item
///   that the rejected closure changed, and that no accepted set has brought again, is shown as it was before;
///   nothing is rejected for that.
///
/// What ends the second: an accepted reload of everything (the caller's, or that of
/// ``PipelineConfiguration/RejectionPolicy/reload``), `clear`, accepted sets that reload or
/// delete every section that was there, or a batch in which the caller answers for it:
///
/// ```swift
/// try await controller.performBatchUpdates { feed, changes in
///     changes.reconfigureItems(at: touched)  // what the rejected closure changed, or nothing
///     changes.declareContentCurrent()
/// }
/// ```
///
/// That a closure threw before it changed anything cannot be seen from outside, so it counts as one that did.
/// A refused reload and the reload behind a view that refused an update end nothing: neither
/// has brought the data source's content.
@nonexhaustive
public enum Divergence: Hashable, Sendable {
    /// Counts, and content with them, may differ since this submission was rejected.
    case counts(since: SubmissionID)

    /// Counts agree; content that no accepted set has brought since this submission was rejected may be
    /// older than the data source's.
    case content(since: SubmissionID)

    /// The first rejected submission that the state comes from.
    public var since: SubmissionID {
        switch self {
        case .counts(let id), .content(let id): id
        }
    }

    /// The submission, where counts may differ; nil where content alone may.
    public var countsSince: SubmissionID? {
        if case .counts(let id) = self { id } else { nil }
    }
}

extension Divergence: CustomStringConvertible {
    /// Such as `counts since #3`.
    public var description: String {
        switch self {
        case .counts(let id): "counts since \(id)"
        case .content(let id): "content since \(id)"
        }
    }
}
