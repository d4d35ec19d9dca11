/// A persistent sequence: its versions share the nodes that they have in common.
///
/// The sequence is a B+tree with element counts. The elements are in the leaves, all leaves have
/// the same depth, and every node except the root is at least half full. A version is a value that
/// never changes. Edits happen in a ``Transaction``, which copies each node that it touches once
/// and shares the rest. Whole stretches can be cut, joined and replaced; equal stretches may share
/// nodes.
///
/// A position outside the sequence stops the process in every build, because no later code would
/// notice the fault. Only ``element(at:)``, ``summary(before:)``, iteration and stretches accept
/// such positions and ignore what lies outside.
///
/// Threading: a version may be read from any thread. When the last version that holds a node is
/// dropped, the node is freed immediately, in about ten nanoseconds per element; the recursion is
/// at most as deep as the tree. A caller that drops large versions and cannot wait passes the last
/// reference to another lane.
///
/// Complexity: O(1) to copy a version; O(log n) to read an element, without allocation.
///
/// Source: B+trees with order statistics; path copying after Driscoll, Sarnak, Sleator and Tarjan,
/// "Making Data Structures Persistent" (1989), with the transients of Clojure's vectors; stretches
/// as in Boehm, Atkinson and Plass, "Ropes: an Alternative to Strings" (1995), joined as in the
/// B-tree ropes of the Xi editor.
@usableFromInline
// `@unchecked` because the compiler cannot see that the nodes are sendable: they are never written
// after they are published.
package struct PersistentSequence<Element, Summary: SequenceSummary>: @unchecked Sendable
where Summary.Element == Element, Element: Sendable {
    @usableFromInline typealias Child = PersistentChild<Summary>
    @usableFromInline typealias Leaf = PersistentNode<Element>
    @usableFromInline typealias Inner = PersistentNode<Child>

    /// The root: a leaf at height 0, an inner node above that; `nil` if the sequence is empty.
    @usableFromInline let root: AnyObject?

    /// The number of inner nodes above every leaf.
    @usableFromInline package let height: Int

    /// The capacity of the nodes.
    @usableFromInline package let nodeCapacity: NodeCapacity

    /// The number of elements.
    @usableFromInline package let count: Int

    /// The summary of all elements.
    @usableFromInline package let summary: Summary

    @inlinable
    init(
        root: AnyObject?,
        height: Int,
        nodeCapacity: NodeCapacity,
        count: Int,
        summary: Summary
    ) {
        self.root = root
        self.height = height
        self.nodeCapacity = nodeCapacity
        self.count = count
        self.summary = summary
    }

    /// Creates an empty sequence.
    ///
    /// - Parameter nodeCapacity: The capacity of the nodes of this version and of every version
    ///   made from it.
    @inlinable
    package init(nodeCapacity: NodeCapacity = .standard) {
        self.init(root: nil, height: 0, nodeCapacity: nodeCapacity, count: 0, summary: .zero)
    }

    @inlinable
    package var indices: Range<Int> { 0..<count }

    /// Returns whether both values are the same version, with the same root, and are not merely
    /// equal.
    @inlinable
    package func isIdentical(to other: Self) -> Bool { root === other.root }

    /// The element at `position`.
    @inlinable
    package subscript(position: Int) -> Element {
        @inline(__always) get { withElement(at: position) { $0 } }
    }

    /// Calls `body` with the element at `position`, without copying the element.
    ///
    /// Always inlined, because a call would copy the sequence and retain its root.
    @inlinable @inline(__always)
    package func withElement<Result>(at position: Int, _ body: (Element) -> Result) -> Result {
        guard let root, indices.contains(position) else {
            fatalError("no element at position \(position) of \(count)")
        }
        // The nodes on the path are not retained; the root keeps them alive.
        defer { _fixLifetime(root) }
        let place = Self.leafPlace(of: position, in: root, height: height)
        return body(place.elements[place.offset])
    }

    /// The storage of a leaf's elements, and the offset of one of them.
    @usableFromInline
    struct LeafPlace {
        @usableFromInline let elements: UnsafeMutablePointer<Element>
        @usableFromInline let count: Int
        @usableFromInline let offset: Int

        @inlinable
        init(elements: UnsafeMutablePointer<Element>, count: Int, offset: Int) {
            self.elements = elements
            self.count = count
            self.offset = offset
        }
    }

    /// Returns the leaf that contains `position`, which must exist. The result is valid while
    /// `root` is retained.
    @inlinable
    static func leafPlace(of position: Int, in root: AnyObject, height: Int) -> LeafPlace {
        var offset = position
        // Retaining every node on the path would cost more than the descent itself.
        var node = Unmanaged.passUnretained(root)
        for _ in 0..<height {
            node = node._withUnsafeGuaranteedRef { object in
                var child = unsafeDowncast(object, to: Inner.self).payloads
                while offset >= child.pointee.count {
                    offset -= child.pointee.count
                    child += 1
                }
                return Unmanaged.passUnretained(child.pointee.node)
            }
        }
        return node._withUnsafeGuaranteedRef { object in
            let leaf = unsafeDowncast(object, to: Leaf.self)
            return LeafPlace(elements: leaf.payloads, count: leaf.payloadCount, offset: offset)
        }
    }

    /// Returns an entry for `node`, whose subtree has the given height, to be stored in an inner
    /// node.
    @inlinable
    static func child(of node: AnyObject, height: Int) -> Child {
        Child(
            node: node,
            count: count(of: node, height: height),
            summary: summary(of: node, height: height)
        )
    }

    @inlinable
    static func count(of node: AnyObject, height: Int) -> Int {
        if height == 0 { return unsafeDowncast(node, to: Leaf.self).payloadCount }
        let inner = unsafeDowncast(node, to: Inner.self)
        var count = 0
        for index in 0..<inner.payloadCount { count += inner.payloads[index].count }
        return count
    }

    /// Computes the summary of a node again instead of adjusting it, so that sums of floating-point
    /// numbers cannot drift.
    @inlinable
    static func summary(of node: AnyObject, height: Int) -> Summary {
        var summary = Summary.zero
        if MemoryLayout<Summary>.size == 0 { return summary }
        if height == 0 {
            let leaf = unsafeDowncast(node, to: Leaf.self)
            for index in 0..<leaf.payloadCount {
                summary = summary.combined(with: Summary(of: leaf.payloads[index]))
            }
        } else {
            let inner = unsafeDowncast(node, to: Inner.self)
            for index in 0..<inner.payloadCount {
                summary = summary.combined(with: inner.payloads[index].summary)
            }
        }
        return summary
    }
}

