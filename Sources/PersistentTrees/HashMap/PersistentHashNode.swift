// The nodes of a persistent hash map. A node is one allocation: an object followed by its slots. As
// with the nodes of sequences, only the transaction whose number a node carries may write it.

@usableFromInline
struct PersistentHashHeader {
    /// The number of the transaction that may write the node.
    @usableFromInline let owner: UInt64
    /// The number of slots in use.
    @usableFromInline var count: Int
    /// The number of slots that the allocation has room for.
    @usableFromInline let capacity: Int
    /// The set of the 32 branches that have a slot. It is unused below the last level, where hashes
    /// have no more bits.
    @usableFromInline var branches: UInt32

    @inlinable
    init(owner: UInt64, capacity: Int) {
        self.owner = owner
        self.capacity = capacity
        count = 0
        branches = 0
    }
}

@usableFromInline
enum PersistentHashSlot<Key, Value> {
    case entry(Key, Value)
    /// A ``PersistentHashNode`` of the same types.
    case child(AnyObject)
}

@usableFromInline
final class PersistentHashNode<Key, Value>: ManagedBuffer<
    PersistentHashHeader, PersistentHashSlot<Key, Value>
>
{
    /// Drops the children. The recursion is at most 14 levels deep.
    deinit {
        _ = withUnsafeMutablePointers { header, slots in
            slots.deinitialize(count: header.pointee.count)
        }
    }
}

extension PersistentHashNode {
    @usableFromInline typealias Slot = PersistentHashSlot<Key, Value>

    @inlinable
    static func make(capacity: Int, owner: UInt64) -> PersistentHashNode {
        let buffer = create(minimumCapacity: capacity) { _ in
            PersistentHashHeader(owner: owner, capacity: capacity)
        }
        return unsafeDowncast(buffer, to: PersistentHashNode.self)
    }

    // The header is read and written through a pointer. As a property of a class, it would be
    // checked for exclusivity on every access.

    @inlinable
    var info: PersistentHashHeader {
        get { withUnsafeMutablePointerToHeader { $0.pointee } }
        set { withUnsafeMutablePointerToHeader { $0.pointee = newValue } }
    }

    @inlinable
    var slotCount: Int { withUnsafeMutablePointerToHeader { $0.pointee.count } }

    /// The slots; valid while the node is alive. A caller holds the node, usually through its map.
    @inlinable
    var slots: UnsafeMutablePointer<Slot> { withUnsafeMutablePointerToElements { $0 } }

    @inlinable
    func copy(capacity: Int, owner: UInt64) -> PersistentHashNode {
        let copy = PersistentHashNode.make(capacity: capacity, owner: owner)
        var header = copy.info
        header.count = slotCount
        header.branches = self.info.branches
        copy.info = header
        for index in 0..<header.count { (copy.slots + index).initialize(to: slots[index]) }
        return copy
    }

    @inlinable
    func insert(_ slot: Slot, at index: Int, branch: UInt32) {
        var header = header
        let place = slots + index
        (place + 1).moveInitialize(from: place, count: header.count - index)
        place.initialize(to: slot)
        header.count += 1
        header.branches |= branch
        self.info = header
    }

    @inlinable
    func remove(at index: Int, branch: UInt32) {
        var header = header
        let place = slots + index
        place.deinitialize(count: 1)
        header.count -= 1
        header.branches &= ~branch
        place.moveInitialize(from: place + 1, count: header.count - index)
        self.info = header
    }

    /// Returns the bit of the branch that a hash takes at a level.
    @inlinable
    static func branch(of hash: UInt64, level: Int) -> UInt32 {
        1 << UInt32(truncatingIfNeeded: (hash >> UInt64(level * 5)) & 31)
    }

    /// The number of levels for which a hash has bits: twelve levels of five bits, and one of four.
    /// Below the last level, keys with equal hashes are in one node, in any order.
    @inlinable
    static var levels: Int { 13 }

    /// Returns the index of a branch among the slots.
    @inlinable
    func index(of branch: UInt32) -> Int { (header.branches & (branch - 1)).nonzeroBitCount }
}
