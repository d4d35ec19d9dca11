import CollectionChanges
import PersistentTrees

/// Which sections and items there are, by identifier and in order.
///
/// Use it where the new state is at hand and the edits are not: make a snapshot of the rows, and have
/// it compared with the one before. A change set says how a state changes; a snapshot says what it is.
///
/// ```swift
/// var snapshot = try CollectionSnapshot(["today": [1, 2, 3], "older": [4]])
/// try snapshot.appendItems([5], toSection: "today")
/// try snapshot.moveItem(4, beforeItem: 1)
/// snapshot.path(of: 4)   // 0 - 0
/// ```
///
/// Section identifiers are unique, and so are item identifiers over all sections; the two have nothing
/// to do with each other. Appending or inserting an item that is there moves it. Beside the order, a
/// snapshot has lists of what is to be reloaded or reconfigured when it is applied; equality does not
/// look at them, and what is deleted leaves them.
///
/// Shape: indexes and paths are in this snapshot, sections and items from 0.
///
/// Threading: a value, to be read and sent anywhere.
///
/// Errors: edits throw a ``SnapshotError`` with UIKit's text for the fault, and change nothing then.
///
/// Complexity: O(1) to copy, and copies share what is equal in them; O(1) expected to find an
/// identifier; O(log n) for an edit of one item, O(m log n) for m of them over a chain of edits, and
/// never more than it takes to make the snapshot again. Making one, whole or in large batches, costs
/// about as much as a set of its identifiers; so whole batches are better than items one by one.
///
/// Source: the snapshots of UIKit's diffable data sources, as they behave; persistent trees, hash
/// tables and hash tries underneath.
public struct CollectionSnapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
    Sendable
{
    @usableFromInline typealias Entry = SnapshotEntry<SectionID, ItemID>
    @usableFromInline typealias Entries = PersistentSequence<
        Entry, SnapshotSummary<SectionID, ItemID>
    >

    @usableFromInline var entries: Entries
    @usableFromInline var itemIndex: IdentifierIndex<ItemID, ItemRun>
    /// The numbers of sections.
    @usableFromInline var sectionIndex: IdentifierIndex<SectionID, SectionRun>
    /// How many sections were there from the beginning, with labels that follow from their numbers.
    @usableFromInline var firstSections: Int
    /// The labels of sections by number, where they do not follow from it.
    @usableFromInline var sectionLabels = PersistentHashMap<Int, Int>()
    /// Higher than that of any section.
    @usableFromInline var nextSectionNumber: Int

    @usableFromInline var reloadedSections = MarkedIdentifiers<SectionID>()
    @usableFromInline var reloadedItems = MarkedIdentifiers<ItemID>()
    @usableFromInline var reconfiguredItems = MarkedIdentifiers<ItemID>()

    /// Makes a snapshot with no sections.
    @inlinable
    public init() {
        entries = Entries()
        itemIndex = IdentifierIndex()
        sectionIndex = IdentifierIndex()
        firstSections = 0
        nextSectionNumber = 0
    }

    /// Makes the snapshot of these sections; neither table has duplicates.
    ///
    /// - Parameter starts: the ordinal of each section's first item, and in the end the number of items.
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

    /// Makes the snapshot of these sections, or throws where identifiers are not unique.
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

// MARK: - Making one

extension CollectionSnapshot {
    /// Makes a snapshot of sections, each with its items, in order.
    ///
    /// Throws where a section or item identifier occurs twice; the error names every one that does.
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

    /// Makes a snapshot of one section.
    ///
    /// Throws where an item identifier occurs twice; the error names every one that does.
    ///
    /// Complexity: O(n), about as much as a set of the identifiers.
    @inlinable
    public init(items: some Sequence<ItemID>, inSection section: SectionID) throws(SnapshotError) {
        let items = Array(items)
        try self.init(sections: [section], items: items, starts: [0, items.count])
    }

    /// Makes a snapshot of sections written as a dictionary literal, in the order in which they are
    /// written: `try CollectionSnapshot(["today": [1, 2], "older": [3]])`.
    @inlinable
    public init(_ sections: KeyValuePairs<SectionID, [ItemID]>) throws(SnapshotError) {
        try self.init(sections: sections.lazy.map { ($0.key, $0.value) })
    }
}

extension CollectionSnapshot: CustomStringConvertible {
    /// The number of sections and items, such as `2 sections with 5 items`.
    public var description: String { shape.totals }
}
