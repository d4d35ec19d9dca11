import PersistentTrees

/// Breaks items of different sizes into lines, one line after the other.
struct LineBreaker {
    /// What sums of fractions may exceed a line by: an application divides a width by a number of columns.
    static let slack = 0x1p-40

    private let available: Double
    private let interitemSpacing: Double
    private let isVertical: Bool
    private var cursor: ItemSizes.Iterator
    /// The item that did not fit on the line before.
    private var pending: Size?
    /// Whether some item was larger than the line.
    private(set) var hasOversizeItem = false

    /// Begins a line with the item at `item`.
    init(_ sizes: ItemSizes, from item: Int, in rules: FlowRules) {
        available = rules.available
        interitemSpacing = rules.metrics.interitemSpacing
        isVertical = rules.environment.direction == .vertical
        cursor = sizes.makeIterator(from: item)
    }

    /// The next line, or nil after the last.
    ///
    /// The first item is on the line in any case; another one is if its extent is no larger than what
    /// remains, but for what was rounded.
    mutating func next() -> FlowLine? {
        guard let first = pending ?? cursor.next()?.size else { return nil }
        let extent = isVertical ? first.width : first.height
        if extent > available { hasOversizeItem = true }
        var line = FlowLine(count: 1, extent: isVertical ? first.height : first.width, fill: extent)
        var remaining = available - (extent + interitemSpacing)
        while let item = cursor.next()?.size {
            let extent = isVertical ? item.width : item.height
            guard extent <= remaining + available * Self.slack else {
                pending = item
                return line
            }
            remaining -= extent + interitemSpacing
            line.count += 1
            line.fill += extent
            line.extent = max(line.extent, isVertical ? item.height : item.width)
        }
        pending = nil
        return line
    }
}