/// A value that a ``PersistentSequence`` aggregates over its elements, in addition to their number.
///
/// Combining must be associative, with `zero` as its neutral element. It need not be commutative:
/// elements are always combined in order.
@usableFromInline
package protocol SequenceSummary: Sendable {
    associatedtype Element

    /// The summary of no elements.
    static var zero: Self { get }

    /// The summary of one element.
    init(of element: Element)

    /// Returns the summary of this summary's elements followed by those of `next`.
    func combined(with next: Self) -> Self

    /// The first element, with which searches need not descend to it; `nil` if the summary does not
    /// contain it.
    var firstElement: Element? { get }
}

extension SequenceSummary {
    @inlinable
    package var firstElement: Element? { nil }
}

/// A summary that stores nothing: it occupies no space and is never computed. The sequence still
/// counts its elements.
@usableFromInline
package struct NoSummary<Element>: SequenceSummary {
    @inlinable
    package init() {}

    @inlinable
    package init(of element: Element) {}

    @inlinable
    package static var zero: Self { Self() }

    @inlinable
    package func combined(with next: Self) -> Self { next }
}

extension PersistentSequence {
    /// A description of one node of the tree, with which tests check balance, sums and sharing.
    package struct NodeShape {
        package let identity: ObjectIdentifier
        package let height: Int
        /// The number of elements or children that the node holds.
        package let payloadCount: Int
        /// The number of elements below the node, as its parent records it.
        package let count: Int
        package let summary: Summary
        package let children: [NodeShape]
    }

