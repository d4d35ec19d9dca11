import CollectionElements
import PersistentTrees

/// The sizes that the views of a section preferred.
struct PreferredSizes: Sendable {
    typealias Items = PersistentSequence<Size?, NoSummary<Size?>>

    /// By item; empty while nobody preferred anything.
    private(set) var items = Items()
    var header: Size?
    var footer: Size?

    /// Whether views of such elements may prefer a size; decorations are as their layout says.
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

    /// Takes the sizes along over an update of the section.
    ///
    /// - Parameters:
    ///   - spans: the items that came, went or changed.
    ///   - known: what the views of those that came preferred before, by new index.
    ///   - count: how many items there are now.
    /// - Complexity: O(k log n) for k items that came or went.
    mutating func replaceItems(_ spans: [ItemSpan], known: [Int: Size], count: Int) {
        guard !items.isEmpty || !known.isEmpty else { return }
        if items.isEmpty {
            items = Items(repeating: nil, count: count)
            for (item, size) in known { items = items.replacing(at: item, with: size) }
            return
        }
        items = items.replacing(spans) { Items($0.map { known[$0] }) }
    }

    /// Keeps what is narrower than such room, as UIKit does with sizes that were measured in another.
    mutating func removeItems(thatFill acrossExtent: Double, _ direction: ScrollDirection) {
        var kept = Items.Builder()
        var cursor = items.makeIterator()
        while let size = cursor.next() {
            kept.append(size.flatMap { $0.across(direction) < acrossExtent ? $0 : nil })
        }
        items = kept.tree()
    }
}
