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

    /// The view is locked by then, and the batch has begun.
    @Test func aBatchThatBeginsInAQuestionWithinAnotherJoinsThat() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        try bench.adapter.performBatchUpdates(animated: false) { _ in
            bench.source.onQuestion = { [source = bench.source, adapter = bench.adapter] view in
                source.onQuestion = { _ in }
                do {
                    try adapter.performBatchUpdates { $0.reloadItems(at: [ItemPath(0, 0)]) }
                } catch {
                    Issue.record(error)
                }
            }
            bench.view.scroll(by: 10)
            bench.view.layoutIfNeeded()
            #expect(bench.log("applied") == [])
        }
        #expect(bench.log("applied").count == 1 && bench.view.errors == [])
        bench.lane.run()
        bench.check()
    }

    @Test func theLogCountsSectionsAmongWhatIsRemovedAndInserted() throws {
        let bench = try Bench([texts(3), ["x"]])
        bench.load()
        try bench.update { source, changes in
            source.sections = [["1", "2"]]
            changes.deleteItems(at: [ItemPath(0, 0)])
            changes.deleteSections([1])
        }
        try bench.update { source, changes in
            source.sections = [["new", "1", "2"], ["y"]]
            changes.insertItems(at: [ItemPath(0, 0)])
            changes.insertSections([1])
        }
        #expect(bench.log("applied") == ["applied: -2 +0 ~0", "applied: -0 +2 ~0"])
        bench.check()
    }
}
