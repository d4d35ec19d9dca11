extension PersistentSequence {
    /// A node as the tree has it: for tests of balance, of sums and of sharing.
    package struct NodeShape {
        package let identity: ObjectIdentifier
        package let height: Int
        /// How many elements or children it holds.
        package let payloadCount: Int
        /// What is known above it of what is in it.
        package let count: Int
        package let summary: Summary
        package let children: [NodeShape]
    }

    /// The root with all that is below it, or nil if there are no elements.
    ///
    /// Complexity: O(n), and more where nodes are shared within the tree.
    package var shape: NodeShape? {
        func shape(_ child: Child, _ height: Int) -> NodeShape {
            let payloadCount: Int
            var children: [NodeShape] = []
            if height == 0 {
                payloadCount = unsafeDowncast(child.node, to: Leaf.self).payloadCount
            } else {
                let inner = unsafeDowncast(child.node, to: Inner.self)
                payloadCount = inner.payloadCount
                children = (0..<payloadCount).map { shape(inner.payloads[$0], height - 1) }
            }
            return NodeShape(
                identity: ObjectIdentifier(child.node),
                height: height,
                payloadCount: payloadCount,
                count: child.count,
                summary: child.summary,
                children: children
            )
        }
        return root.map { shape(Child(node: $0, count: count, summary: summary), height) }
    }
}
