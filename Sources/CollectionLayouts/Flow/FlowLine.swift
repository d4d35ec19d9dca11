import PersistentTrees

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
    private var sum: ExactSum

    var extent: Double { sum.value }

    static var zero: FlowLineSummary { FlowLineSummary(itemCount: 0, sum: .zero) }

    private init(itemCount: Int, sum: ExactSum) {
        self.itemCount = itemCount
        self.sum = sum
    }

    init(of line: FlowLine) { self.init(itemCount: line.count, sum: ExactSum(line.extent)) }

    @inline(__always)
    func combined(with next: FlowLineSummary) -> FlowLineSummary {
        FlowLineSummary(itemCount: itemCount + next.itemCount, sum: sum + next.sum)
    }
}

typealias FlowLines = PersistentSequence<FlowLine, FlowLineSummary>
