/// An immutable picture of a sectioned collection: which element is where.
///
/// A map is a value that any thread may keep and read; a change set makes a new one, which shares what
/// did not change with its predecessor. Indexes that do not exist answer nil, 0 or false.
///
/// ```swift
/// let path = ItemPath(section: 0, item: 3)
/// if let element = visible.element(at: path), let now = pending.path(of: element) {
///     print("\(path) on the screen is \(now) in the data source")
/// }
/// ```
///
/// Source: Texture's element map.
public struct ElementMap: Sendable {
    let storage: Storage

    /// How many change sets were accepted before this map; every accepted one makes a map with a
    /// higher generation.
    public let generation: Int

    init(storage: Storage, generation: Int) {
        self.storage = storage
        self.generation = generation
    }

    /// A map of nothing.
    package static func empty(generation: Int) -> ElementMap {
        ElementMap(storage: Storage(Entries(), shape: .empty), generation: generation)
    }

    /// The same content under another generation: what an update without edits leads to.
    package func withGeneration(_ generation: Int) -> ElementMap {
        ElementMap(storage: storage, generation: generation)
    }

    /// Whether both are the same picture, shared and not merely equal.
    public func isIdentical(to other: ElementMap) -> Bool { storage === other.storage }

    // MARK: Counts

    /// The number of items of every section.
    public var shape: HierarchyShape { storage.shape }

    /// How many sections there are.
    public var numberOfSections: Int { storage.entries.count }

    /// How many items `section` has, or nil if there is no such section.
    public func numberOfItems(inSection section: Int) -> Int? {
        storage.shape.numberOfItems(inSection: section)
    }

    /// How many items there are in all.
    ///
    /// Complexity: O(1).
    public var numberOfItems: Int { storage.entries.summary.items }

    /// How many elements there are in all, items and supplementary elements.
    ///
    /// Complexity: O(1).
    public var count: Int { numberOfItems + storage.entries.summary.supplementaries }

    /// The kinds of supplementary elements that there are, ascending.
    ///
    /// Complexity: O(sections + supplementary elements).
    public var supplementaryKinds: [SupplementaryKind] {
        Set(storage.entries.lazy.flatMap { $0.supplementaries.map(\.kind) }).sorted()
    }

    // MARK: Elements at places

    /// The item at `path`.
    public func element(at path: ItemPath) -> CollectionElement? { slot(at: path)?.element }

    /// What the item at `path` shows in this map.
    public func content(at path: ItemPath) -> ElementContent? { slot(at: path)?.content }

    /// The supplementary element of `kind` at `path`.
    public func supplementary(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> CollectionElement?
    {
        supplementarySlot(ofKind: kind, at: path)?.slot.element
    }

    /// What the supplementary element of `kind` at `path` shows in this map.
    public func supplementaryContent(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> ElementContent?
    {
        supplementarySlot(ofKind: kind, at: path)?.slot.content
    }

    /// How many supplementary elements of `kind` a section has.
    public func numberOfSupplementaries(ofKind kind: SupplementaryKind, inSection section: Int)
        -> Int
    {
        entry(at: section)?.supplementaries.count { $0.kind == kind } ?? 0
    }

    // MARK: Sections

    /// The section at `index`.
    public func section(at index: Int) -> CollectionSection? { entry(at: index)?.section }

    /// What the data source attached to the section at `index`.
    public func context(forSection index: Int) -> (any SectionContext)? {
        section(at: index)?.context
    }

    /// Where `section` is, or nil if it is not in this map.
    public func index(of section: CollectionSection) -> Int? {
        storage.reverseIndex.sections[ObjectIdentifier(section)]
    }

    // MARK: Places of elements

    /// Where `element` is, item or supplementary, or nil if it is not in this map.
    public func path(of element: CollectionElement) -> ItemPath? {
        storage.reverseIndex.paths[ObjectIdentifier(element)]
    }

    /// Where the item `element` is; nil for a supplementary element and for one that is not here.
    public func pathIfItem(of element: CollectionElement) -> ItemPath? {
        element.kind == nil ? path(of: element) : nil
    }

    /// The index of the section that `element` is in.
    public func sectionIndex(of element: CollectionElement) -> Int? { path(of: element)?.section }

    // MARK: Conversion between maps

    /// Where the item is in this map that is at `path` in `other`: by identity, so a deleted or
    /// reloaded item has no place.
    public func convert(_ path: ItemPath, from other: ElementMap) -> ItemPath? {
        guard let element = other.element(at: path) else { return nil }
        return self.path(of: element)
    }

    /// Where the section is in this map that is at `index` in `other`: by identity.
    public func convertSection(_ index: Int, from other: ElementMap) -> Int? {
        guard let section = other.section(at: index) else { return nil }
        return self.index(of: section)
    }

    // MARK: Slots

    package func slot(at path: ItemPath) -> ElementSlot? {
        guard let entry = entry(at: path.section), entry.slots.indices.contains(path.item) else {
            return nil
        }
        return entry.slots[path.item]
    }

    package func supplementarySlots(inSection section: Int) -> [SupplementarySlot] {
        entry(at: section)?.supplementaries ?? []
    }

    package func supplementarySlot(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> SupplementarySlot? {
        entry(at: path.section)?.supplementaries.first {
            $0.kind == kind && $0.item == path.item
        }
    }

    private func entry(at section: Int) -> SectionEntry? {
        storage.entries.indices.contains(section) ? storage.entries[section] : nil
    }
}

/// An element together with the content that one map holds of it.
package struct ElementSlot: Sendable {
    package let element: CollectionElement
    package let content: ElementContent

    package init(_ element: CollectionElement, _ content: ElementContent) {
        self.element = element
        self.content = content
    }
}

/// A supplementary element at its place within a section.
package struct SupplementarySlot: Sendable {
    package let kind: SupplementaryKind
    package let item: Int
    package let slot: ElementSlot

    package init(kind: SupplementaryKind, item: Int, slot: ElementSlot) {
        self.kind = kind
        self.item = item
        self.slot = slot
    }
}
