import PersistentTrees

/// The items of one section as an outline: items with children, which are shown where all that they are
/// below is expanded.
///
/// Use it for what folds; ``CollectionSnapshot/apply(_:toSection:)`` puts what is visible of it into a
/// section.
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
/// Identifiers are unique within an outline. An item that is new is collapsed.
///
/// Shape: indexes are among all items, visible or not, an item before its children; levels are 0 for
/// items that are below none.
///
/// Threading: a value, to be read and sent anywhere.
///
/// Errors: edits throw a ``SnapshotError`` and change nothing then.
///
/// Complexity: O(1) to copy, O(log n) for an edit of one item, O(n) for lists and ``index(of:)``.
///
/// Source: the section snapshots of UIKit's diffable data sources.
public struct SectionSnapshot<ItemID: Hashable & Sendable>: Sendable {
    typealias Child = LabelledIdentifier<ItemID>
    typealias Children = PersistentSequence<Child, LastLabel<Child>>

    struct Node: Sendable {
        var parent: ItemID?
        /// Among its parent's children.
        var label: Int
        var isExpanded = false
        var children = Children()
    }

    var nodes = PersistentHashMap<ItemID, Node>()
    var roots = Children()

    /// Makes an outline of no items.
    public init() {}

    /// Makes an outline of items that are below none; throws where one occurs twice.
    public init(_ items: some Sequence<ItemID>) throws(SnapshotError) {
        try append(items)
    }

    func children(of parent: ItemID?) -> Children {
        guard let parent else { return roots }
        return nodes[parent]?.children ?? Children()
    }
}

// MARK: - Queries

extension SectionSnapshot {
    /// How many items there are, visible or not. Complexity: O(1).
    public var count: Int { nodes.count }

    /// Every item, before its children.
    public var items: [ItemID] { walk(from: nil, visibleOnly: false) }

    /// The items that are below none, in order.
    public var rootItems: [ItemID] { roots.map(\.id) }

    /// The items that are shown, in order: all that they are below is expanded.
    public var visibleItems: [ItemID] { walk(from: nil, visibleOnly: true) }

    /// Whether an item is in the outline. Complexity: O(1) expected.
    public func contains(_ item: ItemID) -> Bool { nodes[item] != nil }

    /// Whether an item is there and shows its children. Complexity: O(1) expected.
    public func isExpanded(_ item: ItemID) -> Bool { nodes[item]?.isExpanded ?? false }

    /// Whether an item is there and everything that it is below is expanded. Complexity: O(depth).
    public func isVisible(_ item: ItemID) -> Bool {
        guard var node = nodes[item] else { return false }
        while let parent = node.parent, let next = nodes[parent] {
            guard next.isExpanded else { return false }
            node = next
        }
        return true
    }

    /// How many items an item is below, or nil if it is not there. Complexity: O(depth).
    public func level(of item: ItemID) -> Int? {
        guard var node = nodes[item] else { return nil }
        var level = 0
        while let parent = node.parent, let next = nodes[parent] {
            level += 1
            node = next
        }
        return level
    }

    /// The place of an item in ``items``, or nil if it is not there. Complexity: O(n).
    public func index(of item: ItemID) -> Int? {
        contains(item) ? items.firstIndex(of: item) : nil
    }

    /// The item that an item is a child of, or nil if there is none. Complexity: O(1) expected.
    public func parent(of item: ItemID) -> ItemID? { nodes[item]?.parent }

    /// The children of an item, in order; none where it is not there.
    public func childItems(of item: ItemID) -> [ItemID] { children(of: item).map(\.id) }

    /// What is below an item as an outline of its own; with the item above it on demand. What is expanded
    /// stays so. Empty where the item is not there.
    ///
    /// Complexity: O(items below it).
    public func snapshot(of parent: ItemID, includingParent: Bool = false) -> SectionSnapshot {
        var result = SectionSnapshot()
        guard contains(parent) else { return result }
        if includingParent { result.insert([parent], below: nil, at: 0) }
        result.copyChildren(of: parent, in: self, to: includingParent ? parent : nil)
        if includingParent { result.copyExpansion(of: [parent], in: self) }
        return result
    }

    /// What is below `parent`, or everything, before what is below it. Not recursive, since outlines may be
    /// deep.
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
    /// Whether both have the same items below the same, in the same order, and the same ones expanded.
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

    /// Feeds the items in order. Complexity: O(n).
    public func hash(into hasher: inout Hasher) { hasher.combine(items) }
}

extension SectionSnapshot: CustomStringConvertible {
    /// How many items there are and how many are visible, such as `5 items, 3 visible`.
    public var description: String {
        "\(count) item\(count == 1 ? "" : "s"), \(visibleItems.count) visible"
    }
}
