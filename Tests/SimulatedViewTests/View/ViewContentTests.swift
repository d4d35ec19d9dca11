import PipelineTestSupport
import Testing

@testable import SimulatedView

/// What there is to show, for each of the two who know: a map of the pipeline, and the counts of a data source
/// of views.
@Suite("What there is to show")
struct ViewContentTests {
    private final class Context: SectionContext {}

    private static let kinds: [SupplementaryKind] = [.header, .footer]

    private func check(_ content: any ViewContent, _ counts: [Int]) {
        #expect(content.shape.itemCounts == counts)
        for section in -2...counts.count + 1 {
            let hasSection = counts.indices.contains(section)
            let count = hasSection ? counts[section] : 0
            #expect(content.numberOfItems(inSection: section) == count)
            for item in -2...4 {
                let path = ItemPath(section, item)
                let hasItem = item >= 0 && item < count
                #expect(content.contains(.cell(path)) == hasItem, "\(path)")
                for kind in Self.kinds {
                    // Which supplementary elements there are, their maker knows.
                    #expect(content.contains(LayoutPlace(.supplementary(kind), path)) == hasSection)
                    #expect(content.contains(LayoutPlace(.decoration(kind), path)) == hasSection)
                    #expect(content.element(at: LayoutPlace(.decoration(kind), path)) == nil)
                }
            }
        }
    }

    @Test(arguments: [[], [0], [3], [2, 0, 1]])
    func aDataSourceOfViewsHasItemsWithoutIdentityAndSections(_ counts: [Int]) {
        let contexts: [(any SectionContext)?] = counts.map { $0 == 0 ? nil : Context() }
        let content = SourceContent(
            shape: HierarchyShape(counts),
            contexts: contexts,
            source: nil
        )
        check(content, counts)
        for section in -1...counts.count {
            let expected = counts.indices.contains(section) ? contexts[section] : nil
            #expect(content.context(forSection: section) === expected)
            #expect(content.element(at: .cell(ItemPath(section, 0))) == nil)
            #expect(content.measuredSize(of: .cell(ItemPath(section, 0))) == nil)
        }
    }

    @Test func aMapHasTheElementsItsSectionsHaveAndTheirSizes() async throws {
        let list = try await List(
            .dispatch,
            [.init(["a", "a text of some length"], headers: ["H"]), .init([], footers: ["F"])]
        )
        let map = list.controller.visibleMap
        let content = MapContent(map: map)
        check(content, [2, 0])
        for item in 0..<2 {
            let place = LayoutPlace.cell(ItemPath(0, item))
            #expect(content.element(at: place) === map.element(at: place.path))
            #expect(content.measuredSize(of: place) == Size(width: 10, height: item == 0 ? 1 : 3))
        }
        let owned: [LayoutPlace] = [.header(0), .footer(1)]
        #expect(owned.allSatisfy { content.element(at: $0) != nil })
        #expect(owned.allSatisfy { content.measuredSize(of: $0)?.height == 1 })
        let missing: [LayoutPlace] = [
            .header(1), .footer(0), .cell(ItemPath(0, 2)), .cell(ItemPath(1, 0)),
            LayoutPlace(.decoration(.header), ItemPath(0, 0)),
        ]
        for place in missing {
            #expect(content.element(at: place) == nil && content.measuredSize(of: place) == nil)
        }
        await list.controller.close()
    }
}
