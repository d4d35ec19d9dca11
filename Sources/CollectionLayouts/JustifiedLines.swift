// Line breaking, justification and centring of a flow, as pure functions on arrays of sizes. Headers,
// insets along the scroll direction, pixels and mirroring are left to others.

/// What decides about the lines of a flow.
struct FlowLineRules: Hashable, Sendable {
    /// The extent across the scroll direction, insets included.
    var acrossExtent: Double
    /// What is left free before the lines, across.
    var acrossLeading = 0.0
    /// What is left free behind the lines, across.
    var acrossTrailing = 0.0
    /// The exact space between lines.
    var lineSpacing = 0.0
    /// The least space between the items of a line.
    var interitemSpacing = 0.0

    /// What the lines may fill; not below 0.
    var available: Double { max(0, acrossExtent - acrossLeading - acrossTrailing) }
}

/// The extents of one item along and across the scroll direction; finite and not negative.
struct FlowItemSize: Hashable, Sendable {
    var along: Double
    var across: Double
}

/// The lines that items fall into, and where the items are in them.
///
/// There are two ways to break lines. Where all sizes are exactly equal, a grid: as many a line as fit,
/// every line spaced alike. Else item by item, every line justified but the last. Sizes are compared
/// directly, without a tolerance, so that thirds may spill.
///
/// Complexity: O(n).
///
/// Source: UICollectionViewFlowLayout, as observed.
struct JustifiedLines: Hashable, Sendable {
    /// Some neighbouring items side by side.
    struct Line: Hashable, Sendable {
        var items: Range<Int>
        /// Where the line begins, along the scroll direction.
        var along: Double
        /// The extent of the tallest item.
        var extent: Double

        var end: Double { along + extent }
    }

    /// In order; they do not overlap.
    let lines: [Line]

    /// Where the items are, by their number; ascending within a line.
    let frames: [AxisRect]

    /// The end of the last line; 0 if there is none.
    var extent: Double { lines.last?.end ?? 0 }

    init(_ sizes: [FlowItemSize], _ rules: FlowLineRules) {
        guard let first = sizes.first else {
            lines = []
            frames = []
            return
        }
        let isUniform = sizes.allSatisfy { $0 == first }
        let perLine = Self.itemsPerLine(of: first.across, rules)
        let ranges =
            isUniform
            ? Self.uniformLines(sizes.count, perLine: perLine)
            : Self.variableLines(sizes, rules)
        // Then the last line counts as complete; a single item is centred, however many would fit.
        let holdsOneEach = ranges.count == sizes.count
        var lines: [Line] = []
        lines.reserveCapacity(ranges.count)
        var frames: [AxisRect] = []
        frames.reserveCapacity(sizes.count)
        var along = 0.0
        for range in ranges {
            let extent = range.reduce(0) { max($0, sizes[$1].along) }
            let line = Line(items: range, along: along, extent: extent)
            let isLast = range.upperBound == sizes.count
            let spread =
                isUniform
                ? Self.uniformSpread(
                    of: first.across,
                    perLine: holdsOneEach ? 1 : perLine,
                    rules
                )
                : Self.variableSpread(sizes[range], isComplete: !isLast || holdsOneEach, rules)
            Self.place(sizes[range], in: line, spread, &frames)
            lines.append(line)
            along += extent + rules.lineSpacing
        }
        self.lines = lines
        self.frames = frames
    }
}

// MARK: - Breaking

extension JustifiedLines {
    /// How many items of one extent fit side by side; at least one, infinite where they take no room.
    static func itemsPerLine(of across: Double, _ rules: FlowLineRules) -> Double {
        let step = across + rules.interitemSpacing
        guard step > 0 else { return .infinity }
        return max(1, ((rules.available + rules.interitemSpacing) / step).rounded(.down))
    }

