extension PersistentSequence {
    /// A sequence of these elements.
    ///
    /// Complexity: O(n).
    @inlinable
    package init(_ elements: [Element], nodeCapacity: Int = Self.standardNodeCapacity) {
        let empty = Self(nodeCapacity: nodeCapacity)
        guard !elements.isEmpty else {
            self = empty
            return
        }
        let owner = makeOwner()
        var level: [Child] = []
        var height = 0
        elements.withUnsafeBufferPointer { source in
            level = Self.group(source, nodeCapacity, owner, height: 0)
        }
        while level.count > 1 {
            height += 1
            level = level.withUnsafeBufferPointer { source in
                Self.group(source, nodeCapacity, owner, height: height)
            }
        }
        self.init(
            root: level[0].node,
            height: height,
            nodeCapacity: nodeCapacity,
            count: level[0].count,
            summary: level[0].summary
        )
    }

    /// Nodes of all payloads, as few as there can be and evenly filled: then each is at least half
    /// full.
    @inlinable
    static func group<Payload>(
        _ payloads: UnsafeBufferPointer<Payload>,
        _ capacity: Int,
        _ owner: UInt64,
        height: Int
    ) -> [Child] {
        let nodeCount = (payloads.count + capacity - 1) / capacity
        var children: [Child] = []
        children.reserveCapacity(nodeCount)
        var start = 0
        for index in 0..<nodeCount {
            let count = (payloads.count - start) / (nodeCount - index)
            let node = PersistentNode<Payload>.make(capacity: capacity, owner: owner)
            if let base = payloads.baseAddress {
                node.payloads.initialize(from: base + start, count: count)
            }
            node.header.count = count
            children.append(child(of: node, height: height))
            start += count
        }
        return children
    }
}
