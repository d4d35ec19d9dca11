/// The object that displays an element. It belongs to the application and can measure itself.
///
/// A worker makes and measures a node, one worker at a time. From the moment its element is
/// deployed, the node belongs to the main lane. Workers may measure it again later, for another
/// size range, while the main lane shows it; measuring must therefore depend only on constant
/// state, or on state that the node guards itself. The `Sendable` requirement promises that. The
/// node is released with the last map that has its element, and may be deallocated on any thread.
///
/// Source: Texture's cell node.
public protocol CollectionNode: AnyObject, Sendable {
    /// Returns the size that the node takes within `range`; the pipeline clamps it.
    ///
    /// Called by one worker at a time, off the main lane. If it throws, the element fails and the
    /// error is reported; the rest of the update is still deployed.
    func measure(in range: SizeRange) throws -> Size

    /// Passes the traits to the node: before the node is first measured, on the thread that made
    /// it, and on the main lane if the traits have changed since. The default implementation does
    /// nothing.
    func traitsDidChange(_ traits: Traits)
}

extension CollectionNode {
    /// Does nothing.
    public func traitsDidChange(_ traits: Traits) {}
}

// A model is passed as `any Sendable`. The three functions below open the node's type; a node does
// not accept a model of another type.

func node(_ node: any CollectionNode, accepts model: any Sendable) -> Bool {
    func open<Node: ReconfigurableNode>(_ node: Node) -> Bool {
        guard let model = model as? Node.Model else { return false }
        return node.accepts(model)
    }
    guard let node = node as? any ReconfigurableNode else { return false }
    return open(node)
}

func measure(
    _ node: any CollectionNode,
    showing model: (any Sendable)?,
    in range: SizeRange
) throws -> Size {
    func open<Node: ReconfigurableNode>(_ node: Node) throws -> Size {
        guard let model = model as? Node.Model else { return try node.measure(in: range) }
        return try node.measure(model, in: range)
    }
    guard model != nil, let reconfigurable = node as? any ReconfigurableNode else {
        return try node.measure(in: range)
    }
    return try open(reconfigurable)
}

func update(_ node: any CollectionNode, to model: any Sendable) {
    func open<Node: ReconfigurableNode>(_ node: Node) {
        guard let model = model as? Node.Model, node.accepts(model) else { return }
        node.update(to: model)
    }
    if let node = node as? any ReconfigurableNode { open(node) }
}

/// A function that makes the node of one element. A worker or the first caller that requests the
/// node calls it once; then it is released. If nodes are released, the function is kept and called
/// again when another node is needed.
public typealias NodeProvider = @Sendable () throws -> any CollectionNode

/// A node that can accept a new model in place, so that the element keeps its node when it is
/// reconfigured.
///
/// Reconfiguring has three steps: the controller reads the data source's new model with the change
/// set, a worker measures it with `measure(_:in:)` without changing what is shown, and the main
/// lane passes it to `update(to:)` when the change set is deployed.
public protocol ReconfigurableNode: CollectionNode {
    /// The type of the model that the node displays.
    associatedtype Model: Sendable

    /// Returns whether the node can display `model`. The default implementation returns `true`.
    ///
    /// Called on the main lane or on a worker. If it returns `false`, the element gets a new node
    /// instead.
    func accepts(_ model: Model) -> Bool

    /// Returns the size that the node would take within `range` if it displayed `model`. For a node
    /// that was made for its current model, the pipeline calls `measure(in:)` instead.
    ///
    /// Called by one worker at a time, off the main lane, while the view may show the node with
    /// another model.
    func measure(_ model: Model, in range: SizeRange) throws -> Size

    /// Displays `model` from now on. Called on the main lane.
    func update(to model: Model)
}

extension ReconfigurableNode {
    /// Returns `true`.
    public func accepts(_ model: Model) -> Bool { true }
}

/// The node of a later revision, if that revision has a node of its own.
///
/// A value whose methods record events and return the next action. The revision's lock guards the
/// value.
///
/// | state | contents | next state |
/// |---|---|---|
/// | `provided` | a provider that may run | `spent` when the provider is taken, to run or because it will never run |
/// | `spent` | nothing | `made` when a node was made that is not yet the element's node |
/// | `made` | a node that waits until the revision is shown | `spent` when the revision is shown |
enum RevisionNode {
    /// A provider. `retrying` is the revision of the same model that this revision measures again,
    /// if any, and that may have failed or may still fail: only then does this revision use another
    /// node.
    case provided(NodeProvider, retrying: ElementRevision?)
    case spent
    /// A node. `isEarly` is true if it already is the element's node, because it was requested
    /// before the revision was prepared.
    case made(NodeWithTraits, isEarly: Bool)

    /// Takes the provider, which runs once, together with the revision reference that is released
    /// then.
    mutating func providerTaken() -> (provider: NodeProvider, retried: ElementRevision?)? {
        guard case .provided(let provider, let retried) = self else { return nil }
        self = .spent
        return (provider, retried)
    }

    /// Records that the provider, after it was taken, made the node.
    mutating func made(_ node: NodeWithTraits, isEarly: Bool) {
        // The thread that makes the node has taken the provider, and there is only one.
        guard case .spent = self else { return }
        self = .made(node, isEarly: isEarly)
    }

    /// Records that the revision is shown, and returns its node, if it has one.
    mutating func shown() -> (node: NodeWithTraits, isEarly: Bool)? {
        guard case .made(let node, let isEarly) = self else { return nil }
        self = .spent
        return (node, isEarly)
    }
}

/// A node that knows its element, so that it can find the element's place and request another
/// measurement.
///
/// ```swift
/// final class Row: PlacedNode {
///     private let place = Mutex<ElementReference?>(nil)
///
///     func didAttach(to element: ElementReference) { place.withLock { $0 = element } }
///
///     func pictureArrived() { place.withLock { $0 }?.element?.setNeedsLayout() }
/// }
/// ```
///
/// Source: the index path and the element of Texture's cell node.
public protocol PlacedNode: CollectionNode {
    /// Passes the element that the node was made for: once, on the thread that made the node,
    /// before the node receives its traits and is measured.
    ///
    /// If one node is returned for several elements, the method is called for each of them.
    func didAttach(to element: ElementReference)
}

/// A node's reference to its element. The element keeps the node alive, but not the other way
/// round.
public struct ElementReference: Sendable {
    /// The element; `nil` once the last map that contains it is gone.
    public weak let element: CollectionElement?

    init(_ element: CollectionElement) { self.element = element }
}
