extension PersistentSequence {
    /// Makes a sequence of elements that come one by one, without ever holding them all in one array.
    ///
    /// It cannot be copied, since the leaf that it fills is its own.
    @usableFromInline
    package struct Builder: ~Copyable {
        @usableFromInline let nodeCapacity: NodeCapacity
        /// Leaves are left with a little room, so that the first edits do not split them.
        @usableFromInline let filling: Int
        /// Those that are filled.
        @usableFromInline var leaves: [Child] = []
        @usableFromInline var leaf: Leaf?
        // Into the leaf, which would be retained for every element otherwise.
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
            let next = Leaf.make(capacity: filling, owner: Leaf.nobody)
            header = next.withUnsafeMutablePointerToHeader { $0 }
            payloads = next.payloads
            leaf = next
        }

        /// The sequence of what was appended.
        @inlinable
        package consuming func tree() -> PersistentSequence {
            // Only the last leaf may be too empty; joining sees to that.
            let last = leaf.map { Subtree($0, height: 0) }
            return PersistentSequence(over: leaves, nodeCapacity)
                .appending(PersistentSequence(last, nodeCapacity))
        }
    }
}
