/// An item or a supplementary element. Its identity stays the same from the change set that inserts
/// it to the one that removes it, even if it is moved or reconfigured.
///
/// The element's first node is made once with the data source's provider, by a worker or by the
/// first caller that requests it; a reconfiguration may replace it. Two maps that hold the same
/// element hold the same object; compare elements with `===`.
///
/// Threading: every member may be used from any thread. Only ``waitForNode()`` blocks.
public class CollectionElement: @unchecked Sendable {
    // All subclasses are in this module; their properties are constant or guarded by a lock.

    final let configuration: ElementConfiguration

    /// Guarded by the lock, under which no code of the application runs.
    final let body = Lock(Body())

    // The properties are ordered so that they take the least memory.
    struct Body {
        var node = ElementNode()
        var places = ElementPlaces.none
        /// The newest accepted revision; `nil` while the first content is the newest.
        var newestRevision: ElementRevision?
        /// The progress of the first content.
        var progress = ContentProgress()
        /// Whether the function that makes nodes from models has been called for this element.
        var isProviderTaken = false
        /// Whether the element itself was removed, not only its section.
        var isMarkedRemoved = false

        var isRemoved: Bool { isMarkedRemoved || places.home?.isRemoved ?? false }
    }

    @usableFromInline
    init(_ configuration: ElementConfiguration) { self.configuration = configuration }

    /// The kind of a supplementary element; `nil` for an item.
    public final var kind: SupplementaryKind? { configuration.kind }

    package final var elementEnvironment: ElementEnvironment { configuration.elementEnvironment }

    final var traits: TraitSource { elementEnvironment.traits }

    var firstModel: (any Sendable)? { nil }

    var hasFirstProvider: Bool { false }

    /// Returns the provider and drops it: it runs once, or once for each node if nodes are
    /// released.
    func takeFirstProvider() -> NodeProvider? { nil }

    // MARK: Content

    /// The newest accepted content.
    public final var content: ElementContent {
        ElementContent(self, body.withLock { $0.newestRevision })
    }

    /// The content that the element was created with.
    package final var firstContent: ElementContent { ElementContent(self, nil) }

    /// The progress of preparing the newest accepted content.
    public final var state: ElementState { content.state }

    /// The node, if it has been made.
    public final var nodeIfAllocated: (any CollectionNode)? {
        body.withLock { $0.node.shown?.node }
    }

    /// The node, which is made on this thread if no other thread has started to make it. If another
    /// thread is making it, the task waits without blocking a thread.
    ///
    /// The node is made for the newest accepted content, which the view may not show yet. When the
    /// view shows older contents first, the node shows those, and its own content in the end.
    ///
    /// - Throws: The error of the provider, or ``ElementError`` if the element was removed before
    ///   its node was made.
    public final var node: any CollectionNode {
        get async throws {
            while true {
                if let node = try nodeUnlessClaimed() { return node }
                await suspend { resume in notifyWhenUnclaimed { resume(()) } }
            }
        }
    }

    /// Returns the node, making it on this thread if no other thread has started to. If another
    /// thread is making it, this thread **blocks** until that thread has finished. Prefer ``node``
    /// wherever a task can wait.
    ///
    /// - Throws: The same errors as ``node``.
    public final func waitForNode() throws -> any CollectionNode {
        while true {
            if let node = try nodeUnlessClaimed() { return node }
            waitForEndOfClaim()
        }
    }
}

extension CollectionElement: Hashable {
    /// Returns whether both elements are the same object.
    public static func == (left: CollectionElement, right: CollectionElement) -> Bool {
        left === right
    }

    /// Hashes the identity of the element.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// The two kinds of elements differ in the source of their nodes. They are subclasses so that each
// stores its first model in place, at the model's own size.

/// An element with a provider of its own.
package final class ProvidedElement: CollectionElement, @unchecked Sendable {
    // The model is constant; the provider is guarded by a lock.
    private let model: (any Sendable)?
    private let provider: Lock<NodeProvider?>

    package init(
        model: (any Sendable)?,
        provider: NodeProvider?,
        configuration: ElementConfiguration
    ) {
        self.model = model
        self.provider = Lock(provider)
        super.init(configuration)
    }

    override var firstModel: (any Sendable)? { model }

    override var hasFirstProvider: Bool { provider.withLock { $0 != nil } }

    override func takeFirstProvider() -> NodeProvider? {
        provider.withLock { provider in
            defer { if !elementEnvironment.releasesNodes { provider = nil } }
            return provider
        }
    }
}

/// One of many elements whose nodes are made by the same function.
@usableFromInline
// The properties that it adds are constant.
package final class ModelElement<Model: Sendable>: CollectionElement, @unchecked Sendable {
    @usableFromInline let model: Model

    // Inlinable, like its callers, so that a million elements are made by code that is specialised
    // for the model's type.
    @inlinable
    package init(_ model: Model, configuration: ModelElementConfiguration<Model>) {
        self.model = model
        super.init(configuration)
    }

    override var firstModel: (any Sendable)? { model }

    override var hasFirstProvider: Bool {
        elementEnvironment.releasesNodes || body.withLock { !$0.isProviderTaken }
    }

    override func takeFirstProvider() -> NodeProvider? {
        let isFirst = body.withLock { !exchange(&$0.isProviderTaken, with: true) }
        guard isFirst || elementEnvironment.releasesNodes else { return nil }
        let makeNode = unsafeDowncast(configuration, to: ModelElementConfiguration<Model>.self)
            .makeNode
        return { [model] in try makeNode(model) }
    }
}
