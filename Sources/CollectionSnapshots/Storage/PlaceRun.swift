import PersistentTrees

/// Where an item is: the number of its section, and its label there.
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

/// Neighbours in a table whose places follow from their ordinals, so that none are kept.
@usableFromInline
protocol PlaceRun: Sendable {
    associatedtype Place: Sendable

    /// The ordinal of the first.
    var start: Int { get }

    func place(at offset: Int) -> Place

    /// The same places for ordinals that are higher by `offset`.
    func shifted(by offset: Int) -> Self

    /// Whether the places go on where those of `previous` end, which reaches up to this one.
    func continues(_ previous: Self) -> Bool
}

/// Items that came into a section together.
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

/// Identifiers that came together, with their places.
@usableFromInline
struct PlacedIdentifiers<ID: Hashable & Sendable, Run: PlaceRun>: Sendable {
    @usableFromInline let table: IdentifierTable<ID>
    /// Ascending; the first begins at 0.
    @usableFromInline let runs: [Run]

    @inlinable
    init(_ table: IdentifierTable<ID>, runs: [Run]) {
        self.table = table
        self.runs = runs
    }

    /// Both; where an identifier is in both, its place in `newer` counts.
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
    func place(ofOrdinal ordinal: Int) -> Run.Place {
        // The last run that starts at or before it.
        var (low, high) = (0, runs.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if runs[middle].start <= ordinal { low = middle } else { high = middle }
        }
        return runs[low].place(at: ordinal - runs[low].start)
    }
}
