import CollectionElements
import PersistentTrees

/// The sizes that the views of a section have preferred.
struct PreferredSizes: Sendable {
    typealias Items = PersistentSequence<Size?, NoSummary<Size?>>

    /// The sizes by item; empty while no item has a preferred size.
    private(set) var items = Items()
    var header: Size?
    var footer: Size?

    /// Returns whether views of this category may prefer a size; the layout defines the size of
    /// decorations.
    static func hold(_ category: ElementCategory) -> Bool {
        switch category {
        case .cell, .supplementary(.header), .supplementary(.footer): true
        case .supplementary, .decoration: false
        }
    }

    subscript(place: LayoutPlace) -> Size? {
        switch place.category {
        case .cell: items.element(at: place.path.item) ?? nil
        case .supplementary(.header): header
        case .supplementary(.footer): footer
        case .supplementary, .decoration: nil
        }
    }

    /// Complexity: O(log n) for n items, and O(log² n) the first time.
    mutating func set(_ size: Size, for place: LayoutPlace, itemCount: Int) {
        switch place.category {
        case .cell:
            if items.count != itemCount { items = Items(repeating: nil, count: itemCount) }
            items = items.replacing(at: place.path.item, with: size)
        case .supplementary(.header): header = size
        case .supplementary(.footer): footer = size
        case .supplementary, .decoration: break
        }
    }

    /// Carries the sizes over to the state after an update of the section.
    ///
    /// - Parameters:
    ///   - spans: The items that were inserted, deleted or changed.
    ///   - known: The sizes that the views of inserted items preferred before, by new index.
    ///   - count: The number of items after the update.
    /// - Complexity: O(k log n) for k inserted or deleted items.
    mutating func replaceItems(_ spans: [ItemSpan], known: [Int: Size], count: Int) {
        guard !items.isEmpty || !known.isEmpty else { return }
        if items.isEmpty {
            items = Items(repeating: nil, count: count)
            for (item, size) in known { items = items.replacing(at: item, with: size) }
            return
        }
        items = items.replacing(spans) { Items($0.map { known[$0] }) }
    }

    /// Keeps only the sizes that are narrower than `acrossExtent`, as UIKit does with sizes that
    /// were measured for another width.
    mutating func removeItems(thatFill acrossExtent: Double, _ direction: ScrollDirection) {
        var kept = Items.Builder()
        var cursor = items.makeIterator()
        while let size = cursor.next() {
            kept.append(size.flatMap { $0.across(direction) < acrossExtent ? $0 : nil })
        }
        items = kept.tree()
    }
}

/// The size that a layout uses for an item.
struct ItemSize: Hashable, Sendable {
    var size: Size
    /// Whether the item's view preferred this size.
    var isPreferred = false
}

/// A summary of whether all items have the same size.
struct ItemSizeSummary: SequenceSummary {
    private enum State {
        case empty
        case uniform
        case mixed
    }

    private var state: State
    private var size: Size

    static var zero: ItemSizeSummary { ItemSizeSummary(state: .empty, size: .zero) }

    private init(state: State, size: Size) {
        self.state = state
        self.size = size
    }

    init(of element: ItemSize) { self.init(state: .uniform, size: element.size) }

    @inline(__always)
    func combined(with next: ItemSizeSummary) -> ItemSizeSummary {
        if state == .empty { return next }
        if next.state == .empty || state == .mixed { return self }
        if next.state == .mixed || next.size.width != size.width
            || next.size.height != size.height
        {
            return ItemSizeSummary(state: .mixed, size: size)
        }
        return self
    }

    /// The size of all items if they have the same one; sizes are compared exactly, as in UIKit.
    var uniformSize: Size? { state == .uniform ? size : nil }
}

typealias ItemSizes = PersistentSequence<ItemSize, ItemSizeSummary>
