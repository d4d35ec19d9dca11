// Steps 1 and 5 of the pipeline: the work of the main lane on an element.

extension CollectionElement {
    /// Returns whether the node that will show the element accepts `model`.
    ///
    /// Returns `false` while an accepted content revision that may replace the node has not been
    /// shown, because that node is not known yet.
    package func acceptsInPlace(_ model: any Sendable) -> Bool {
        guard let node = body.withLock({ $0.node.foreseeable }) else { return false }
        return CollectionElements.node(node, accepts: model)
    }

    /// Accepts `content`, which becomes the newest accepted content.
    package func accept(_ content: ElementContent) {
        // Deallocating the old revision may run user code, so it is returned and released outside
        // the lock.
        _ = body.withLock { body in
            if content.mayReplaceNode { body.node.replacementAccepted() }
            defer { body.newestRevision = content.revision }
            return body.newestRevision
        }
    }

    /// Shows `content`, which was accepted after the element's first content, because its map is
    /// deployed.
    package func show(_ content: ElementContent, isReconfigured: Bool) {
        if content.mayReplaceNode { body.withLock { $0.node.replacementSettled() } }
        if let (replacement, isEarly) = content.takeReplacement() {
            changeNode { $0.replaced(by: replacement) }
            refreshTraits()
            // The node may have shown the contents before its own.
            if isEarly, let model = content.model { update(replacement.node, to: model) }
        } else if let model = content.model {
            show(model, isNew: isReconfigured, hasFailed: content.hasFinalEstimate)
        }
    }

    /// Releases the node if it is no longer needed. The size stays until another node is measured.
    ///
    /// - Parameter shown: The content that the view shows.
    /// - Returns: `false` if the node cannot be released yet, because a thread uses it or a newer
    ///   content is still being prepared or shown.
    package func releaseNode(showing shown: ElementContent) -> Bool {
        guard elementEnvironment.releasesNodes, nodeIfAllocated != nil else { return true }
        let content = content
        // Another node would be the node of the newest content, which the view does not show yet.
        guard content == shown, body.withLock({ $0.node.claimRequested() }) else { return false }
        defer { endClaim() }
        // A content revision that failed or was skipped cannot make its node again, so the node
        // stays.
        if content.hasFinalEstimate { return true }
        guard content.withProgress({ $0.nodeUnneeded() }) == .releaseNode else { return false }
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
