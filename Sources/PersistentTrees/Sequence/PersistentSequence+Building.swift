extension PersistentSequence {
    /// Creates a sequence of the given elements.
    ///
    /// Complexity: O(n).
    @inlinable
    package init(_ elements: [Element], nodeCapacity: NodeCapacity = .standard) {
        self.init(count: elements.count, nodeCapacity: nodeCapacity) { elements[$0] }
    }

    /// Creates a sequence of `count` elements, each made by `make`, which is called with every
    /// position in order. A negative `count` makes an empty sequence.
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

    /// Creates a sequence by building inner nodes over the given leaves. The inner nodes are evenly
    /// filled, so that none has too few children.
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

    /// Creates evenly filled nodes of `payloadCount` payloads, calling `next` once for each.
    ///
    /// If one node is not enough, the payloads are spread as if nodes held an eighth less, so that
    /// the first edits do not split every node that they touch. The nodes made here are no larger
    /// than their content; the copies that edits make use the full capacity.
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
                owner: PersistentNode<Payload>.noOwner
            )
            let payloads = node.payloads
            for place in 0..<count { (payloads + place).initialize(to: next()) }
            node.payloadCount = count
            made += count
            return child(of: node, height: height)
        }
    }

    /// A builder that makes a sequence from elements appended one by one, without holding them all
    /// in one array.
    ///
    /// It cannot be copied, because it alone may write the leaf that it fills.
    @usableFromInline
    package struct Builder: ~Copyable {
        @usableFromInline let nodeCapacity: NodeCapacity
        /// The number of elements in each leaf: an eighth below the capacity, so that the first
        /// edits do not split the leaf.
        @usableFromInline let filling: Int
        /// The full leaves.
        @usableFromInline var leaves: [Child] = []
        @usableFromInline var leaf: Leaf?
        // With pointers into the current leaf, the leaf need not be retained for every element.
        @usableFromInline var header: UnsafeMutablePointer<PersistentNodeHeader>?
        @usableFromInline var payloads: UnsafeMutablePointer<Element>?

        @inlinable
        package init(nodeCapacity: NodeCapacity = .standard) {
            self.nodeCapacity = nodeCapacity
            filling = nodeCapacity.leaf - nodeCapacity.leaf / 8
        }

        @inlinable @inline(__always)
        package mutating func append(_ element: Element) {
            if header == nil || header.unsafelyUnwrapped.pointee.count == filling { beginLeaf() }
            let header = header.unsafelyUnwrapped
            (payloads.unsafelyUnwrapped + header.pointee.count).initialize(to: element)
            header.pointee.count += 1
        }

        @inlinable @inline(never)
        mutating func beginLeaf() {
            if let leaf { leaves.append(child(of: leaf, height: 0)) }
            let next = Leaf.make(capacity: filling, owner: Leaf.noOwner)
            header = next.withUnsafeMutablePointerToHeader { $0 }
            payloads = next.payloads
            leaf = next
        }

        /// Returns the sequence of all appended elements.
        @inlinable
        package consuming func tree() -> PersistentSequence {
            // Only the last leaf may have too few elements; joining corrects that.
            let last = leaf.map { Subtree($0, height: 0) }
            return PersistentSequence(over: leaves, nodeCapacity)
                .appending(PersistentSequence(last, nodeCapacity))
        }
    }
}