    static func uniformLines(_ count: Int, perLine: Double) -> [Range<Int>] {
        let length = perLine < Double(count) ? Int(perLine) : count
        return stride(from: 0, to: count, by: max(1, length)).map { start in
            start..<min(count, start + length)
        }
    }

    static func variableLines(_ sizes: [FlowItemSize], _ rules: FlowLineRules) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        var remaining = rules.available
        for item in sizes.indices {
            if item > start, sizes[item].across > remaining {
                ranges.append(start..<item)
                start = item
                remaining = rules.available
            }
            remaining -= sizes[item].across + rules.interitemSpacing
        }
        if start < sizes.count { ranges.append(start..<sizes.count) }
        return ranges
    }
}

// MARK: - Placing

extension JustifiedLines {
    /// Where the first item of a line begins, and the space between its items.
    struct Spread {
        var start: Double
        var gap: Double
    }

    static func uniformSpread(
        of across: Double,
        perLine: Double,
        _ rules: FlowLineRules
    ) -> Spread {
        guard perLine > 1 else {
            return Spread(start: rules.acrossLeading + (rules.available - across) / 2, gap: 0)
        }
        // Every line keeps to the grid of a full one, the last one too.
        let gap = perLine.isFinite ? (rules.available - perLine * across) / (perLine - 1) : 0
        return Spread(start: rules.acrossLeading, gap: max(0, gap))
    }

    static func variableSpread(
        _ sizes: ArraySlice<FlowItemSize>,
        isComplete: Bool,
        _ rules: FlowLineRules
    ) -> Spread {
        guard isComplete else {
            return Spread(start: rules.acrossLeading, gap: rules.interitemSpacing)
        }
        if sizes.count == 1, let size = sizes.first {
            // In the full extent and not within the insets, as UIKit has it.
            return Spread(start: (rules.acrossExtent - size.across) / 2, gap: 0)
        }
        let sum = sizes.reduce(0) { $0 + $1.across }
        return Spread(
            start: rules.acrossLeading,
            gap: max(0, (rules.available - sum) / Double(sizes.count - 1))
        )
    }

    static func place(
        _ sizes: ArraySlice<FlowItemSize>,
        in line: Line,
        _ spread: Spread,
        _ frames: inout [AxisRect]
    ) {
        var across = spread.start
        for size in sizes {
            frames.append(
                AxisRect(
                    along: line.along + (line.extent - size.along) / 2,
                    across: across,
                    alongExtent: size.along,
                    acrossExtent: size.across
                )
            )
            across += size.across + spread.gap
        }
    }
}

// MARK: - Searching

extension JustifiedLines {
    /// The items whose frames intersect `rect`, ascending, and how many lines and items were looked at.
    ///
    /// Complexity: O(log n) and the lines and items between the edges.
    func items(in rect: AxisRect) -> (items: [Int], visits: Int) {
        var found: [Int] = []
        var visits = 0
        let start = partitioningIndex(lines.indices, &visits) { lines[$0].end >= rect.along }
        for line in lines[start...] {
            visits += 1
            guard line.along <= rect.alongEnd else { break }
            // Both edges ascend within a line, so what is left of the rectangle is skipped.
            let first = partitioningIndex(line.items, &visits) {
                frames[$0].acrossEnd >= rect.across
            }
            for item in first..<line.items.upperBound {
                visits += 1
                guard frames[item].across <= rect.acrossEnd else { break }
                let frame = frames[item].rect(.vertical)
                if frame.intersects(rect.rect(.vertical)) { found.append(item) }
            }
        }
        return (found, visits)
    }
}

/// The first index for which `isBehind` holds, where it holds for all after that one; `visits` counts the
/// steps.
func partitioningIndex(
    _ range: Range<Int>,
    _ visits: inout Int,
    _ isBehind: (Int) -> Bool
) -> Int {
    range.lowerBound
        + partitionPoint(range.count) { offset in
            visits += 1
            return isBehind(range.lowerBound + offset)
        }
}
