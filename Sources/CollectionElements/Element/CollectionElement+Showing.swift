// What the main lane does with an element: steps 1 and 5, and traits that change.

extension CollectionElement {
    /// Whether the node that will be there takes `model`.
    ///
    /// While a content is on its way that may bring another node, nobody can tell.
    package func acceptsInPlace(_ model: any Sendable) -> Bool {
        guard let node = body.withLock({ $0.node.foreseeable }) else { return false }
        return CollectionElements.node(node, accepts: model)
    }

    /// Makes `content` the newest accepted one.
    package func accept(_ content: ElementContent) {
        // What is released may run user code, so it leaves the lock and goes then.
        _ = body.withLock { body in
            if content.mayReplaceNode { body.node.replacementAccepted() }
            defer { body.newestRevision = content.revision }
            return body.newestRevision
        }
    }

    /// Shows `content`, which was accepted later than the element, from now on: its map is deployed.
    package func show(_ content: ElementContent, isReconfigured: Bool) {
        if content.mayReplaceNode { body.withLock { $0.node.replacementSettled() } }
        if let (replacement, isEarly) = content.takeReplacement() {
            changeNode { $0.replaced(by: replacement) }
            refreshTraits()
            // It may have shown the contents before its own.
            if isEarly, let model = content.model { update(replacement.node, to: model) }
        } else if let model = content.model {
            show(model, isNew: isReconfigured, hasFailed: content.isGivenUp)
        }
    }

    private func show(_ model: any Sendable, isNew: Bool, hasFailed: Bool) {
        switch body.withLock({ $0.node.modelShown(isNew: isNew, hasFailed: hasFailed) }) {
        case .leave:
            break
        case .update(let node):
            update(node, to: model)
        case .updateIfAccepting(let node, let own):
            guard own.map({ CollectionElements.node(node, accepts: $0) }) ?? true else { return }
            update(node, to: model)
        }
    }

    // MARK: Traits

    /// Whether `content` is measured, or about to be, and its node has the traits of now.
    package func isMeasuredWithCurrentTraits(_ content: ElementContent) -> Bool {
        let generation = traits.generation
        return content.withProgress { $0.isMeasured(withTraits: generation) }
    }

    /// Tells the node, and the one that is to replace it, traits that are newer than those they have.
    package func refreshTraits() {
        let generation = traits.generation
        let (shown, next) = body.withLock { $0.node.nodes(olderThan: generation) }
        shown?.node.traitsDidChange(traits.current)
        next?.node.traitsDidChange(traits.current)
        // Only now: a measurement in between was made with the old ones.
        body.withLock { body in
            if let shown { body.node.told(generation, shown.node) }
            if let next { body.node.told(generation, next.node) }
        }
    }
}
