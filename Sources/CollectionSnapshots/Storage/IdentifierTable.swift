// Most snapshots are made in one step from rows, or in batches. Identifiers that are added together
// therefore go into one flat table. The table also finds duplicates, and costs less than a set.

/// Unique identifiers in order, with an index of their ordinals.
///
/// Immutable. The hashes are those of the standard library, with a seed for each process; the order
/// of the slots affects no output. The slot of an identifier follows from the upper bits of its
/// hash, so slots of different tables have almost the same order: joining two tables, or looking up
/// many identifiers, reads memory in order.
///
/// Complexity: O(1) expected for a look-up. Eight bytes for each slot, and two to four slots for
/// each identifier.
@usableFromInline
// @unchecked Sendable: only the initializers write the slots.
final class IdentifierTable<ID: Hashable & Sendable>: @unchecked Sendable {
    @usableFromInline let ids: [ID]
    /// The slots: each contains the upper half of a hash and the ordinal plus one, or 0 if it is
    /// free.
    @usableFromInline let slots: UnsafeMutablePointer<UInt64>
    /// The base-2 logarithm of the number of slots, from 2 to 32.
    @usableFromInline let bits: UInt64
    /// The ordinals of repeated identifiers, ascending.
    @usableFromInline private(set) var duplicates: [Int] = []

    /// The maximum number of identifiers: their ordinals must fit in half a slot.
    @inlinable
    static var limit: Int { Int(UInt32.max >> 1) }

    /// Creates a table.
    ///
    /// - Parameter ids: The identifiers, at most ``limit``.
    @inlinable
    init(_ ids: [ID]) {
        self.ids = ids
        bits = Self.bits(for: ids.count)
        slots = Self.makeSlots(bits)
        note(fill())
    }

    /// Joins two tables: the identifiers of `older`, then those of `newer`. An identifier that is
    /// in both is found at its ordinal in `newer`'s part.
    ///
    /// Together, the tables have at most ``limit`` identifiers.
    ///
    /// Complexity: O(n), without hashing.
    @inlinable
    init(_ older: IdentifierTable, outrankedBy newer: IdentifierTable) {
        ids = older.ids + newer.ids
        bits = Self.bits(for: ids.count)
        slots = Self.makeSlots(bits)
        join(older, newer)
    }

    deinit { slots.deallocate() }

    @inlinable
    static func bits(for count: Int) -> UInt64 {
        UInt64(Swift.max(2, Int.bitWidth - Swift.max(0, count * 2 - 1).leadingZeroBitCount))
    }

    @inlinable
    static func makeSlots(_ bits: UInt64) -> UnsafeMutablePointer<UInt64> {
        let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: 1 << Int(bits))
        slots.initialize(repeating: 0, count: 1 << Int(bits))
        return slots
    }

    /// Returns the half of a hash that slots contain.
    @inlinable
    static func tag(of id: ID) -> UInt64 { UInt64(truncatingIfNeeded: id.hashValue) >> 32 }

    /// Inserts all identifiers, and returns the ordinals of repeated ones.
    @inlinable
    func fill() -> [Int] {
        let (slots, mask, shift) = (slots, (UInt64(1) << bits) - 1, 32 - bits)
        var repeated: [Int] = []
        ids.withUnsafeBufferPointer { ids in
            for ordinal in ids.indices {
                let tag = Self.tag(of: ids[ordinal])
                var place = tag >> shift
                while true {
                    let slot = slots[Int(truncatingIfNeeded: place)]
                    if slot == 0 {
                        slots[Int(truncatingIfNeeded: place)] =
                            tag << 32 | UInt64(truncatingIfNeeded: ordinal + 1)
                        break
                    }
                    if slot >> 32 == tag,
                        ids[Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1] == ids[ordinal]
                    {
                        repeated.append(ordinal)
                        break
                    }
                    place = (place + 1) & mask
                }
            }
        }
        return repeated
    }

    @inlinable
    func join(_ older: IdentifierTable, _ newer: IdentifierTable) {
        let (slots, mask, shift) = (slots, (UInt64(1) << bits) - 1, 32 - bits)
        for index in 0..<(1 << Int(older.bits)) {
            let slot = older.slots[index]
            if slot == 0 { continue }
            var place = (slot >> 32) >> shift
            while slots[Int(truncatingIfNeeded: place)] != 0 { place = (place + 1) & mask }
            slots[Int(truncatingIfNeeded: place)] = slot
        }
        let offset = UInt64(truncatingIfNeeded: older.ids.count)
        ids.withUnsafeBufferPointer { ids in
            for index in 0..<(1 << Int(newer.bits)) {
                if newer.slots[index] == 0 { continue }
                let slot = newer.slots[index] &+ offset
                let id = Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1
                var place = (slot >> 32) >> shift
                while true {
                    let other = slots[Int(truncatingIfNeeded: place)]
                    if other == 0 { break }
                    if other >> 32 == slot >> 32,
                        ids[Int(truncatingIfNeeded: other & 0xFFFF_FFFF) - 1] == ids[id]
                    {
                        break
                    }
                    place = (place + 1) & mask
                }
                slots[Int(truncatingIfNeeded: place)] = slot
            }
        }
    }

    @usableFromInline
    func note(_ repeated: [Int]) { duplicates = repeated }

    /// Returns the ordinal of an identifier in ``ids``, or `nil` if it is not in the table.
    @inlinable
    func ordinal(of id: ID, tag: UInt64) -> Int? {
        let (slots, mask) = (slots, (UInt64(1) << bits) - 1)
        var place = tag >> (32 - bits)
        while true {
            let slot = slots[Int(truncatingIfNeeded: place)]
            if slot == 0 { return nil }
            if slot >> 32 == tag {
                let ordinal = Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1
                if ids[ordinal] == id { return ordinal }
            }
            place = (place + 1) & mask
        }
    }

    /// Returns the identifiers that are also in one of `others`, in any order.
    ///
    /// Complexity: O(n) for each of the others; memory is read in order.
    @inlinable
    func identifiers(inAnyOf others: [IdentifierTable]) -> [ID] {
        var found: [ID] = []
        for index in 0..<(1 << Int(bits)) {
            let slot = slots[index]
            if slot == 0 { continue }
            let id = ids[Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1]
            if others.contains(where: { $0.ordinal(of: id, tag: slot >> 32) != nil }) {
                found.append(id)
            }
        }
        return found
    }

    /// The identifiers that occur more than once, each once, in the order of their second
    /// occurrences.
    @usableFromInline
    var duplicateIdentifiers: [ID] {
        duplicates.isEmpty ? [] : IdentifierTable(duplicates.map { ids[$0] }).uniqueIdentifiers
    }

    private var uniqueIdentifiers: [ID] {
        let repeated = Set(duplicates)
        return ids.indices.filter { !repeated.contains($0) }.map { ids[$0] }
    }
}
