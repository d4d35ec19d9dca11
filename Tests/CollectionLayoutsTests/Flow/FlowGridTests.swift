import Testing

@testable import CollectionLayouts

/// Lines of equal items, compared with all places one by one.
@Suite("Grids of equal items")
struct FlowGridTests {
    private func grid(
        _ size: Size,
        count: Int,
        dimension: Double,
        interitem: Double = 0,
        line: Double = 0,
        _ inset: EdgeInsets = .zero,
        _ direction: ScrollDirection = .vertical
    ) -> FlowGrid {
        let metrics = FlowResolvedMetrics(
            inset: inset,
            interitemSpacing: interitem,
            lineSpacing: line
        )
        let environment = FlowEnvironment(ofSectionAlong: direction, dimension: dimension)
        return FlowGrid(
            size: size,
            count: count,
            rules: FlowRules(environment: environment, metrics: metrics)
        )
    }

    /// From before the first place to behind the last, with ends on and between edges.
    private let intervals: [ClosedRange<Double>] = {
        let ends = [-.infinity, -3, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4.5, 6, 9, 30, .infinity]
        return ends.flatMap { low in ends.filter { $0 >= low }.map { low...$0 } }
    }()

    /// With the space behind it, each takes a pitch.
    private func places(
        _ interval: ClosedRange<Double>,
        from start: Double,
        pitch: Double,
        _ count: Int
    ) -> [Int] {
        (0..<count).filter { place in
            let (low, high) = (start + Double(place) * pitch, start + Double(place + 1) * pitch)
            // One more on either side.
            return low - pitch <= interval.upperBound && high + pitch > interval.lowerBound
        }
    }

    @Test func linesAreSearchedFromOneBeforeAnIntervalToOneBehindIt() {
        for (extent, spacing) in [(1.0, 0.0), (1, 0.5), (0, 1), (2, 1), (0.5, 0), (1.5, 1.5)] {
            for count in 0...5 {
                let grid = grid(
                    Size(width: 10, height: extent),
                    count: count,
                    dimension: 10,
                    line: spacing
                )
                #expect(grid.lineCount == count)
                for interval in intervals {
                    let expected = places(interval, from: 0, pitch: extent + spacing, count)
                    if Array(grid.lines(meeting: interval)) != expected {
                        Issue.record("\(extent), \(spacing), \(count): \(interval)")
                    }
                }
            }
        }
    }

    @Test(arguments: [1, 2])
    func theFirstLineBeginsAtTheStartHoweverLargeItIs(_ count: Int) {
        let most = Double.greatestFiniteMagnitude
        let grid = grid(Size(width: 10, height: most), count: count, dimension: 10, line: most)
        let starts = (0..<count).map { grid.frame(ofItem: $0).along }
        #expect(starts == Array([0, .infinity].prefix(count)))
        #expect(grid.lines(meeting: 0...1).lowerBound == 0)
    }

    @Test func itemsOfALineAreSearchedFromOneBeforeAnIntervalToOneBehindIt() {
        for (extent, spacing, room) in [(1.0, 0.5, 4.0), (1, 0, 3), (2, 1, 8), (1, 0.5, 5)] {
            for count in 1...9 {
                let grid = grid(
                    Size(width: extent, height: 1),
                    count: count,
                    dimension: room + 1,
                    interitem: spacing,
                    EdgeInsets(left: 1)
                )
                // The room that is left is spread, as if the line were full.
                let perLine = Int((room + spacing) / (extent + spacing))
                #expect(grid.itemsPerLine == min(count, perLine))
                let gap = (room - Double(perLine) * extent) / Double(perLine - 1)
                let start = count == 1 ? 1 + (room - extent) / 2 : 1
                for line in 0..<grid.lineCount {
                    let first = line * perLine
                    let onLine = min(perLine, count - first)
                    for interval in intervals {
                        let columns = places(interval, from: start, pitch: extent + gap, onLine)
                        let found = Array(grid.items(onLine: line, meeting: interval))
                        if found != columns.map({ first + $0 }) {
                            Issue.record("\(extent), \(spacing), \(count): \(line), \(interval)")
                        }
                    }
                }
            }
        }
    }

    /// Where places have no extent, or one that is no number any more, no quotient says where they are.
    @Test(arguments: [0, -0.0, .greatestFiniteMagnitude])
    func whereNothingCanBeDividedAllAreSearched(_ extent: Double) {
        let lines = grid(
            Size(width: 10, height: extent),
            count: 7,
            dimension: 10,
            line: extent
        )
        #expect(lines.lines(meeting: 0...(.infinity)) == 0..<7)
        let items = grid(
            Size(width: extent, height: 1),
            count: 7,
            dimension: 10,
            interitem: extent,
            EdgeInsets(left: -.greatestFiniteMagnitude, right: -.greatestFiniteMagnitude)
        )
        #expect(items.itemsPerLine == 7)
        let start = -Double.greatestFiniteMagnitude
        #expect(items.items(onLine: 0, meeting: start...(.infinity)) == 0..<7)
    }

    @Test func whereNothingHasAWidthAllShareALineAndAPlace() {
        let grid = grid(.zero, count: 4, dimension: 10, EdgeInsets(left: 3))
        #expect(grid.lineCount == 1)
        #expect((0..<4).map { grid.frame(ofItem: $0).across } == [3, 3, 3, 3])
        #expect(grid.items(onLine: 0, meeting: 2...4) == 0..<4)
    }

    @Test func theFirstOfALineIsWhereLinesBeginHoweverLargeSpacesAre() {
        let huge = Double.greatestFiniteMagnitude
        let grid = grid(
            Size(width: huge, height: 1),
            count: 2,
            dimension: 10,
            interitem: huge
        )
        #expect(grid.itemsPerLine == 1)
        #expect(grid.frame(ofItem: 1).across == -huge / 2)
    }

    /// By trying how many stand side by side.
    @Test(arguments: ScrollDirection.allCases)
    func framesAreThoseOfPlacingOneAfterTheOther(_ direction: ScrollDirection) {
        for across in [0.5, 1, 2, 3, 7] {
            for interitem in [0, 0.5, 2] {
                for count in 0...6 {
                    let size = Size(along: 3, across: across, direction)
                    let grid = grid(
                        size,
                        count: count,
                        dimension: 8,
                        interitem: interitem,
                        line: 2,
                        EdgeInsets(top: 1, left: 1, bottom: 1, right: 1),
                        direction
                    )
                    let naive = NaiveLines(
                        sizes: Array(repeating: (3, across), count: count),
                        total: 8,
                        before: 1,
                        both: 2,
                        line: 2,
                        interitem: interitem
                    ).boxes()
                    #expect(grid.extent == naive.extent)
                    for (item, box) in naive.boxes.enumerated() {
                        let frame = grid.frame(ofItem: item)
                        #expect(frame.size == size && frame.along == box.along)
                        #expect(abs(frame.across - box.across) < 1e-9)
                    }
                }
            }
        }
    }
}
