// Step 3 of the pipeline: the preparation of an element on a worker.

extension CollectionElement {
    /// The result of preparing a content revision.
    package enum Preparation: Sendable {
        case measured
        case alreadyPrepared
        case skipped
        case failed(any Error)
    }

    /// Creates the node if there is none, and measures `content`; called on a worker.
    ///
    /// Each content revision is prepared only once. The worker skips an element whose removal was
    /// accepted, and every element once `isCancelled` returns `true`.
    package func prepare(
        _ content: ElementContent,
        isCancelled: () -> Bool = { false }
    ) -> Preparation {
        whileClaimed {
            guard content.withProgress({ $0.claimed() }) == .prepare else {
                return outcome(of: content)
            }
            if isCancelled() || isRemoved { return skip(content) }
            do {
                let found = try node(for: content)
                // Checked again, because the provider may have taken a long time.
                if isCancelled() || isRemoved {
                    return skip(content)
                }
                _ = try measureFirst(found, content, in: content.sizeRange)
                return .measured
            } catch {
                content.fail(error)
                return .failed(error)
            }
        }
    }

    /// Creates the node that `content` needs, if it needs one, without measuring; called on a
    /// worker.
    package func allocate(_ content: ElementContent) -> Preparation {
        whileClaimed {
            guard content.withProgress({ $0.isPending }), !isRemoved else {
                return outcome(of: content)
            }
            do {
                _ = try node(for: content)
                return .alreadyPrepared
            } catch {
                content.fail(error)
                return .failed(error)
            }
        }
    }

    /// Returns the size of `content` within a range that a layout chose, making the node first if
    /// necessary; called on a worker. For one of the last few ranges it returns the remembered
    /// size.
    ///
    /// The first range becomes that of the content; further ranges change nothing that a map shows.
    /// An element whose removal was accepted is no longer measured.
    package func measure(
        _ content: ElementContent,
        in range: SizeRange,
        isCancelled: () -> Bool = { false }
    ) throws -> Size {
        try whileClaimed {
            switch content.stateAndSize {
            case (.measured(range), let size?): return size
            case (.failed(let error), _): throw error
            case (.skipped, let size?): return size
            default: break
            }
            if let size = content.withProgress({ $0.furtherSize(in: range) }) { return size }
            if isRemoved { return content.layoutSize }
            guard content.withProgress({ $0.claimed() }) == .prepare else {
                let size = try measure(node(for: content), content, in: range)
                content.withProgress { $0.measuredFurther(size, in: range) }
                return size
            }
            do {
                let found = try node(for: content)
                // Checked again, because the provider may have taken a long time.
                if isCancelled() || isRemoved {
                    _ = skip(content)
                    return content.layoutSize
                }
                return try measureFirst(found, content, in: range)
            } catch {
                content.fail(error)
                throw error
            }
        }
    }

    private func outcome(of content: ElementContent) -> Preparation {
        if let error = content.failure { return .failed(error) }
        return .alreadyPrepared
    }

    private func skip(_ content: ElementContent) -> Preparation {
        content.finish { $0.skipped() }
        return .skipped
    }

    /// Measures a content revision that was not measured before: `range` becomes its own.
    private func measureFirst(
        _ found: FoundNode,
        _ content: ElementContent,
        in range: SizeRange
    ) throws -> Size {
        let size = try measure(found, content, in: range)
        content.finish { $0.measured(size, in: range == content.sizeRange ? nil : range) }
        return size
    }

    /// Measures the node; throws if the result is not a valid size.
    private func measure(
        _ found: FoundNode,
        _ content: ElementContent,
        in range: SizeRange
    ) throws -> Size {
        // While the element is claimed, the node that was found stays the newest. Its traits may
        // have changed since, if `accepts` took a long time.
        let traits = body.withLock { $0.node.newest?.traitsGeneration ?? 0 }
        content.withProgress { $0.measuringBegan(withTraits: traits) }
        // A node that was made for this content already shows its model, so the model is not passed
        // again.
        let size =
            found.isNew
            ? try found.node.measure(in: range)
            : try CollectionElements.measure(found.node, showing: content.model, in: range)
        let clamped = range.clamp(size)
        // The range itself may be invalid, and clamping would hide a NaN, because every comparison
        // with NaN is false.
        guard size.isValid, clamped.isValid,
            !range.maximum.width.isNaN, !range.maximum.height.isNaN
        else {
            throw MeasurementError(size: size, sizeRange: range)
        }
        return clamped
    }

    private struct FoundNode {
        let node: any CollectionNode
        /// Whether the node was just made for the content.
        let isNew: Bool
    }

