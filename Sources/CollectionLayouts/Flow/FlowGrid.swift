/// The lines of a section whose items have all the same size: all is computed, nothing is kept.
struct FlowGrid: Sendable {
    let size: Size
    let count: Int
    /// How many items a line has, but perhaps the last.
    let itemsPerLine: Int
    /// The distance of items on a line.
    private let gap: Double
    /// Where the first item of a line begins, across.
    private let start: Double
    private let direction: ScrollDirection
    private let lineSpacing: Double

    init(size: Size, count: Int, rules: FlowRules) {
        self.size = size
        self.count = count
        direction = rules.environment.direction
        lineSpacing = rules.metrics.lineSpacing
        // Neither here nor below -0: quotients would change sides.
        let extent = size.across(direction) + 0.0
        let spacing = rules.metrics.interitemSpacing
        let exact = (rules.available + spacing) / (extent + spacing)
        let fitting = (exact * (1 + LineBreaker.slack)).rounded(.down)
        // Neither 0 / 0 nor a number too large for an integer may get in the way: then all fit.
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
            // Not the product, which is no number where the two overflow.
            along: line == 0 ? 0 : (lineExtent + lineSpacing) * Double(line),
            across: column == 0 ? start : start + (size.across(direction) + gap) * Double(column),
            size: size
        )
    }

    /// The lines that reach into an interval along the scroll direction, and perhaps neighbours.
    func lines(meeting interval: ClosedRange<Double>) -> Range<Int> {
        let pitch = lineExtent + lineSpacing + 0.0
        return Self.range(
            meeting: interval.lowerBound / pitch,
            to: interval.upperBound / pitch,
            of: lineCount
        )
    }

    /// The items on a line that reach into an interval across the scroll direction, and perhaps
    /// neighbours.
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

    /// Of `count` places, each one long, those between two positions, and one more on either side, for
    /// what division rounds away.
    private static func range(meeting low: Double, to high: Double, of count: Int) -> Range<Int> {
        let limit = Double(count)
        // Where a bound is not a number, as 0 / 0, all on its side count: `max` and `min` keep their first
        // argument then, so the order matters.
        let first = min(limit, max(0, low.rounded(.down) - 1))
        let end = min(limit, max(high.rounded(.down) + 2, first))
        return Int(first)..<Int(end)
    }
}
