// What differs between two versions, found by walking both trees side by side, a level at a time: nodes
// that are the same object in both are left out with all that is below them. The cost follows the nodes
// that are not shared, which is what the edits between the two have made.

extension PersistentSequence {
    /// Neighbours in one version, and what is in their place in another.
    @usableFromInline
    package struct DifferingStretch: Hashable, Sendable {
        @usableFromInline package var old: Range<Int>
        @usableFromInline package var new: Range<Int>

        @inlinable
        package init(old: Range<Int>, new: Range<Int>) {
            self.old = old
            self.new = new
        }
    }

    /// Where this version differs from `old`: outside of the stretches both have the same elements in the
    /// same order; a stretch may be empty on one side, and there may be equal elements within one.
    ///
    /// Ascending on both sides. Stretches are no longer than they must be at their ends, by `isSame`.
    ///
    /// - Parameter isSame: asked about elements at the ends of stretches only, and not about those of
    ///   shared nodes.
    /// - Complexity: O(d), times the node capacity, for d nodes of either version that the other does not
    ///   have; O(k log n) after k edits.
    @inlinable
    package func differingStretches(
        from old: Self,
        where isSame: (_ old: Element, _ new: Element) -> Bool
    ) -> [DifferingStretch] {
        var oldNodes =
            old.root.map { [Child(node: $0, count: old.count, summary: old.summary)] } ?? []
        var newNodes = root.map { [Child(node: $0, count: count, summary: summary)] } ?? []
        // Only nodes of one height can be the same.
        for height in stride(from: old.height, to: height, by: -1) {
            oldNodes = Self.children(of: oldNodes[...], height: height)
        }
        for height in stride(from: height, to: old.height, by: -1) {
            newNodes = Self.children(of: newNodes[...], height: height)
        }
        var pairs = [
            DifferingNodes(old: oldNodes[...], new: newNodes[...], oldStart: 0, newStart: 0)
        ]
        var stretches: [DifferingStretch] = []
        var height = Swift.min(old.height, height)
        while true {
            let gaps = pairs.flatMap { $0.gaps() }
            guard height > 0 else {
                for gap in gaps {
                    let stretch = gap.stretch(where: isSame)
                    if !stretch.old.isEmpty || !stretch.new.isEmpty { stretches.append(stretch) }
                }
                return stretches
            }
            pairs = gaps.map { gap in
                DifferingNodes(
                    old: Self.children(of: gap.old, height: height)[...],
                    new: Self.children(of: gap.new, height: height)[...],
                    oldStart: gap.oldStart,
                    newStart: gap.newStart
                )
            }
            height -= 1
        }
    }

    /// The children of inner nodes of that height, in order.
    @inlinable
    static func children(of nodes: ArraySlice<Child>, height: Int) -> [Child] {
        var children: [Child] = []
        for node in nodes {
            let inner = unsafeDowncast(node.node, to: Inner.self)
            for index in 0..<inner.payloadCount { children.append(inner.payloads[index]) }
        }
        return children
    }

    /// Nodes of one height in two versions, with the positions at which they begin.
    @usableFromInline
    struct DifferingNodes {
        @usableFromInline let old: ArraySlice<Child>
        @usableFromInline let new: ArraySlice<Child>
        @usableFromInline let oldStart: Int
        @usableFromInline let newStart: Int

        @inlinable
        init(old: ArraySlice<Child>, new: ArraySlice<Child>, oldStart: Int, newStart: Int) {
            self.old = old
            self.new = new
            self.oldStart = oldStart
            self.newStart = newStart
        }
    }
}

extension PersistentSequence.DifferingNodes {
    @usableFromInline typealias Child = PersistentSequence.Child

