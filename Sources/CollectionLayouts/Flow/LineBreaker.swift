import PersistentTrees

/// Breaks items of different sizes into lines, one after the other.
struct LineBreaker {
    /// The fraction by which sums may exceed a line because of rounding, for example if an
    /// application divides a width by a number of columns.
    static let slack = 0x1p-40

    private let available: Double
    private let interitemSpacing: Double
    private let isVertical: Bool
    private var cursor: ItemSizes.Iterator
    /// The item that did not fit on the previous line.
    private var pending: Size?
    /// Whether any item was larger than the line.
    private(set) var hasOversizeItem = false

    /// Creates a breaker whose first line begins with the item at `item`.
    init(_ sizes: ItemSizes, from item: Int, in rules: FlowRules) {
        available = rules.available
        interitemSpacing = rules.metrics.interitemSpacing
        isVertical = rules.environment.direction == .vertical
        cursor = sizes.makeIterator(from: item)
    }

    /// Returns the next line, or `nil` after the last.
    ///
    /// A line always contains its first item. It contains further items as long as they fit in the
    /// remaining extent, apart from rounding.
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

/// Breaks a section into lines again after some of its items were replaced.
///
/// A line depends only on its own items and the first item of the next line. After an edit, lines
/// are therefore broken from the line that contains the last item before the edit, until a line
/// begins where a line began before; the old lines after that remain valid.
struct LineRebreaking {
    private let sizes: ItemSizes
    private let rules: FlowRules
    private(set) var brokenLineCount = 0
    private(set) var hasOversizeItem = false

    init(_ sizes: ItemSizes, rules: FlowRules) {
        self.sizes = sizes
        self.rules = rules
    }

    /// Returns the lines of all items.
    ///
    /// - Parameters:
    ///   - known: The previous lines, broken under the same rules; `nil` if there are none.
    ///   - spans: The items that have been replaced since then, ascending.
    mutating func lines(from known: FlowLines?, spans: [ItemSpan]) -> FlowLines {
        guard let known else { return broken(from: 0) { _ in false }.lines }
        var result = FlowLines()
        var remaining = spans[...]
        // The first old line that is neither reused nor replaced.
        var oldLine = 0
        while let span = remaining.first {
            let edited = known.place { _, summary in
                summary.itemCount >= span.old.lowerBound
            }
            let restart = max(oldLine, edited.index)
            result = result.appending(known.slice(oldLine..<restart))
            let shift = result.summary.itemCount - known.summary(before: restart).itemCount
            let stretch = rebreak(
                from: result.summary.itemCount,
                shift: shift,
                known: known,
                oldLine: restart,
                &remaining
            )
            result = result.appending(stretch.lines)
            oldLine = stretch.nextLine
        }
        return result.appending(known.slice(oldLine..<known.count))
    }

    /// Breaks lines over as many spans as necessary, until an old line is valid again; returns that
    /// line as `nextLine`.
    ///
    /// - Parameter oldLine: The old line that began with the item.
    private mutating func rebreak(
        from item: Int,
        shift: Int,
        known: FlowLines,
        oldLine: Int,
        _ spans: inout ArraySlice<ItemSpan>
    ) -> (lines: FlowLines, nextLine: Int) {
        var shift = shift
        var line = oldLine
        var cursor = known.makeIterator(from: oldLine)
        var oldStart = known.summary(before: oldLine).itemCount
        let stretch = broken(from: item) { start in
            while let span = spans.first, start >= span.new.upperBound {
                // `start` may directly follow the inserted items, and an old line may begin there.
                shift = span.new.upperBound - span.old.upperBound
                spans.removeFirst()
            }
            if let span = spans.first, start > span.new.lowerBound { return false }
            let old = start - shift
            while oldStart < old, let passed = cursor.next() {
                oldStart += passed.count
                line += 1
            }
            return oldStart == old
        }
        if stretch.isAtEnd { spans.removeAll() }
        return (stretch.lines, stretch.isAtEnd ? known.count : line)
    }

    /// Breaks lines from an item on, until a line begins at an item for which `isKnown` returns
    /// `true`.
    private mutating func broken(
        from item: Int,
        until isKnown: (_ start: Int) -> Bool
    ) -> (lines: FlowLines, isAtEnd: Bool) {
        var breaker = LineBreaker(sizes, from: item, in: rules)
        var lines = FlowLines.Builder()
        var (start, lineCount) = (item, 0)
        defer {
            brokenLineCount += lineCount
            if breaker.hasOversizeItem { hasOversizeItem = true }
        }
        while let line = breaker.next() {
            lines.append(line)
            lineCount += 1
            start += line.count
            if start < sizes.count, isKnown(start) { return (lines.tree(), false) }
        }
        return (lines.tree(), true)
    }
}