    /// The root with all nodes below it, or `nil` if the sequence is empty.
    ///
    /// Complexity: O(n), and more if nodes are shared within the tree.
    package var shape: NodeShape? {
        func shape(_ child: Child, _ height: Int) -> NodeShape {
            let payloadCount: Int
            var children: [NodeShape] = []
            if height == 0 {
                payloadCount = unsafeDowncast(child.node, to: Leaf.self).payloadCount
            } else {
                let inner = unsafeDowncast(child.node, to: Inner.self)
                payloadCount = inner.payloadCount
                children = (0..<payloadCount).map { shape(inner.payloads[$0], height - 1) }
            }
            return NodeShape(
                identity: ObjectIdentifier(child.node),
                height: height,
                payloadCount: payloadCount,
                count: child.count,
                summary: child.summary,
                children: children
            )
        }
        return root.map { shape(Child(node: $0, count: count, summary: summary), height) }
    }

    @inlinable
    package var isEmpty: Bool { count == 0 }

    /// Returns the element at `position`, or `nil` if there is none.
    @inlinable
    package func element(at position: Int) -> Element? {
        indices.contains(position) ? self[position] : nil
    }

    /// Returns the summary of all elements before `position`, which may be outside the sequence.
    ///
    /// Complexity: O(log n), times the node capacity, without allocation.
    @inlinable
    package func summary(before position: Int) -> Summary {
        position > 0 ? place { count, _ in count > position }.before : .zero
    }

    /// The result of a search: a position and the summary of the elements before it.
    @usableFromInline
    package struct SearchResult {
        @usableFromInline package var index: Int
        /// The summary of the elements before the position.
        @usableFromInline package var before: Summary

        @inlinable
        init(index: Int, before: Summary) {
            self.index = index
            self.before = before
        }
    }

    /// Returns the place of the first element for which `condition` holds, or the end if there is
    /// none. The count and the summary that are passed to `condition` include that element.
    ///
    /// - Parameter condition: A monotonic condition: once true, it stays true as more elements are
    ///   included.
    /// - Complexity: O(log n), times the node capacity, without allocation.
    @inlinable
    package func place(where condition: (_ count: Int, _ summary: Summary) -> Bool) -> SearchResult
    {
        var place = SearchResult(index: 0, before: .zero)
        guard let root, condition(count, summary) else {
            return SearchResult(index: count, before: summary)
        }
        defer { _fixLifetime(root) }
        var node = Unmanaged.passUnretained(root)
        for _ in 0..<height {
            node = node._withUnsafeGuaranteedRef { object in
                let inner = unsafeDowncast(object, to: Inner.self)
                var child = inner.payloads
                // The last child is always entered, because the sums may not add up exactly.
                let last = child + (inner.payloadCount - 1)
                while child < last {
                    let through = place.before.combined(with: child.pointee.summary)
                    if condition(place.index + child.pointee.count, through) { break }
                    place = SearchResult(index: place.index + child.pointee.count, before: through)
                    child += 1
                }
                return Unmanaged.passUnretained(child.pointee.node)
            }
        }
        node._withUnsafeGuaranteedRef { object in
            let leaf = unsafeDowncast(object, to: Leaf.self)
            for offset in 0..<(leaf.payloadCount - 1) {
                let through = place.before.combined(with: Summary(of: leaf.payloads[offset]))
                if condition(place.index + 1, through) { break }
                place = SearchResult(index: place.index + 1, before: through)
            }
        }
        return place
    }

    /// Returns the position of the first element for which `isBefore` is false, or the end.
    ///
    /// - Parameter isBefore: A condition that holds for the first elements and for none after them.
    /// - Complexity: O(log n) calls of `isBefore`, without allocation.
    @inlinable
    package func partitionPoint(where isBefore: (Element) -> Bool) -> Int {
        Self.partitionPoint(below: root, height: height, where: isBefore)
    }

