// Cutting and joining, of which edits of whole stretches are made. What is cut or joined is made anew, just as
// large as it must be; every other node is shared, with other versions and also within one.

extension PersistentSequence {
    /// `count` times the same; equal parts are one and the same node.
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

    /// Both, one behind the other; they must have the same node capacity.
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

    /// The elements in `range`, as far as there are any.
    ///
    /// Complexity: O(log n).
    @inlinable
    package func slice(_ range: Range<Int>) -> Self {
        guard let subtree,
            let head = Self.head(of: subtree, upTo: range.upperBound, nodeCapacity)
        else { return Self(nodeCapacity: nodeCapacity) }
        return Self(Self.tail(of: head, from: range.lowerBound, nodeCapacity), nodeCapacity)
    }

    /// With `replacement` in place of the elements in `range`, as far as there are any.
    ///
    /// Complexity: O(log n).
    @inlinable
    package func replacing(_ range: Range<Int>, with replacement: Self) -> Self {
        slice(0..<range.lowerBound).appending(replacement)
            .appending(slice(range.upperBound..<(.max)))
    }
}

// MARK: - Cutting

extension PersistentSequence {
    /// A subtree that hangs nowhere; like a root it may be less than half full.
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

    /// What is before `position`, or nil if that is nothing.
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

    /// What is from `position` on, or nil if that is nothing.
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

    /// Some of a node's children: a node over them, or the only one.
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
}

// MARK: - Joining

extension PersistentSequence {
    @inlinable
    static func joined(
        _ first: Subtree,
        _ second: Subtree,
        _ capacity: NodeCapacity
    ) -> Subtree {
        let height = Swift.max(first.height, second.height)
        let (head, tail) = joinedNodes(first, second, capacity)
        guard let tail else { return Subtree(head, height: height) }
        let top = Inner.make(capacity: 2, owner: Inner.nobody)
        top.append(head)
        top.append(tail)
        return Subtree(top, height: height + 1)
    }

    /// One node as high as the higher of the two, or two of them where one would be too full.
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
            let node = Inner.make(capacity: inner.payloadCount + 1, owner: Inner.nobody)
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
            let node = Inner.make(capacity: inner.payloadCount + 1, owner: Inner.nobody)
            node.appendCopies(of: inner, 0..<last)
            node.append(head)
            if let tail { node.append(tail) }
            return halved(node, capacity.inner, height: first.height)
        }
        return first.height == 0
            ? merged(first, second, of: Element.self, capacity.leaf)
            : merged(first, second, of: Child.self, capacity.inner)
    }

    /// Two nodes of one height: as they are if both may hang below another.
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
            owner: PersistentNode<Payload>.nobody
        )
        node.appendCopies(of: left, 0..<left.payloadCount)
        node.appendCopies(of: right, 0..<right.payloadCount)
        return halved(node, capacity, height: first.height)
    }

    /// The node, or two halves of it where it is too full.
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
            owner: PersistentNode<Payload>.nobody
        )
        node.moveLast(node.payloadCount - middle, toFrontOf: tail)
        return (child(of: node, height: height), child(of: tail, height: height))
    }
}
