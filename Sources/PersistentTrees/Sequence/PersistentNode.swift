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

    /// Of nodes that no transaction made, and none may write.
    @inlinable
    static var nobody: UInt64 { .max }

    // The header is read and written through a pointer: as a property of a class, every access to it
    // would be checked for exclusivity.

    /// How many payloads there are.
    @inlinable
    var payloadCount: Int {
        get { withUnsafeMutablePointerToHeader { $0.pointee.count } }
        set { withUnsafeMutablePointerToHeader { $0.pointee.count = newValue } }
    }

    /// The transaction that may write the node.
    @inlinable
    var owner: UInt64 { withUnsafeMutablePointerToHeader { $0.pointee.owner } }

    /// Valid while the node is; who uses it holds the node, mostly through the tree it hangs in.
    @inlinable
    var payloads: UnsafeMutablePointer<Payload> { withUnsafeMutablePointerToElements { $0 } }

    @inlinable
    func copy(capacity: Int, owner: UInt64) -> PersistentNode {
        let copy = PersistentNode.make(capacity: capacity, owner: owner)
        copy.appendCopies(of: self, 0..<payloadCount)
        return copy
    }

    /// A node with some of the payloads, just large enough for them.
    @inlinable
    func copy(_ range: Range<Int>) -> PersistentNode {
        let copy = PersistentNode.make(capacity: range.count, owner: Self.nobody)
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

    /// Adds copies of some payloads of a node of someone else's behind the own ones.
    @inlinable
    func appendCopies(of other: PersistentNode, _ range: Range<Int>) {
        // One by one, which is specialized; as an array they would be copied by their metadata.
        var place = payloads + payloadCount
        for index in range {
            place.initialize(to: other.payloads[index])
            place += 1
        }
        payloadCount += range.count
    }

    /// Moves the last `moved` payloads to the front of `next`; both belong to one transaction.
    @inlinable
    func moveLast(_ moved: Int, toFrontOf next: PersistentNode) {
        (next.payloads + moved).moveInitialize(from: next.payloads, count: next.payloadCount)
        next.payloads.moveInitialize(from: payloads + (payloadCount - moved), count: moved)
        next.payloadCount += moved
        payloadCount -= moved
    }

    /// Moves the first `moved` payloads to the end of `previous`; both belong to one transaction.
    @inlinable
    func moveFirst(_ moved: Int, toEndOf previous: PersistentNode) {
        (previous.payloads + previous.payloadCount).moveInitialize(from: payloads, count: moved)
        payloads.moveInitialize(from: payloads + moved, count: payloadCount - moved)
        previous.payloadCount += moved
        payloadCount -= moved
    }
}
