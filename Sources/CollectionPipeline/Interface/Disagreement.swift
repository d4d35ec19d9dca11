/// What a comparison of the map with the data source found: an item that shows another model than the data source
/// has, which validation cannot see since the counts are right; or why nothing can be said.
///
/// A difference comes from a record with a wrong index, or from a change that was not recorded at all. What cannot be
/// compared is reported too, so that `nil` always means that every model was compared and is equal. See
/// ``DataController/Isolated/firstDisagreement(by:)`` and ``PipelineConfiguration/contentCheck``.
public struct Disagreement: Error, Sendable {
    /// Whether there is a difference, or why nothing can be said.
    public let reason: Reason

    /// The path of the first such item in the pending map, and so in the data source; `nil` if no item was looked at.
    public let dataSourcePath: ItemPath?

    /// The path at which the view shows the element; `nil` if it does not show it yet, or the map has none.
    public let viewPath: ItemPath?

    /// The model in the pending map; `nil` if it has no such item, or no model for it.
    public let modelInMap: (any Sendable)?

    /// The model in the data source; `nil` if it has no such item, or gives no model for it.
    public let modelInSource: (any Sendable)?

    /// The last accepted set after which a check found nothing: look at what came after it. `nil` if there is none.
    /// As sure as the check was complete.
    public let lastAgreement: SubmissionID?

    /// The number of items that could not be compared; 0 for a difference.
    public internal(set) var uncheckedCount = 0

    /// What a comparison found. A difference outranks items that cannot be compared.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The map and the data source have different models, or different items.
        case differs
        /// Neither the map nor the data source has a model for the item, so there is nothing to compare.
        case noModel
        /// The models have no `==`, and no comparison was given.
        case notEquatable
        /// A batch is open, so the model is ahead of the map.
        case batchIsOpen
        /// Nothing was loaded yet, or everything was cleared.
        case notLoaded
        /// The data source is being asked, and asks for a comparison itself.
        case isBeingAsked
    }
}

extension Disagreement: CustomStringConvertible {
    /// Such as `item 0 - 2 is "b" in the map and "c" in the data source; last in agreement after #4`, and what to
    /// look for or to do.
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
                + " Likely a record with a wrong index, or a change of the model that was not recorded"
        case .noModel:
            obstacle = "the data source gives no model for it; implement model(forItemAt:)"
        case .notEquatable:
            obstacle =
                "its model \(text(modelInMap)) is not Equatable; make it so, or pass a comparison to"
                + " firstDisagreement(by:)"
        case .batchIsOpen: obstacle = "a batch is open; end it first"
        case .notLoaded: obstacle = "nothing is loaded; call reloadData() first"
        case .isBeingAsked:
            obstacle = "the data source is being asked; compare in a turn of its own"
        }
        let others = uncheckedCount > 1 ? ", nor can \(uncheckedCount - 1) more" : ""
        return "\(item) cannot be compared\(others): \(obstacle)"
    }
}
