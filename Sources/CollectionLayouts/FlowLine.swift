/// One line of items of different sizes.
struct FlowLine: Hashable, Sendable {
    /// How many items are on it.
    var count: Int
    /// The extent along the scroll direction: that of the tallest item.
    var extent: Double
    /// The sum of the items' extents across.
    var fill: Double
}

/// How many items lines have, and how far they reach without what is between them.
struct FlowLineSummary: SequenceSummary {
    var itemCount: Int
    var extent: Double

    static var zero: FlowLineSummary { FlowLineSummary(itemCount: 0, extent: 0) }

    private init(itemCount: Int, extent: Double) {
        self.itemCount = itemCount
        self.extent = extent
    }

    init(of line: FlowLine) { self.init(itemCount: line.count, extent: line.extent) }

    @inline(__always)
    func combined(with next: FlowLineSummary) -> FlowLineSummary {
        FlowLineSummary(itemCount: itemCount + next.itemCount, extent: extent + next.extent)
    }
}

typealias FlowLines = ExtentTree<FlowLine, FlowLineSummary>
