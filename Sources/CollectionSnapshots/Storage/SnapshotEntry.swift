import CollectionChanges
import PersistentTrees

/// An identifier in a sequence, with the label by which it is found.
@usableFromInline
struct LabelledIdentifier<ID: Hashable & Sendable>: OrderLabelled {
    @usableFromInline let label: Int
    @usableFromInline let id: ID

    @inlinable
    init(_ id: ID, label: Int) {
        self.id = id
        self.label = label
    }
}

/// An immutable section of a snapshot; an edit replaces it.
@usableFromInline
final class SnapshotEntry<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
    OrderLabelled
{
    @usableFromInline typealias Item = LabelledIdentifier<ItemID>
    @usableFromInline typealias Items = PersistentSequence<Item, LastLabel<Item>>

    @usableFromInline let id: SectionID
    /// The number by which the item index refers to the section; it stays the same when the section
    /// moves.
    @usableFromInline let number: Int
    @usableFromInline let label: Int
    @usableFromInline let items: Items
    /// The labels of the items that were inserted last; the next items are often inserted next to
    /// them.
    @usableFromInline let newestLabels: ClosedRange<Int>?

    @inlinable
    init(
        _ id: SectionID,
        number: Int,
        label: Int,
        items: Items = Items(),
        newestLabels: ClosedRange<Int>? = nil
    ) {
        self.id = id
        self.number = number
        self.label = label
        self.items = items
        self.newestLabels = newestLabels
    }

    @inlinable
    func relabelled(_ label: Int) -> SnapshotEntry {
        SnapshotEntry(id, number: number, label: label, items: items, newestLabels: newestLabels)
    }

    @inlinable
    func replacingItems(_ items: Items, newestLabels: ClosedRange<Int>?) -> SnapshotEntry {
        SnapshotEntry(id, number: number, label: label, items: items, newestLabels: newestLabels)
    }
}

/// The number of items in a range of sections, and the label of the last section.
@usableFromInline
struct SnapshotSummary<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
    OrderLabelSummary
{
    @usableFromInline typealias Element = SnapshotEntry<SectionID, ItemID>

    @usableFromInline let items: Int
    @usableFromInline let lastLabel: Int

    @inlinable
    init(items: Int, lastLabel: Int) {
        self.items = items
        self.lastLabel = lastLabel
    }

    @inlinable
    init(of entry: Element) {
        items = entry.items.count
        lastLabel = entry.label
    }

    @inlinable
    static var zero: Self { Self(items: 0, lastLabel: -1) }

    @inlinable
    func combined(with next: Self) -> Self {
        Self(items: items + next.items, lastLabel: next.lastLabel < 0 ? lastLabel : next.lastLabel)
    }
}

// The edits after all checks of their arguments: nothing here throws, so an edit that throws has
// changed nothing. Items are first detached, which leaves them in the index, then inserted again or
// forgotten.

extension CollectionSnapshot {
    @usableFromInline typealias Item = LabelledIdentifier<ItemID>

    /// Returns whether removing this many identifiers costs as much as rebuilding the tables, which
    /// makes changes to the indexes unnecessary.
    @inlinable
    func isLarge(_ count: Int) -> Bool {
        count >= 64 && count >= (numberOfItems + numberOfSections) / 4
    }

    /// Rebuilds the tables from the current contents; the old indexes are not read.
    @inlinable
    mutating func reindex() {
        var starts: [Int] = []
        var items: [ItemID] = []
        items.reserveCapacity(numberOfItems)
        for entry in entries {
            starts.append(items.count)
            for item in entry.items { items.append(item.id) }
        }
        starts.append(items.count)
        var copy = Self(IdentifierTable(entries.map(\.id)), IdentifierTable(items), starts: starts)
        copy.reloadedSections = reloadedSections
        copy.reloadedItems = reloadedItems
        copy.reconfiguredItems = reconfiguredItems
        self = copy
    }

    // MARK: Storing items

    /// Removes items from their sections, but not from the index. All items must be in the
    /// snapshot.
    @inlinable
    mutating func detach(_ items: [ItemID]) {
        guard !items.isEmpty else { return }
        let paths = items.compactMap { path(of: $0) }.sorted(by: >)
        var newEntries = entries.transaction()
        var position = 0
        while position < paths.count {
            let section = paths[position].section
            let entry = newEntries[section]
            var slots = entry.items.transaction()
            while position < paths.count, paths[position].section == section {
                // Neighbours are removed together.
                let last = paths[position].item
                var first = last
                position += 1
                while position < paths.count,
                    paths[position] == ItemPath(section: section, item: first - 1)
                {
                    first -= 1
                    position += 1
                }
                slots.removeSubrange(first..<(last + 1))
            }
            let rest = entry.replacingItems(slots.commit(), newestLabels: entry.newestLabels)
            newEntries.replace(at: section, with: rest)
        }
        entries = newEntries.commit()
    }

