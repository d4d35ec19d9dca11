import CollectionChanges
import PersistentTrees

/// The sections and items of a list, by identifier and in order.
///
/// Use it if you have the new state but not the edits: make a snapshot of the rows, and let the
/// library compare it with the previous one. A change set describes how a state changes; a snapshot
/// describes the state itself.
///
/// ```swift
/// var snapshot = try CollectionSnapshot(["today": [1, 2, 3], "older": [4]])
/// try snapshot.appendItems([5], toSection: "today")
/// try snapshot.moveItem(4, beforeItem: 1)
/// snapshot.path(of: 4)   // 0 - 0
/// ```
///
/// Section identifiers are unique, and so are item identifiers across all sections; a section and
/// an item may have the same identifier. Appending or inserting an existing item moves it. In
/// addition to the order, a snapshot has marks for sections and items to reload or reconfigure when
/// it is applied. Equality ignores marks, and deleting a section or item removes its marks.
///
/// Shape: indexes and paths refer to this snapshot; sections and items are counted from 0.
///
/// Threading: a value type; read and send it on any thread.
///
/// Errors: edits throw a ``SnapshotError`` that contains UIKit's text for the fault, and then
/// change nothing.
///
/// Complexity: O(1) to copy, and copies share equal parts; O(1) expected to find an identifier;
/// O(log n) for an edit of one item; O(m log n) for m items over a chain of edits, and never more
/// than making the snapshot again. Making a snapshot, in one step or in large batches, costs about
/// as much as a set of its identifiers. Large batches are therefore cheaper than single items.
///
/// Source: the behaviour of the snapshots of UIKit's diffable data sources; implemented with
/// persistent trees, hash tables and hash tries.
public struct CollectionSnapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
    Sendable
{
    @usableFromInline typealias Entry = SnapshotEntry<SectionID, ItemID>
    @usableFromInline typealias Entries = PersistentSequence<
        Entry, SnapshotSummary<SectionID, ItemID>
    >

    @usableFromInline var entries: Entries
    @usableFromInline var itemIndex: IdentifierIndex<ItemID, ItemRun>
    /// The number of each section, by identifier.
    @usableFromInline var sectionIndex: IdentifierIndex<SectionID, SectionRun>
    /// The number of sections at creation. The labels of these sections are computed from their
    /// numbers.
    @usableFromInline var firstSections: Int
    /// The labels of the other sections, by number.
    @usableFromInline var sectionLabels = PersistentHashMap<Int, Int>()
    /// A number greater than that of any section.
    @usableFromInline var nextSectionNumber: Int

    @usableFromInline var reloadedSections = MarkedIdentifiers<SectionID>()
    @usableFromInline var reloadedItems = MarkedIdentifiers<ItemID>()
    @usableFromInline var reconfiguredItems = MarkedIdentifiers<ItemID>()

    /// Creates a snapshot without sections.
    @inlinable
    public init() {
        entries = Entries()
        itemIndex = IdentifierIndex()
        sectionIndex = IdentifierIndex()
        firstSections = 0
        nextSectionNumber = 0
    }

    /// Creates a snapshot from tables without duplicates.
    ///
    /// - Parameters:
    ///   - sections: The section identifiers.
    ///   - items: The item identifiers of all sections.
    ///   - starts: The ordinal of each section's first item, followed by the number of items.
    @inlinable
    init(
        _ sections: IdentifierTable<SectionID>,
        _ items: IdentifierTable<ItemID>,
        starts: [Int]
    ) {
        let count = sections.ids.count
        let labels = OrderLabels.filling(count)
        var runs: [ItemRun] = []
        entries = Entries(count: count) { number in
            let start = starts[number]
            let itemCount = starts[number + 1] - start
            let itemLabels = OrderLabels.filling(itemCount)
            if itemCount > 0 {
                runs.append(ItemRun(start: start, section: number, labels: itemLabels))
            }
            let sequence = Entry.Items(count: itemCount) {
                LabelledIdentifier(items.ids[start + $0], label: itemLabels[$0])
            }
            return Entry(
                sections.ids[number],
                number: number,
                label: labels[number],
                items: sequence
            )
        }
        itemIndex = IdentifierIndex(PlacedIdentifiers(items, runs: runs))
        sectionIndex = IdentifierIndex(
            PlacedIdentifiers(sections, runs: [SectionRun(start: 0, number: 0)])
        )
        firstSections = count
        nextSectionNumber = count
    }

    /// Creates a snapshot of sections; throws if identifiers are not unique.
    @inlinable
    init(sections: [SectionID], items: [ItemID], starts: [Int]) throws(SnapshotError) {
        guard
            items.count <= IdentifierTable<ItemID>.limit,
            sections.count <= IdentifierTable<SectionID>.limit
        else { throw .tooMany }
        let sections = IdentifierTable(sections)
        guard sections.duplicates.isEmpty else {
            throw .duplicates(sections.duplicateIdentifiers, areSections: true)
        }
        let items = IdentifierTable(items)
        guard items.duplicates.isEmpty else {
            throw .duplicates(items.duplicateIdentifiers, areSections: false)
        }
        self.init(sections, items, starts: starts)
    }
}

