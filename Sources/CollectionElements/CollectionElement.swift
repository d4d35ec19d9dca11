/// One item or supplementary element: an identity that stays the same from the change set that brings
/// it to the one that removes it, through moves and reconfigurations.
///
/// The element's node is made once, off the main lane, by the provider that the data source gave. Two
/// maps that hold the same element hold the same object; compare with `===`.
///
/// Threading: every member may be used from anywhere, and none blocks but ``waitForNode()``.
public final class CollectionElement: Sendable {
    /// The kind of a supplementary element; nil for an item.
    public let kind: SupplementaryKind?

    let traits: TraitSource

    /// Guarded by the lock: whoever sets `isClaimed` may use the node until it is cleared.
    let body: Lock<Body>

    struct Body {
        var node: (any CollectionNode)?
        /// Made for a content that is not deployed yet; later contents go by this one.
        var upcomingNode: ElementContent.NodeWithTraits?
        /// How many contents were accepted and not yet shown that may bring another node.
        var replacingContents = 0
        var newestContent: ElementContent
        /// A thread is making or measuring the node.
        var isClaimed = false
        var isRemoved = false
        var traitsGeneration = -1
        /// Called once each, outside the lock, when the claim ends.
        var waiters: [@Sendable () -> Void] = []
    }

    package init(kind: SupplementaryKind?, content: ElementContent, traits: TraitSource) {
        self.kind = kind
        self.traits = traits
        body = Lock(Body(newestContent: content))
    }

    /// The newest accepted content.
    public var content: ElementContent { body.withLock { $0.newestContent } }

    /// How far the newest accepted content is prepared.
    public var state: ElementState { content.state }

    /// The node, if it has been made.
    public var nodeIfAllocated: (any CollectionNode)? { body.withLock { $0.node } }

    /// The node, made here and now if nobody has begun to; if another thread is at it, the task waits
    /// for that thread without blocking one.
    ///
    /// - Throws: what the provider threw, or ``ElementError`` where the element was removed before
    ///   its node was made.
    public var node: any CollectionNode {
        get async throws {
            while true {
                switch claimForNode() {
                case .node(let node): return node
                case .claimed(let content): return try makeNodeForClaim(content)
                case .failure(let error): throw error
                case .wait:
                    await suspend { resume in notifyWhenUnclaimed { resume(()) } }
                }
            }
        }
    }

    /// The node, made on this thread if nobody has begun to; if another thread is at it, this one
    /// **blocks** until that one is done. Use ``node`` instead wherever a task can wait.
    ///
    /// - Throws: as ``node`` does.
    public func waitForNode() throws -> any CollectionNode {
        while true {
            switch claimForNode() {
            case .node(let node): return node
            case .claimed(let content): return try makeNodeForClaim(content)
            case .failure(let error): throw error
            case .wait: waitUntilUnclaimed()
            }
        }
    }
}

/// Why an element has no node.
public enum ElementError: Error, Hashable, Sendable {
    /// The element was removed before its node was made.
    case removedBeforeAllocation
}

/// A node measured itself as something that is no size.
public struct MeasurementError: Error, Hashable, Sendable {
    /// What the node answered.
    public let size: Size
    /// What it was asked for.
    public let sizeRange: SizeRange
}

extension CollectionElement: Hashable {
    /// Whether both are the same object.
    public static func == (left: CollectionElement, right: CollectionElement) -> Bool {
        left === right
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
