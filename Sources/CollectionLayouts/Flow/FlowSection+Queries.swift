import PersistentTrees

extension FlowSection {
    /// Where an item is; nil if there is none.
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

    /// Calls `body` with the items that reach into two intervals, and perhaps with neighbours.
    ///
    /// Complexity: O(log n), and the items of the lines that reach into the first interval; where all
    /// items have the same size, no more than there are answers.
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

    /// Calls `body` with the items of a line in order, until it returns false.
    private func visitItems(
        of line: FlowLine,
        at place: FlowLines.Place,
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
