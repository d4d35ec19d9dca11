import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Verdicts on updates of a data source of views")
struct AdapterVerdictTests {
    private func verdict(
        _ row: AdapterRow,
        _ profile: ValidationProfile,
        _ expected: HierarchyUpdateError.Code?
    ) throws {
        let bench = try Bench(
            row.old,
            RowLayout(),
            size: Size(width: 100, height: 100),
            profile: profile
        )
        bench.load()
        let cells = bench.view.visibleCells
        var results: [Bool] = []
        var code: HierarchyUpdateError.Code?
        do {
            try bench.adapter.performBatchUpdates(
                animated: false,
                { changes in
                    bench.source.sections = row.new
                    for operation in row.changes.operations { changes.record(operation) }
                },
                completion: { results.append($0) }
            )
        } catch let error as HierarchyUpdateError {
            code = error.code
            #expect(error.message.contains(row.text), "\(error.message)")
            #expect(error.dataSourceName == "RowSource")
        }
        #expect(code == expected, "\(profile)")
        #expect(results == [])
        bench.lane.run()
        #expect(results == [expected == nil])
        if expected != nil {
            #expect(bench.log("applied", "invalidated", "layout", "willDisplay", "didEnd") == [])
            #expect(bench.view.numberOfSections == row.old.count)
            #expect(row.old.indices.map(bench.view.numberOfItems) == row.old.map(\.count))
            let isSame = bench.view.visibleCells.elementsEqual(cells) { $0 === $1 }
            #expect(isSame)
            bench.source.sections = row.old
        }
        bench.check("\(row), \(profile)")
        // Whatever it was, the next update is an update like any other.
        try bench.update { source, changes in
            source.sections.append(["last"])
            changes.insertSections([source.sections.count - 1])
        }
        bench.check("after \(row), \(profile)")
    }

    @Test(arguments: AdapterRow.all)
    func theViewIsIntactAfterEveryRowOfTheTable(_ row: AdapterRow) throws {
        try verdict(row, .standard, row.standard)
        try verdict(row, .strict, row.strict)
    }

    @Test func ofSeveralFaultsTheFirstInTheOrderOfChecksIsReported() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        let faults: [(HierarchyUpdateError.Code, (inout HierarchyChangeSet) -> Void)] = [
            (.itemCount, { $0.insertItems(at: [ItemPath(0, 0)]) }),
            (.moveItemSourceRange, { $0.moveItem(at: ItemPath(0, 9), to: ItemPath(0, 1)) }),
            (.insertItemRange, { $0.insertItems(at: [ItemPath(0, 7)]) }),
            (.deleteItemRange, { $0.deleteItems(at: [ItemPath(0, 8)]) }),
            (
                .deleteAndReloadItem,
                {
                    $0.deleteItems(at: [ItemPath(0, 1)])
                    $0.reloadItems(at: [ItemPath(0, 1)])
                }
            ),
        ]
        for last in faults.indices {
            #expect {
                try bench.update { _, changes in
                    for fault in faults[...last] { fault.1(&changes) }
                }
            } throws: { error in
                (error as? HierarchyUpdateError)?.code == faults[last].0
            }
        }
        bench.check()
    }
}
