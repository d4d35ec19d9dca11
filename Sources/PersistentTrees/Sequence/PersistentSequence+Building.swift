extension PersistentSequence {
    /// A sequence of these elements.
    ///
    /// Complexity: O(n).
    @inlinable
    package init(_ elements: [Element], nodeCapacity: NodeCapacity = .standard) {
        self.init(count: elements.count, nodeCapacity: nodeCapacity) { elements[$0] }
    }

    /// A sequence of `count` elements, each made by `make`, which is called with every position in
    /// order; of none where `count` is negative.
    ///
    /// Complexity: O(n).
    @inlinable
    package init(
        count: Int,
        nodeCapacity: NodeCapacity = .standard,
        make: (_ position: Int) -> Element
    ) {
        var position = 0
        let leaves = Self.group(Swift.max(0, count), nodeCapacity.leaf, height: 0) {
            defer { position += 1 }
            return make(position)
        }
        self.init(over: leaves, nodeCapacity)
    }

    /// The nodes above leaves, evenly filled, so that none is too empty.
    @inlinable
    init(over leaves: [Child], _ nodeCapacity: NodeCapacity) {
        var level = leaves
        var height = 0
        while level.count > 1 {
            height += 1
            var next = 0
            level = Self.group(level.count, nodeCapacity.inner, height: height) {
                defer { next += 1 }
                return level[next]
            }
        }
        self.init(level.first.map { Subtree($0, height: height) }, nodeCapacity)
    }

    /// Nodes of as many payloads as `next` is called for, evenly filled.
    ///
    /// They are left with a little room, so that the first edits do not split every node that they
    /// touch; the copies that those make have it, these are no larger than what they hold.
    @inlinable
    static func group<Payload>(
        _ payloadCount: Int,
        _ capacity: Int,
        height: Int,
        _ next: () -> Payload
    ) -> [Child] {
        let filling = payloadCount <= capacity ? capacity : capacity - capacity / 8
        let nodeCount = (payloadCount + filling - 1) / filling
        var made = 0
        return (0..<nodeCount).map { index in
            let count = (payloadCount - made) / (nodeCount - index)
            let node = PersistentNode<Payload>.make(
                capacity: count,
                owner: PersistentNode<Payload>.nobody
            )
            let payloads = node.payloads
            for place in 0..<count { (payloads + place).initialize(to: next()) }
            node.payloadCount = count
            made += count
            return child(of: node, height: height)
        }
    }
}
