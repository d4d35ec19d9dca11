/// The lines of a section whose items have all the same size: all is reckoned, nothing is kept.
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
        let extent = size.across(direction)
        let spacing = rules.metrics.interitemSpacing
        let fitting = ((rules.available + spacing) / (extent + spacing)).rounded(.down)
        // Neither 0 / 0 nor a number too large for an integer may get in the way: then all fit.
        let perLine =
            fitting < Double(max(1, count)) ? max(1, Int(max(1, fitting))) : max(1, count)
        let isColumn = perLine == 1 || count == 1
        let gap =
            fitting.isFinite && fitting > 1
            ? (rules.available - extent * fitting) / (fitting - 1) : spacing
        itemsPerLine = perLine
        self.gap = gap
        start = isColumn ? rules.leading + (rules.available - extent) / 2 : rules.leading
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
            along: (lineExtent + lineSpacing) * Double(line),
            across: column == 0 ? start : start + (size.across(direction) + gap) * Double(column),
            size: size
        )
    }

    /// The lines that reach into an interval along the scroll direction, and perhaps neighbours.
    func lines(meeting interval: ClosedRange<Double>) -> Range<Int> {
        let pitch = lineExtent + lineSpacing
        guard pitch > 0 else { return 0..<lineCount }
        let limit = Double(lineCount)
        // One line more on either side, for what division rounds away.
        let first = min(limit, max(0, (interval.lowerBound / pitch).rounded(.down) - 1))
        let end = min(limit, max(first, (interval.upperBound / pitch).rounded(.down) + 2))
        // Not a number only where infinities meet; then all are looked at.
        return first.isNaN || end.isNaN ? 0..<lineCount : Int(first)..<Int(end)
    }

    /// The items on a line that reach into an interval across the scroll direction, and perhaps
    /// neighbours.
    func items(onLine line: Int, meeting interval: ClosedRange<Double>) -> Range<Int> {
        let first = line * itemsPerLine
        let end = min(count, first + itemsPerLine)
        let pitch = size.across(direction) + gap
        guard pitch > 0, itemsPerLine > 1 else { return first..<end }
        let limit = Double(end - first)
        let low = min(
            limit,
            max(0, ((interval.lowerBound - start) / pitch).rounded(.down) - 1)
        )
        let high = min(
            limit,
            max(low, ((interval.upperBound - start) / pitch).rounded(.down) + 2)
        )
        return low.isNaN || high.isNaN ? first..<end : (first + Int(low))..<(first + Int(high))
    }
}
