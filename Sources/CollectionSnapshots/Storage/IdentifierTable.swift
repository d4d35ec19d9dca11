import PersistentTrees

// Most snapshots are made whole from rows, and many are never edited. So the identifiers that a snapshot
// is made with go into one flat table, which is also how duplicates are found, and cost less than a set
// of them; a persistent map holds only what edits have changed since.

/// Unique identifiers in their order, and where each is among them.
///
/// Never changed once it is made. Hashes are the standard library's, seeded by process; the order of
/// the slots reaches no output.
///
/// Complexity: O(1) expected for a look-up. Eight bytes a slot, two to four slots an identifier.
@usableFromInline
// The slots are written by the initializer only.
final class IdentifierTable<ID: Hashable & Sendable>: @unchecked Sendable {
    @usableFromInline let ids: [ID]
    /// The upper half of a hash, and the ordinal plus one; 0 where a slot is free.
    @usableFromInline let slots: UnsafeMutablePointer<UInt64>
    /// One less than the number of slots, a power of two.
    @usableFromInline let mask: UInt64
    /// Ordinals of identifiers that came before, ascending.
    @usableFromInline private(set) var duplicates: [Int] = []

    /// The most identifiers that a slot's half can number.
    @inlinable
    static var limit: Int { Int(UInt32.max >> 1) }

    /// - Parameter ids: at most ``limit``.
    @inlinable
    init(_ ids: [ID]) {
        self.ids = ids
        let slotCount = Swift.max(4, 1 << (Int.bitWidth - (ids.count * 2 - 1).leadingZeroBitCount))
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        mask = UInt64(slotCount - 1)
        fill()
    }

    deinit { slots.deallocate() }

    @inlinable
    func fill() {
        let (slots, mask) = (slots, mask)
        var repeated: [Int] = []
        ids.withUnsafeBufferPointer { ids in
            for ordinal in ids.indices {
                let hash = UInt64(truncatingIfNeeded: ids[ordinal].hashValue)
                let new = (hash & ~0xFFFF_FFFF) | UInt64(truncatingIfNeeded: ordinal + 1)
                var place = hash & mask
                while true {
                    let slot = slots[Int(truncatingIfNeeded: place)]
                    if slot == 0 {
                        slots[Int(truncatingIfNeeded: place)] = new
                        break
                    }
                    if slot >> 32 == hash >> 32,
                        ids[Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1] == ids[ordinal]
                    {
                        repeated.append(ordinal)
                        break
                    }
                    place = (place + 1) & mask
                }
            }
        }
        note(repeated)
    }

    @usableFromInline
    func note(_ repeated: [Int]) { duplicates = repeated }

    /// The place of an identifier among ``ids``, or nil if it is not there.
    @inlinable
    func ordinal(of id: ID, hash: UInt64) -> Int? {
        var place = hash & mask
        while true {
            let slot = slots[Int(truncatingIfNeeded: place)]
            if slot == 0 { return nil }
            if slot >> 32 == hash >> 32 {
                let ordinal = Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1
                if ids[ordinal] == id { return ordinal }
            }
            place = (place + 1) & mask
        }
    }

    /// Each identifier that is there more than once, once, in the order of their second places.
    @usableFromInline
    var duplicateIdentifiers: [ID] {
        duplicates.isEmpty ? [] : IdentifierTable(duplicates.map { ids[$0] }).uniqueIdentifiers
    }

    private var uniqueIdentifiers: [ID] {
        let repeated = Set(duplicates)
        return ids.indices.filter { !repeated.contains($0) }.map { ids[$0] }
    }
}
