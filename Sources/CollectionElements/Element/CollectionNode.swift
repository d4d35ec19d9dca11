/// What an element shows: the application's own object, which can measure itself.
///
/// A node is made and measured by a worker, one at a time, and belongs to the main lane from the
/// moment its element is deployed. Workers may measure it again later, for another size range, while
/// the main lane shows it; measuring must therefore depend only on what does not change, or on state
/// that the node guards itself. That is what `Sendable` vouches for. It is released with the last map
/// that has its element, and may end on any thread.
///
/// Source: Texture's cell node.
public protocol CollectionNode: AnyObject, Sendable {
    /// The size that the node takes within `range`; the pipeline clamps it.
    ///
    /// Called by one worker at a time, off the main lane. An error fails the element, and is
    /// reported; the rest of its update still deploys.
    func measure(in range: SizeRange) throws -> Size

    /// Tells the surroundings: before the node is first measured, on the thread that made it, and on
    /// the main lane when they have changed since. Does nothing by default.
    func traitsDidChange(_ traits: Traits)
}

extension CollectionNode {
    /// Does nothing.
    public func traitsDidChange(_ traits: Traits) {}
}

// A model arrives as `any Sendable`. The three questions below open the node's type, so that a model
// of another type is simply one that the node does not accept.

func node(_ node: any CollectionNode, accepts model: any Sendable) -> Bool {
    func ask<Node: ReconfigurableNode>(_ node: Node) -> Bool {
        guard let model = model as? Node.Model else { return false }
        return node.accepts(model)
    }
    guard let node = node as? any ReconfigurableNode else { return false }
    return ask(node)
}

func measure(
    _ node: any CollectionNode,
    showing model: (any Sendable)?,
    in range: SizeRange
) throws -> Size {
    func ask<Node: ReconfigurableNode>(_ node: Node) throws -> Size {
        guard let model = model as? Node.Model else { return try node.measure(in: range) }
        return try node.measure(model, in: range)
    }
    guard model != nil, let reconfigurable = node as? any ReconfigurableNode else {
        return try node.measure(in: range)
    }
    return try ask(reconfigurable)
}

func update(_ node: any CollectionNode, to model: any Sendable) {
    func tell<Node: ReconfigurableNode>(_ node: Node) {
        guard let model = model as? Node.Model, node.accepts(model) else { return }
        node.update(to: model)
    }
    if let node = node as? any ReconfigurableNode { tell(node) }
}

/// Makes the node of one element; called once, on a worker or by whoever asks for the node first, and then
/// released. Where nodes are released, it is kept and called again when another is needed.
public typealias NodeProvider = @Sendable () throws -> any CollectionNode
