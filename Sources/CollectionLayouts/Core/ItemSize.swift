import PersistentTrees

/// The size that a layout uses for an item.
struct ItemSize: Hashable, Sendable {
    var size: Size
    /// Whether the item's view asked for it.
    var isPreferred = false
}

/// Whether items have all the same size.
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

    /// The size that all have: exactly, as UIKit compares.
    var uniformSize: Size? { state == .uniform ? size : nil }
}

typealias ItemSizes = PersistentSequence<ItemSize, ItemSizeSummary>
