import PersistentTrees

// Adding identifiers to a persistent map one by one copies a path down the map for almost every one
// of them, which takes a few microseconds. A batch therefore becomes an immutable table of its own,
// which all copies share. When there are many tables, they are joined, starting with the small
// ones. Single edits go into a map that takes precedence over the tables.
//
// Source: the logarithmic method of Bentley and Saxe, "Decomposable Searching Problems" (1980).

/// An index from identifiers to their places.
///
/// Complexity: O(1) to copy; O(1) expected for a look-up, which reads one map and at most eight
/// tables. An identifier of a batch is copied to another table about ten times over a chain of
/// edits; a single edit may join all tables.
@usableFromInline
struct IdentifierIndex<ID: Hashable & Sendable, Run: PlaceRun>: Sendable {
    @usableFromInline typealias Location = Run.Location
    @usableFromInline typealias Changes = PersistentHashMap<ID, Location?>
    @usableFromInline typealias Batch = PlacedIdentifiers<ID, Run>

    /// The tables, oldest first; newer ones take precedence.
    @usableFromInline var batches: [Batch]
    /// The places that take precedence over the tables; `nil` for a removed identifier of a table.
    @usableFromInline var changes = Changes()

    @inlinable
    init() { batches = [] }

    @inlinable
    init(_ batch: Batch) { batches = batch.table.ids.isEmpty ? [] : [batch] }

    /// The minimum number of identifiers for which a batch gets its own table.
    @inlinable
    var smallestBatch: Int { 64 }

    @inlinable
    static var mostBatches: Int { 8 }

    /// The number of identifiers in the tables, including those that have since been removed or
    /// moved.
    @inlinable
    var tabled: Int { batches.reduce(0) { $0 + $1.table.ids.count } }

    /// Returns the place of `id`, or `nil` if it is not in the index.
    @inlinable
    func place(of id: ID) -> Location? {
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

    /// Returns the identifiers of a table that are in the index, in any order.
    @inlinable
    func identifiers(in table: IdentifierTable<ID>) -> [ID] {
        guard changes.isEmpty else { return table.ids.filter { contains($0) } }
        return batches.isEmpty ? [] : table.identifiers(inAnyOf: batches.map(\.table))
    }

    /// Sets the places of identifiers.
    @inlinable
    mutating func update(_ places: some Sequence<(ID, Location)>) {
        var transaction = changes.transaction()
        for (id, place) in places { transaction.updateValue(place, forKey: id) }
        changes = transaction.commit()
    }

    /// Removes identifiers that are in the index.
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

    /// Sets the places of many identifiers.
    @inlinable
    mutating func append(_ batch: Batch) {
        if !changes.isEmpty {
            var transaction = changes.transaction()
            for id in batch.table.ids { transaction.removeValue(forKey: id) }
            changes = transaction.commit()
        }
        // A new array is made, because mutating the existing one in place checks whether it is
        // shared, and ThreadSanitizer cannot see that check.
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

/// The place of an item: the number of its section, and its label in the section.
@usableFromInline
struct ItemPlace: Sendable {
    @usableFromInline let section: Int
    @usableFromInline let label: Int

    @inlinable
    init(section: Int, label: Int) {
        self.section = section
        self.label = label
    }
}

/// A run of neighbours in a table. Their places are computed from their ordinals instead of stored.
@usableFromInline
protocol PlaceRun: Sendable {
    associatedtype Location: Sendable

    /// The ordinal of the first identifier in the run.
    var start: Int { get }

    func place(at offset: Int) -> Location

    /// Returns the run with all ordinals higher by `offset`.
    func shifted(by offset: Int) -> Self

    /// Returns whether the places continue those of `previous`, which ends where this run starts.
    func continues(_ previous: Self) -> Bool
}

/// Items that were added to a section together.
@usableFromInline
struct ItemRun: PlaceRun {
    @usableFromInline let start: Int
    @usableFromInline let section: Int
    @usableFromInline let labels: OrderLabels

    @inlinable
    init(start: Int, section: Int, labels: OrderLabels) {
        self.start = start
        self.section = section
        self.labels = labels
    }

    @inlinable
    func place(at offset: Int) -> ItemPlace {
        ItemPlace(section: section, label: labels[offset])
    }

    @inlinable
    func shifted(by offset: Int) -> ItemRun {
        ItemRun(start: start + offset, section: section, labels: labels)
    }

    @inlinable
    func continues(_ previous: ItemRun) -> Bool {
        section == previous.section && labels.step == previous.labels.step
            && labels.first == previous.labels[start - previous.start]
    }
}

/// Sections with ascending numbers.
@usableFromInline
struct SectionRun: PlaceRun {
    @usableFromInline let start: Int
    @usableFromInline let number: Int

    @inlinable
    init(start: Int, number: Int) {
        self.start = start
        self.number = number
    }

    @inlinable
    func place(at offset: Int) -> Int { number + offset }

    @inlinable
    func shifted(by offset: Int) -> SectionRun {
        SectionRun(start: start + offset, number: number)
    }

    @inlinable
    func continues(_ previous: SectionRun) -> Bool {
        number - previous.number == start - previous.start
    }
}

/// Identifiers that were added together, with their places.
@usableFromInline
struct PlacedIdentifiers<ID: Hashable & Sendable, Run: PlaceRun>: Sendable {
    @usableFromInline let table: IdentifierTable<ID>
    /// The runs in ascending order; the first one starts at 0.
    @usableFromInline let runs: [Run]

    @inlinable
    init(_ table: IdentifierTable<ID>, runs: [Run]) {
        self.table = table
        self.runs = runs
    }

    /// Joins two batches; if an identifier is in both, its place in `newer` is used.
    @inlinable
    init(_ older: PlacedIdentifiers, outrankedBy newer: PlacedIdentifiers) {
        table = IdentifierTable(older.table, outrankedBy: newer.table)
        var runs = older.runs
        runs.reserveCapacity(older.runs.count + newer.runs.count)
        for run in newer.runs {
            let next = run.shifted(by: older.table.ids.count)
            if let last = runs.last, next.continues(last) { continue }
            runs.append(next)
        }
        self.runs = runs
    }

    @inlinable
    func place(ofOrdinal ordinal: Int) -> Run.Location {
        // A binary search for the last run that starts at or before the ordinal.
        var (low, high) = (0, runs.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if runs[middle].start <= ordinal { low = middle } else { high = middle }
        }
        return runs[low].place(at: ordinal - runs[low].start)
    }
}
