import PersistentTrees

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

    /// How many change sets were accepted up to this map; every accepted one makes a map with a
    /// higher generation.
    public let generation: Int

    init(storage: Storage, generation: Int) {
        self.storage = storage
        self.generation = generation
    }

    /// A map of nothing.
    ///
    /// - Parameter reclaimer: frees what it and the maps that are made from it leave behind; nil to
    ///   do so on the spot.
    package static func empty(
        generation: Int,
        reclaimer: (any MapReclaimer)? = nil
    ) -> ElementMap {
        let storage = Storage(Entries(), shape: .empty, reclaimer: reclaimer)
        return ElementMap(storage: storage, generation: generation)
    }

    /// A map of nothing that follows on this one.
    package func emptied(generation: Int) -> ElementMap {
        .empty(generation: generation, reclaimer: storage.reclaimer)
    }

    func with(_ entries: Entries, shape: HierarchyShape, generation: Int) -> ElementMap {
        let storage = Storage(entries, shape: shape, reclaimer: storage.reclaimer)
        return ElementMap(storage: storage, generation: generation)
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
    public var numberOfElements: Int { numberOfItems + storage.entries.summary.supplementaries }

    /// The kinds of supplementary elements that there are, ascending.
    ///
    /// Complexity: O(sections), and the kinds of each.
    public var supplementaryKinds: [SupplementaryKind] {
        Set(storage.entries.lazy.flatMap { $0.supplementaries.map { $0.kind } }).sorted()
    }

    // MARK: Elements at places

    /// The item at `path`.
    ///
    /// Complexity: O(log n), without allocation.
    public func element(at path: ItemPath) -> CollectionElement? { slot(at: path)?.element }

    /// What the item at `path` shows in this map.
    public func content(at path: ItemPath) -> ElementContent? { slot(at: path)?.content }

    /// The supplementary element of `kind` at `path`.
    public func supplementary(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> CollectionElement?
    {
        supplementaryContent(ofKind: kind, at: path)?.element
    }

    /// What the supplementary element of `kind` at `path` shows in this map.
    public func supplementaryContent(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> ElementContent?
    {
        guard let contents = entry(at: path.section)?.supplementaries(ofKind: kind),
            contents.indices.contains(path.item)
        else { return nil }
        return contents[path.item]
    }

    /// How many supplementary elements of `kind` a section has.
    public func numberOfSupplementaries(ofKind kind: SupplementaryKind, inSection section: Int)
        -> Int
    {
        entry(at: section)?.supplementaries(ofKind: kind)?.count ?? 0
    }

    // MARK: Sections

    /// The section at `index`.
    public func section(at index: Int) -> CollectionSection? { entry(at: index)?.section }

    /// What the data source attached to the section at `index`.
    public func context(forSection index: Int) -> (any SectionContext)? {
        section(at: index)?.context
    }

    /// Where `section` is, or nil if it is not in this map.
    ///
    /// Complexity: O(log n), without allocation.
    public func index(of section: CollectionSection) -> Int? { place(of: section)?.index }

    // MARK: Places of elements

    /// Where `element` is, item or supplementary, or nil if it is not in this map.
    ///
    /// Complexity: O(log n), without allocation; times the number of places that the element has at
    /// once in maps that are still held.
    public func path(of element: CollectionElement) -> ItemPath? {
        element.firstPlace { section, label in
            guard let (index, entry) = place(of: section) else { return nil }
            let item: Int
            if let kind = element.kind {
                guard let contents = entry.supplementaries(ofKind: kind),
                    contents.indices.contains(label), contents[label].element === element
                else { return nil }
                item = label
            } else {
                guard let (position, slot) = entry.slots.find(label: label),
                    slot.element === element
                else { return nil }
                item = position
            }
            return ItemPath(section: index, item: item)
        }
    }

    private func place(of section: CollectionSection) -> (index: Int, entry: SectionEntry)? {
        section.firstPlace { label in
            guard let (index, entry) = storage.entries.find(label: label),
                entry.section === section
            else { return nil }
            return (index, entry)
        }
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

    // MARK: Inside

    package func supplementaries(inSection section: Int) -> [SupplementaryRun] {
        entry(at: section)?.supplementaries ?? []
    }

    private func slot(at path: ItemPath) -> ElementSlot? {
        let entries = storage.entries
        guard entries.indices.contains(path.section) else { return nil }
        return entries.withElement(at: path.section) { entry in
            guard entry.slots.indices.contains(path.item) else { return nil }
            return entry.slots[path.item]
        }
    }

    private func entry(at section: Int) -> SectionEntry? {
        storage.entries.indices.contains(section) ? storage.entries[section] : nil
    }
}

extension ElementMap {
    /// The element at `place`, item or supplementary, or nil if there is none.
    ///
    /// Complexity: O(log n), without allocation.
    public func element(at place: ElementPlace) -> CollectionElement? {
        content(at: place)?.element
    }

    /// What the element at `place` shows in this map.
    public func content(at place: ElementPlace) -> ElementContent? {
        guard let kind = place.kind else { return content(at: place.path) }
        return supplementaryContent(ofKind: kind, at: place.path)
    }

    /// Where `element` is, with its kind, or nil if it is not in this map.
    ///
    /// Complexity: that of ``path(of:)``.
    public func place(of element: CollectionElement) -> ElementPlace? {
        path(of: element).map { ElementPlace(path: $0, kind: element.kind) }
    }
}

// How a view reaches its controller: by a map, since that is what every update brings to every view. Whoever has seen
// anything that was measured can ask, keeps nothing for it, and needs nobody to hand it a way back.

extension ElementMap {
    /// Has everything measured again that has other sizes to choose from than it was measured for: for a view to call
    /// when its `elementSizeRange` may be another than before, or what its layout delegate goes by. From anywhere, as
    /// often as one likes.
    ///
    /// The controller finds out whether anything is to be done, and if so does by itself what `relayoutAllNodes` does:
    /// by one update, together with all that is asked for until the main lane comes to it, and not before the relayout
    /// before it is measured. It waits for the end of a batch that is open, for room in the backlog unless that is merged, and,
    /// where the data source has other counts than were accepted, for the next change set. Nothing happens before the
    /// first load, which is measured for what the view offers by then, where the configuration says so
    /// (`relayoutsWhenSizeRangeChanges`), or the controller is closed or gone.
    ///
    /// It concerns the newest accepted state, whichever map of the controller is asked.
    public func setNeedsRelayout() { storage.reclaimer?.owner?.setNeedsRelayout() }
}

/// The place of an element, item or supplementary, in one map.
public struct ElementPlace: Hashable, Sendable {
    /// The section, and the item or the number of the supplementary element in it.
    public let path: ItemPath

    /// The kind of a supplementary element; nil for an item.
    public let kind: SupplementaryKind?

    /// Makes a place; nothing is checked.
    public init(path: ItemPath, kind: SupplementaryKind? = nil) {
        self.path = path
        self.kind = kind
    }
}

extension ElementPlace: CustomStringConvertible {
    /// The place, such as `0 - 3` or `header 2 - 0`.
    public var description: String { kind.map { "\($0) \(path)" } ?? "\(path)" }
}
