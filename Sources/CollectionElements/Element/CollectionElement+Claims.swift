// Who may use an element's node: one thread at a time, and the others know when it is done.

extension CollectionElement {
    enum NodeClaim {
        case node(any CollectionNode)
        case claimed(ElementContent)
        case failure(any Error)
        case wait
    }

    func claimForNode() -> NodeClaim {
        let (claim, content) = body.withLock { body -> (NodeClaim?, ElementContent) in
            let content = ElementContent(self, body.newestRevision)
            if let node = body.node { return (.node(node), content) }
            if body.isClaimed { return (.wait, content) }
            if body.isRemoved {
                return (.failure(ElementError.removedBeforeAllocation), content)
            }
            body.isClaimed = true
            return (nil, content)
        }
        if let claim { return claim }
        if let error = content.failure {
            unclaim()
            return .failure(error)
        }
        return .claimed(content)
    }

    /// Makes the node for a claim of this thread, and ends the claim.
    func makeNodeForClaim(_ content: ElementContent) throws -> any CollectionNode {
        defer { unclaim() }
        guard let provider = content.takeProvider() else {
            throw ElementError.removedBeforeAllocation
        }
        do {
            let node = try provider()
            let published = publish(node)
            if content.mayReplaceNode {
                // Contents before this one may yet bring other nodes, but in the end this one stays.
                content.setReplacement(published)
                let early = EarlyNode(node: node, model: content.model)
                body.withLock { $0.progress.ensureRare().earlyNode = early }
            }
            return node
        } catch {
            content.fail(error)
            throw error
        }
    }

    /// Hands the traits to a new node and makes it the element's.
    @discardableResult
    func publish(_ node: any CollectionNode) -> NodeWithTraits {
        handTraits(to: node) { body, published in
            body.node = published.node
            body.nodeTraitsGeneration = published.traitsGeneration
        }
    }

    /// Hands the traits to a new node, and calls `store` under the lock once they are those of now.
    func handTraits(
        to node: any CollectionNode,
        _ store: (inout Body, NodeWithTraits) -> Void
    ) -> NodeWithTraits {
        while true {
            let told = NodeWithTraits(
                node: node,
                traitsGeneration: traits.generation
            )
            node.traitsDidChange(traits.current)
            let isStored = body.withLock { body in
                // Whoever changes the traits then visits every element under this lock: either it
                // finds the node, or this thread finds the new generation here.
                guard
                    traits.generation == told.traitsGeneration || isActive(.storesOldTraits)
                else { return false }
                store(&body, told)
                return true
            }
            if isStored { return told }
        }
    }

    func unclaim() {
        let waiters = body.withLock { body in
            body.isClaimed = false
            defer { body.progress.rare?.waiters = [] }
            return body.progress.rare?.waiters ?? []
        }
        if isActive(.forgetsNodeWaiters) { return }
        for waiter in waiters { waiter() }
    }

    func notifyWhenUnclaimed(_ waiter: @escaping @Sendable () -> Void) {
        let isClaimed = body.withLock { body in
            if body.isClaimed { body.progress.ensureRare().waiters.append(waiter) }
            return body.isClaimed
        }
        if !isClaimed { waiter() }
    }

    func waitUntilUnclaimed() {
        let signal = terms.surroundings.makeSignal()
        notifyWhenUnclaimed { signal.signal() }
        signal.wait()
    }
}
