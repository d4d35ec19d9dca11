import PipelineTestSupport
import Testing

@testable import CollectionLayouts

@Suite("Lines of a flow")
struct JustifiedLinesTests {
    private func across(_ sizes: [FlowItemSize], _ rules: FlowLineRules) -> [Double] {
        JustifiedLines(sizes, rules).frames.map(\.across)
    }

    private func rules(_ extent: Double, interitem: Double = 10) -> FlowLineRules {
        FlowLineRules(acrossExtent: extent, lineSpacing: 10, interitemSpacing: interitem)
    }

    private func item(_ across: Double, _ along: Double = 10) -> FlowItemSize {
        FlowItemSize(along: along, across: across)
    }

    @Test
    func equalItemsThatFitExactlyShareALine() {
        #expect(across([item(100), item(100), item(100)], rules(320)) == [0, 110, 220])
    }

    @Test
    func theLastLineOfEqualItemsKeepsToTheGrid() {
        let items = Array(repeating: item(90), count: 5)
        #expect(across(items, rules(320)) == [0, 115, 230, 0, 115])
        #expect(across([item(90), item(90)], rules(320)) == [0, 115])
    }

    @Test
    func aLineOfDifferentItemsIsJustifiedAndTheLastOneIsNot() {
        let items = [item(100), item(120), item(200), item(50)]
        #expect(across(items, rules(320)) == [0, 200, 0, 210])
    }

    @Test
    func aSingleItemIsCentredWithinInsetsInAGridAndAcrossAllElsewhere() {
        var rules = rules(320)
        rules.acrossLeading = 40
        #expect(across([item(200), item(200)], rules) == [80, 80])
        #expect(across([item(200), item(220)], rules) == [60, 50])
        #expect(across([item(200), item(220), item(10)], rules) == [60, 40, 270])
    }

    @Test
    func anItemWiderThanTheLineIsAloneAndCentred() {
        #expect(across([item(400), item(10)], rules(320)) == [-40, 155])
    }

    @Test
    func itemsAreCentredInTheirLineAndLinesAreKeptApart() {
        let items = [item(100, 20), item(120, 40), item(200, 10)]
        let lines = JustifiedLines(items, rules(320))
        #expect(lines.frames.map(\.along) == [10, 0, 50])
        #expect(lines.extent == 60)
    }

    @Test
    func randomLinesEqualNaiveOnes() {
        var random = SeededGenerator(seed: 1)
        for round in 0..<3_000 {
            let isEqual = random.chance(0.3)
            let one = item(Double(random.next(below: 300)) / 4, Double(random.next(below: 90)) / 4)
            let items = (0..<random.next(below: 30)).map { _ in
                isEqual
                    ? one
                    : item(Double(random.next(below: 500)) / 4, Double(random.next(below: 90)) / 4)
            }
            let before = Double(random.next(below: 80)) / 4
            let behind = Double(random.next(below: 80)) / 4
            let rules = FlowLineRules(
                acrossExtent: 50 + Double(random.next(below: 1_000)) / 4,
                acrossLeading: before,
                acrossTrailing: behind,
                lineSpacing: Double(random.next(below: 40)) / 4,
                interitemSpacing: Double(random.next(below: 40)) / 4
            )
            let lines = JustifiedLines(items, rules)
            let naive = NaiveLines(
                sizes: items.map { ($0.along, $0.across) },
                total: rules.acrossExtent,
                before: before,
                both: before + behind,
                line: rules.lineSpacing,
                interitem: rules.interitemSpacing
            ).boxes()
            #expect(lines.extent == naive.extent, "round \(round)")
            for (frame, box) in zip(lines.frames, naive.boxes) {
                #expect(
                    frame.along == box.along && abs(frame.across - box.across) < 1e-9
                        && frame.alongExtent == box.alongExtent
                        && frame.acrossExtent == box.acrossExtent,
                    "round \(round)"
                )
            }
            checkQueries(lines, &random, round)
        }
    }

    private func checkQueries(
        _ lines: JustifiedLines,
        _ random: inout SeededGenerator,
        _ round: Int
    ) {
        for _ in 0..<4 {
            let rect = AxisRect(
                along: Double(random.next(below: 800)) / 4 - 20,
                across: Double(random.next(below: 1_200)) / 4 - 20,
                alongExtent: Double(random.next(below: 200)) / 4,
                acrossExtent: Double(random.next(below: 600)) / 4
            )
            let scanned = lines.frames.indices.filter {
                lines.frames[$0].rect(.vertical).intersects(rect.rect(.vertical))
            }
            #expect(lines.items(in: rect).items == scanned, "round \(round)")
        }
    }

    @Test
    func aQueryLooksAtItsAnswerAndALogarithm() {
        let items = (0..<100_000).map { item(90, Double(10 + $0 % 7)) }
        let lines = JustifiedLines(items, rules(320))
        let rect = AxisRect(
            along: lines.extent / 2,
            across: 0,
            alongExtent: 100,
            acrossExtent: 320
        )
        let (found, visits) = lines.items(in: rect)
        #expect(found.count > 10)
        // Some twenty steps to the line, and in each line two to the item.
        #expect(visits < 20 + 3 * found.count)
    }
}
