/// A later revision of what an element shows, than the one that it came with.
final class ElementRevision: Sendable {
    let model: (any Sendable)?
    let sizeRange: SizeRange

    /// Whether its provider may make a node that takes the place of another; otherwise the provider
    /// is only for an element that has no node by then.
    let mayReplaceNode: Bool

    /// Whether it may be shown before it is prepared: it shows what was shown before, and by the same node.
    let mayBePutOff: Bool

    /// The size to go on with where this revision is not measured: that of the one before.
    let previousSize: Size?

    /// Makes the node again where that is released; nil where nodes are not.
    let keptProvider: NodeProvider?

    /// Guarded by the lock: written by the one thread that has claimed the element, and by the main lane
    /// when the revision is shown; read by all.
    let body: Lock<Body>

    struct Body {
        var progress = ContentProgress()
        var node: RevisionNode
    }

    init(
        model: (any Sendable)?,
        sizeRange: SizeRange,
        provider: NodeProvider?,
        keptProvider: NodeProvider?,
        keepsNode: Bool,
        previousSize: Size?,
        retried: ElementRevision?
    ) {
        self.model = model
        self.sizeRange = sizeRange
        self.keptProvider = keptProvider
        mayReplaceNode = provider != nil && !keepsNode
        mayBePutOff = keepsNode
        self.previousSize = previousSize
        body = Lock(Body(node: provider.map { .provided($0, retrying: retried) } ?? .spent))
    }
}
