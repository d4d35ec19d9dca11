extension PersistentSequence {
    /// Begins the next version; this version does not change.
    ///
    /// Complexity: O(1).
    @inlinable
    package func transaction() -> Transaction { Transaction(self, NodeOwner()) }

    /// Begins the next version, writing the nodes that an earlier transaction of the same owner
    /// made instead of copying them again. The version that the earlier one has committed must not
    /// be used after this call.
    ///
    /// Complexity: O(1).
    @inlinable
    package func transaction(of owner: NodeOwner) -> Transaction { Transaction(self, owner) }

    /// A series of edits that makes the next version.
    ///
    /// It cannot be copied, and committing consumes it: only the transaction may write the nodes
    /// that it made.
    @usableFromInline
    package struct Transaction: ~Copyable {
        @usableFromInline var root: AnyObject?
        @usableFromInline let owner: UInt64
        @usableFromInline let nodeCapacity: NodeCapacity

        /// The number of inner nodes above every leaf.
        @usableFromInline package internal(set) var height: Int
        /// The current number of elements.
        @usableFromInline package internal(set) var count: Int

        /// The number of nodes created so far, copied or new; used by complexity tests.
        @usableFromInline package internal(set) var madeNodes = 0
        /// The number of nodes visited so far to change them; used by complexity tests.
        @usableFromInline package internal(set) var visitedNodes = 0

        @inlinable
        init(_ sequence: PersistentSequence, _ owner: NodeOwner) {
            root = sequence.root
            height = sequence.height
            count = sequence.count
            nodeCapacity = sequence.nodeCapacity
            self.owner = owner.number
        }

        /// Returns the next version.
        ///
        /// Complexity: O(1); only the root is visited.
        @inlinable
        package consuming func commit() -> PersistentSequence {
            PersistentSequence(
                root: root,
                height: height,
                nodeCapacity: nodeCapacity,
                count: count,
                summary: root.map { summary(of: $0, height: height) } ?? .zero
            )
        }

        /// The element at `position`.
        @inlinable
        package subscript(position: Int) -> Element {
            guard let root, (0..<count).contains(position) else {
                fatalError("no element at position \(position) of \(count)")
            }
            defer { _fixLifetime(root) }
            let place = leafPlace(of: position, in: root, height: height)
            return place.elements[place.offset]
        }
    }
}

extension PersistentSequence.Transaction {
    /// Inserts an element before the one at `position`, or at the end if `position` is `count`.
    ///
    /// Complexity: O(log n).
    @inlinable
    package mutating func insert(_ element: Element, at position: Int) {
        guard position >= 0, position <= count else {
            fatalError("cannot insert at position \(position) of \(count)")
        }
        count += 1
        guard var node = root else {
            let leaf = makeNode(of: Element.self)
            leaf.insert(element, at: 0)
            root = leaf
            return
        }
        if let sibling = insert(element, at: position, into: &node, height: height) {
            let top = makeNode(of: PersistentSequence.Child.self)
            top.insert(PersistentSequence.child(of: node, height: height), at: 0)
            top.insert(sibling, at: 1)
            node = top
            height += 1
        }
        root = node
    }

    /// Inserts elements, the first at `position`.
    ///
    /// Complexity: O(m log n) for m elements, and O(m) if they are at least as many as the existing
    /// elements.
    @inlinable
    package mutating func insert(contentsOf elements: [Element], at position: Int) {
        guard elements.count > 1, elements.count >= count else {
            for (offset, element) in elements.enumerated() {
                insert(element, at: position + offset)
            }
            return
        }
        guard position >= 0, position <= count else {
            fatalError("cannot insert at position \(position) of \(count)")
        }
        rebuild(replacing: position..<position, with: elements)
    }

    /// Removes and returns the element at `position`.
    ///
    /// Complexity: O(log n).
    @inlinable @discardableResult
    package mutating func remove(at position: Int) -> Element {
        guard var node = root, position >= 0, position < count else {
            fatalError("cannot remove at position \(position) of \(count)")
        }
        let element = remove(at: position, from: &node, height: height)
        count -= 1
        while height > 0, onlyChild(of: node) != nil {
            node = onlyChild(of: node) ?? node
            height -= 1
        }
        root = count == 0 ? nil : node
        return element
    }

