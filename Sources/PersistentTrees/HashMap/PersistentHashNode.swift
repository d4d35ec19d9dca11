// The nodes of a persistent hash map: an object with its slots behind it in one allocation. As with the
// nodes of sequences, one is written only by the transaction whose number it bears.

@usableFromInline
struct PersistentHashHeader {
    /// The transaction that may write the node.
    @usableFromInline let owner: UInt64
    /// How many slots there are.
    @usableFromInline var count: Int
    /// How many slots there is room for.
    @usableFromInline let capacity: Int
    /// Which of the 32 branches have a slot; not used where hashes have no more bits.
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
    /// Drops the children, which recurses as deep as hashes are long and no deeper.
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

    // Through a pointer: as a property of a class, every access would be checked for exclusivity.

    @inlinable
    var info: PersistentHashHeader {
        get { withUnsafeMutablePointerToHeader { $0.pointee } }
        set { withUnsafeMutablePointerToHeader { $0.pointee = newValue } }
    }

    @inlinable
    var slotCount: Int { withUnsafeMutablePointerToHeader { $0.pointee.count } }

    /// Valid while the node is; who uses it holds the node, mostly through the map it hangs in.
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

    /// Where a hash goes on a level.
    @inlinable
    static func branch(of hash: UInt64, level: Int) -> UInt32 {
        1 << UInt32(truncatingIfNeeded: (hash >> UInt64(level * 5)) & 31)
    }

    /// The number of levels that a hash has bits for: twelve times five, and four. Below the last, keys
    /// of equal hashes are in one node, in any order.
    @inlinable
    static var levels: Int { 13 }

    /// The index of a branch among the slots.
    @inlinable
    func index(of branch: UInt32) -> Int { (header.branches & (branch - 1)).nonzeroBitCount }
}
