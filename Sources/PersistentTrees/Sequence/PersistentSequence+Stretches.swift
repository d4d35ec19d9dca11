// Edits of whole stretches cut and join trees. Nodes that are cut or joined are replaced by new
// ones, which are no larger than their content. Every other node is shared, with other versions and
// also within one version.

extension PersistentSequence {
    /// Creates a sequence that repeats one element. Equal parts share one node.
    ///
    /// Complexity: O(log² n).
    @inlinable
    package init(
        repeating element: Element,
        count: Int,
        nodeCapacity: NodeCapacity = .standard
    ) {
        guard count > nodeCapacity.leaf else {
            self.init(count: Swift.max(0, count), nodeCapacity: nodeCapacity) { _ in element }
            return
        }
        let half = Self(repeating: element, count: count / 2, nodeCapacity: nodeCapacity)
        let twice = half.appending(half)
        self =
            count.isMultiple(of: 2)
            ? twice : twice.appending(Self([element], nodeCapacity: nodeCapacity))
    }

    /// Returns this sequence followed by `other`, which must have the same node capacity.
    ///
    /// Complexity: O(log n).
    @inlinable
    package func appending(_ other: Self) -> Self {
        guard let first = subtree else { return other }
        guard let second = other.subtree else { return self }
        guard nodeCapacity == other.nodeCapacity else {
            fatalError("cannot join nodes of capacities \(nodeCapacity) and \(other.nodeCapacity)")
        }
        return Self(Self.joined(first, second, nodeCapacity), nodeCapacity)
    }

    /// Returns the elements in `range`, which may extend beyond the sequence.
    ///
    /// Complexity: O(log n).
    @inlinable
    package func slice(_ range: Range<Int>) -> Self {
        guard let subtree,
            let head = Self.head(of: subtree, upTo: range.upperBound, nodeCapacity)
        else { return Self(nodeCapacity: nodeCapacity) }
        return Self(Self.tail(of: head, from: range.lowerBound, nodeCapacity), nodeCapacity)
    }

    /// Returns a sequence with `replacement` instead of the elements in `range`, which may extend
    /// beyond the sequence.
    ///
    /// Complexity: O(log n).
    @inlinable
    package func replacing(_ range: Range<Int>, with replacement: Self) -> Self {
        slice(0..<range.lowerBound).appending(replacement)
            .appending(slice(range.upperBound..<(.max)))
    }

    // MARK: Cutting

    /// A subtree that has no parent; like a root, it may be less than half full.
    @usableFromInline
    struct Subtree {
        @usableFromInline let top: Child
        @usableFromInline let height: Int

        @inlinable
        init(_ top: Child, height: Int) {
            self.top = top
            self.height = height
        }

        @inlinable
        init<Payload>(_ node: PersistentNode<Payload>, height: Int) {
            self.init(PersistentSequence.child(of: node, height: height), height: height)
        }
    }

    @inlinable
    var subtree: Subtree? {
        guard let root else { return nil }
        return Subtree(Child(node: root, count: count, summary: summary), height: height)
    }

    @inlinable
    init(_ subtree: Subtree?, _ nodeCapacity: NodeCapacity) {
        self.init(
            root: subtree?.top.node,
            height: subtree?.height ?? 0,
            nodeCapacity: nodeCapacity,
            count: subtree?.top.count ?? 0,
            summary: subtree?.top.summary ?? .zero
        )
    }

    /// Returns the elements before `position`, or `nil` if there are none.
    @inlinable
    static func head(
        of tree: Subtree,
        upTo position: Int,
        _ capacity: NodeCapacity
    ) -> Subtree? {
        if position <= 0 { return nil }
        if position >= tree.top.count { return tree }
        if tree.height == 0 {
            let leaf = unsafeDowncast(tree.top.node, to: Leaf.self)
            return Subtree(leaf.copy(0..<position), height: 0)
        }
        let inner = unsafeDowncast(tree.top.node, to: Inner.self)
        let (index, offset) = inner.childIndex(of: position)
        let child = Subtree(inner.payloads[index], height: tree.height - 1)
        return joinedIfAny(
            part(0..<index, of: inner, height: tree.height),
            head(of: child, upTo: offset, capacity),
            capacity
        )
    }

    /// Returns the elements from `position` on, or `nil` if there are none.
    @inlinable
    static func tail(
        of tree: Subtree,
        from position: Int,
        _ capacity: NodeCapacity
    ) -> Subtree? {
        if position <= 0 { return tree }
        if position >= tree.top.count { return nil }
        if tree.height == 0 {
            let leaf = unsafeDowncast(tree.top.node, to: Leaf.self)
            return Subtree(leaf.copy(position..<leaf.payloadCount), height: 0)
        }
        let inner = unsafeDowncast(tree.top.node, to: Inner.self)
        let (index, offset) = inner.childIndex(of: position)
        let child = Subtree(inner.payloads[index], height: tree.height - 1)
        return joinedIfAny(
            tail(of: child, from: offset, capacity),
            part((index + 1)..<inner.payloadCount, of: inner, height: tree.height),
            capacity
        )
    }

    /// Returns a node over the children in `range`, the child itself if there is only one, or `nil`
    /// if the range is empty.
    @inlinable
    static func part(_ range: Range<Int>, of inner: Inner, height: Int) -> Subtree? {
        switch range.count {
        case 0: nil
        case 1: Subtree(inner.payloads[range.lowerBound], height: height - 1)
        default: Subtree(inner.copy(range), height: height)
        }
    }

