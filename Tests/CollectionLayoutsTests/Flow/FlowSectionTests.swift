import PersistentTrees
import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("Lines of a flow section")
struct FlowSectionTests {
    /// A size by its extents across and along.
    private func item(_ across: Double, _ along: Double = 10) -> Size {
        Size(width: across, height: along)
    }

    private func section(
        _ sizes: [Size],
        _ extent: Double,
        _ inset: EdgeInsets = .zero,
        interitem: Double = 10,
        line: Double = 10
    ) -> FlowSection {
        let environment = FlowEnvironment(ofSectionAlong: .vertical, dimension: extent)
        let metrics = FlowResolvedMetrics(
            inset: inset,
            interitemSpacing: interitem,
            lineSpacing: line
        )
        return FlowSection(
            ItemSizes(sizes.map { ItemSize(size: $0) }),
            rules: FlowRules(environment: environment, metrics: metrics)
        )
    }

    private func frames(_ section: FlowSection) -> [Rect] {
        (0..<section.sizes.count).compactMap { section.frame(ofItem: $0)?.rect(.vertical) }
    }

    private func across(_ sizes: [Size], _ extent: Double, _ inset: EdgeInsets = .zero) -> [Double]
    {
        frames(section(sizes, extent, inset)).map(\.minX)
    }

    @Test
    func equalItemsThatFitExactlyShareALine() {
        #expect(across([item(100), item(100), item(100)], 320) == [0, 110, 220])
    }

    @Test
    func theLastLineOfEqualItemsKeepsToTheGrid() {
        let items = Array(repeating: item(90), count: 5)
        #expect(across(items, 320) == [0, 115, 230, 0, 115])
        #expect(across([item(90), item(90)], 320) == [0, 115])
    }

    @Test
    func aLineOfDifferentItemsIsJustifiedAndTheLastOneIsNot() {
        let items = [item(100), item(120), item(200), item(50)]
        #expect(across(items, 320) == [0, 200, 0, 210])
    }

    @Test
    func aSingleItemIsCentredWithinInsetsInAGridAndAcrossAllElsewhere() {
        let inset = EdgeInsets(left: 40)
        #expect(across([item(200), item(200)], 320, inset) == [80, 80])
        #expect(across([item(200), item(220)], 320, inset) == [60, 50])
        #expect(across([item(200), item(220), item(10)], 320, inset) == [60, 40, 270])
    }

    @Test
    func anItemWiderThanTheLineIsAloneAndCentred() {
        #expect(across([item(400), item(10)], 320) == [-40, 155])
    }

    @Test
    func itemsAreCentredInTheirLineAndLinesAreKeptApart() {
        let items = [item(100, 20), item(120, 40), item(200, 10)]
        let section = section(items, 320)
        #expect(frames(section).map(\.minY) == [10, 0, 50])
        #expect(section.extent == 60)
    }

    @Test
    func randomLinesEqualNaiveOnes() {
        var random = SeededNumbers(seed: 1)
        for round in 0..<Effort.number(3_000, usually: 600) {
            let isEqual = random.chance(0.3)
            let one = item(Double(random.next(below: 300)) / 4, Double(random.next(below: 90)) / 4)
            let sizes = (0..<random.next(below: 30)).map { _ in
                isEqual
                    ? one
                    : item(Double(random.next(below: 500)) / 4, Double(random.next(below: 90)) / 4)
            }
            let before = Double(random.next(below: 80)) / 4
            let behind = Double(random.next(below: 80)) / 4
            let extent = 50 + Double(random.next(below: 1_000)) / 4
            let line = Double(random.next(below: 40)) / 4
            let interitem = Double(random.next(below: 40)) / 4
            let section = section(
                sizes,
                extent,
                EdgeInsets(left: before, right: behind),
                interitem: interitem,
                line: line
            )
            let naive = NaiveLines(
                sizes: sizes.map { ($0.height, $0.width) },
                total: extent,
                before: before,
                both: before + behind,
                line: line,
                interitem: interitem
            ).boxes()
            #expect(section.extent == naive.extent, "round \(round)")
            for (frame, box) in zip(frames(section), naive.boxes) {
                #expect(
                    frame.minY == box.along && abs(frame.minX - box.across) < 1e-9
                        && frame.size.height == box.alongExtent
                        && frame.size.width == box.acrossExtent,
                    "round \(round)"
                )
            }
        }
    }

    @Test
    func anArrangementFindsWhatAScanFinds() {
        var random = SeededNumbers(seed: 2)
        for round in 0..<Effort.number(1_000, usually: 250) {
            let host = SectionTestHost()
            let content = host.makeRandomSection(&random, count: random.next(below: 30))
            let input = SectionInput(
                scrollDirection: random.chance(0.5) ? .vertical : .horizontal,
                acrossExtent: Double(50 + random.next(below: 300)),
                itemCount: content.items.count,
                metrics: content.values,
                sizeOfItem: { content.items[$0].size }
            )
            let arrangement = FlowSectionLayout().prepare(input)
            for _ in 0..<4 {
                let rect = AxisRect(
                    along: Double(random.next(below: 800)) / 4 - 20,
                    across: Double(random.next(below: 1_200)) / 4 - 20,
                    alongExtent: Double(random.next(below: 200)) / 4,
                    acrossExtent: Double(random.next(below: 600)) / 4
                ).rect(.vertical)
                let scanned = (0..<arrangement.itemCount).filter {
                    arrangement.frame(ofItem: $0)?.intersects(rect) == true
                }
                #expect(arrangement.items(in: rect) == scanned, "round \(round)")
                arrangement.forEachItem(in: rect) { item, frame in
                    #expect(arrangement.frame(ofItem: item) == frame, "round \(round)")
                }
            }
        }
    }

    @Test
    func aQueryLooksAtItsAnswerAndALineOnEitherSide() {
        let section = section((0..<100_000).map { item(90, Double(10 + $0 % 7)) }, 320)
        let middle = section.extent / 2
        var visits = 0
        section.visitItems(along: middle...(middle + 100), across: 0...320) { _, _ in visits += 1 }
        #expect(visits > 10 && visits < 27)
    }
}
