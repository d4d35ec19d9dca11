import PersistentTrees

/// One section of a flow layout as it was laid out, in coordinates of its own.
///
/// Along the scroll direction the section begins at 0 with its header.
final class FlowSection {
    let rules: FlowRules
    let sizes: ItemSizes
    let lines: Lines
    /// How far the section reaches along the scroll direction.
    let extent: Double
    /// How many lines had to be broken to make it; for tests of complexity.
    let brokenLineCount: Int
    /// Whether some item is larger than a line.
    let hasOversizeItem: Bool

    enum Lines: Sendable {
        case grid(FlowGrid)
        case broken(FlowLines)
    }

    /// Lays the items out.
    ///
    /// - Parameters:
    ///   - former: the section before, with `spans` replaced since; its lines are taken over where
    ///     they still hold.
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
        // Insets below zero may want more than there is.
        extent = max(0, rules.linesStart + linesExtent + trailing + rules.metrics.footer)
    }

    /// The lines as items of different sizes are broken; equal ones are shared, not made one by one.
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

    /// How far the lines reach, from the first one's start.
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