    /// Returns the node that will show `content`: the element's newest node if that accepts the
    /// content, otherwise one that the provider makes.
    private func node(for content: ElementContent) throws -> FoundNode {
        if let own = content.replacement {
            // The node was requested before its content was prepared; earlier content revisions may
            // have made other nodes since.
            changeNode { $0.replacementPrepared(own) }
            return FoundNode(node: own.node, isNew: false)
        }
        let keepsNode = content.keepsNode
        let provider = content.takeProvider()
        guard let newest = body.withLock({ $0.node.newest?.node }) else {
            guard let provider = provider ?? content.keptProvider else {
                throw ElementError.removedBeforeAllocation
            }
            let node = try provider()
            introduce(node) { $0.made($1) }
            return FoundNode(node: node, isNew: true)
        }
        guard let provider, !keepsNode else { return FoundNode(node: newest, isNew: false) }
        if let model = content.model, CollectionElements.node(newest, accepts: model) {
            return FoundNode(node: newest, isNew: false)
        }
        let node = try provider()
        let introduced = introduce(node) { $0.replacementPrepared($1) }
        content.setReplacement(introduced, isEarly: false)
        return FoundNode(node: node, isNew: true)
    }
}

// Access to an element's node: one thread at a time, and the others are notified when it has
// finished.

extension CollectionElement {
    /// Returns the node, making it on this thread if no other thread has started to; returns `nil`
    /// while another thread makes it.
    func nodeUnlessClaimed() throws -> (any CollectionNode)? {
        switch body.withLock({ $0.node.nodeRequested(isRemoved: $0.isRemoved) }) {
        case .give(let node): return node
        case .make: return try makeNode()
        case .wait: return nil
        case .giveUp: throw ElementError.removedBeforeAllocation
        }
    }

    /// Creates the node of the newest accepted content before that content is prepared. This thread
    /// has the claim.
    private func makeNode() throws -> any CollectionNode {
        defer { endClaim() }
        let content = content
        if let error = content.failure { throw error }
        guard let provider = content.takeProvider() ?? content.keptProvider else {
            throw ElementError.removedBeforeAllocation
        }
        do {
            let node = try provider()
            // A content revision whose node was released has been shown, so no earlier content
            // revision is still to be shown.
            guard content.mayReplaceNode, !content.isReleased else {
                introduce(node) { $0.made($1) }
                return node
            }
            // Earlier content revisions may still make other nodes, but this node remains in the
            // end.
            let introduced = introduce(node) { $0.madeEarly($1, for: content.model) }
            content.setReplacement(introduced, isEarly: true)
            return node
        } catch {
            content.fail(error)
            throw error
        }
    }

    /// Passes an input that replaces a node to the state machine.
    func changeNode(_ input: (inout ElementNode) -> Void) {
        // Deallocating the replaced node may run user code, so it is returned and released outside
        // the lock.
        _ = body.withLock { body in
            defer { input(&body.node) }
            return body.node.state
        }
    }

    /// Runs `body` while only this thread may use the node; first waits for any other thread that
    /// uses it.
    func whileClaimed<Result>(_ body: () throws -> Result) rethrows -> Result {
        while !self.body.withLock({ $0.node.claimRequested() }) { waitForEndOfClaim() }
        defer { endClaim() }
        return try body()
    }

    func endClaim() {
        for waiter in body.withLock({ $0.node.claimEnded() }) { waiter() }
    }

    /// Calls `waiter` when the claim ends, or immediately if the node is not claimed.
    func notifyWhenUnclaimed(_ waiter: @escaping @Sendable () -> Void) {
        if !body.withLock({ $0.node.endAwaited(waiter) }) { waiter() }
    }

    func waitForEndOfClaim() {
        let signal = configuration.elementEnvironment.makeSignal()
        notifyWhenUnclaimed { signal.signal() }
        signal.wait()
    }
}

// The information that an element passes to its nodes: a new node receives its element and the
// current traits, and every node receives later changes of the traits.

extension CollectionElement {
    /// Passes the element and the traits to a new node, and calls `store` under the lock once those
    /// traits are current.
    @discardableResult
    func introduce(
        _ node: any CollectionNode,
        _ store: (inout ElementNode, NodeWithTraits) -> Void
    ) -> NodeWithTraits {
        if let node = node as? any PlacedNode { node.didAttach(to: ElementReference(self)) }
        while true {
            let introduced = NodeWithTraits(node: node, traitsGeneration: traits.generation)
            node.traitsDidChange(traits.current)
            // Deallocating the replaced node may run user code, so it is returned and released
            // outside the lock.
            let replaced = body.withLock { body -> ElementNode.State? in
                // A thread that changes the traits afterwards visits every element under this lock:
                // either that thread finds the node, or this thread finds the new generation here.
                guard traits.generation == introduced.traitsGeneration else { return nil }
                defer { store(&body.node, introduced) }
                return body.node.state
            }
            if replaced != nil { return introduced }
        }
    }

    /// Returns whether `content` is measured, or about to be, and its node has the current traits.
    package func isMeasuredWithCurrentTraits(_ content: ElementContent) -> Bool {
        let generation = traits.generation
        return content.withProgress { $0.isMeasured(withTraits: generation) }
    }

    /// Passes the current traits to the node, and to the node that will replace it, if they have
    /// older ones.
    package func refreshTraits() {
        let generation = traits.generation
        let (shown, next) = body.withLock { $0.node.nodes(olderThan: generation) }
        shown?.node.traitsDidChange(traits.current)
        next?.node.traitsDidChange(traits.current)
        // Recorded only now: a measurement in between used the old traits.
        body.withLock { body in
            if let shown { body.node.receivedTraits(generation, shown.node) }
            if let next { body.node.receivedTraits(generation, next.node) }
        }
    }
}
