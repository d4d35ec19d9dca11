import PersistentTrees

// Entering identifiers into a persistent map one by one copies a way down the map for almost every one of
// them, some microseconds each. A batch becomes a table of its own instead, which nobody changes and all
// copies share; tables are joined as they become many, the small ones first. What is edited one by one goes
// into a map that outranks the tables.
//
// Source: the logarithmic method of Bentley and Saxe, "Decomposable Searching Problems" (1980).

/// Where identifiers are.
///
/// Complexity: O(1) to copy, O(1) expected for a look-up: one in a map and at most eight in tables. An
/// identifier of a batch is moved from table to table some ten times over a chain of edits; a single edit
/// may join them all.
@usableFromInline
struct IdentifierIndex<ID: Hashable & Sendable, Run: PlaceRun>: Sendable {
    @usableFromInline typealias Place = Run.Place
    @usableFromInline typealias Changes = PersistentHashMap<ID, Place?>
    @usableFromInline typealias Batch = PlacedIdentifiers<ID, Run>

    /// Oldest first; newer ones outrank older ones.
    @usableFromInline var batches: [Batch]
    /// Nil where an identifier of a table is gone. It outranks the tables.
    @usableFromInline var changes = Changes()

    @inlinable
    init() { batches = [] }

    @inlinable
    init(_ batch: Batch) { batches = batch.table.ids.isEmpty ? [] : [batch] }

    /// How many identifiers a batch must have to be worth a table.
    @inlinable
    var smallestBatch: Int { 64 }

    @inlinable
    static var mostBatches: Int { 8 }

    /// How many identifiers the tables have, those that are gone or elsewhere included.
    @inlinable
    var tabled: Int { batches.reduce(0) { $0 + $1.table.ids.count } }

    /// Where `id` is, or nil if it is not there.
    @inlinable
    func place(of id: ID) -> Place? {
        if batches.isEmpty, changes.isEmpty { return nil }
        let hash = Changes.hash(of: id)
        if let change = changes.value(forKey: id, hash: hash) { return change }
        for batch in batches.reversed() {
            if let ordinal = batch.table.ordinal(of: id, tag: hash >> 32) {
                return batch.place(ofOrdinal: ordinal)
            }
        }
        return nil
    }

    @inlinable
    func contains(_ id: ID) -> Bool {
        if batches.isEmpty, changes.isEmpty { return false }
        let hash = Changes.hash(of: id)
        if let change = changes.value(forKey: id, hash: hash) { return change != nil }
        return isTabled(id, hash: hash)
    }

    @inlinable
    func isTabled(_ id: ID, hash: UInt64) -> Bool {
        batches.contains { $0.table.ordinal(of: id, tag: hash >> 32) != nil }
    }

    /// The identifiers of a table that are there, in any order.
    @inlinable
    func identifiers(in table: IdentifierTable<ID>) -> [ID] {
        guard changes.isEmpty else { return table.ids.filter { contains($0) } }
        return batches.isEmpty ? [] : table.identifiers(inAnyOf: batches.map(\.table))
    }

    /// Gives identifiers new places.
    @inlinable
    mutating func update(_ places: some Sequence<(ID, Place)>) {
        var transaction = changes.transaction()
        for (id, place) in places { transaction.updateValue(place, forKey: id) }
        changes = transaction.commit()
    }

    /// Forgets identifiers that are there.
    @inlinable
    mutating func remove(_ ids: some Sequence<ID>) {
        var transaction = changes.transaction()
        for id in ids {
            if isTabled(id, hash: Changes.hash(of: id)) {
                transaction.updateValue(nil, forKey: id)
            } else {
                transaction.removeValue(forKey: id)
            }
        }
        changes = transaction.commit()
    }

    /// Gives many identifiers new places.
    @inlinable
    mutating func append(_ batch: Batch) {
        if !changes.isEmpty {
            var transaction = changes.transaction()
            for id in batch.table.ids { transaction.removeValue(forKey: id) }
            changes = transaction.commit()
        }
        // An array of its own: whether the one that is there is shared must not be asked.
        var joined: [Batch] = []
        joined.reserveCapacity(batches.count + 1)
        for other in batches { joined.append(other) }
        joined.append(batch)
        while joined.count > 1 {
            let (older, newer) = (joined[joined.count - 2], joined[joined.count - 1])
            let (old, new) = (older.table.ids.count, newer.table.ids.count)
            guard joined.count > Self.mostBatches || old < 2 * new,
                old + new <= IdentifierTable<ID>.limit
            else { break }
            joined.removeLast(2)
            joined.append(Batch(older, outrankedBy: newer))
        }
        batches = joined
    }
}
