/// An item that shows another model than the data source has for it: what validation cannot see, because the
/// counts are right.
///
/// It comes from a record with a wrong index, or from a change that was not recorded at all: see
/// ``DataController/Isolated/firstDisagreement(by:)``.
public struct Disagreement: Sendable {
    /// Where it is in the pending map, and so in the data source.
    public let dataSourcePath: ItemPath

    /// Where the view shows the element; nil where it does not yet, or the map has none.
    public let viewPath: ItemPath?

    /// What the pending map has; nil where it has no such item.
    public let modelInMap: (any Sendable)?

    /// What the data source has; nil where it has no such item, or gives no model for it.
    public let modelInSource: (any Sendable)?

    /// The last accepted set after which no check found anything: what came after it is to be looked at. Nil
    /// where nothing was checked before. As sure as the check was complete.
    public let lastAgreement: SubmissionID?
}

extension Disagreement: CustomStringConvertible {
    /// Such as `item 0 - 2 is "b" in the map and "c" in the data source; last in agreement after #4`, and what to
    /// look for.
    public var description: String {
        func text(_ model: (any Sendable)?) -> String {
            model.map { String(reflecting: $0) } ?? "missing"
        }
        let place = viewPath == dataSourcePath ? "" : viewPath.map { " (\($0) on the view)" } ?? ""
        let since = lastAgreement.map { "; last in agreement after \($0)" } ?? ""
        return "item \(dataSourcePath)\(place) is \(text(modelInMap)) in the map and"
            + " \(text(modelInSource)) in the data source\(since)."
            + " Likely a record with a wrong index, or a change of the model that was not recorded"
    }
}
