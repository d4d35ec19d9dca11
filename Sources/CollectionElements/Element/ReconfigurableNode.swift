/// A node that can take a new model in place, so that reconfiguring keeps it.
///
/// Reconfiguring comes in three steps: the data source's new model is latched with the change set, a
/// worker measures it with `measure(_:in:)` without touching what is shown, and the main lane hands
/// it over with `update(to:)` when the change set deploys.
public protocol ReconfigurableNode: CollectionNode {
    /// What the node shows.
    associatedtype Model: Sendable

    /// Whether the node can show `model`; yes by default.
    ///
    /// Called on the main lane or on a worker; if no, the element gets a new node instead.
    func accepts(_ model: Model) -> Bool

    /// The size that the node would take within `range` if it showed `model`. A node that was made
    /// for its model is asked without it.
    ///
    /// Called by one worker at a time, off the main lane, while the node may be shown with another
    /// model.
    func measure(_ model: Model, in range: SizeRange) throws -> Size

    /// Shows `model` from now on. Called on the main lane.
    func update(to model: Model)
}

extension ReconfigurableNode {
    /// Yes.
    public func accepts(_ model: Model) -> Bool { true }
}
