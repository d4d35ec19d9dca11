/// The memory of a hash table with open addressing: eight bytes a slot, half of them a part of the hash and half the
/// number of a row. What the rows are, and when two are equal, is for its owner to say.
///
/// At most half of the slots are ever filled, so that looking for what is not there ends soon.
@usableFromInline
struct SlotTable: ~Copyable {
    @usableFromInline let slots: UnsafeMutablePointer<UInt64>
    @usableFromInline let mask: Int

    /// - Parameter capacity: no more rows are put in.
    @inlinable
    init(capacity: Int) {
        var count = 16
        while count < 2 * capacity { count *= 2 }
        slots = .allocate(capacity: count)
        slots.initialize(repeating: 0, count: count)
        mask = count - 1
    }

    @inlinable
    deinit { slots.deallocate() }

    /// The slot at which to begin looking.
    @inlinable @inline(__always)
    func start(_ hash: Int) -> Int { hash & mask }

    @inlinable @inline(__always)
    func after(_ slot: Int) -> Int { (slot &+ 1) & mask }

    /// What a slot holds for a row; 0 is for an empty one.
    @inlinable @inline(__always)
    static func content(_ hash: Int, row: Int) -> UInt64 {
        tag(hash) | UInt64(truncatingIfNeeded: row &+ 1)
    }

    /// The same with another row.
    @inlinable @inline(__always)
    static func content(_ content: UInt64, row: Int) -> UInt64 {
        content & 0xffff_ffff_0000_0000 | UInt64(truncatingIfNeeded: row &+ 1)
    }

    @inlinable @inline(__always)
    static func row(_ content: UInt64) -> Int { Int(content & 0xffff_ffff) &- 1 }

    /// Whether a slot that is not empty may hold a row of that hash.
    @inlinable @inline(__always)
    static func mayHold(_ content: UInt64, _ hash: Int) -> Bool {
        content & 0xffff_ffff_0000_0000 == tag(hash)
    }

    // The high half, because the low bits already say where the slot is.
    @inlinable @inline(__always)
    static func tag(_ hash: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: hash) & 0xffff_ffff_0000_0000
    }
}
