import CollectionChanges
import PersistentTrees

// The edits themselves, on what has been checked: nothing here throws, so an edit that does has changed
// nothing. Items are first detached, which leaves them in the index, then put elsewhere or forgotten.

extension CollectionSnapshot {
    @usableFromInline typealias Item = LabelledIdentifier<ItemID>

    /// Whether removing so many identifiers costs as much as making the tables again, which then saves the
    /// changes to the indexes.
    @inlinable
    func isLarge(_ count: Int) -> Bool {
        count >= 64 && count >= (numberOfItems + numberOfSections) / 4
    }

    /// Makes tables of what is there now, whatever the indexes say.
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

    // MARK: Items

    /// Removes items from their sections, but not from the index. All of them must be there.
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
                // Neighbours go together.
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

    /// Removes items that are detached from the index and the lists.
    @inlinable
    mutating func forget(_ items: [ItemID]) {
        reloadedItems.remove(items)
        reconfiguredItems.remove(items)
        if isLarge(items.count) { return reindex() }
        itemIndex.remove(items)
        clean()
    }

    /// Makes tables again where most of what is in them is gone, or elsewhere.
    @inlinable
    mutating func clean() {
        if itemIndex.tabled > 4 * numberOfItems + 1024 { reindex() }
    }

    /// Puts items in that are detached or new, the first at `path`.
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

    // MARK: Sections

    /// Puts sections in, the first at `index`: new ones without items.
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

    /// Puts sections in with what is in them, the first at `index`, under new labels.
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

    /// Removes sections that are there, with their items, from everything.
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
