/// How much a node of a ``PersistentSequence`` holds at most.
@usableFromInline
package struct NodeCapacity: Hashable, Sendable {
    /// How many elements a leaf holds at most.
    @usableFromInline package let leaf: Int
    /// How many children an inner node holds at most.
    @usableFromInline package let inner: Int

    /// - Parameters:
    ///   - leaf: at least 4.
    ///   - inner: at least 4.
    @inlinable
    package init(leaf: Int, inner: Int) {
        guard leaf >= 4, inner >= 4 else {
            fatalError("node capacities of \(leaf) and \(inner) are below 4")
        }
        self.leaf = leaf
        self.inner = inner
    }

    @inlinable
    package static var standard: NodeCapacity { NodeCapacity(leaf: 32, inner: 32) }

    /// The same for leaves and inner nodes.
    @inlinable
    package static func uniform(_ capacity: Int) -> NodeCapacity {
        NodeCapacity(leaf: capacity, inner: capacity)
    }
}
