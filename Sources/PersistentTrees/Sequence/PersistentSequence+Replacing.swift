extension PersistentSequence {
    /// With another element at `position`; unchanged if there is none.
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

    /// The nodes on the way to a position, just as large as those that they take the place of: a transaction,
    /// which may have more to do, would make them as large as they may become.
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
