import PersistentTrees
import TestSupport
import Testing

@testable import CollectionLayouts

/// What changes cost in a composed layout, counted in steps and not in time.
@Suite("Cost of changes in a composed flow section")
struct ComposedLayoutCostTests {
    /// One section of rows of different heights, two on a line at most, with a background.
    private func layout(_ count: Int) -> (ComposedLayout, SectionTestHost) {
        var random = SeededNumbers(seed: 1)
        let host = SectionTestHost()
        let sizes = (0..<count).map { _ in
            Size(
                width: Double(random.next(below: 300) + 20),
                height: Double(random.next(below: 90) + 10)
            )
        }
        host.sections = [host.makeSection(sizes)]
        let sectionLayout = FlowSectionLayout().background(.background)
        return (host.lay(ComposedLayout(defaultLayout: sectionLayout)), host)
    }

    /// The lines that were broken when the section was laid out last.
    private func brokenLines(_ layout: ComposedLayout) throws -> Int {
        let arrangement = layout.state.sections.element(at: 0)?.arrangement
        let background = arrangement as? BackgroundSectionArrangement
        let flow = try #require(background?.base as? FlowSectionArrangement)
        return flow.section.brokenLineCount
    }

    @Test(arguments: [1_000, 200_000])
    func aListedItemIsAskedAboutAloneAndBreaksAFewLines(count: Int) throws {
        let (layout, host) = layout(count)
        for item in [0, 1, count / 2, count - 1] {
            let questions = host.sizeQuestions
            host.sections[0].items[item].size = Size(width: 33, height: 200)
            let context = LayoutInvalidationContext()
            context.invalidateItems(at: [ItemPath(section: 0, item: item)])
            layout.invalidateLayout(with: context)
            layout.prepare()
            #expect(host.sizeQuestions == questions + 1)
            #expect(try brokenLines(layout) < 60)
            let changed = layout.layoutAttributesForItem(at: ItemPath(section: 0, item: item))
            #expect(changed?.size.height == 200)
        }
    }

    @Test(arguments: [1_000, 200_000])
    func aSizeThatAViewPrefersAsksNobodyAndBreaksAFewLines(count: Int) throws {
        let (layout, host) = layout(count)
        let questions = host.sizeQuestions
        for item in [count / 3, 0, count - 1] {
            let place = LayoutPlace.cell(ItemPath(section: 0, item: item))
            let original = try #require(layout.layoutAttributes(for: place))
            let size = Size(width: 41, height: 150)
            #expect(layout.prefer(size, to: original) != nil)
            #expect(layout.layoutAttributes(for: place)?.size == size)
            #expect(try brokenLines(layout) < 60)
        }
        #expect(host.sizeQuestions == questions)
    }

    @Test(arguments: [1_000, 200_000])
    func tenInsertedItemsAreAskedAboutAloneAndBreakAFewLines(count: Int) throws {
        let (layout, host) = layout(count)
        var changes = HierarchyChangeSet()
        let paths = (0..<10).map { ItemPath(section: 0, item: count / 3 + $0 * 3) }
        changes.insertItems(at: paths)
        let update = try changes.validated(from: [count], to: [count + 10])
        for path in paths {
            let item = host.makeItem(Size(width: 30, height: 30))
            host.sections[0].items.insert(item, at: path.item)
        }
        let questions = host.sizeQuestions
        layout.prepare(applying: update)
        #expect(host.sizeQuestions == questions + 10)
        #expect(try brokenLines(layout) < 200)
        #expect(layout.work.laidOutSections == 2)
    }

    @Test
    func anotherHeaderBreaksNoLine() throws {
        let (layout, host) = layout(1_000)
        let extent = layout.collectionViewContentSize.height
        host.sections[0].values.headerExtent = 50
        let context = LayoutInvalidationContext()
        context.invalidateSupplementaryElements(
            ofKind: .header,
            at: [ItemPath(section: 0, item: 0)]
        )
        layout.invalidateLayout(with: context)
        let questions = host.sizeQuestions
        layout.prepare()
        #expect(layout.collectionViewContentSize.height == extent + 50)
        #expect(try brokenLines(layout) == 0)
        #expect(host.sizeQuestions == questions)
    }
}