    @inlinable
    static func joinedIfAny(
        _ first: Subtree?,
        _ second: Subtree?,
        _ capacity: NodeCapacity
    ) -> Subtree? {
        guard let first else { return second }
        guard let second else { return first }
        return joined(first, second, capacity)
    }

    // MARK: Joining

    @inlinable
    static func joined(
        _ first: Subtree,
        _ second: Subtree,
        _ capacity: NodeCapacity
    ) -> Subtree {
        let height = Swift.max(first.height, second.height)
        let (head, tail) = joinedNodes(first, second, capacity)
        guard let tail else { return Subtree(head, height: height) }
        let top = Inner.make(capacity: 2, owner: Inner.noOwner)
        top.append(head)
        top.append(tail)
        return Subtree(top, height: height + 1)
    }

    /// Joins two subtrees into one node with the height of the taller one, or into two nodes if one
    /// would be too full.
    @inlinable
    static func joinedNodes(
        _ first: Subtree,
        _ second: Subtree,
        _ capacity: NodeCapacity
    ) -> (Child, Child?) {
        if first.height < second.height {
            let inner = unsafeDowncast(second.top.node, to: Inner.self)
            let next = Subtree(inner.payloads[0], height: second.height - 1)
            let (head, tail) = joinedNodes(first, next, capacity)
            let node = Inner.make(capacity: inner.payloadCount + 1, owner: Inner.noOwner)
            node.append(head)
            if let tail { node.append(tail) }
            node.appendCopies(of: inner, 1..<inner.payloadCount)
            return halved(node, capacity.inner, height: second.height)
        }
        if first.height > second.height {
            let inner = unsafeDowncast(first.top.node, to: Inner.self)
            let last = inner.payloadCount - 1
            let previous = Subtree(inner.payloads[last], height: first.height - 1)
            let (head, tail) = joinedNodes(previous, second, capacity)
            let node = Inner.make(capacity: inner.payloadCount + 1, owner: Inner.noOwner)
            node.appendCopies(of: inner, 0..<last)
            node.append(head)
            if let tail { node.append(tail) }
            return halved(node, capacity.inner, height: first.height)
        }
        return first.height == 0
            ? merged(first, second, of: Element.self, capacity.leaf)
            : merged(first, second, of: Child.self, capacity.inner)
    }

    /// Joins two nodes of equal height. Returns them unchanged if both are full enough to be
    /// children of another node.
    @inlinable
    static func merged<Payload>(
        _ first: Subtree,
        _ second: Subtree,
        of: Payload.Type,
        _ capacity: Int
    ) -> (Child, Child?) {
        let left = unsafeDowncast(first.top.node, to: PersistentNode<Payload>.self)
        let right = unsafeDowncast(second.top.node, to: PersistentNode<Payload>.self)
        if left.payloadCount >= capacity / 2, right.payloadCount >= capacity / 2 {
            return (first.top, second.top)
        }
        let node = PersistentNode<Payload>.make(
            capacity: left.payloadCount + right.payloadCount,
            owner: PersistentNode<Payload>.noOwner
        )
        node.appendCopies(of: left, 0..<left.payloadCount)
        node.appendCopies(of: right, 0..<right.payloadCount)
        return halved(node, capacity, height: first.height)
    }

    /// Returns the node, or its two halves if it is too full.
    @inlinable
    static func halved<Payload>(
        _ node: PersistentNode<Payload>,
        _ capacity: Int,
        height: Int
    ) -> (Child, Child?) {
        guard node.payloadCount > capacity else { return (child(of: node, height: height), nil) }
        let middle = node.payloadCount / 2
        let tail = PersistentNode<Payload>.make(
            capacity: node.payloadCount - middle,
            owner: PersistentNode<Payload>.noOwner
        )
        node.moveLast(node.payloadCount - middle, toFrontOf: tail)
        return (child(of: node, height: height), child(of: tail, height: height))
    }

    /// Returns a sequence with another element at `position`, or this sequence if there is no such
    /// position.
    ///
    /// Complexity: O(log n).
    @inlinable
    package func replacing(at position: Int, with element: Element) -> Self {
        guard let root, indices.contains(position) else { return self }
        let copy = Self.copy(of: root, height: height, replacing: position, with: element)
        let summary = Self.summary(of: copy, height: height)
        return Self(
            root: copy,
            height: height,
            nodeCapacity: nodeCapacity,
            count: count,
            summary: summary
        )
    }

    /// Copies the nodes on the path to a position, each with the size of the original. A
    /// transaction would give them their full capacity, because it may have more edits to apply.
    @inlinable
    static func copy(
        of node: AnyObject,
        height: Int,
        replacing position: Int,
        with element: Element
    ) -> AnyObject {
        guard height > 0 else {
            let leaf = unsafeDowncast(node, to: Leaf.self)
            let copy = leaf.copy(0..<leaf.payloadCount)
            copy.payloads[position] = element
            return copy
        }
        let inner = unsafeDowncast(node, to: Inner.self)
        let copy = inner.copy(0..<inner.payloadCount)
        var (child, offset) = (copy.payloads, position)
        while offset >= child.pointee.count {
            offset -= child.pointee.count
            child += 1
        }
        child.pointee.node = Self.copy(
            of: child.pointee.node,
            height: height - 1,
            replacing: offset,
            with: element
        )
        child.pointee.summary = summary(of: child.pointee.node, height: height - 1)
        return copy
    }
}
