import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Reloads and nested batches of a data source adapter")
struct AdapterReloadTests {
    private struct Stop: Error {}

    private let bench: Bench<RowLayout>

    init() throws {
        bench = try Bench([texts(3)])
        bench.load()
    }

    @Test func countsThatAreNoneEmptyAViewThatShowedSomething() {
        bench.source.claimedSections = -1
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.numberOfSections == 0 && bench.view.visibleViews.isEmpty)
        #expect(bench.watcher.displayed.isEmpty && bench.view.errors.map(\.code) == [.counts])
    }

    @Test func aReloadInsideABatchIsShownWhenTheBatchEnds() throws {
        try bench.adapter.performBatchUpdates { _ in
            bench.source.sections = [["x"], ["y"]]
            bench.adapter.reloadData()
            #expect(bench.view.numberOfSections == 1)
        }
        #expect(bench.view.numberOfSections == 2 && bench.rows == ["0: x", "10: y"])
        bench.lane.run()
        bench.check()
    }

    @Test func aReloadInsideABatchThatThrowsIsDroppedWithIt() {
        #expect(throws: Stop.self) {
            try bench.adapter.performBatchUpdates { _ in
                bench.adapter.reloadData()
                throw Stop()
            }
        }
        bench.settle()
        #expect(bench.log("reloaded", "dataSource") == [])
        bench.check()
    }

    /// The model may have changed by then, and the counts that are shown have not.
    @Test func aBatchWithinAnotherLaysNothingOut() throws {
        try bench.adapter.performBatchUpdates(animated: false) { changes in
            bench.source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
            bench.layout.invalidateLayout()
            try bench.adapter.performBatchUpdates { changes in
                bench.source.sections[0].removeFirst()
                changes.deleteItems(at: [ItemPath(0, 1)])
            }
            #expect(bench.log("layout", "dataSource") == [])
        }
        #expect(bench.rows == ["0: 2"])
        bench.lane.run()
        bench.check()
    }
}
