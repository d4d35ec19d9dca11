import Dispatch

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

    private let traits: TraitSource

    /// Guarded by the lock: whoever sets `isClaimed` may use the node until it is cleared.
    private let body: Lock<Body>

    private struct Body {
        var node: (any CollectionNode)?
        /// Made for a content that is not deployed yet; later contents go by this one.
        var upcomingNode: (any CollectionNode)?
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

// MARK: - Claims

extension CollectionElement {
    private enum NodeClaim {
        case node(any CollectionNode)
        case claimed(ElementContent)
        case failure(any Error)
        case wait
    }

    private func claimForNode() -> NodeClaim {
        let (claim, content) = body.withLock { body -> (NodeClaim?, ElementContent) in
            let content = body.newestContent
            if let node = body.node { return (.node(node), content) }
            if body.isClaimed { return (.wait, content) }
            if body.isRemoved {
                return (.failure(ElementError.removedBeforeAllocation), content)
            }
            body.isClaimed = true
            return (nil, content)
        }
        if let claim { return claim }
        if case .failed(let error) = content.state {
            unclaim()
            return .failure(error)
        }
        return .claimed(content)
    }

    /// Makes the node for a claim of this thread, and ends the claim.
    private func makeNodeForClaim(_ content: ElementContent) throws -> any CollectionNode {
        defer { unclaim() }
        guard let provider = content.takeProvider() else {
            throw ElementError.removedBeforeAllocation
        }
        do {
            let node = try provider()
            publish(node)
            return node
        } catch {
            _ = content.begin()
            content.finish(.failed(error), size: content.sizeRange.estimate)
            throw error
        }
    }

    /// Hands the traits to a new node and makes it the element's.
    private func publish(_ node: any CollectionNode) {
        while true {
            let generation = traits.generation
            node.traitsDidChange(traits.current)
            let isPublished = body.withLock { body in
                // Whoever changes the traits then visits every element under this lock: either it
                // finds the node, or this thread finds the new generation here.
                guard traits.generation == generation else { return false }
                body.node = node
                body.traitsGeneration = generation
                return true
            }
            if isPublished { return }
        }
    }

    private func unclaim() {
        let waiters = body.withLock { body in
            body.isClaimed = false
            defer { body.waiters = [] }
            return body.waiters
        }
        for waiter in waiters { waiter() }
    }

    private func notifyWhenUnclaimed(_ waiter: @escaping @Sendable () -> Void) {
        let isClaimed = body.withLock { body in
            if body.isClaimed { body.waiters.append(waiter) }
            return body.isClaimed
        }
        if !isClaimed { waiter() }
    }

    private func waitUntilUnclaimed() {
        let semaphore = DispatchSemaphore(value: 0)
        notifyWhenUnclaimed { semaphore.signal() }
        semaphore.wait()
    }
}

// MARK: - Preparation, for the pipeline

extension CollectionElement {
    /// What came of preparing a content.
    package enum Preparation: Sendable {
        case measured
        case alreadyPrepared
        case skipped
        case failed(any Error)
    }

    /// Makes the node if there is none, and measures `content`; on a worker.
    ///
    /// A content is prepared once. An element whose removal was accepted, and any element once
    /// `isCancelled` says so, is skipped.
    package func prepare(_ content: ElementContent, isCancelled: Bool = false) -> Preparation {
        while !claim() { waitUntilUnclaimed() }
        defer { unclaim() }
        guard content.begin() else { return .alreadyPrepared }
        if isCancelled || isRemoved {
            content.finish(.skipped, size: content.sizeRange.estimate)
            return .skipped
        }
        do {
            try measureClaimed(content, in: content.sizeRange)
            return .measured
        } catch {
            return .failed(error)
        }
    }

    /// Makes the node if there is none, and measures `content` within a range that a layout chose;
    /// on a worker. Asked again with the same range it answers from memory.
    package func measure(_ content: ElementContent, in range: SizeRange) throws -> Size {
        while !claim() { waitUntilUnclaimed() }
        defer { unclaim() }
        switch content.stateAndSize {
        case (.measured(range), let size?): return size
        case (.failed(let error), _): throw error
        case (.skipped, let size?): return size
        default: break
        }
        _ = content.begin()
        return try measureClaimed(content, in: range)
    }

    @discardableResult
    private func measureClaimed(_ content: ElementContent, in range: SizeRange) throws -> Size {
        do {
            content.traitsGeneration = traits.generation
            let node = try node(for: content)
            let size = try CollectionElements.measure(node, showing: content.model, in: range)
            guard size.isValid else { throw MeasurementError(size: size, sizeRange: range) }
            let clamped = range.clamp(size)
            content.finish(.measured(range), size: clamped)
            return clamped
        } catch {
            content.finish(.failed(error), size: range.estimate)
            throw error
        }
    }

    /// The node that will show `content`: the element's newest where there is one that accepts it,
    /// otherwise one that its provider makes.
    private func node(for content: ElementContent) throws -> any CollectionNode {
        let provider = content.takeProvider()
        guard let newest = newestNode else {
            guard let provider else { throw ElementError.removedBeforeAllocation }
            let node = try provider()
            publish(node)
            return node
        }
        guard let provider, !content.keepsNode else { return newest }
        if let model = content.model, CollectionElements.node(newest, accepts: model) {
            return newest
        }
        let replacement = try provider()
        replacement.traitsDidChange(traits.current)
        content.setReplacement(replacement)
        body.withLock { $0.upcomingNode = replacement }
        return replacement
    }

    /// The node that the element will have once everything that was prepared is deployed.
    private var newestNode: (any CollectionNode)? {
        body.withLock { $0.upcomingNode ?? $0.node }
    }

    private func claim() -> Bool {
        body.withLock { body in
            guard !body.isClaimed else { return false }
            body.isClaimed = true
            return true
        }
    }

    /// Whether a change set that removes the element was accepted.
    package var isRemoved: Bool { body.withLock { $0.isRemoved } }

    /// Notes that a change set that removes the element was accepted. Main lane.
    package func markRemoved() { body.withLock { $0.isRemoved = true } }

    /// Whether the node that there is takes `model`. Main lane.
    package func acceptsInPlace(_ model: any Sendable) -> Bool {
        guard let newest = newestNode else { return false }
        return CollectionElements.node(newest, accepts: model)
    }

    /// Makes `content` the newest accepted one. Main lane.
    package func accept(_ content: ElementContent) {
        body.withLock { $0.newestContent = content }
    }

    /// Shows `content`, which was prepared, from now on. Main lane, when its map is deployed.
    package func show(_ content: ElementContent) {
        if let replacement = content.takeReplacement() {
            body.withLock { body in
                body.node = replacement
                if body.upcomingNode === replacement { body.upcomingNode = nil }
            }
            refreshTraits(evenIfCurrent: true)
        } else if let model = content.model, let node = nodeIfAllocated {
            if case .failed = content.state { return }
            update(node, to: model)
        }
    }

    /// Whether `content` is measured, or about to be, and its node has the traits of now. Main lane.
    package func isMeasuredWithCurrentTraits(_ content: ElementContent) -> Bool {
        switch content.state {
        case .failed, .skipped: return false
        case .pending: return true
        case .allocating, .measured: return content.traitsGeneration == traits.generation
        }
    }

    /// Hands the node traits that are newer than those it has. Main lane.
    package func refreshTraits(evenIfCurrent: Bool = false) {
        let generation = traits.generation
        let node = body.withLock { body -> (any CollectionNode)? in
            guard let node = body.node, evenIfCurrent || body.traitsGeneration < generation else {
                return nil
            }
            body.traitsGeneration = generation
            return node
        }
        node?.traitsDidChange(traits.current)
    }
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