    /// Removes the elements in `range`.
    ///
    /// Complexity: O(m log n) for m elements, and O(m) if they are at least half of all.
    @inlinable
    package mutating func removeSubrange(_ range: Range<Int>) {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            fatalError("cannot remove positions \(range) of \(count)")
        }
        if range.count > 1, range.count >= count - range.count {
            rebuild(replacing: range, with: [])
        } else {
            for position in range.reversed() { remove(at: position) }
        }
    }

    /// Replaces the element at `position` and returns the old one.
    ///
    /// Complexity: O(log n).
    @inlinable @discardableResult
    package mutating func replace(at position: Int, with element: Element) -> Element {
        guard var node = root, position >= 0, position < count else {
            fatalError("cannot replace at position \(position) of \(count)")
        }
        defer { root = node }
        return replace(at: position, with: element, in: &node, height: height)
    }

    /// Builds the whole tree again, for edits as large as the elements that remain.
    @inlinable
    mutating func rebuild(replacing range: Range<Int>, with replacement: [Element]) {
        let old = PersistentSequence(
            root: root,
            height: height,
            nodeCapacity: nodeCapacity,
            count: count,
            summary: .zero
        )
        var elements = old.prefix(range.lowerBound) + replacement
        var rest = old.makeIterator(from: range.upperBound)
        while let element = rest.next() { elements.append(element) }
        // These nodes have another owner, so they are treated like shared ones.
        let new = PersistentSequence(elements, nodeCapacity: nodeCapacity)
        (root, height, count) = (new.root, new.height, new.count)
    }
}

// The recursive part of the edits. On the way down, the transaction replaces every node that it
// does not own with a copy. On the way up, it splits nodes that are too full and fills nodes that
// are too empty.

extension PersistentSequence.Transaction {
    @usableFromInline typealias Child = PersistentSequence.Child
    @usableFromInline typealias Inner = PersistentSequence.Inner

    /// Returns the maximum number of payloads of this type in a node.
    @inlinable
    func capacity<Payload>(of: Payload.Type) -> Int {
        Payload.self == Child.self ? nodeCapacity.inner : nodeCapacity.leaf
    }

    @inlinable
    mutating func makeNode<Payload>(of: Payload.Type) -> PersistentNode<Payload> {
        madeNodes += 1
        return PersistentNode<Payload>.make(capacity: capacity(of: Payload.self), owner: owner)
    }

    /// Returns the node itself if this transaction owns it. Otherwise replaces the node with a copy
    /// and returns the copy.
    @inlinable
    mutating func own<Payload>(
        _ reference: inout AnyObject,
        of: Payload.Type
    ) -> PersistentNode<Payload> {
        visitedNodes += 1
        let node = unsafeDowncast(reference, to: PersistentNode<Payload>.self)
        if node.owner == owner { return node }
        madeNodes += 1
        let copy = node.copy(capacity: capacity(of: Payload.self), owner: owner)
        reference = copy
        return copy
    }

    @inlinable
    func onlyChild(of node: AnyObject) -> AnyObject? {
        let inner = unsafeDowncast(node, to: Inner.self)
        return inner.payloadCount == 1 ? inner.payloads[0].node : nil
    }

    // MARK: Inserting

    /// Inserts the element below `reference`. Returns the new right sibling if the node had to be
    /// split.
    @inlinable
    mutating func insert(
        _ element: Element,
        at position: Int,
        into reference: inout AnyObject,
        height: Int
    ) -> Child? {
        if height == 0 {
            let leaf = own(&reference, of: Element.self)
            return place(element, at: position, in: leaf)
                .map { PersistentSequence.child(of: $0, height: 0) }
        }
        let inner = own(&reference, of: Child.self)
        var (index, offset) = (0, position)
        // An element between two children is inserted at the end of the first, so that the end of
        // the sequence needs no special case.
        while offset > inner.payloads[index].count {
            offset -= inner.payloads[index].count
            index += 1
        }
        let child = inner.payloads + index
        let sibling = insert(element, at: offset, into: &child.pointee.node, height: height - 1)
        child.pointee.count += 1 - (sibling?.count ?? 0)
        child.pointee.summary = PersistentSequence.summary(
            of: child.pointee.node,
            height: height - 1
        )
        guard let sibling else { return nil }
        return place(sibling, at: index + 1, in: inner)
            .map { PersistentSequence.child(of: $0, height: height) }
    }

