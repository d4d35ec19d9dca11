import Synchronization

// The nodes of a persistent sequence. A node is one allocation: an object followed by its payloads.
// Leaves hold elements, inner nodes hold children. Only the transaction whose number a node carries
// may write it, and after that transaction has committed nothing writes it, so published nodes can
// be read from any thread. Checking the reference count instead would be just as correct, but
// ThreadSanitizer cannot see that.

/// The most recent transaction number. Numbers are never reused.
private let lastOwner = Atomic<UInt64>(0)

/// The owner of the nodes that one transaction makes, or several that continue each other's work.
@usableFromInline
package struct NodeOwner: Sendable {
    @usableFromInline let number: UInt64

    /// Creates an owner that has no nodes yet.
    @usableFromInline
    package init() { number = lastOwner.add(1, ordering: .relaxed).newValue }
}

@usableFromInline
struct PersistentNodeHeader {
    /// The number of the transaction that may write the node.
    @usableFromInline let owner: UInt64
    /// The number of payloads.
    @usableFromInline var count: Int

    @inlinable
    init(owner: UInt64, count: Int) {
        self.owner = owner
        self.count = count
    }
}

/// An entry for a subtree in an inner node, with the values that are known without visiting the
/// subtree.
@usableFromInline
struct PersistentChild<Summary: SequenceSummary> {
    /// A leaf or an inner node; the height of the entry distinguishes them.
    @usableFromInline var node: AnyObject
    /// The number of elements in the subtree.
    @usableFromInline var count: Int
    @usableFromInline var summary: Summary

    @inlinable
    init(node: AnyObject, count: Int, summary: Summary) {
        self.node = node
        self.count = count
        self.summary = summary
    }
}

@usableFromInline
final class PersistentNode<Payload>: ManagedBuffer<PersistentNodeHeader, Payload> {
    /// Drops the children. The recursion is at most as deep as the tree.
    deinit {
        _ = withUnsafeMutablePointers { header, payloads in
            payloads.deinitialize(count: header.pointee.count)
        }
    }
}

extension PersistentNode {
    @inlinable
    static func make(capacity: Int, owner: UInt64) -> PersistentNode {
        let buffer = create(minimumCapacity: capacity) { _ in
            PersistentNodeHeader(owner: owner, count: 0)
        }
        return unsafeDowncast(buffer, to: PersistentNode.self)
    }

    /// The owner of nodes that were made outside any transaction. No transaction may write them.
    @inlinable
    static var noOwner: UInt64 { .max }

    // The header is read and written through a pointer. As a property of a class, it would be
    // checked for exclusivity on every access.

    /// The number of payloads.
    @inlinable
    var payloadCount: Int {
        get { withUnsafeMutablePointerToHeader { $0.pointee.count } }
        set { withUnsafeMutablePointerToHeader { $0.pointee.count = newValue } }
    }

    /// The number of the transaction that may write the node.
    @inlinable
    var owner: UInt64 { withUnsafeMutablePointerToHeader { $0.pointee.owner } }

    /// The payloads; valid while the node is alive. A caller holds the node, usually through its
    /// tree.
    @inlinable
    var payloads: UnsafeMutablePointer<Payload> { withUnsafeMutablePointerToElements { $0 } }

    @inlinable
    func copy(capacity: Int, owner: UInt64) -> PersistentNode {
        let copy = PersistentNode.make(capacity: capacity, owner: owner)
        copy.appendCopies(of: self, 0..<payloadCount)
        return copy
    }

    /// Returns a node with the payloads in `range` and no room for more.
    @inlinable
    func copy(_ range: Range<Int>) -> PersistentNode {
        let copy = PersistentNode.make(capacity: range.count, owner: Self.noOwner)
        copy.appendCopies(of: self, range)
        return copy
    }

    @inlinable
    func append(_ payload: Payload) { insert(payload, at: payloadCount) }

    @inlinable
    func insert(_ payload: Payload, at position: Int) {
        let place = payloads + position
        (place + 1).moveInitialize(from: place, count: payloadCount - position)
        place.initialize(to: payload)
        payloadCount += 1
    }

    @inlinable
    func remove(at position: Int) -> Payload {
        let place = payloads + position
        let payload = place.move()
        payloadCount -= 1
        place.moveInitialize(from: place + 1, count: payloadCount - position)
        return payload
    }

    /// Appends copies of some payloads of another node, which this transaction may not own.
    @inlinable
    func appendCopies(of other: PersistentNode, _ range: Range<Int>) {
        // The payloads are copied one by one, because the compiler specializes that. An array copy
        // would use the type's metadata.
        var place = payloads + payloadCount
        for index in range {
            place.initialize(to: other.payloads[index])
            place += 1
        }
        payloadCount += range.count
    }

    /// Moves the last `moved` payloads to the front of `next`. Both nodes belong to the same
    /// transaction.
    @inlinable
    func moveLast(_ moved: Int, toFrontOf next: PersistentNode) {
        (next.payloads + moved).moveInitialize(from: next.payloads, count: next.payloadCount)
        next.payloads.moveInitialize(from: payloads + (payloadCount - moved), count: moved)
        next.payloadCount += moved
        payloadCount -= moved
    }

    /// Moves the first `moved` payloads to the end of `previous`. Both nodes belong to the same
    /// transaction.
    @inlinable
    func moveFirst(_ moved: Int, toEndOf previous: PersistentNode) {
        (previous.payloads + previous.payloadCount).moveInitialize(from: payloads, count: moved)
        payloads.moveInitialize(from: payloads + moved, count: payloadCount - moved)
        previous.payloadCount += moved
        payloadCount -= moved
    }
}

/// The maximum size of the nodes of a ``PersistentSequence``.
@usableFromInline
package struct NodeCapacity: Hashable, Sendable {
    /// The maximum number of elements in a leaf.
    @usableFromInline package let leaf: Int
    /// The maximum number of children of an inner node.
    @usableFromInline package let inner: Int

    /// Creates a capacity.
    ///
    /// - Parameters:
    ///   - leaf: The maximum number of elements in a leaf, at least 4.
    ///   - inner: The maximum number of children of an inner node, at least 4.
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

    /// Returns a capacity that is the same for leaves and inner nodes.
    @inlinable
    package static func uniform(_ capacity: Int) -> NodeCapacity {
        NodeCapacity(leaf: capacity, inner: capacity)
    }
}
