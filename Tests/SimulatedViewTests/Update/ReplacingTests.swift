import PipelineTestSupport
import SimulatedView
import Testing

@Suite("What reloads and updates leave of before")
struct ReplacingTests {
    @Test func aReloadEndsTheTouch() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        bench.view.touchDown(at: ItemPath(0, 1))
        #expect(bench.view.highlightedItem == ItemPath(0, 1))
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.highlightedItem == nil)
        bench.check()
    }

    /// Rows of the old model say nothing about where those of the new one belong.
    @Test func aReloadKeepsTheOffsetAlsoWhereTheLayoutWasInvalidBefore() throws {
        let bench = try Bench([texts(40)])
        bench.load()
        bench.view.scroll(by: 105)
        bench.settle()
        bench.layout.rowHeight = 20
        bench.layout.invalidateLayout()
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.contentOffset.y == 105)
        bench.check()
    }

    /// Also what the update had left in sight.
    @Test func aReloadWithinAnAnimatedUpdateTakesAllAwayAtOnce() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        try bench.adapter.performBatchUpdates(animated: true) { changes in
            bench.source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
            bench.source.onQuestion = { [source = bench.source, adapter = bench.adapter] _ in
                source.onQuestion = { _ in }
                adapter.reloadData()
            }
        }
        #expect(bench.log("applied", "reloaded") == ["applied: -1 +0 ~0", "reloaded"])
        #expect(bench.log("didEnd").count == 3)
        bench.lane.run()
        #expect(bench.log("didEnd").count == 3)
        bench.check()
    }

    /// What is in sight has other paths, and stands where it stood on the screen.
    @Test func whatAnUpdateOnlyGivesAnotherPathHasNoTransition() throws {
        let bench = try Bench([texts(20)])
        bench.load()
        bench.view.scroll(by: 100)
        bench.settle()
        try bench.adapter.performBatchUpdates(animated: true) { changes in
            bench.source.sections[0].insert("new", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(bench.rows == ["0: 10", "10: 11", "20: 12"])
        #expect(bench.view.transitions == [])
        bench.lane.run()
        bench.check()
    }

    @Test func theLogNamesTheFirstSixteenEditsOfAnUpdateAndCountsThem() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        try bench.update { source, changes in
            source.sections[0].insert(contentsOf: texts(20, "new"), at: 0)
            changes.insertItems(at: (0..<20).map { ItemPath(0, $0) })
        }
        var (named, counts): ([LayoutUpdateItem], [Int]) = ([], [])
        for case .layout(.prepareForCollectionViewUpdates(let first, let count))
            in bench.view.eventLog
        {
            named += first
            counts.append(count)
        }
        #expect(named == (0..<16).map { LayoutUpdateItem.insertItem(ItemPath(0, $0)) })
        #expect(counts == [20])
    }
}