    @inlinable
    static func partitionPoint(
        below root: AnyObject?,
        height: Int,
        where isBefore: (Element) -> Bool
    ) -> Int {
        guard var node = root else { return 0 }
        var start = 0
        for level in stride(from: height, to: 0, by: -1) {
            let inner = unsafeDowncast(node, to: Inner.self)
            // The partition point is in the last child whose first element satisfies `isBefore`.
            var (low, high) = (0, inner.payloadCount - 1)
            while low < high {
                let middle = (low + high + 1) / 2
                let child = inner.payloads[middle]
                let first =
                    child.summary.firstElement ?? firstElement(below: child.node, height: level - 1)
                if isBefore(first) {
                    low = middle
                } else {
                    high = middle - 1
                }
            }
            for index in 0..<low { start += inner.payloads[index].count }
            node = inner.payloads[low].node
        }
        let leaf = unsafeDowncast(node, to: Leaf.self)
        var (low, high) = (0, leaf.payloadCount)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(leaf.payloads[middle]) { low = middle + 1 } else { high = middle }
        }
        return start + low
    }

    @inlinable
    static func firstElement(below node: AnyObject, height: Int) -> Element {
        var node = node
        for _ in 0..<height { node = unsafeDowncast(node, to: Inner.self).payloads[0].node }
        return unsafeDowncast(node, to: Leaf.self).payloads[0]
    }

    /// Calls `body` with the elements at some positions, those of each leaf at once, in order and
    /// without copying them. The positions may be outside the sequence.
    ///
    /// - Parameter body: Must not keep the pointer.
    @inlinable
    package func forEachLeaf<Failure: Error>(
        at positions: Range<Int>,
        _ body: (UnsafeBufferPointer<Element>) throws(Failure) -> Void
    ) throws(Failure) {
        func visit(_ node: AnyObject, _ height: Int, _ start: Int) throws(Failure) {
            if height == 0 {
                let leaf = unsafeDowncast(node, to: Leaf.self)
                let part = positions.clamped(to: start..<(start + leaf.payloadCount))
                let elements = leaf.payloads + (part.lowerBound - start)
                return try body(UnsafeBufferPointer(start: elements, count: part.count))
            }
            let inner = unsafeDowncast(node, to: Inner.self)
            var start = start
            for index in 0..<inner.payloadCount {
                let end = start + inner.payloads[index].count
                if start < positions.upperBound, positions.lowerBound < end {
                    try visit(inner.payloads[index].node, height - 1, start)
                }
                start = end
            }
        }
        guard let root, positions.overlaps(indices) else { return }
        defer { _fixLifetime(root) }
        try visit(root, height, 0)
    }
}

extension PersistentSequence.Transaction {
    /// Returns the position of the first element for which `isBefore` is false, or the end.
    ///
    /// - Parameter isBefore: A condition that holds for the first elements and for none after them.
    /// - Complexity: O(log n) calls of `isBefore`, without allocation.
    @inlinable
    package func partitionPoint(where isBefore: (Element) -> Bool) -> Int {
        PersistentSequence.partitionPoint(below: root, height: height, where: isBefore)
    }
}

extension PersistentSequence: Sequence {
    /// An iterator that starts at any position. It descends from the root once for each leaf.
    @usableFromInline
    // `@unchecked` because of the pointer. It points into a leaf of the version that the iterator
    // holds, and no code writes to that leaf.
    package struct Iterator: IteratorProtocol, @unchecked Sendable {
        @usableFromInline let sequence: PersistentSequence
        /// The position after the current leaf.
        @usableFromInline var leafEnd: Int
        @usableFromInline var nextElement: UnsafeMutablePointer<Element>?
        @usableFromInline var remainingInLeaf = 0

        @inlinable
        init(_ sequence: PersistentSequence, from position: Int) {
            self.sequence = sequence
            leafEnd = Swift.max(0, position)
        }

        @inlinable
        package mutating func next() -> Element? {
            if remainingInLeaf == 0, !enterNextLeaf() { return nil }
            guard let element = nextElement else { return nil }
            nextElement = element + 1
            remainingInLeaf -= 1
            return withExtendedLifetime(sequence) { element.pointee }
        }

        @inlinable
        mutating func enterNextLeaf() -> Bool {
            guard let root = sequence.root, leafEnd < sequence.count else { return false }
            let place = leafPlace(of: leafEnd, in: root, height: sequence.height)
            nextElement = place.elements + place.offset
            remainingInLeaf = place.count - place.offset
            leafEnd += remainingInLeaf
            return true
        }
    }

    @inlinable
    package func makeIterator() -> Iterator { Iterator(self, from: 0) }

    /// Returns an iterator that starts at `position`. It returns no elements if `position` is at or
    /// beyond the end.
    @inlinable
    package func makeIterator(from position: Int) -> Iterator { Iterator(self, from: position) }

    @inlinable
    package var underestimatedCount: Int { count }
}
