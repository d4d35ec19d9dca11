import CollectionChanges

// What the nodes of an element are told: a new one whose it is and the traits of when it is made, and all of them
// the traits that change later.

extension CollectionElement {
    /// Tells a new node whose it is, and the traits, and calls `store` under the lock once they are those of now.
    @discardableResult
    func introduce(
        _ node: any CollectionNode,
        _ store: (inout ElementNode, NodeWithTraits) -> Void
    ) -> NodeWithTraits {
        if let node = node as? any PlacedNode { node.willShow(ElementReference(self)) }
        while true {
            let told = NodeWithTraits(node: node, traitsGeneration: traits.generation)
            node.traitsDidChange(traits.current)
            // What is replaced may run user code when it ends, so it leaves the lock and goes then.
            let replaced = body.withLock { body -> ElementNode.State? in
                // Whoever changes the traits then visits every element under this lock: either it
                // finds the node, or this thread finds the new generation here.
                guard traits.generation == told.traitsGeneration else { return nil }
                defer { store(&body.node, told) }
                return body.node.state
            }
            if replaced != nil { return told }
        }
    }

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