    /// Removes detached items from the index and the marks.
    @inlinable
    mutating func forget(_ items: [ItemID]) {
        reloadedItems.remove(items)
        reconfiguredItems.remove(items)
        if isLarge(items.count) { return reindex() }
        itemIndex.remove(items)
        clean()
    }

    /// Rebuilds the tables if most of their identifiers have been removed or moved.
    @inlinable
    mutating func clean() {
        if itemIndex.tabled > 4 * numberOfItems + 1024 { reindex() }
    }

    /// Inserts detached or new items, the first at `path`.
    @inlinable
    mutating func insert(_ supplied: SuppliedItems<ItemID>, at path: ItemPath) {
        let items = supplied.items
        guard !items.isEmpty else { return }
        let entry = entries[path.section]
        let number = entry.number
        var relabelled: [(ItemID, ItemPlace)] = []
        var slots = entry.items.transaction()
        let labels = slots.labels(
            forInserting: items.count,
            at: path.item,
            newest: entry.newestLabels
        ) { item, label in
            relabelled.append((item.id, ItemPlace(section: number, label: label)))
            return Item(item.id, label: label)
        }
        var newItems: Entry.Items
        if items.count < itemIndex.smallestBatch {
            for (offset, item) in items.enumerated() {
                slots.insert(Item(item, label: labels[offset]), at: path.item + offset)
            }
            newItems = slots.commit()
        } else {
            let stretch = Entry.Items(count: items.count) { Item(items[$0], label: labels[$0]) }
            newItems = slots.commit().replacing(path.item..<path.item, with: stretch)
        }
        let newEntry = entry.replacingItems(
            newItems,
            newestLabels: labels.range(count: items.count)
        )
        entries = entries.replacing(at: path.section, with: newEntry)
        itemIndex.update(relabelled)
        if let table = supplied.table, items.count >= itemIndex.smallestBatch {
            let run = ItemRun(start: 0, section: number, labels: labels)
            itemIndex.append(PlacedIdentifiers(table, runs: [run]))
            clean()
        } else {
            itemIndex.update(
                items.indices.lazy.map {
                    (items[$0], ItemPlace(section: number, label: labels[$0]))
                }
            )
        }
    }

    // MARK: Storing sections

    /// Inserts new, empty sections, the first at `index`.
    @inlinable
    mutating func insertNew(_ sections: [SectionID], at index: Int) {
        let first = nextSectionNumber
        nextSectionNumber += sections.count
        insert(sections.enumerated().map { Entry($1, number: first + $0, label: 0) }, at: index)
        if isLarge(sections.count) {
            reindex()
        } else {
            sectionIndex.update(sections.enumerated().lazy.map { ($1, first + $0) })
        }
    }

    /// Inserts sections with their contents, the first at `index`, with new labels.
    @inlinable
    mutating func insert(_ sections: [Entry], at index: Int) {
        var newEntries = entries.transaction()
        var newLabels = sectionLabels.transaction()
        let labels = newEntries.labels(forInserting: sections.count, at: index) { entry, label in
            newLabels.updateValue(label, forKey: entry.number)
            return entry.relabelled(label)
        }
        for (offset, entry) in sections.enumerated() {
            newEntries.insert(entry.relabelled(labels[offset]), at: index + offset)
            newLabels.updateValue(labels[offset], forKey: entry.number)
        }
        entries = newEntries.commit()
        sectionLabels = newLabels.commit()
    }

    /// Removes existing sections and their items, and removes both from the indexes and marks.
    @inlinable
    mutating func remove(_ sections: [SectionID]) {
        var items: [ItemID] = []
        var newEntries = entries.transaction()
        var newLabels = sectionLabels.transaction()
        for index in sections.compactMap({ indexOfSection($0) }).sorted(by: >) {
            let entry = newEntries.remove(at: index)
            for item in entry.items { items.append(item.id) }
            newLabels.removeValue(forKey: entry.number)
        }
        entries = newEntries.commit()
        sectionLabels = newLabels.commit()
        reloadedSections.remove(sections)
        reloadedItems.remove(items)
        reconfiguredItems.remove(items)
        guard !isLarge(sections.count + items.count) else { return reindex() }
        sectionIndex.remove(sections)
        itemIndex.remove(items)
        clean()
    }
}
