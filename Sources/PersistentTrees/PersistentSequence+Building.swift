extension PersistentSequence {
    /// A sequence of these elements.
    ///
    /// Complexity: O(n).
    @inlinable
    package init(_ elements: [Element], nodeCapacity: NodeCapacity = .standard) {
        self.init(count: elements.count, nodeCapacity: nodeCapacity) { elements[$0] }
    }

    /// A sequence of `count` elements, each made by `make`, which is called with every position in
    /// order.
    ///
    /// Complexity: O(n).
    @inlinable
    package init(
        count: Int,
        nodeCapacity: NodeCapacity = .standard,
        make: (_ position: Int) -> Element
    ) {
        guard count > 0 else {
            self.init(nodeCapacity: nodeCapacity)
            return
        }
        let owner = makeOwner()
        var position = 0
        var level: [Child] = Self.group(count, nodeCapacity.leaf, owner, height: 0) {
            defer { position += 1 }
            return make(position)
        }
        var height = 0
        while level.count > 1 {
            height += 1
            var next = 0
            level = Self.group(level.count, nodeCapacity.inner, owner, height: height) {
                defer { next += 1 }
                return level[next]
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

    /// Nodes of as many payloads as `next` is called for, evenly filled.
    ///
    /// They are left with a little room, so that the first edits do not split every node that they
    /// touch.
    @inlinable
    static func group<Payload>(
        _ payloadCount: Int,
        _ capacity: Int,
        _ owner: UInt64,
        height: Int,
        _ next: () -> Payload
    ) -> [Child] {
        let filling = payloadCount <= capacity ? capacity : capacity - capacity / 8
        let nodeCount = (payloadCount + filling - 1) / filling
        var made = 0
        return (0..<nodeCount).map { index in
            let count = (payloadCount - made) / (nodeCount - index)
            let node = PersistentNode<Payload>.make(capacity: capacity, owner: owner)
            let payloads = node.payloads
            for place in 0..<count { (payloads + place).initialize(to: next()) }
            node.payloadCount = count
            made += count
            return child(of: node, height: height)
        }
    }
}
