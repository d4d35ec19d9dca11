import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("Masonry of columns")
struct MasonrySectionLayoutTests {
    private func arrangement(_ heights: [Double], columns: Int) throws -> MasonrySectionArrangement
    {
        let host = SectionTestHost()
        host.sections = [host.makeSection(heights.map { Size(width: 1, height: $0) })]
        let layout = ComposedLayout(defaultLayout: MasonrySectionLayout(columnCount: columns))
        layout.attach(to: host)
        layout.prepare()
        let arrangement = layout.state.sections.element(at: 0)?.arrangement
        return try #require(arrangement as? MasonrySectionArrangement)
    }

    @Test
    func eachItemGoesToTheShortestColumnAndTiesToTheLeadingOne() throws {
        let columns = try arrangement([30, 10, 20, 5, 5, 40], columns: 3).columns
        #expect(columns.places.map(\.column) == [0, 1, 2, 1, 2, 1])
        #expect(columns.places.map(\.along) == [0, 0, 0, 20, 30, 35])
        #expect(columns.extent == 75)
    }

    @Test
    func queriesEqualAScanAndTheDefault() throws {
        struct Scanned: SectionArrangement {
            let base: MasonrySectionArrangement
            var extent: Double { base.extent }
            var headerFrame: Rect? { nil }
            var footerFrame: Rect? { nil }
            var itemCount: Int { base.itemCount }
            func frame(ofItem item: Int) -> Rect? { base.frame(ofItem: item) }
        }
        var random = SeededNumbers(seed: 9)
        for round in 0..<500 {
            let heights = (0..<random.next(below: 60)).map { _ in
                Double(random.next(below: 200)) / 4
            }
            let arrangement = try arrangement(heights, columns: 1 + random.next(below: 6))
            for _ in 0..<5 {
                let rect = Rect(
                    x: Double(random.next(below: 400)) - 20,
                    y: Double(random.next(below: Int(arrangement.extent) + 40)) - 20,
                    width: Double(random.next(below: 200)),
                    height: Double(random.next(below: 200))
                )
                #expect(
                    arrangement.items(in: rect) == Scanned(base: arrangement).items(in: rect),
                    "round \(round)"
                )
            }
        }
    }

    @Test
    func aListedItemIsAskedAboutAlone() {
        let host = SectionTestHost()
        host.sections = [host.makeSection((0..<100).map { Size(width: 1, height: Double($0)) })]
        let layout = host.lay(ComposedLayout(defaultLayout: MasonrySectionLayout(columnCount: 3)))
        let questions = host.sizeQuestions
        host.sections[0].items[7].size.height = 70
        let context = LayoutInvalidationContext()
        context.invalidateItems(at: [ItemPath(section: 0, item: 7)])
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(host.sizeQuestions == questions + 1)
        let updated = layout.layoutAttributesForElements(in: everywhere)
        layout.invalidateLayout()
        layout.prepare()
        #expect(host.sizeQuestions == questions + 101)
        #expect(updated == layout.layoutAttributesForElements(in: everywhere))
    }

    @Test
    func aQueryLooksAtItsAnswerAndALogarithmAColumn() throws {
        let arrangement = try arrangement(
            (0..<100_000).map { Double(20 + $0 * 7 % 30) },
            columns: 4
        )
        let middle = arrangement.extent / 2
        let (found, visits) = arrangement.search(
            Rect(x: 0, y: middle, width: 320, height: 480)
        )
        #expect(found.count > 20)
        // Seventeen steps in each of four columns, and one item beyond the answer.
        #expect(visits < found.count + 4 * 20 + 8)
    }
}
