/// One item or supplementary element: an identity that stays the same from the change set that brings
/// it to the one that removes it, through moves and reconfigurations.
///
/// The element's first node is made once, by a worker or by whoever asks for it first, with the provider that
/// the data source gave; a reconfiguration may bring another. Two maps that hold the same element hold the same object; compare with `===`.
///
/// Threading: every member may be used from anywhere, and none blocks but ``waitForNode()``.
public class CollectionElement: @unchecked Sendable {
    // Its subclasses are all in this module; what they have is constant or behind a lock.

    final let terms: ElementTerms

    /// Guarded by the lock, under which nothing of the application's runs.
    final let body = Lock(Body())

    // In the order in which it takes the least room.
    struct Body {
        var node = ElementNode()
        var places = ElementPlaces.none
        /// The newest accepted one, if any followed on what the element came with.
        var newestRevision: ElementRevision?
        /// Of what the element came with.
        var progress = ContentProgress()
        /// Whether the function that makes nodes from models has been asked for this one.
        var isProviderTaken = false
        /// It was removed alone, not with its section.
        var isMarkedRemoved = false

        var isRemoved: Bool { isMarkedRemoved || places.home?.isRemoved ?? false }
    }

    @usableFromInline
    init(_ terms: ElementTerms) { self.terms = terms }

    /// The kind of a supplementary element; nil for an item.
    public final var kind: SupplementaryKind? { terms.kind }

    package final var surroundings: ElementSurroundings { terms.surroundings }

    final var traits: TraitSource { surroundings.traits }

    // MARK: What the element came with, for subclasses

    var firstModel: (any Sendable)? { nil }

    var hasFirstProvider: Bool { false }

    /// Gives the provider away: it runs once, or where nodes are released once for each.
    func takeFirstProvider() -> NodeProvider? { nil }

    // MARK: Content

    /// The newest accepted content.
    public final var content: ElementContent {
        ElementContent(self, body.withLock { $0.newestRevision })
    }

    /// What the element came with.
    package final var firstContent: ElementContent { ElementContent(self, nil) }

    /// How far the newest accepted content is prepared.
    public final var state: ElementState { content.state }

    /// The node, if it has been made.
    public final var nodeIfAllocated: (any CollectionNode)? {
        body.withLock { $0.node.shown?.node }
    }

    /// The node, made here and now if nobody has begun to; if another thread is at it, the task waits
    /// for that thread without blocking one.
    ///
    /// It is made for the newest accepted content, which the view may be yet to show; when the view comes to
    /// older contents, the node shows those, and its own in the end.
    ///
    /// - Throws: what the provider threw, or ``ElementError`` where the element was removed before
    ///   its node was made.
    public final var node: any CollectionNode {
        get async throws {
            while true {
                if let node = try nodeUnlessClaimed() { return node }
                await suspend { resume in notifyWhenUnclaimed { resume(()) } }
            }
        }
    }

    /// The node, made on this thread if nobody has begun to; if another thread is at it, this one
    /// **blocks** until that one is done. Use ``node`` instead wherever a task can wait.
    ///
    /// - Throws: as ``node`` does.
    public final func waitForNode() throws -> any CollectionNode {
        while true {
            if let node = try nodeUnlessClaimed() { return node }
            waitForEndOfClaim()
        }
    }
}

extension CollectionElement: Hashable {
    /// Whether both are the same object.
    public static func == (left: CollectionElement, right: CollectionElement) -> Bool {
        left === right
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
