/// The way in which the data source and the last accepted state may differ, because a submission
/// was rejected after its updates closure may have changed the model.
///
/// A rejected submission changes nothing in the controller (Whole Or Nothing), but the model
/// belongs to the caller and keeps the changes of the closure. From then on the controller
/// distinguishes two states:
///
/// - ``counts(since:)``: nothing has been accepted since. Counts may differ, and so may content.
///   Records are validated as usual, a relayout is rejected, and the next accepted change set ends
///   this state, because its counts agree.
/// - ``content(since:)``: the counts agree again, but content may still differ. If the rejected
///   closure changed an item and no later change set has read the item again, the view shows the
///   item's old state. Nothing is rejected for that reason.
///
/// The second state ends with an accepted reload of everything (the caller's, or that of
/// ``PipelineConfiguration/RejectionPolicy/reload``), with `clear`, with accepted change sets that
/// reload or delete every section that existed, or with a batch in which the caller declares the
/// content current:
///
/// ```swift
/// try await controller.performBatchUpdates { feed, changes in
///     changes.reconfigureItems(at: touched)  // what the rejected closure changed, or nothing
///     changes.declareContentCurrent()
/// }
/// ```
///
/// The controller cannot know whether a closure threw before it changed anything, so it assumes
/// that the model changed. A rejected reload ends neither state, nor does the reload after an
/// update that the view refused: neither has read the content of the data source.
@nonexhaustive
public enum Divergence: Hashable, Sendable {
    /// Counts, and therefore content, may differ since this submission was rejected.
    case counts(since: SubmissionID)

    /// The counts agree, but content that no accepted change set has read since this submission was
    /// rejected may be older than in the data source.
    case content(since: SubmissionID)

    /// The first rejected submission that caused the divergence.
    public var since: SubmissionID {
        switch self {
        case .counts(let id), .content(let id): id
        }
    }

    /// The submission since which counts may differ; `nil` if only content may differ.
    public var countsSince: SubmissionID? {
        if case .counts(let id) = self { id } else { nil }
    }
}

extension Divergence: CustomStringConvertible {
    /// A short text, such as `counts since #3`.
    public var description: String {
        switch self {
        case .counts(let id): "counts since \(id)"
        case .content(let id): "content since \(id)"
        }
    }
}

/// The result of a comparison of the map with the data source: an item whose models differ, or the
/// reason that no comparison is possible. Validation cannot detect such an item, because the counts
/// are right.
///
/// A difference is caused by a record with a wrong index, or by a change that was not recorded at
/// all. Items that cannot be compared are reported too, so that `nil` always means that every model
/// was compared and is equal. See ``DataController/Isolated/firstContentMismatch(by:)`` and
/// ``PipelineConfiguration/contentCheck``.
public struct ContentMismatch: Error, Sendable {
    /// The kind of finding: a difference, or the reason that no comparison is possible.
    public let reason: Reason

    /// The path of the first such item in the pending map and in the data source; `nil` if no item
    /// was compared.
    public let dataSourcePath: ItemPath?

    /// The path at which the view shows the element; `nil` if the view does not show it yet, or the
    /// map does not contain it.
    public let viewPath: ItemPath?

    /// The model in the pending map; `nil` if the map has no such item, or no model for it.
    public let modelInMap: (any Sendable)?

    /// The model in the data source; `nil` if the data source has no such item, or returns no model
    /// for it.
    public let modelInSource: (any Sendable)?

    /// The last accepted change set after which a check found nothing; the cause is in the change
    /// sets after it. `nil` if there is none. It is only as reliable as the check was complete.
    public let lastAgreement: SubmissionID?

    /// The number of items that could not be compared; 0 for a difference.
    public internal(set) var uncheckedCount = 0

    /// The kinds of findings. A difference takes precedence over items that cannot be compared.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The map and the data source have different models, or different items.
        case differs
        /// Neither the map nor the data source has a model for the item, so there is nothing to
        /// compare.
        case noModel
        /// The models have no `==`, and the caller passed no comparison.
        case notEquatable
        /// A batch is open, so the model is ahead of the map.
        case batchIsOpen
        /// Nothing has been loaded yet, or all content was cleared.
        case notLoaded
        /// The comparison was requested from within a call to the data source.
        case isBeingQueried
    }
}

extension ContentMismatch: CustomStringConvertible {
    /// A text such as `item 0 - 2 is "b" in the map and "c" in the data source; last in agreement
    /// after #4`, followed by the likely cause or by an action.
    public var description: String {
        let place = viewPath == dataSourcePath ? "" : viewPath.map { " (\($0) on the view)" } ?? ""
        let item = dataSourcePath.map { "item \($0)\(place)" } ?? "the collection"
        func text(_ model: (any Sendable)?) -> String {
            model.map { String(reflecting: $0) } ?? "missing"
        }
        let obstacle: String
        switch reason {
        case .differs:
            let since = lastAgreement.map { "; last in agreement after \($0)" } ?? ""
            return "\(item) is \(text(modelInMap)) in the map and"
                + " \(text(modelInSource)) in the data source\(since)."
                + " The record probably has a wrong index, or the model changed without a record"
        case .noModel:
            obstacle = "the data source returns no model for it; implement model(forItemAt:)"
        case .notEquatable:
            obstacle =
                "its model \(text(modelInMap)) is not Equatable; make it so, or pass a comparison to"
                + " firstContentMismatch(by:)"
        case .batchIsOpen: obstacle = "a batch is open; end it first"
        case .notLoaded: obstacle = "nothing is loaded; call reloadData() first"
        case .isBeingQueried:
            obstacle = "the controller is calling the data source; compare in a later turn"
        }
        let others = uncheckedCount > 1 ? ", nor can \(uncheckedCount - 1) more" : ""
        return "\(item) cannot be compared\(others): \(obstacle)"
    }
}
