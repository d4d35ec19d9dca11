// The recursion of the edits: down to the leaf, taking over every node on the way, and back up,
// splitting nodes that are too full and filling up those that are too empty.

extension PersistentSequence.Transaction {
    @usableFromInline typealias Child = PersistentSequence.Child
    @usableFromInline typealias Inner = PersistentSequence.Inner

    /// How many payloads of a type a node holds at most.
    @inlinable
    func capacity<Payload>(of: Payload.Type) -> Int {
        Payload.self == Child.self ? nodeCapacity.inner : nodeCapacity.leaf
    }

    @inlinable
    mutating func makeNode<Payload>(of: Payload.Type) -> PersistentNode<Payload> {
        madeNodes += 1
        return PersistentNode<Payload>.make(capacity: capacity(of: Payload.self), owner: owner)
    }

    /// The node itself if it is this transaction's, otherwise a copy that takes its place.
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

    /// Inserts below `reference`; returns what had to be split off behind it.
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
        // Between two children the element goes behind the first, so that the end is a place too.
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

    /// Puts a payload into a node; returns the second half of a node that was full.
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

    /// Removes below `reference`, which may be left too empty.
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

    /// Merges the child at `index` with a neighbour, or takes over some of its payloads, if the
    /// child is less than half full.
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
        // Not the root, so there is a neighbour.
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
    /// The child that holds `position`, and where in it.
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