    /// Inserts a payload into a node. Returns the second half if the node was full.
    @inlinable
    mutating func place<Payload>(
        _ payload: Payload,
        at position: Int,
        in node: PersistentNode<Payload>
    ) -> PersistentNode<Payload>? {
        let capacity = capacity(of: Payload.self)
        guard node.payloadCount == capacity else {
            node.insert(payload, at: position)
            return nil
        }
        let tail = makeNode(of: Payload.self)
        let middle = capacity / 2
        node.moveLast(capacity - middle, toFrontOf: tail)
        if position <= middle {
            node.insert(payload, at: position)
        } else {
            tail.insert(payload, at: position - middle)
        }
        return tail
    }

    // MARK: Removing

    /// Removes an element below `reference`, which may have too few payloads afterwards.
    @inlinable
    mutating func remove(
        at position: Int,
        from reference: inout AnyObject,
        height: Int
    ) -> Element {
        if height == 0 { return own(&reference, of: Element.self).remove(at: position) }
        let inner = own(&reference, of: Child.self)
        let (index, offset) = inner.childIndex(of: position)
        let child = inner.payloads + index
        let element = remove(at: offset, from: &child.pointee.node, height: height - 1)
        child.pointee.count -= 1
        child.pointee.summary = PersistentSequence.summary(
            of: child.pointee.node,
            height: height - 1
        )
        if height == 1 {
            fillUp(index, in: inner, of: Element.self, height: 0)
        } else {
            fillUp(index, in: inner, of: Child.self, height: height - 1)
        }
        return element
    }

    /// If the child at `index` is less than half full, merges it with a neighbour or moves payloads
    /// between the two.
    @inlinable
    mutating func fillUp<Payload>(
        _ index: Int,
        in inner: Inner,
        of: Payload.Type,
        height: Int
    ) {
        let node = unsafeDowncast(inner.payloads[index].node, to: PersistentNode<Payload>.self)
        let capacity = capacity(of: Payload.self)
        guard node.payloadCount < capacity / 2 else { return }
        // The child is not the root, so it has a neighbour.
        let first = index == 0 ? 0 : index - 1
        let left = own(&inner.payloads[first].node, of: Payload.self)
        let right = unsafeDowncast(
            inner.payloads[first + 1].node,
            to: PersistentNode<Payload>.self
        )
        let total = left.payloadCount + right.payloadCount
        if total <= capacity {
            left.appendCopies(of: right, 0..<right.payloadCount)
            _ = inner.remove(at: first + 1)
        } else {
            let right = own(&inner.payloads[first + 1].node, of: Payload.self)
            let excess = left.payloadCount - total / 2
            if excess > 0 {
                left.moveLast(excess, toFrontOf: right)
            } else {
                right.moveFirst(-excess, toEndOf: left)
            }
            inner.payloads[first + 1] = PersistentSequence.child(of: right, height: height)
        }
        inner.payloads[first] = PersistentSequence.child(of: left, height: height)
    }

    // MARK: Replacing

    @inlinable
    mutating func replace(
        at position: Int,
        with element: Element,
        in reference: inout AnyObject,
        height: Int
    ) -> Element {
        if height == 0 {
            let leaf = own(&reference, of: Element.self)
            let old = leaf.payloads[position]
            leaf.payloads[position] = element
            return old
        }
        let inner = own(&reference, of: Child.self)
        let (index, offset) = inner.childIndex(of: position)
        let child = inner.payloads + index
        let old = replace(at: offset, with: element, in: &child.pointee.node, height: height - 1)
        child.pointee.summary = PersistentSequence.summary(
            of: child.pointee.node,
            height: height - 1
        )
        return old
    }
}

extension PersistentNode {
    /// Returns the child that holds `position`, and the offset within that child.
    @inlinable
    func childIndex<Summary>(of position: Int) -> (index: Int, offset: Int)
    where Payload == PersistentChild<Summary> {
        var (index, offset) = (0, position)
        while offset >= payloads[index].count {
            offset -= payloads[index].count
            index += 1
        }
        return (index, offset)
    }
}
