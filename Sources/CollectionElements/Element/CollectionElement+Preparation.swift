// What the pipeline does with an element: steps 3 and 5, and what goes with them.

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
    package func prepare(
        _ content: ElementContent,
        isCancelled: () -> Bool = { false }
    ) -> Preparation {
        whileClaimed {
            guard content.begin() else { return outcome(of: content) }
            if isCancelled() || isRemoved { return skip(content) }
            do {
                let node = try node(for: content)
                // The provider may have taken long.
                if isCancelled() || isRemoved, !isActive(.measuresRemoved) {
                    return skip(content)
                }
                let size = try measure(node, content, in: content.sizeRange)
                content.finish(measuredIn: content.sizeRange, size: size)
                return .measured
            } catch {
                content.fail(error)
                return .failed(error)
            }
        }
    }

    /// Makes the node that `content` needs, if it needs one, and measures nothing; on a worker.
    package func allocate(_ content: ElementContent) -> Preparation {
        whileClaimed {
            guard content.isPending, !isRemoved else { return outcome(of: content) }
            do {
                _ = try node(for: content)
                return .alreadyPrepared
            } catch {
                content.fail(error)
                return .failed(error)
            }
        }
    }

    /// The size of `content` within a range that a layout chose, making the node first if need be; on
    /// a worker. Asked again with one of the last few ranges it answers from memory.
    ///
    /// The first range that is asked for becomes that of the content; others change nothing that a
    /// map shows. An element whose removal was accepted is not measured any more.
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
            if let size = content.furtherSize(in: range) { return size }
            if isRemoved { return content.layoutSize }
            guard content.begin() else {
                let size = try measure(node(for: content), content, in: range)
                content.addFurtherSize(size, in: range)
                return size
            }
            do {
                let node = try node(for: content)
                // The provider may have taken long.
                if isCancelled() || isRemoved {
                    _ = skip(content)
                    return content.layoutSize
                }
                let size = try measure(node, content, in: range)
                content.finish(measuredIn: range, size: size)
                return size
            } catch {
                content.fail(error)
                throw error
            }
        }
    }

    /// Runs `body` while this thread alone may use the node; waits for another that does.
    private func whileClaimed<Result>(_ body: () throws -> Result) rethrows -> Result {
        while !claim() { waitUntilUnclaimed() }
        defer { unclaim() }
        return try body()
    }

    private func outcome(of content: ElementContent) -> Preparation {
        if let error = content.failure { return .failed(error) }
        return .alreadyPrepared
    }

    private func skip(_ content: ElementContent) -> Preparation {
        content.finish(.skipped, size: content.estimate)
        return .skipped
    }

    /// Asks the node, and refuses what is no size.
    private func measure(
        _ found: FoundNode,
        _ content: ElementContent,
        in range: SizeRange
    ) throws -> Size {
        let node = found.node
        // It may have been told others since it was found, where asking it about a model took long.
        let told = found.isNew ? node : newestNode.flatMap { $0.node === node.node ? $0 : nil }
        content.beginMeasuring(withTraits: (told ?? node).traitsGeneration)
        // What was made for this content shows it already, and need not be looked into.
        let size =
            found.isNew
            ? try node.node.measure(in: range)
            : try CollectionElements.measure(node.node, showing: content.model, in: range)
        let clamped = range.clamp(size)
        // A range may be no range either; what is no number loses every comparison of the clamping.
        guard size.isValid, clamped.isValid,
            !range.maximum.width.isNaN, !range.maximum.height.isNaN
        else {
            throw MeasurementError(size: size, sizeRange: range)
        }
        return clamped
    }

    private struct FoundNode {
        let node: NodeWithTraits
        /// Whether it was made for the content just now.
        let isNew: Bool
    }

    /// The node that will show `content`: the element's newest where there is one that accepts it,
    /// otherwise one that its provider makes.
    private func node(for content: ElementContent) throws -> FoundNode {
        if let own = content.replacement {
            // It was asked for ahead of its turn; contents before this one may have brought others.
            body.withLock { $0.progress.ensureRare().upcomingNode = own }
            return FoundNode(node: own, isNew: false)
        }
        let keepsNode = content.keepsNode
        let provider = content.takeProvider()
        guard let newest = newestNode else {
            guard let provider else { throw ElementError.removedBeforeAllocation }
            publish(try provider())
            guard let published = newestNode else {
                throw ElementError.removedBeforeAllocation
            }
            return FoundNode(node: published, isNew: true)
        }
        guard let provider, !keepsNode else {
            return FoundNode(node: newest, isNew: false)
        }
        if let model = content.model, CollectionElements.node(newest.node, accepts: model) {
            return FoundNode(node: newest, isNew: false)
        }
        let node = try provider()
        let replacement = handTraits(to: node) { body, replacement in
            body.progress.ensureRare().upcomingNode = replacement
        }
        content.setReplacement(replacement)
        return FoundNode(node: replacement, isNew: true)
    }

    /// The node that the element will have once everything that was prepared is deployed.
    private var newestNode: NodeWithTraits? {
        body.withLock { body in
            if let upcoming = body.progress.rare?.upcomingNode { return upcoming }
            return body.node.map {
                NodeWithTraits(node: $0, traitsGeneration: body.nodeTraitsGeneration)
            }
        }
    }

    private func claim() -> Bool {
        body.withLock { body in
            guard !body.isClaimed || isActive(.sharesNodes) else { return false }
            body.isClaimed = true
            return true
        }
    }

    /// Whether the node that will be there takes `model`. Main lane.
    ///
    /// While a content is on its way that may bring another node, nobody can tell.
    package func acceptsInPlace(_ model: any Sendable) -> Bool {
        guard body.withLock({ $0.progress.rare?.replacingRevisions ?? 0 == 0 }),
            let newest = newestNode
        else {
            return false
        }
        return CollectionElements.node(newest.node, accepts: model)
    }

    /// Makes `content` the newest accepted one. Main lane.
    package func accept(_ content: ElementContent) {
        // What is let go of may run user code, so it leaves the lock and goes then.
        _ = body.withLock { body in
            if content.mayReplaceNode { body.progress.ensureRare().replacingRevisions += 1 }
            defer { body.newestRevision = content.revision }
            return body.newestRevision
        }
    }

    /// Shows `content`, which was accepted later than the element, from now on. Main lane, when its
    /// map is deployed.
    package func show(_ content: ElementContent, isReconfigured: Bool) {
        if content.mayReplaceNode {
            body.withLock { $0.progress.ensureRare().replacingRevisions -= 1 }
        }
        if let replacement = content.takeReplacement() {
            // The end of the old node may run user code, so it leaves the lock and goes then.
            let (_, isEarly) = body.withLock { body -> ((any CollectionNode)?, Bool) in
                body.nodeTraitsGeneration = replacement.traitsGeneration
                let rare = body.progress.rare
                if let upcoming = rare?.upcomingNode, upcoming.node === replacement.node {
                    body.nodeTraitsGeneration = upcoming.traitsGeneration
                    rare?.upcomingNode = nil
                }
                let isEarly = rare?.earlyNode?.node === replacement.node
                if isEarly { rare?.earlyNode = nil }
                rare?.lacksModel = false
                defer { body.node = replacement.node }
                return (body.node, isEarly)
            }
            refreshTraits()
            // It may have shown the contents before its own.
            if isEarly, let model = content.model { update(replacement.node, to: model) }
        } else if let model = content.model, let node = nodeForShowing {
            // Measured anew, a model may be shown that failed before.
            guard isReconfigured || body.withLock({ $0.progress.rare?.lacksModel ?? false }) else {
                return
            }
            switch content.state {
            case .failed, .skipped:
                body.withLock { $0.progress.ensureRare().lacksModel = true }
            case .pending, .allocating, .measured:
                body.withLock { $0.progress.rare?.lacksModel = false }
                update(node, to: model)
            }
        }
    }

    /// The node, unless it was made for a content that is yet to be shown, and could not go back to that model.
    private var nodeForShowing: (any CollectionNode)? {
        let (node, early) = body.withLock { ($0.node, $0.progress.rare?.earlyNode) }
        guard let node, let early, early.node === node, let model = early.model else { return node }
        return CollectionElements.node(node, accepts: model) ? node : nil
    }

    /// Whether `content` is measured, or about to be, and its node has the traits of now. Main lane.
    package func isMeasuredWithCurrentTraits(_ content: ElementContent) -> Bool {
        switch content.state {
        case .failed, .skipped: return false
        case .pending: return true
        case .allocating, .measured:
            return content.traitsGeneration.map { $0 == traits.generation } ?? true
        }
    }

    /// Hands the node, and the one that is to replace it, traits that are newer than those they
    /// have. Main lane.
    package func refreshTraits() {
        let generation = traits.generation
        let (node, upcoming) = body.withLock { body in
            let upcoming = body.progress.rare?.upcomingNode
            return (
                body.nodeTraitsGeneration.isOlder(than: generation) ? body.node : nil,
                upcoming.flatMap { $0.traitsGeneration.isOlder(than: generation) ? $0.node : nil }
            )
        }
        node?.traitsDidChange(traits.current)
        if let upcoming, upcoming !== node { upcoming.traitsDidChange(traits.current) }
        // Only now: a measurement in between was made with the old ones.
        body.withLock { body in
            if let node, body.node === node { body.nodeTraitsGeneration = generation }
            if let upcoming, let rare = body.progress.rare, rare.upcomingNode?.node === upcoming {
                rare.upcomingNode = NodeWithTraits(node: upcoming, traitsGeneration: generation)
            }
        }
    }
}

extension UInt32 {
    /// Whether a generation of traits came before another; they wrap around.
    fileprivate func isOlder(than other: UInt32) -> Bool { Int32(bitPattern: self &- other) < 0 }
}
