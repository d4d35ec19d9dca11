public import CollectionChanges
import PersistentTrees

// MARK: - Contents

extension CollectionSnapshot {
    /// The number of items in all sections. Complexity: O(1).
    @inlinable
    public var numberOfItems: Int { entries.summary.items }

    /// The number of sections. Complexity: O(1).
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

    /// The number of items in each section. Complexity: O(sections).
    @inlinable
    public var shape: HierarchyShape { HierarchyShape(entries.map(\.items.count)) }

    /// The sections that are marked for reloading, in the order in which they were marked.
    @inlinable
    public var reloadedSectionIdentifiers: [SectionID] { reloadedSections.identifiers }

    /// The items that are marked for reloading, in the order in which they were marked.
    @inlinable
    public var reloadedItemIdentifiers: [ItemID] { reloadedItems.identifiers }

    /// The items that are marked for reconfiguring and not for reloading, in the order in which
    /// they were marked.
    @inlinable
    public var reconfiguredItemIdentifiers: [ItemID] { reconfiguredItems.identifiers }

    // MARK: From identifier to path

    /// Returns whether an item is in the snapshot. Complexity: O(1) expected.
    @inlinable
    public func containsItem(_ item: ItemID) -> Bool { itemIndex.contains(item) }

    /// Returns whether a section is in the snapshot. Complexity: O(1) expected.
    @inlinable
    public func containsSection(_ section: SectionID) -> Bool { sectionIndex.contains(section) }

    /// Returns the index of an item in ``itemIdentifiers``, or `nil` if it is not in the snapshot.
    ///
    /// Complexity: O(log n).
    @inlinable
    public func indexOfItem(_ item: ItemID) -> Int? {
        path(of: item).map { entries.summary(before: $0.section).items + $0.item }
    }

    /// Returns the index of a section, or `nil` if it is not in the snapshot. Complexity: O(log
    /// sections).
    @inlinable
    public func indexOfSection(_ section: SectionID) -> Int? {
        sectionIndex.place(of: section).map { index(ofSectionNumber: $0) }
    }

    /// Returns the path of an item, or `nil` if it is not in the snapshot. Complexity: O(log n).
    @inlinable
    public func path(of item: ItemID) -> ItemPath? {
        guard let place = itemIndex.place(of: item) else { return nil }
        let section = index(ofSectionNumber: place.section)
        guard let found = entries[section].items.find(label: place.label) else {
            fatalError("the item at label \(place.label) of section \(section) is not there")
        }
        return ItemPath(section: section, item: found.position)
    }

    /// Returns the section of an item, or `nil` if the item is not in the snapshot. Complexity:
    /// O(log n).
    @inlinable
    public func sectionIdentifier(containingItem item: ItemID) -> SectionID? {
        itemIndex.place(of: item).map { entries[index(ofSectionNumber: $0.section)].id }
    }

    /// Returns the number of items in a section; throws if the section does not exist.
    ///
    /// Complexity: O(log sections).
    @inlinable
    public func numberOfItems(inSection section: SectionID) throws(SnapshotError) -> Int {
        guard let index = indexOfSection(section) else { throw .unknownSection(section) }
        return entries[index].items.count
    }

    /// Returns the items of a section, in order; throws if the section does not exist.
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

    // MARK: From path to identifier

    /// Returns the section at an index, or `nil` if there is none. Complexity: O(log sections).
    @inlinable
    public func sectionIdentifier(at index: Int) -> SectionID? { entries.element(at: index)?.id }

    /// Returns the item at a path, or `nil` if there is none. Complexity: O(log n).
    @inlinable
    public func itemIdentifier(at path: ItemPath) -> ItemID? {
        entries.element(at: path.section)?.items.element(at: path.item)?.id
    }

    /// Returns the items in a range of a section, which must contain the range. Complexity: O(log n
    /// + items).
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
