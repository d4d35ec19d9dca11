import PersistentTrees

/// One section of a flow layout after it was laid out, in its own coordinates.
///
/// Along the scroll direction, the section begins at 0 with its header.
final class FlowSection {
    let rules: FlowRules
    let sizes: ItemSizes
    let lines: Lines
    /// The extent of the section along the scroll direction.
    let extent: Double
    /// The number of lines that were broken to make the section; used by complexity tests.
    let brokenLineCount: Int
    /// Whether any item is larger than a line.
    let hasOversizeItem: Bool

    enum Lines: Sendable {
        case grid(FlowGrid)
        case broken(FlowLines)
    }

    /// Lays out the items.
    ///
    /// - Parameters:
    ///   - sizes: The sizes of the items.
    ///   - rules: The rules of the section.
    ///   - former: The previous section, in which `spans` have been replaced since then; its lines
    ///     are reused if they are still valid.
    ///   - spans: The replaced items, ascending.
    init(
        _ sizes: ItemSizes,
        rules: FlowRules,
        former: FlowSection? = nil,
        spans: [ItemSpan] = []
    ) {
        self.rules = rules
        self.sizes = sizes
        let linesExtent: Double
        if let size = sizes.isEmpty ? .zero : sizes.summary.uniformSize {
            let grid = FlowGrid(size: size, count: sizes.count, rules: rules)
            lines = .grid(grid)
            linesExtent = grid.extent
            brokenLineCount = 0
            hasOversizeItem =
                !sizes.isEmpty && size.across(rules.environment.direction) > rules.available
        } else {
            var rebreaking = LineRebreaking(sizes, rules: rules)
            var known: FlowLines?
            if let former, former.rules.breaksLines(as: rules) { known = former.brokenLines() }
            let broken = rebreaking.lines(from: known, spans: spans)
            lines = .broken(broken)
            linesExtent =
                broken.summary.extent + rules.metrics.lineSpacing * Double(broken.count - 1)
            brokenLineCount = rebreaking.brokenLineCount
            hasOversizeItem = rebreaking.hasOversizeItem
        }
        let trailing = rules.metrics.inset.trailing(rules.environment.direction)
        // Negative insets may be larger than the content.
        extent = max(0, rules.linesStart + linesExtent + trailing + rules.metrics.footer)
    }

    /// Returns the lines in the form for items of different sizes; equal lines are shared, not made
    /// one by one.
    private func brokenLines() -> FlowLines? {
        guard case .grid = lines else {
            if case .broken(let lines) = lines { return lines }
            return nil
        }
        var breaker = LineBreaker(sizes, from: 0, in: rules)
        guard let line = breaker.next() else { return nil }
        let (full, rest) = sizes.count.quotientAndRemainder(dividingBy: line.count)
        var remainder = LineBreaker(sizes, from: sizes.count - rest, in: rules)
        let last = remainder.next()
        return FlowLines(repeating: line, count: full)
            .appending(FlowLines(last.map { [$0] } ?? []))
    }

    /// The extent of the lines, from the start of the first one.
    var linesExtent: Double {
        switch lines {
        case .grid(let grid): grid.extent
        case .broken(let lines):
            lines.summary.extent + rules.metrics.lineSpacing * Double(lines.count - 1)
        }
    }
}

extension FlowSection: LaidOutSection {
    var itemCount: Int { sizes.count }

    var overhang: Double {
        let end = rules.linesStart + linesExtent
        let supplement = max(rules.metrics.header, rules.metrics.footer) - extent
        return max(0, -rules.linesStart, end - extent, supplement)
    }
}

extension FlowSection {
    /// Returns the frame of an item; `nil` if there is no such item.
    func frame(ofItem item: Int) -> FlowFrame? {
        guard item >= 0, item < sizes.count else { return nil }
        switch lines {
        case .grid(let grid):
            var frame = grid.frame(ofItem: item)
            frame.along += rules.linesStart
            return frame
        case .broken(let lines):
            let place = lines.place { _, summary in summary.itemCount > item }
            guard let line = lines.element(at: place.index) else { return nil }
            var found: FlowFrame?
            visitItems(of: line, at: place, in: lines) { number, frame in
                found = frame
                return number < item
            }
            return found
        }
    }

    /// Calls `body` with the items that overlap two intervals, and possibly with adjacent items.
    ///
    /// Complexity: O(log n), plus the items of the lines that overlap the first interval. If all
    /// items have the same size, O(m) for m items that are passed to `body`.
    func visitItems(
        along: ClosedRange<Double>,
        across: ClosedRange<Double>,
        _ body: (_ item: Int, _ frame: FlowFrame) -> Void
    ) {
        let start = rules.linesStart
        guard let local = ClosedRange.checked(along.lowerBound - start, along.upperBound - start)
        else { return }
        switch lines {
        case .grid(let grid):
            for line in grid.lines(meeting: local) {
                for item in grid.items(onLine: line, meeting: across) {
                    var frame = grid.frame(ofItem: item)
                    frame.along += start
                    body(item, frame)
                }
            }
        case .broken(let lines):
            let spacing = rules.metrics.lineSpacing
            var place = lines.place { count, summary in
                summary.extent + spacing * Double(count - 1) >= local.lowerBound
            }
            var cursor = lines.makeIterator(from: place.index)
            while let line = cursor.next() {
                guard place.before.extent + spacing * Double(place.index) <= local.upperBound else {
                    return
                }
                visitItems(of: line, at: place, in: lines) { item, frame in
                    body(item, frame)
                    return true
                }
                place.index += 1
                place.before = place.before.combined(with: FlowLineSummary(of: line))
            }
        }
    }

    /// Calls `body` with the items of a line in order, until it returns `false`.
    private func visitItems(
        of line: FlowLine,
        at place: FlowLines.SearchResult,
        in lines: FlowLines,
        _ body: (_ item: Int, _ frame: FlowFrame) -> Bool
    ) {
        let direction = rules.environment.direction
        let lineStart =
            rules.linesStart + place.before.extent
            + rules.metrics.lineSpacing * Double(place.index)
        let isLast = place.index == lines.count - 1 && lines.count < sizes.count
        var across = rules.leading
        var gap = rules.metrics.interitemSpacing
        if !isLast, line.count == 1 {
            across = (rules.environment.dimension - line.fill) / 2
        } else if !isLast {
            gap = (rules.available - line.fill) / Double(line.count - 1)
        }
        let first = place.before.itemCount
        var cursor = sizes.makeIterator(from: first)
        for item in first..<(first + line.count) {
            guard let size = cursor.next()?.size else { return }
            let frame = FlowFrame(
                along: lineStart + (line.extent - size.along(direction)) / 2,
                across: across,
                size: size
            )
            guard body(item, frame) else { return }
            across += size.across(direction) + gap
        }
    }
}