    /// What is left between nodes that both sides have, in order.
    @inlinable
    func gaps() -> [Self] {
        var gaps: [Self] = []
        var (oldEnd, newEnd) = (old.startIndex, new.startIndex)
        var (oldPosition, newPosition) = (oldStart, newStart)
        func close(_ oldIndex: Int, _ newIndex: Int) {
            let gap = Self(
                old: old[oldEnd..<oldIndex],
                new: new[newEnd..<newIndex],
                oldStart: oldPosition,
                newStart: newPosition
            )
            if !gap.old.isEmpty || !gap.new.isEmpty { gaps.append(gap) }
            for node in gap.old { oldPosition += node.count }
            for node in gap.new { newPosition += node.count }
        }
        for (oldIndex, newIndex) in sharedNodes() {
            close(oldIndex, newIndex)
            oldPosition += old[oldIndex].count
            newPosition += new[newIndex].count
            (oldEnd, newEnd) = (oldIndex + 1, newIndex + 1)
        }
        close(old.endIndex, new.endIndex)
        return gaps
    }

    /// Pairs of indexes of nodes that are the same object, ascending on both sides.
    @inlinable
    func sharedNodes() -> [(old: Int, new: Int)] {
        var shared: [(old: Int, new: Int)] = []
        var (oldIndex, newIndex) = (old.startIndex, new.startIndex)
        while oldIndex < old.endIndex, newIndex < new.endIndex,
            old[oldIndex].node === new[newIndex].node
        {
            shared.append((oldIndex, newIndex))
            oldIndex += 1
            newIndex += 1
        }
        guard oldIndex < old.endIndex, newIndex < new.endIndex else { return shared }
        // Where one node occurs twice, the last place counts: any place is correct, if not the best.
        var places: [ObjectIdentifier: Int] = [:]
        for index in oldIndex..<old.endIndex { places[ObjectIdentifier(old[index].node)] = index }
        for index in newIndex..<new.endIndex {
            guard let place = places[ObjectIdentifier(new[index].node)], place >= oldIndex else {
                continue
            }
            shared.append((place, index))
            oldIndex = place + 1
        }
        return shared
    }

    /// The positions in leaves, without what is the same at both ends.
    @inlinable
    func stretch(
        where isSame: (PersistentSequence.Element, PersistentSequence.Element) -> Bool
    ) -> PersistentSequence.DifferingStretch {
        let oldCount = old.reduce(0) { $0 + $1.count }
        let newCount = new.reduce(0) { $0 + $1.count }
        let shorter = Swift.min(oldCount, newCount)
        var head = 0
        var (oldLeaves, newLeaves) = (LeafWalk(old), LeafWalk(new))
        while head < shorter, isSame(oldLeaves.next(), newLeaves.next()) { head += 1 }
        var tail = 0
        (oldLeaves, newLeaves) = (LeafWalk(endOf: old), LeafWalk(endOf: new))
        while tail < shorter - head, isSame(oldLeaves.previous(), newLeaves.previous()) {
            tail += 1
        }
        return PersistentSequence.DifferingStretch(
            old: (oldStart + head)..<(oldStart + oldCount - tail),
            new: (newStart + head)..<(newStart + newCount - tail)
        )
    }

    /// A place among the elements of leaves; who walks on must know that there are more.
    @usableFromInline
    struct LeafWalk {
        @usableFromInline let leaves: ArraySlice<Child>
        @usableFromInline var index: Int
        @usableFromInline var offset: Int

        @inlinable
        init(_ leaves: ArraySlice<Child>) {
            self.leaves = leaves
            index = leaves.startIndex
            offset = 0
        }

        @inlinable
        init(endOf leaves: ArraySlice<Child>) {
            self.leaves = leaves
            index = leaves.endIndex
            offset = 0
        }

        @inlinable
        mutating func next() -> PersistentSequence.Element {
            if offset == leaves[index].count { (index, offset) = (index + 1, 0) }
            defer { offset += 1 }
            return unsafeDowncast(leaves[index].node, to: PersistentSequence.Leaf.self).payloads[
                offset
            ]
        }

        @inlinable
        mutating func previous() -> PersistentSequence.Element {
            if offset == 0 { (index, offset) = (index - 1, leaves[index - 1].count) }
            offset -= 1
            return unsafeDowncast(leaves[index].node, to: PersistentSequence.Leaf.self).payloads[
                offset
            ]
        }
    }
}
