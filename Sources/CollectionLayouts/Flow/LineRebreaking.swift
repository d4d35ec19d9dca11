import PersistentTrees

/// Breaks a section into lines again after some of its items were replaced.
///
/// A line is decided by its own items and the first one of the next. So after an edit lines are broken
/// from the one that holds the last item before the edit, until a line begins where one began before;
/// from there on the old lines hold.
struct LineRebreaking {
    private let sizes: ItemSizes
    private let rules: FlowRules
    private(set) var brokenLineCount = 0
    private(set) var hasOversizeItem = false

    init(_ sizes: ItemSizes, rules: FlowRules) {
        self.sizes = sizes
        self.rules = rules
    }

    /// The lines of all items.
    ///
    /// - Parameters:
    ///   - known: the lines before, broken under the same rules; nil if there are none.
    ///   - spans: what was replaced since, ascending.
    mutating func lines(from known: FlowLines?, spans: [ItemSpan]) -> FlowLines {
        guard let known else { return broken(from: 0) { _ in false }.lines }
        var result = FlowLines()
        var remaining = spans[...]
        // The first old line that is neither taken over nor replaced.
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

    /// Breaks lines over as many spans as need be, until an old line holds again: the next one.
    ///
    /// - Parameter oldLine: the old line that began with the item.
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
                // An insertion before `start` may be all that lies between it and the next line.
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

    /// Breaks lines from an item on until one begins at an item of which `isKnown` says so.
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
