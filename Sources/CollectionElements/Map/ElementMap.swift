import PersistentTrees

/// An immutable snapshot of a sectioned collection: its elements and their places.
///
/// A map is a value that any thread may keep and read. A change set makes a new map, which shares
/// the unchanged parts with its predecessor. For an index that does not exist, queries return
/// `nil`, 0 or `false`.
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

    /// The number of change sets that were accepted up to this map. Each accepted change set makes
    /// a map with a higher generation.
    public let generation: Int

    init(storage: Storage, generation: Int) {
        self.storage = storage
        self.generation = generation
    }

    /// Returns an empty map.
    ///
    /// - Parameter reclaimer: Frees the memory of this map and of the maps that are made from it;
    ///   `nil` to free it in place.
    package static func empty(
        generation: Int,
        reclaimer: (any MapReclaimer)? = nil
    ) -> ElementMap {
        let storage = Storage(Entries(), shape: .empty, reclaimer: reclaimer)
        return ElementMap(storage: storage, generation: generation)
    }

    /// Returns an empty map that follows this one.
    package func emptied(generation: Int) -> ElementMap {
        .empty(generation: generation, reclaimer: storage.reclaimer)
    }

    func with(_ entries: Entries, shape: HierarchyShape, generation: Int) -> ElementMap {
        let storage = Storage(entries, shape: shape, reclaimer: storage.reclaimer)
        return ElementMap(storage: storage, generation: generation)
    }

    /// Returns the same content under another generation: the result of an update without edits.
    package func withGeneration(_ generation: Int) -> ElementMap {
        ElementMap(storage: storage, generation: generation)
    }

    /// Returns whether both maps share the same storage, and are not merely equal.
    public func isIdentical(to other: ElementMap) -> Bool { storage === other.storage }

    // MARK: Counts

    /// The number of items of each section.
    public var shape: HierarchyShape { storage.shape }

    /// The number of sections.
    public var numberOfSections: Int { storage.entries.count }

    /// Returns the number of items in `section`, or `nil` if there is no such section: a map can be
    /// older than an index. Views and layouts, which query their own state, return 0 instead.
    public func numberOfItems(inSection section: Int) -> Int? {
        storage.shape.numberOfItems(inSection: section)
    }

    /// The total number of items.
    ///
    /// Complexity: O(1).
    public var numberOfItems: Int { storage.entries.summary.items }

    /// The total number of elements: items and supplementary elements.
    ///
    /// Complexity: O(1).
    public var numberOfElements: Int { numberOfItems + storage.entries.summary.supplementaries }

    /// The kinds of the supplementary elements in the map, ascending.
    ///
    /// Complexity: O(sections + kinds of each section).
    public var supplementaryKinds: [SupplementaryKind] {
        Set(storage.entries.lazy.flatMap { $0.supplementaries.map { $0.kind } }).sorted()
    }

    // MARK: Elements at places

    /// Returns the item at `path`.
    ///
    /// Complexity: O(log n), without allocation.
    public func element(at path: ItemPath) -> CollectionElement? { slot(at: path)?.element }

    /// Returns the content of the item at `path` in this map.
    public func content(at path: ItemPath) -> ElementContent? { slot(at: path)?.content }

    /// Returns the supplementary element of `kind` at `path`.
    public func supplementary(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> CollectionElement?
    {
        supplementaryContent(ofKind: kind, at: path)?.element
    }

    /// Returns the content of the supplementary element of `kind` at `path` in this map.
    public func supplementaryContent(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> ElementContent?
    {
        guard let contents = entry(at: path.section)?.supplementaries(ofKind: kind),
            contents.indices.contains(path.item)
        else { return nil }
        return contents[path.item]
    }

    /// Returns the number of supplementary elements of `kind` in a section.
    public func numberOfSupplementaries(ofKind kind: SupplementaryKind, inSection section: Int)
        -> Int
    {
        entry(at: section)?.supplementaries(ofKind: kind)?.count ?? 0
    }

    // MARK: Sections

    /// Returns the section at `index`.
    public func section(at index: Int) -> CollectionSection? { entry(at: index)?.section }

    /// Returns the context that the data source attached to the section at `index`.
    public func context(forSection index: Int) -> (any SectionContext)? {
        section(at: index)?.sectionContext
    }

    /// Returns the index of `section`, or `nil` if it is not in this map.
    ///
    /// Complexity: O(log n), without allocation.
    public func index(of section: CollectionSection) -> Int? { place(of: section)?.index }

    // MARK: Places of elements

    /// Returns the path of `element`, an item or a supplementary element, or `nil` if it is not in
    /// this map.
    ///
    /// Complexity: O(log n), without allocation, times the number of places that the element has in
    /// maps that still exist.
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

    // MARK: Conversion between maps

    /// Returns the path in this map of the item that is at `path` in `other`. Items are matched by
    /// identity, so a deleted or reloaded item has no path.
    public func convert(_ path: ItemPath, from other: ElementMap) -> ItemPath? {
        guard let element = other.element(at: path) else { return nil }
        return self.path(of: element)
    }

    /// Returns the index in this map of the section that is at `index` in `other`. Sections are
    /// matched by identity.
    public func convertSection(_ index: Int, from other: ElementMap) -> Int? {
        guard let section = other.section(at: index) else { return nil }
        return self.index(of: section)
    }

    // MARK: Storage

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

    /// Returns the element at `place`, an item or a supplementary element, or `nil` if there is
    /// none.
    ///
    /// Complexity: O(log n), without allocation.
    public func element(at place: ElementPlace) -> CollectionElement? {
        content(at: place)?.element
    }

    /// Returns the content of the element at `place` in this map.
    public func content(at place: ElementPlace) -> ElementContent? {
        guard let kind = place.kind else { return content(at: place.path) }
        return supplementaryContent(ofKind: kind, at: place.path)
    }

    /// Returns the place of `element`, with its kind, or `nil` if it is not in this map.
    ///
    /// Complexity: that of ``path(of:)``.
    public func place(of element: CollectionElement) -> ElementPlace? {
        path(of: element).map { ElementPlace(path: $0, kind: element.kind) }
    }
}

// A view reaches its controller through a map, because every update passes a map to every view. A
// view that has received measured elements can therefore make the request without storing a
// reference to the controller.

extension ElementMap {
    /// Requests another measurement of every element whose size range has changed since it was
    /// measured. A view calls this method when its `elementSizeRange`, or a value that its layout
    /// delegate depends on, may have changed. Callable from any thread, as often as needed.
    ///
    /// The controller determines whether any element has to be measured. If so, it does the same as
    /// `relayoutAllNodes`: one update covers all requests that are made before the main lane
    /// processes them, and it starts only after the previous relayout is measured. The update waits
    /// for the end of an open batch, for room in the backlog unless the backlog merges, and, if the
    /// counts of the data source differ from the accepted ones, for the next change set.
    ///
    /// The call has no effect before the first load, which measures for the ranges that the view
    /// offers by then; if the configuration disables it (`relayoutsWhenSizeRangeChanges`); or if
    /// the controller is closed or gone.
    ///
    /// The request applies to the newest accepted state, regardless of the map on which it is made.
    public func setNeedsRelayout() { storage.reclaimer?.owner?.setNeedsRelayout() }
}

/// The place of an element, an item or a supplementary element, in one map.
public struct ElementPlace: Hashable, Sendable, CustomStringConvertible {
    /// The section, and the number of the item or supplementary element in it.
    public let path: ItemPath

    /// The kind of a supplementary element; `nil` for an item.
    public let kind: SupplementaryKind?

    /// Creates a place without checking it.
    public init(path: ItemPath, kind: SupplementaryKind? = nil) {
        self.path = path
        self.kind = kind
    }

    /// The place as text, such as `0 - 3` or `header 2 - 0`.
    public var description: String { kind.map { "\($0) \(path)" } ?? "\(path)" }
}

/// The services that all maps of a collection share: freeing the memory of large maps without
/// delaying the main lane, and access to the owner.
///
/// Only when a map is freed is it known how much memory that frees: all parts that no other map
/// shares. At tens of nanoseconds per element, freeing a million elements in one step would block a
/// main lane for too long.
package protocol MapReclaimer: AnyObject, Sendable {
    /// Calls `release` on another thread, and drops it there.
    func reclaim(_ release: @escaping @Sendable () -> Void)

    /// The object that keeps the maps; `nil` by default, and when the owner is gone.
    var owner: (any ElementOwner)? { get }
}

extension MapReclaimer {
    package var owner: (any ElementOwner)? { nil }
}
