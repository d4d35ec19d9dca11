/// A sequence whose versions share what is equal in them.
///
/// It is a B+tree with element counts: elements in the leaves, all leaves equally deep, every node
/// but the root at least half full. A version is a value that never changes. Edits happen in a
/// ``Transaction``, which copies each node that it touches once and shares the rest; whole stretches
/// are cut, joined and replaced, and equal ones may be the same nodes.
///
/// Positions outside the sequence stop the process in every build, since nothing behind it would
/// notice; only ``element(at:)``, ``summary(before:)``, iteration and stretches go as far as there
/// are elements.
///
/// Threading: a version may be read from anywhere. Dropping the last version that holds some nodes
/// frees them on the spot, some ten nanoseconds an element; it recurses no deeper than the tree is
/// high. Whoever drops large versions and cannot wait hands the last reference to another lane.
///
/// Complexity: O(1) to copy a version; O(log n) for an element, and without allocation.
///
/// Source: B+trees with order statistics; path copying after Driscoll, Sarnak, Sleator and Tarjan,
/// "Making Data Structures Persistent" (1989), with the transients of Clojure's vectors; stretches as
/// in Boehm, Atkinson and Plass, "Ropes: an Alternative to Strings" (1995), joined as in the B-tree
/// ropes of the Xi editor.
@usableFromInline
// The nodes are not known to the compiler as sendable: no one writes them once they are published.
package struct PersistentSequence<Element, Summary: SequenceSummary>: @unchecked Sendable
where Summary.Element == Element, Element: Sendable {
    @usableFromInline typealias Child = PersistentChild<Summary>
    @usableFromInline typealias Leaf = PersistentNode<Element>
    @usableFromInline typealias Inner = PersistentNode<Child>

    /// A leaf at height 0, an inner node above; nil if there are no elements.
    @usableFromInline let root: AnyObject?

    /// How many inner nodes lie above every leaf.
    @usableFromInline package let height: Int

    /// How much a node holds at most.
    @usableFromInline package let nodeCapacity: NodeCapacity

    /// How many elements there are.
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

    /// No elements.
    ///
    /// - Parameter nodeCapacity: every version made from this one has the same.
    @inlinable
    package init(nodeCapacity: NodeCapacity = .standard) {
        self.init(root: nil, height: 0, nodeCapacity: nodeCapacity, count: 0, summary: .zero)
    }

    @inlinable
    package var indices: Range<Int> { 0..<count }

    /// Whether both are one version, shared and not merely equal.
    @inlinable
    package func isIdentical(to other: Self) -> Bool { root === other.root }

    /// The element at `position`.
    @inlinable
    package subscript(position: Int) -> Element {
        @inline(__always) get { withElement(at: position) { $0 } }
    }

    /// Calls `body` with the element at `position`, without a copy of it.
    ///
    /// Always inlined, since a call would copy the sequence, reference and all.
    @inlinable @inline(__always)
    package func withElement<Result>(at position: Int, _ body: (Element) -> Result) -> Result {
        guard let root, indices.contains(position) else {
            fatalError("no element at position \(position) of \(count)")
        }
        // The nodes on the way are not retained; the root holds them.
        defer { _fixLifetime(root) }
        let place = Self.leafPlace(of: position, in: root, height: height)
        return body(place.elements[place.offset])
    }

    /// Where a leaf keeps its elements, and where among them one is.
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

    /// The leaf with `position`, which must exist; valid while `root` is held.
    @inlinable
    static func leafPlace(of position: Int, in root: AnyObject, height: Int) -> LeafPlace {
        var offset = position
        // Retaining every node on the way down would cost more than the way.
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

    /// A child of `node`, whose subtree is `height` high, for an inner node to hold.
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

    /// Summed up again and not adjusted, so that sums of floating point numbers cannot drift.
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
