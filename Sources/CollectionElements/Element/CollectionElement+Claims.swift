// Who may use an element's node: one thread at a time, and the others know when it is done.

extension CollectionElement {
    /// The node, made here if nobody has begun to; nil while another thread is at it.
    func nodeUnlessClaimed() throws -> (any CollectionNode)? {
        switch body.withLock({ $0.node.nodeRequested(isRemoved: $0.isRemoved) }) {
        case .give(let node): return node
        case .make: return try makeNode()
        case .wait: return nil
        case .giveUp: throw ElementError.removedBeforeAllocation
        }
    }

    /// Makes the node of the newest accepted content, ahead of its turn; this thread has the claim.
    private func makeNode() throws -> any CollectionNode {
        defer { endClaim() }
        let content = content
        if let error = content.failure { throw error }
        guard let provider = content.takeProvider() ?? content.keptProvider else {
            throw ElementError.removedBeforeAllocation
        }
        do {
            let node = try provider()
            // What was released was shown, so nothing comes before it any more.
            guard content.mayReplaceNode, !content.isReleased else {
                introduce(node) { $0.made($1) }
                return node
            }
            // Contents before this one may yet bring other nodes, but in the end this one stays.
            let told = introduce(node) { $0.madeEarly($1, for: content.model) }
            content.setReplacement(told, isEarly: true)
            return node
        } catch {
            content.fail(error)
            throw error
        }
    }

    /// Tells the machine what takes the place of another node.
    func changeNode(_ input: (inout ElementNode) -> Void) {
        // The end of that one may run user code, so it leaves the lock and goes then.
        _ = body.withLock { body in
            defer { input(&body.node) }
            return body.node.state
        }
    }

    /// Runs `body` while this thread alone may use the node; waits for another that does.
    func whileClaimed<Result>(_ body: () throws -> Result) rethrows -> Result {
        while !self.body.withLock({ $0.node.claimRequested() }) { waitForEndOfClaim() }
        defer { endClaim() }
        return try body()
    }

    func endClaim() {
        for waiter in body.withLock({ $0.node.claimEnded() }) { waiter() }
    }

    /// Calls `waiter` when the claim ends, or at once where there is none.
    func notifyWhenUnclaimed(_ waiter: @escaping @Sendable () -> Void) {
        if !body.withLock({ $0.node.endAwaited(waiter) }) { waiter() }
    }

    func waitForEndOfClaim() {
        let signal = terms.surroundings.makeSignal()
        notifyWhenUnclaimed { signal.signal() }
        signal.wait()
    }
}
