// What the main lane does with an element: steps 1 and 5.

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

    /// Releases the node, which nobody needs any more; the size stays, until another node is measured.
    ///
    /// - Parameter shown: the content that the view shows.
    /// - Returns: false where that cannot be yet: somebody is at work on the node, or a content is on its way.
    package func releaseNode(showing shown: ElementContent) -> Bool {
        guard surroundings.releasesNodes, nodeIfAllocated != nil else { return true }
        let content = content
        // Another node would be that of the newest content, which the view is yet to come to.
        guard content == shown, body.withLock({ $0.node.claimRequested() }) else { return false }
        defer { endClaim() }
        // What it shows is all that there is to be seen of it.
        if content.isGivenUp { return true }
        // What was put off has no size of its own yet, and takes whatever node there is by then.
        guard content.withProgress({ $0.released() || $0.isPending && !$0.isAsked }) else {
            return false
        }
        changeNode { $0.released() }
        return true
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
}
