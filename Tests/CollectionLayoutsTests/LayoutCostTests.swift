import TestSupport
import Testing

@testable import CollectionLayouts

/// The cost of changes and queries, counted in steps instead of time.
@Suite("Cost of layouts")
struct LayoutCostTests {
    /// Makes a section of rows with different sizes, at most two on a line, after an empty section.
    private func made(_ engine: LayoutEngine, _ count: Int) -> (ScriptedHost, CollectionLayout) {
        var random = SeededNumbers(seed: 1)
        let items = (0..<count).map { _ in
            Size?(
                Size(
                    width: Double(random.next(below: 300) + 20),
                    height: Double(random.next(below: 90) + 10)
                )
            )
        }
        let host = ScriptedHost([ScriptedSection(), ScriptedSection(items: items)])
        let layout = engine.make()
        (layout as? FlowLayout)?.estimatedItemSize = Size(width: 50, height: 50)
        (layout as? ListLayout)?.estimatesHeights = true
        (layout as? ComposedLayout)?.defaultLayout = FlowSectionLayout().background(.background)
        return (host, host.lay(layout))
    }

    /// Returns the number of lines broken since `before`, if the layout counts lines.
    private func brokenLines(_ layout: CollectionLayout, since before: LayoutWork) -> Int {
        guard let composed = layout as? ComposedLayout else {
            return layout.work.brokenLines - before.brokenLines
        }
        let background = composed.state.sections.element(at: 1)?.arrangement
        let flow = (background as? BackgroundSectionArrangement)?.base as? FlowSectionArrangement
        return flow?.section.brokenLineCount ?? .max
    }

    @Test(arguments: LayoutEngine.allCases, [1_000, 100_000])
    func aChangeQueriesOnlyWhatChangedAndBreaksFewLines(_ engine: LayoutEngine, _ count: Int) throws
    {
        let (host, layout) = made(engine, count)
        #expect(host.queries.count == count + 2, "everything once")
        for item in [0, 1, count / 2, count - 1] {
            let before = layout.work
            host.queries = []
            host.sections[1].items[item] = Size(width: 33, height: 200)
            layout.invalidate { $0.invalidateItems(at: [ItemPath(1, item)]) }
            layout.prepare()
            #expect(host.queries == ["1", "1 - \(item)"])
            #expect(brokenLines(layout, since: before) < 60)
            #expect(layout.layoutAttributesForItem(at: ItemPath(1, item))?.size.height == 200)
        }
        for item in [count / 3, 2, count - 2] {
            let before = layout.work
            host.queries = []
            let size = Size(width: 41, height: 150)
            #expect(layout.prefer(size, to: .cell(ItemPath(1, item))) != nil)
            let found = layout.layoutAttributesForItem(at: ItemPath(1, item))?.size.height
            #expect(found == 150 && host.queries.allSatisfy { $0 == "1" })
            #expect(brokenLines(layout, since: before) < 60)
        }
        let before = layout.work
        host.queries = []
        var sections = host.sections
        let paths = (0..<10).map { ItemPath(1, count / 3 + $0 * 3) }
        for path in paths { sections[1].items.insert(Size(width: 30, height: 30), at: path.item) }
        try layout.update(host, to: sections) { $0.insertItems(at: paths) }
        #expect(host.queries == ["1"] + paths.map { "\($0)" })
        #expect(brokenLines(layout, since: before) < 200)
    }

    @Test(arguments: LayoutEngine.allCases, [1_000, 100_000])
    func aRectangleQueryCostsItsResult(_ engine: LayoutEngine, _ count: Int) {
        let (_, layout) = made(engine, count)
        for step in 0..<10 {
            let y = layout.collectionViewContentSize.height * Double(step) / 10
            let before = layout.work
            let rect = Rect(x: 0, y: y, width: 320, height: 480)
            let found = layout.layoutAttributesForElements(in: rect)
            #expect(
                !found.isEmpty && layout.work.visitedItems - before.visitedItems <= found.count + 20
            )
            #expect(layout.work.visitedSections - before.visitedSections <= 4)
        }
    }

    /// A million equal items need one query, and a single different item breaks few lines.
    @Test func equalItemsAreQueriedOnceAndNotBrokenIntoLines() {
        let host = ScriptedHost()
        host.hasMetrics = false
        host.sections = [ScriptedSection(items: Array(repeating: nil, count: 1_000_000))]
        let layout = FlowLayout()
        layout.itemSize = Size(width: 50, height: 50)
        _ = host.lay(layout)
        #expect(layout.work.requestedSizes == 1 && layout.work.brokenLines == 0)
        #expect(layout.collectionViewContentSize.height == 200_000 * 60 - 10)
        layout.estimatedItemSize = Size(width: 50, height: 50)
        layout.prepare()
        for item in [500_000, 3, 999_999] {
            layout.prefer(Size(width: 60, height: 70), to: .cell(ItemPath(0, item)))
        }
        #expect(layout.work.brokenLines < 100)
    }

    /// Scrolling without features visits nothing, moved sections are shifted, and a query visits
    /// few sections.
    @Test func onlyChangedSectionsOfManyAreLaidOut() throws {
        let count = 10_000
        let host = ScriptedHost((0..<count).map { _ in .uniform(2, 30, 20) })
        let layout = host.lay(ComposedLayout())
        #expect(layout.work.laidOutSections == count)
        var before = layout.work
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: host.bounds.offsetBy(dy: 300)))
        #expect(layout.work.visitedSections == before.visitedSections)
        let found = layout.layoutAttributesForElements(
            in: Rect(x: 0, y: 100_000, width: 320, height: 480)
        )
        #expect(layout.work.visitedSections - before.visitedSections < found.count + 20)
        before = layout.work
        layout.invalidateSections([7, 9_000])
        layout.prepare()
        var sections = host.sections
        sections.insert(sections.remove(at: 9_990), at: 3)
        sections.insert(.uniform(5, 30, 20), at: 5_000)
        sections[40].items.removeFirst()
        try layout.update(host, to: sections) {
            $0.moveSection(9_990, toSection: 3)
            $0.insertSections([5_000])
            $0.deleteItems(at: [ItemPath(39, 0)])
        }
        #expect(layout.work.laidOutSections - before.laidOutSections == 4)
    }

    @Test func columnsAreSearchedNotScanned() throws {
        let heights = (0..<100_000).map { Double(20 + $0 * 7 % 30) }
        let input = SectionInput(acrossExtent: 320, itemCount: heights.count) {
            Size(width: 1, height: heights[$0])
        }
        let made = MasonrySectionLayout(columnCount: 4).prepare(input)
        let arrangement = try #require(made as? MasonrySectionArrangement)
        let rect = Rect(x: 0, y: made.extent / 2, width: 320, height: 480)
        let (found, visits) = arrangement.search(rect)
        // Seventeen steps in each of four columns, and one item after the last result.
        #expect(found.count > 20 && visits < found.count + 4 * 20 + 8)
    }

    /// A pager queries no size, and each count once.
    @Test func aPagerQueriesOnlyCounts() {
        let host = ScriptedHost((0..<50).map { .uniform($0 * 100, 1, 1) }, width: 100, height: 100)
        let layout = host.lay(PagerLayout())
        #expect(layout.collectionViewContentSize.width == 100 * 49 * 50 / 2 * 100)
        let rect = Rect(x: 9999, y: 0, width: 500, height: 9)
        #expect(layout.layoutAttributesForElements(in: rect).count == 6 && host.queries == [])
    }
}