// MARK: - Creating a snapshot

extension CollectionSnapshot {
    /// Creates a snapshot of sections, each with its items, in order.
    ///
    /// Throws if a section or item identifier occurs more than once; the error names all of them.
    ///
    /// Complexity: O(n), about as much as a set of the identifiers.
    @inlinable
    public init<Sections: Sequence, Items: Sequence>(sections: Sections) throws(SnapshotError)
    where Sections.Element == (SectionID, Items), Items.Element == ItemID {
        var sectionIDs: [SectionID] = []
        var itemIDs: [ItemID] = []
        var starts: [Int] = []
        for (section, items) in sections {
            sectionIDs.append(section)
            starts.append(itemIDs.count)
            itemIDs.append(contentsOf: items)
        }
        starts.append(itemIDs.count)
        try self.init(sections: sectionIDs, items: itemIDs, starts: starts)
    }

    /// Creates a snapshot of the sections in a dictionary literal, in the order of the literal:
    /// `try CollectionSnapshot(["today": [1, 2], "older": [3]])`.
    @inlinable
    public init(_ sections: KeyValuePairs<SectionID, [ItemID]>) throws(SnapshotError) {
        try self.init(sections: sections.lazy.map { ($0.key, $0.value) })
    }
}

extension CollectionSnapshot: CustomStringConvertible {
    /// The number of sections and items, such as `2 sections with 5 items`.
    public var description: String { shape.totals }
}

extension CollectionSnapshot: Hashable {
    /// Returns whether both snapshots have the same sections and items in the same order; marks are
    /// ignored.
    ///
    /// Complexity: O(k log n) for snapshots that are k edits apart, O(n) for separately made
    /// snapshots.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        guard left.numberOfItems == right.numberOfItems else { return false }
        return left.entries.hasSameElements(as: right.entries) { old, new in
            old === new
                || old.id == new.id && old.items.hasSameElements(as: new.items) { $0.id == $1.id }
        }
    }

    /// Hashes the sections and items in order. Complexity: O(n).
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(numberOfSections)
        for entry in entries {
            hasher.combine(entry.id)
            hasher.combine(entry.items.count)
            for item in entry.items { hasher.combine(item.id) }
        }
    }
}

extension PersistentSequence {
    /// Returns whether both sequences have the same elements, according to `isSame`. No element may
    /// occur twice in a sequence; nodes that both share are therefore at the same place, or the
    /// sequences differ.
    @inlinable
    func hasSameElements(as old: Self, where isSame: (Element, Element) -> Bool) -> Bool {
        guard count == old.count else { return false }
        if isIdentical(to: old) { return true }
        return differingStretches(from: old, where: isSame).isEmpty
    }
}
