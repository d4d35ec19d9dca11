import PersistentTrees

/// Everything that a reader has at one version: sections in order, each with items in order.
///
/// A value that shares what is equal with its neighbours in history; keeping one costs what has changed since. Indexes
/// that do not exist answer nil.
///
/// Threading: a value, readable from anywhere.
///
/// Complexity: O(log n) for what is at a place.
public struct PublishedState: Sendable {
    typealias Items = PersistentSequence<PublishedItem, NoSummary<PublishedItem>>
    typealias Entries = PersistentSequence<SectionEntry, NoSummary<SectionEntry>>

    /// A section with its items.
    final class SectionEntry: Sendable {
        let section: PublishedSection
        let items: Items

        init(_ section: PublishedSection, _ items: Items) {
            self.section = section
            self.items = items
        }
    }

    let entries: Entries

    /// The number of items of every section.
    public let shape: HierarchyShape

    init(_ entries: Entries, shape: HierarchyShape) {
        self.entries = entries
        self.shape = shape
    }

    /// A state of sections with their items, as many as `shape` says.
    ///
    /// Complexity: O(n).
    package init(_ sections: [PublishedContents.FreshSection], shape: HierarchyShape) {
        let entries = sections.map { SectionEntry($0.section, Items($0.items)) }
        self.init(Entries(entries), shape: shape)
    }

    /// A state of nothing.
    public init() { self.init(Entries(), shape: .empty) }

    /// How many sections there are.
    public var numberOfSections: Int { entries.count }

    /// How many items there are in all. Complexity: O(sections).
    public var numberOfItems: Int { shape.itemCounts.reduce(0, +) }

    /// The section at `index`, without its items; nil if there is none.
    public func section(at index: Int) -> PublishedSection? { entry(at: index)?.section }

    /// The item at `path`; nil if there is none.
    public func item(at path: ItemPath) -> PublishedItem? {
        entry(at: path.section)?.items.element(at: path.item)
    }

    /// The items of the section at `index`, in order; none if there is no such section. Complexity: O(items).
    public func items(inSection index: Int) -> [PublishedItem] {
        entry(at: index).map { Array($0.items) } ?? []
    }

    private func entry(at index: Int) -> SectionEntry? { entries.element(at: index) }
}

extension PublishedState: Equatable {
    /// Whether both have the same sections and items in the same order, with the same payloads. Complexity: O(n).
    public static func == (left: PublishedState, right: PublishedState) -> Bool {
        left.shape == right.shape
            && zip(left.entries, right.entries).allSatisfy { left, right in
                left === right
                    || left.section == right.section && left.items.elementsEqual(right.items)
            }
    }
}

extension PublishedState: CustomStringConvertible {
    /// The number of sections and items, such as `2 sections with 5 items`.
    public var description: String { shape.totals }
}
