public import CollectionChanges
import PersistentTrees

// What a snapshot has, by identifier and by place.

extension CollectionSnapshot {
    /// How many items there are, over all sections. Complexity: O(1).
    @inlinable
    public var numberOfItems: Int { entries.summary.items }

    /// How many sections there are. Complexity: O(1).
    @inlinable
    public var numberOfSections: Int { entries.count }

    /// The identifiers of all sections, in order. Complexity: O(sections).
    @inlinable
    public var sectionIdentifiers: [SectionID] { entries.map(\.id) }

    /// The identifiers of all items, section by section. Complexity: O(n).
    @inlinable
    public var itemIdentifiers: [ItemID] {
        var identifiers: [ItemID] = []
        identifiers.reserveCapacity(numberOfItems)
        for entry in entries {
            for item in entry.items { identifiers.append(item.id) }
        }
        return identifiers
    }

    /// How many items each section has. Complexity: O(sections).
    @inlinable
    public var shape: HierarchyShape { HierarchyShape(entries.map(\.items.count)) }

    /// The sections that are marked for reloading, in the order in which they were marked.
    @inlinable
    public var reloadedSectionIdentifiers: [SectionID] { reloadedSections.identifiers }

    /// The items that are marked for reloading, in the order in which they were marked.
    @inlinable
    public var reloadedItemIdentifiers: [ItemID] { reloadedItems.identifiers }

    /// The items that are marked for reconfiguring and not for reloading, in the order in which they were
    /// marked.
    @inlinable
    public var reconfiguredItemIdentifiers: [ItemID] { reconfiguredItems.identifiers }
}

// MARK: - From identifier to place

extension CollectionSnapshot {
    /// Whether an item is in the snapshot. Complexity: O(1) expected.
    @inlinable
    public func containsItem(_ item: ItemID) -> Bool { itemIndex.contains(item) }

    /// Whether a section is in the snapshot. Complexity: O(1) expected.
    @inlinable
    public func containsSection(_ section: SectionID) -> Bool { sectionIndex.contains(section) }

    /// The index of an item in ``itemIdentifiers``, or nil if it is not there.
    ///
    /// Complexity: O(log n).
    @inlinable
    public func indexOfItem(_ item: ItemID) -> Int? {
        path(of: item).map { entries.summary(before: $0.section).items + $0.item }
    }

    /// The index of a section, or nil if it is not there. Complexity: O(log sections).
    @inlinable
    public func indexOfSection(_ section: SectionID) -> Int? {
        sectionIndex.place(of: section).map { index(ofSectionNumber: $0) }
    }

    /// Where an item is, or nil if it is not there. Complexity: O(log n).
    @inlinable
    public func path(of item: ItemID) -> ItemPath? {
        guard let place = itemIndex.place(of: item) else { return nil }
        let section = index(ofSectionNumber: place.section)
        guard let found = entries[section].items.find(label: place.label) else {
            fatalError("the item at label \(place.label) of section \(section) is not there")
        }
        return ItemPath(section: section, item: found.position)
    }

    /// The section that an item is in, or nil if it is not there. Complexity: O(log n).
    @inlinable
    public func sectionIdentifier(containingItem item: ItemID) -> SectionID? {
        itemIndex.place(of: item).map { entries[index(ofSectionNumber: $0.section)].id }
    }

    /// How many items a section has; throws where there is no such section.
    ///
    /// Complexity: O(log sections).
    @inlinable
    public func numberOfItems(inSection section: SectionID) throws(SnapshotError) -> Int {
        guard let index = indexOfSection(section) else { throw .unknownSection(section) }
        return entries[index].items.count
    }

    /// The items of a section, in order; throws where there is no such section.
    ///
    /// Complexity: O(items in the section).
    @inlinable
    public func itemIdentifiers(inSection section: SectionID) throws(SnapshotError) -> [ItemID] {
        guard let index = indexOfSection(section) else { throw .unknownSection(section) }
        return entries[index].items.map(\.id)
    }

    @inlinable
    func index(ofSectionNumber number: Int) -> Int {
        let label = sectionLabels[number] ?? OrderLabels.filling(firstSections)[number]
        guard let found = entries.find(label: label) else {
            fatalError("section number \(number) is not there")
        }
        return found.position
    }
}

// MARK: - From place to identifier

extension CollectionSnapshot {
    /// The section at an index, or nil if there is none. Complexity: O(log sections).
    @inlinable
    public func sectionIdentifier(at index: Int) -> SectionID? { entries.element(at: index)?.id }

    /// The item at a path, or nil if there is none. Complexity: O(log n).
    @inlinable
    public func itemIdentifier(at path: ItemPath) -> ItemID? {
        entries.element(at: path.section)?.items.element(at: path.item)?.id
    }

    /// The item at an index of ``itemIdentifiers``, or nil if there is none. Complexity: O(log n).
    @inlinable
    public func itemIdentifier(at index: Int) -> ItemID? {
        guard (0..<numberOfItems).contains(index) else { return nil }
        let place = entries.place { _, summary in summary.items > index }
        return entries[place.index].items[index - place.before.items].id
    }

    /// The items at a range of a section, which must have them. Complexity: O(log n + items).
    @inlinable
    package func itemIdentifiers(at range: Range<Int>, inSectionAt section: Int) -> [ItemID] {
        var identifiers: [ItemID] = []
        identifiers.reserveCapacity(range.count)
        forEachItem(in: range, ofSection: section) { identifiers.append($0) }
        return identifiers
    }

    @inlinable
    func forEachItem(in range: Range<Int>, ofSection section: Int, _ body: (ItemID) -> Void) {
        var items = entries[section].items.makeIterator(from: range.lowerBound)
        for _ in range { if let item = items.next() { body(item.id) } }
    }
}
