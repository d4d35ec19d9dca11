import PipelineTestSupport
import Testing

@testable import SimulatedView

@Suite("What waits for reuse is bounded")
struct ReusePoolTests {
    @Test(arguments: [0, 1, ReusePool.limit, ReusePool.limit + 1, 3 * ReusePool.limit])
    func aPoolKeepsNoMoreViewsOfAClassThanItsLimit(_ count: Int) {
        var pool = ReusePool()
        let keys = ["row", "card"].map { ReusePool.Key(category: .cell, identifier: $0) }
        for key in keys {
            for _ in 0..<count {
                let view = TextCell()
                view.reuseIdentifier = key.identifier
                pool.put(view, .cell, TextCell.self)
            }
        }
        let kept = min(count, ReusePool.limit)
        #expect(pool.count == 2 * kept, "each class has a limit of its own")
        for key in keys {
            for _ in 0..<kept { #expect(pool.take(key, of: TextCell.self) != nil) }
            #expect(pool.take(key, of: TextCell.self) == nil)
        }
        #expect(pool.madeViews == 2)
    }

    @Test func aViewKeepsNoMoreCellsThanTheLimitWhenAllGoOutOfSight() throws {
        let count = ReusePool.limit + 100
        let bench = try Bench([texts(count)], height: Double(count) * 10)
        bench.load()
        #expect(bench.view.visibleCells.count == count)
        try bench.update { source, changes in
            source.sections[0] = []
            changes.deleteItems(at: (0..<count).map { ItemPath(0, $0) })
        }
        #expect(bench.view.numberOfReusableViews == ReusePool.limit)
        bench.check()
    }
}
