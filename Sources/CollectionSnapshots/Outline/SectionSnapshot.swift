import PersistentTrees

/// The items of one section as an outline: items with children, which are visible if all their
/// ancestors are expanded.
///
/// Use it for content that can be collapsed. ``CollectionSnapshot/apply(_:toSection:)`` puts the
/// visible items into a section.
///
/// ```swift
/// var outline = SectionSnapshot<String>()
/// try outline.append(["fruit", "bread"])
/// try outline.append(["apple", "pear"], to: "fruit")
/// outline.visibleItems   // ["fruit", "bread"]
/// try outline.expand(["fruit"])
/// outline.visibleItems   // ["fruit", "apple", "pear", "bread"]
/// ```
///
/// Identifiers are unique within an outline. A new item is collapsed.
///
/// Shape: indexes count all items, visible or not, and an item precedes its children; the level of
/// a root item is 0.
///
/// Threading: a value type; read and send it on any thread.
///
/// Errors: edits throw a ``SnapshotError``, and then change nothing.
///
/// Complexity: O(1) to copy, O(log n) for an edit of one item, O(n) for lists and ``index(of:)``.
///
/// Source: the section snapshots of UIKit's diffable data sources.
public struct SectionSnapshot<ItemID: Hashable & Sendable>: Sendable {
    typealias Child = LabelledIdentifier<ItemID>
    typealias Children = PersistentSequence<Child, LastLabel<Child>>

    struct Node: Sendable {
        var parent: ItemID?
        /// The label among the children of its parent.
        var label: Int
        var isExpanded = false
        var children = Children()
    }

    var nodes = PersistentHashMap<ItemID, Node>()
    var roots = Children()

    /// Creates an empty outline.
    public init() {}

    /// Creates an outline of root items; throws if an item occurs twice.
    public init(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        try append(items)
    }

    func children(of parent: ItemID?) -> Children {
        guard let parent else { return roots }
        return nodes[parent]?.children ?? Children()
    }

    // MARK: Queries

    /// The number of items, visible or not. Complexity: O(1).
    public var count: Int { nodes.count }

    /// All items, each before its children.
    public var items: [ItemID] { walk(from: nil, visibleOnly: false) }

    /// The items without a parent, in order.
    public var rootItems: [ItemID] { roots.map(\.id) }

    /// The visible items, in order: those with only expanded ancestors.
    public var visibleItems: [ItemID] { walk(from: nil, visibleOnly: true) }

    /// Returns whether an item is in the outline. Complexity: O(1) expected.
    public func contains(_ item: ItemID) -> Bool { nodes[item] != nil }

    /// Returns whether an item is in the outline and shows its children. Complexity: O(1) expected.
    public func isExpanded(_ item: ItemID) -> Bool { nodes[item]?.isExpanded ?? false }

    /// Returns whether an item is in the outline and all its ancestors are expanded. Complexity:
    /// O(depth).
    public func isVisible(_ item: ItemID) -> Bool {
        guard var node = nodes[item] else { return false }
        while let parent = node.parent, let next = nodes[parent] {
            guard next.isExpanded else { return false }
            node = next
        }
        return true
    }

    /// Returns the number of an item's ancestors, or `nil` if the item is not in the outline.
    /// Complexity: O(depth).
    public func level(of item: ItemID) -> Int? {
        guard var node = nodes[item] else { return nil }
        var level = 0
        while let parent = node.parent, let next = nodes[parent] {
            level += 1
            node = next
        }
        return level
    }

    /// Returns the index of an item in ``items``, or `nil` if it is not in the outline. Complexity:
    /// O(n).
    public func index(of item: ItemID) -> Int? {
        contains(item) ? items.firstIndex(of: item) : nil
    }

    /// Returns the parent of an item, or `nil` if it has none. Complexity: O(1) expected.
    public func parent(of item: ItemID) -> ItemID? { nodes[item]?.parent }

    /// Returns the children of an item, in order; an empty array if the item is not in the outline.
    public func childItems(of item: ItemID) -> [ItemID] { children(of: item).map(\.id) }

    /// Returns the descendants of an item as an outline of their own, optionally with the item
    /// itself. Expanded items stay expanded. The result is empty if the item is not in the outline.
    ///
    /// Complexity: O(descendants).
    public func snapshot(of parent: ItemID, includingParent: Bool = false) -> SectionSnapshot {
        var result = SectionSnapshot()
        guard contains(parent) else { return result }
        if includingParent { result.insert([parent], below: nil, at: 0) }
        result.copyChildren(of: parent, in: self, to: includingParent ? parent : nil)
        if includingParent { result.copyExpansion(of: [parent], in: self) }
        return result
    }

    /// Returns the descendants of `parent`, or all items, each before its children. Not recursive,
    /// because outlines may be deep.
    func walk(from parent: ItemID?, visibleOnly: Bool) -> [ItemID] {
        var result: [ItemID] = []
        var levels = [children(of: parent).makeIterator()]
        while var level = levels.popLast() {
            guard let child = level.next() else { continue }
            levels.append(level)
            result.append(child.id)
            guard let node = nodes[child.id], !node.children.isEmpty else { continue }
            if !visibleOnly || node.isExpanded { levels.append(node.children.makeIterator()) }
        }
        return result
    }
}

extension SectionSnapshot: Hashable {
    /// Returns whether both outlines have the same items with the same parents, in the same order,
    /// and the same items expanded.
    ///
    /// Complexity: O(n).
    public static func == (left: Self, right: Self) -> Bool {
        guard left.nodes.count == right.nodes.count else { return false }
        let items = left.items
        return items == right.items
            && items.allSatisfy {
                left.parent(of: $0) == right.parent(of: $0)
                    && left.isExpanded($0) == right.isExpanded($0)
            }
    }

    /// Hashes the items in order. Complexity: O(n).
    public func hash(into hasher: inout Hasher) { hasher.combine(items) }
}

extension SectionSnapshot: CustomStringConvertible {
    /// The number of items and of visible items, such as `5 items, 3 visible`.
    public var description: String {
        "\(count) item\(count == 1 ? "" : "s"), \(visibleItems.count) visible"
    }
}

extension CollectionSnapshot {
    /// Replaces the items of a section with the visible items of an outline. A section that does
    /// not exist is added at the end.
    ///
    /// Items of other sections move to this one. Throws, without changing anything, if there would
    /// be more items than a snapshot can number.
    ///
    /// Complexity: O(m + d log n) for m items of the section or the outline, and a range of d items
    /// that contains all differences.
    public mutating func apply(
        _ outline: SectionSnapshot<ItemID>,
        toSection section: SectionID
    ) throws(SnapshotError) {
        let new = outline.visibleItems
        var copy = self
        if !copy.containsSection(section) { try copy.appendSections([section]) }
        let old = try copy.itemIdentifiers(inSection: section)
        var head = 0
        while head < min(old.count, new.count), old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < min(old.count, new.count) - head,
            old[old.count - 1 - tail] == new[new.count - 1 - tail]
        {
            tail += 1
        }
        let middle = new[head..<(new.count - tail)]
        let kept = Set(middle)
        try copy.deleteItems(old[head..<(old.count - tail)].filter { !kept.contains($0) })
        if head > 0 {
            try copy.insertItems(middle, afterItem: new[head - 1])
        } else if tail > 0 {
            try copy.insertItems(middle, beforeItem: new[new.count - tail])
        } else {
            try copy.appendItems(middle, toSection: section)
        }
        self = copy
    }
}
