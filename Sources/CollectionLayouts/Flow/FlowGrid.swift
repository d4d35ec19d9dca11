import PersistentTrees

/// The lines of a section whose items all have the same size: everything is computed, and nothing
/// is stored.
struct FlowGrid: Sendable {
    let size: Size
    let count: Int
    /// The number of items on every line; the last line may have fewer.
    let itemsPerLine: Int
    /// The distance between items on a line.
    private let gap: Double
    /// The start of the first item of a line, across the scroll direction.
    private let start: Double
    private let direction: ScrollDirection
    private let lineSpacing: Double

    init(size: Size, count: Int, rules: FlowRules) {
        self.size = size
        self.count = count
        direction = rules.environment.direction
        lineSpacing = rules.metrics.lineSpacing
        // Adding 0.0 turns -0 into 0, here and below; otherwise quotients would have the wrong
        // sign.
        let extent = size.across(direction) + 0.0
        let spacing = rules.metrics.interitemSpacing
        let exact = (rules.available + spacing) / (extent + spacing)
        let fitting = (exact * (1 + LineBreaker.slack)).rounded(.down)
        // If the result is NaN (0 / 0) or too large for an integer, all items fit on a line.
        let most = max(1, count)
        let perLine = fitting < Double(most) ? Int(max(1, fitting)) : most
        let gap =
            fitting.isFinite && fitting > 1
            ? (rules.available - extent * fitting) / (fitting - 1) : spacing
        itemsPerLine = perLine
        self.gap = gap
        start = perLine == 1 ? rules.leading + (rules.available - extent) / 2 : rules.leading
    }

    var lineCount: Int { (count + itemsPerLine - 1) / itemsPerLine }

    var extent: Double {
        lineCount == 0
            ? 0 : lineExtent * Double(lineCount) + lineSpacing * Double(lineCount - 1)
    }

    private var lineExtent: Double { size.along(direction) }

    func frame(ofItem item: Int) -> FlowFrame {
        let (line, column) = item.quotientAndRemainder(dividingBy: itemsPerLine)
        return FlowFrame(
            // For line 0, the product would be NaN if the factor overflows.
            along: line == 0 ? 0 : (lineExtent + lineSpacing) * Double(line),
            across: column == 0 ? start : start + (size.across(direction) + gap) * Double(column),
            size: size
        )
    }

    /// Returns the lines that overlap an interval along the scroll direction, and possibly adjacent
    /// lines.
    func lines(meeting interval: ClosedRange<Double>) -> Range<Int> {
        let pitch = lineExtent + lineSpacing + 0.0
        return Self.range(
            meeting: interval.lowerBound / pitch,
            to: interval.upperBound / pitch,
            of: lineCount
        )
    }

    /// Returns the items on a line that overlap an interval across the scroll direction, and
    /// possibly adjacent items.
    func items(onLine line: Int, meeting interval: ClosedRange<Double>) -> Range<Int> {
        let first = line * itemsPerLine
        let end = min(count, first + itemsPerLine)
        let pitch = size.across(direction) + gap + 0.0
        let columns = Self.range(
            meeting: (interval.lowerBound - start) / pitch,
            to: (interval.upperBound - start) / pitch,
            of: end - first
        )
        return (first + columns.lowerBound)..<(first + columns.upperBound)
    }

    /// Returns the places between two positions, plus one place on either side because division
    /// rounds. There are `count` places, each with an extent of 1.
    private static func range(meeting low: Double, to high: Double, of count: Int) -> Range<Int> {
        let limit = Double(count)
        // If a bound is NaN (0 / 0), all places on its side count: `max` and `min` then return
        // their first argument, so the order matters.
        let first = min(limit, max(0, low.rounded(.down) - 1))
        let end = min(limit, max(high.rounded(.down) + 2, first))
        return Int(first)..<Int(end)
    }
}

/// A line of items of different sizes.
struct FlowLine: Hashable, Sendable {
    /// The number of items on the line.
    var count: Int
    /// The extent along the scroll direction, which is that of the tallest item.
    var extent: Double
    /// The sum of the items' extents across the scroll direction.
    var fill: Double
}

/// The number of items on lines, and the sum of their extents without spacings.
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
