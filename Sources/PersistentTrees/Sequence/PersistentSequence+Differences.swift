// Finds the differences between two versions by walking both trees in parallel, one level at a
// time. Nodes that are the same object in both versions are skipped, with everything below them.
// The cost depends only on the nodes that are not shared: those that the edits between the two
// versions created.

extension PersistentSequence {
    /// A range of elements in one version, and the range that replaces it in another.
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

    /// Returns the stretches in which this version differs from `old`. Outside the stretches both
    /// versions have the same elements in the same order. A stretch may be empty on one side, and
    /// may contain equal elements.
    ///
    /// The stretches are in ascending order on both sides. Elements that `isSame` considers the
    /// same are trimmed from their ends.
    ///
    /// - Parameters:
    ///   - old: The version to compare with.
    ///   - isSame: A closure that returns whether two elements are the same. It is called only for
    ///     elements at the ends of stretches, never for elements of shared nodes.
    /// - Complexity: O(d), times the node capacity, for d nodes of either version that the other
    ///   does not have; O(k log n) after k edits.
    @inlinable
    package func differingStretches(
        from old: Self,
        where isSame: (_ old: Element, _ new: Element) -> Bool
    ) -> [DifferingStretch] {
        var oldNodes =
            old.root.map { [Child(node: $0, count: old.count, summary: old.summary)] } ?? []
        var newNodes = root.map { [Child(node: $0, count: count, summary: summary)] } ?? []
        // Only nodes of equal height can be the same.
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

    /// Returns the children of inner nodes of the given height, in order.
    @inlinable
    static func children(of nodes: ArraySlice<Child>, height: Int) -> [Child] {
        var children: [Child] = []
        for node in nodes {
            let inner = unsafeDowncast(node.node, to: Inner.self)
            for index in 0..<inner.payloadCount { children.append(inner.payloads[index]) }
        }
        return children
    }

    /// Nodes of equal height in two versions, with the positions at which they begin.
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

    /// Returns the nodes between those that both sides share, in order.
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

    /// Returns pairs of indexes of nodes that are the same object, ascending on both sides.
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
        // If a node occurs twice, its last place is used. Any place is correct, although it may not
        // be the best.
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

    /// Returns the positions of the elements in these leaves, trimmed of elements at both ends that
    /// are the same in the two versions.
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

    /// A position among the elements of leaves. A caller that advances it must know that there are
    /// more elements.
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
