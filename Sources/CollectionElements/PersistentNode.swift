import Synchronization

// The nodes of a persistent sequence: an object with its payloads behind it in one allocation. Leaves
// hold elements, inner nodes hold children. A node is written only by the transaction whose number
// it bears, and by nobody once that has committed, so published nodes can be read from anywhere.
// Asking the reference count instead would be as correct, but ThreadSanitizer cannot see that.

/// The last transaction number that was given; numbers are never used twice.
private let lastOwner = Atomic<UInt64>(0)

/// A number that no node bears yet.
@usableFromInline
func makeOwner() -> UInt64 { lastOwner.add(1, ordering: .relaxed).newValue }

@usableFromInline
struct PersistentNodeHeader {
    /// The transaction that may write the node.
    @usableFromInline let owner: UInt64
    /// How many payloads there are.
    @usableFromInline var count: Int

    @inlinable
    init(owner: UInt64, count: Int) {
        self.owner = owner
        self.count = count
    }
}

/// A subtree within an inner node, with what is known of it without visiting it.
@usableFromInline
struct PersistentChild<Summary: SequenceSummary> {
    /// A leaf or an inner node: the height at which it hangs tells which.
    @usableFromInline var node: AnyObject
    /// How many elements are in it.
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
    /// Drops the children, which recurses as deep as the tree is high and no deeper.
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

    /// Valid while the node is; who uses it holds the node, mostly through the tree it hangs in.
    @inlinable
    var payloads: UnsafeMutablePointer<Payload> { withUnsafeMutablePointerToElements { $0 } }

    @inlinable
    func copy(capacity: Int, owner: UInt64) -> PersistentNode {
        let copy = PersistentNode.make(capacity: capacity, owner: owner)
        copy.appendCopies(of: self)
        return copy
    }

    @inlinable
    func insert(_ payload: Payload, at position: Int) {
        let place = payloads + position
        (place + 1).moveInitialize(from: place, count: header.count - position)
        place.initialize(to: payload)
        header.count += 1
    }

    @inlinable
    func remove(at position: Int) -> Payload {
        let place = payloads + position
        let payload = place.move()
        header.count -= 1
        place.moveInitialize(from: place + 1, count: header.count - position)
        return payload
    }

    /// Adds copies of all payloads of a node of someone else's behind the own ones.
    @inlinable
    func appendCopies(of other: PersistentNode) {
        (payloads + header.count).initialize(from: other.payloads, count: other.header.count)
        header.count += other.header.count
    }

    /// Moves the last `moved` payloads to the front of `next`; both belong to one transaction.
    @inlinable
    func moveLast(_ moved: Int, toFrontOf next: PersistentNode) {
        (next.payloads + moved).moveInitialize(from: next.payloads, count: next.header.count)
        next.payloads.moveInitialize(from: payloads + (header.count - moved), count: moved)
        next.header.count += moved
        header.count -= moved
    }

    /// Moves the first `moved` payloads to the end of `previous`; both belong to one transaction.
    @inlinable
    func moveFirst(_ moved: Int, toEndOf previous: PersistentNode) {
        (previous.payloads + previous.header.count).moveInitialize(from: payloads, count: moved)
        payloads.moveInitialize(from: payloads + moved, count: header.count - moved)
        previous.header.count += moved
        header.count -= moved
    }
}
