import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Single edits of a data source adapter")
struct AdapterEditTests {
    struct Edit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout [[String]]) -> Void
        let record: @Sendable (inout HierarchyChangeSet) -> Void
        let submit: @Sendable (DataSourceAdapter) throws -> Void
    }

    static let edits = [
        Edit(
            testDescription: "insert items",
            change: { $0[0].insert("x", at: 1) },
            record: { $0.insertItems(at: [ItemPath(0, 1)]) },
            submit: { try $0.insertItems(at: [ItemPath(0, 1)]) }
        ),
        Edit(
            testDescription: "delete items",
            change: { $0[0].remove(at: 1) },
            record: { $0.deleteItems(at: [ItemPath(0, 1)]) },
            submit: { try $0.deleteItems(at: [ItemPath(0, 1)]) }
        ),
        Edit(
            testDescription: "reload items",
            change: { $0[0][1] = "x" },
            record: { $0.reloadItems(at: [ItemPath(0, 1)]) },
            submit: { try $0.reloadItems(at: [ItemPath(0, 1)]) }
        ),
        Edit(
            testDescription: "move an item",
            change: { $0[0].swapAt(0, 1) },
            record: { $0.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1)) },
            submit: { try $0.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1)) }
        ),
        Edit(
            testDescription: "insert sections",
            change: { $0.insert(["x"], at: 0) },
            record: { $0.insertSections([0]) },
            submit: { try $0.insertSections([0]) }
        ),
        Edit(
            testDescription: "delete sections",
            change: { $0.remove(at: 0) },
            record: { $0.deleteSections([0]) },
            submit: { try $0.deleteSections([0]) }
        ),
        Edit(
            testDescription: "reload sections",
            change: { $0[0] = ["x"] },
            record: { $0.reloadSections([0]) },
            submit: { try $0.reloadSections([0]) }
        ),
        Edit(
            testDescription: "move a section",
            change: { $0.swapAt(0, 1) },
            record: { $0.moveSection(0, toSection: 1) },
            submit: { try $0.moveSection(0, toSection: 1) }
        ),
    ]

    private func bench() throws -> Bench<RowLayout> {
        try Bench([["a", "b"], ["c"]])
    }

    @Test(arguments: edits)
    func anEditIsAnAnimatedBatchOfOne(_ edit: Edit) throws {
        let (batched, single) = (try bench(), try bench())
        batched.load()
        try batched.update(animated: true) { source, changes in
            edit.change(&source.sections)
            edit.record(&changes)
        }
        single.load()
        edit.change(&single.source.sections)
        try edit.submit(single.adapter)
        single.lane.run()
        #expect(single.log == batched.log && single.log("applied").count == 1)
        #expect(single.rows == batched.rows)
        single.check()
    }

    @Test(arguments: edits)
    func withinABatchItJoinsThat(_ edit: Edit) throws {
        let bench = try bench()
        bench.load()
        try bench.update { source, changes in
            edit.change(&source.sections)
            try edit.submit(bench.adapter)
            #expect(bench.log == [])
            source.sections[source.sections.count - 1].append("last")
            let last = source.sections.count - 1
            changes.insertItems(at: [ItemPath(last, source.sections[last].count - 1)])
        }
        #expect(bench.log("applied").count == 1)
        bench.check()
    }

    @Test(arguments: edits)
    func whatIsLoadedOnlyNowHasTheEditAlready(_ edit: Edit) throws {
        let bench = try bench()
        edit.change(&bench.source.sections)
        try edit.submit(bench.adapter)
        bench.lane.run()
        #expect(bench.view.visibleCells.count == min(3, bench.source.sections.joined().count))
        bench.check()
    }

    @Test(arguments: edits)
    func whereAReloadIsPendingItReadsTheModelInstead(_ edit: Edit) throws {
        let bench = try bench()
        bench.load()
        bench.adapter.reloadData()
        edit.change(&bench.source.sections)
        try edit.submit(bench.adapter)
        bench.lane.run()
        #expect(bench.log("reloaded").count == 1)
        bench.check()
    }

    /// Whatever is still to be laid out is laid out with the edit: the model has it already.
    @Test(arguments: [0.0, 10, 20, 30])
    func whileAPassIsPendingNobodyIsAskedAboutTheOldState(offset: Double) throws {
        let inserting = try Bench([["a", "b", "c", "d", "e", "f"]])
        inserting.load()
        inserting.view.contentOffset = Point(x: 0, y: offset)
        inserting.source.sections[0].insert("x", at: 0)
        try inserting.adapter.insertItems(at: [ItemPath(0, 0)])
        inserting.lane.run()
        inserting.check()

        let deleting = try Bench([["a", "b", "c", "d", "e", "f"]])
        deleting.load()
        deleting.view.contentOffset = Point(x: 0, y: offset)
        deleting.source.sections[0] = ["a"]
        try deleting.adapter.deleteItems(at: (1..<6).map { ItemPath(0, $0) })
        deleting.lane.run()
        deleting.check()
    }

    @Test func anEditThatDoesNotFitIsThrownAndChangesNothing() throws {
        let bench = try bench()
        bench.load()
        #expect(throws: HierarchyUpdateError.self) {
            try bench.adapter.insertItems(at: [ItemPath(0, 0)])
        }
        bench.lane.run()
        #expect(bench.log("applied") == [])
        bench.check()
    }
}
