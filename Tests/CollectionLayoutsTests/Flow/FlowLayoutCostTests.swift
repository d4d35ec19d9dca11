import TestSupport
import Testing

@testable import CollectionLayouts

/// What changes cost, counted in steps and not in time.
@Suite struct FlowLayoutCostTests {
    /// A section of rows of different heights, two on a line at most.
    private func layout(_ count: Int) -> (ScriptedHost, FlowLayout) {
        var random = SeededNumbers(seed: 1)
        let items = (0..<count).map { _ in
            Size?(
                Size(
                    width: Double(random.next(below: 300) + 20),
                    height: Double(random.next(below: 90) + 10)
                )
            )
        }
        let host = ScriptedHost([ScriptedSection(items: items)])
        return (host, host.lay(FlowLayout()))
    }

    @Test(arguments: [1000, 300_000])
    func aChangedSizeBreaksAFewLines(count: Int) {
        let (host, layout) = layout(count)
        #expect(layout.work.askedSizes == count)
        for item in [0, 1, count / 2, count - 1] {
            let before = layout.work
            host.sections[0].items[item] = Size(width: 33, height: 200)
            let context = FlowLayoutInvalidationContext()
            context.invalidateItems(at: [ItemPath(section: 0, item: item)])
            layout.invalidateLayout(with: context)
            layout.prepare()
            #expect(layout.work.askedSizes == before.askedSizes + 1)
            #expect(layout.work.brokenLines - before.brokenLines < 60)
        }
    }

    @Test(arguments: [1000, 300_000])
    func tenInsertedItemsBreakAFewLines(count: Int) throws {
        let (host, layout) = layout(count)
        var changes = HierarchyChangeSet()
        let paths = (0..<10).map { ItemPath(section: 0, item: count / 3 + $0 * 3) }
        changes.insertItems(at: paths)
        let update = try changes.validated(from: [count], to: [count + 10])
        for path in paths { host.sections[0].items.insert(.zero, at: path.item) }
        let before = layout.work
        let context = FlowLayoutInvalidationContext()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
        #expect(layout.work.askedSizes == before.askedSizes + 10)
        #expect(layout.work.brokenLines - before.brokenLines < 200)
        #expect(layout.work.laidOutSections == before.laidOutSections + 1)
    }

    @Test func aSizeThatDiffersAmongEqualOnesBreaksAFewLines() {
        let host = ScriptedHost()
        host.metrics = nil
        let layout = FlowLayout()
        layout.itemSize = Size(width: 50, height: 50)
        host.sections = [ScriptedSection(items: Array(repeating: nil, count: 1_000_000))]
        _ = host.lay(layout)
        #expect(layout.work.askedSizes == 1)
        #expect(layout.collectionViewContentSize.height == 200_000 * 60 - 10)
        layout.estimatedItemSize = Size(width: 50, height: 50)
        layout.prepare()
        let before = layout.work
        for item in [500_000, 3, 999_999] {
            grow(layout, item, to: Size(width: 60, height: 70))
        }
        #expect(layout.work.brokenLines - before.brokenLines < 100)
    }

    private func grow(_ layout: FlowLayout, _ item: Int, to size: Size) {
        let path = ItemPath(section: 0, item: item)
        guard let original = layout.layoutAttributesForItem(at: path) else { return }
        #expect(layout.prefer(size, to: original) != nil)
    }

    @Test(arguments: [1000, 300_000])
    func aRectangleCostsItsAnswer(count: Int) {
        let (_, layout) = layout(count)
        for step in 0..<10 {
            let y = layout.collectionViewContentSize.height * Double(step) / 10
            let before = layout.work.visitedItems
            let found = layout.layoutAttributesForElements(
                in: Rect(x: 0, y: y, width: 320, height: 480)
            )
            #expect(layout.work.visitedItems - before <= found.count + 20)
        }
    }
}
