import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Data sources that are wrong or gone")
struct BadSourceTests {
    private struct Claim: Sendable, CustomTestStringConvertible {
        let sections: Int?
        let items: Int?
        let code: HierarchyUpdateError.Code

        var testDescription: String { "\(sections ?? 2) sections of \(items ?? 3)" }
    }

    private static let claims = [
        Claim(sections: -1, items: nil, code: .negativeSectionCount),
        Claim(sections: .min, items: nil, code: .negativeSectionCount),
        Claim(sections: .max, items: nil, code: .tooManySections),
        Claim(sections: 1 << 40, items: nil, code: .tooManySections),
        Claim(sections: nil, items: -1, code: .negativeItemCount),
        Claim(sections: nil, items: .min, code: .negativeItemCount),
        Claim(sections: nil, items: .max, code: .tooManyItems),
        Claim(sections: nil, items: 1 << 40, code: .tooManyItems),
    ]

    private func claim(_ claim: Claim?, _ source: RowSource) {
        source.claimedSections = claim?.sections
        source.claimedItems = { _ in claim?.items }
    }

    @Test(arguments: claims)
    private func countsThatAreNoneLeaveTheViewEmptyAndAreReported(_ wrong: Claim) throws {
        let bench = try Bench([texts(3), texts(3)])
        claim(wrong, bench.source)
        bench.load()
        #expect(bench.view.errors.map(\.code) == [.counts])
        #expect(bench.view.numberOfSections == 0 && bench.view.visibleViews.isEmpty)
        claim(nil, bench.source)
        bench.view.clearErrors()
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.rows.count == 3)
        bench.check()
    }

    @Test(arguments: claims)
    private func countsThatAreNoneAfterAnUpdateRejectIt(_ wrong: Claim) throws {
        let bench = try Bench([texts(3), texts(3)])
        bench.load()
        #expect {
            try bench.update { source, changes in
                claim(wrong, source)
                changes.deleteItems(at: [ItemPath(0, 0)])
            }
        } throws: { error in
            (error as? HierarchyUpdateError)?.code == wrong.code
        }
        claim(nil, bench.source)
        #expect(bench.view.numberOfSections == 2 && bench.rows.count == 3)
        bench.check()
        try bench.update { source, changes in
            source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        bench.check()
    }

    @Test func aDataSourceThatIsGoneIsAnEmptyOne() throws {
        let view = SimulatedCollectionView(size: Size(width: 100, height: 30), layout: RowLayout())
        let lane = ManualLane()
        var source: RowSource? = RowSource([texts(9)])
        try view.register(TextCell.self, forCellWithReuseIdentifier: "row")
        let adapter = try DataSourceAdapter(dataSource: #require(source), view: view, lane: lane)
        lane.run()
        #expect(view.visibleCells.count == 3)
        source = nil
        #expect(adapter.dataSource == nil)
        view.scroll(by: 30)
        lane.run()
        #expect(Set(view.errors.map(\.code)) == [.noDataSource])
        try adapter.reconfigureItems(at: [ItemPath(0, 3)])
        #expect(throws: HierarchyUpdateError.self) {
            try adapter.performBatchUpdates { $0.deleteItems(at: [ItemPath(0, 0)]) }
        }
        view.clearErrors()
        adapter.reloadData()
        lane.run()
        #expect(view.numberOfSections == 0 && view.visibleViews.isEmpty && view.errors == [])
    }

    @Test func anAdapterThatIsGoneLeavesTheViewWithWhatItShows() throws {
        let view = SimulatedCollectionView(size: Size(width: 100, height: 30), layout: RowLayout())
        let lane = ManualLane()
        let source = RowSource([texts(9)])
        try view.register(TextCell.self, forCellWithReuseIdentifier: "row")
        var adapter: DataSourceAdapter? = DataSourceAdapter(
            dataSource: source,
            view: view,
            lane: lane
        )
        lane.run()
        var isFinished = false
        try adapter?.performBatchUpdates(
            { _ in source.sections[0] = texts(9) },
            completion: { isFinished = $0 }
        )
        adapter = nil
        lane.run()
        #expect(isFinished)
        view.scroll(by: 30)
        lane.run()
        #expect(view.visibleCells.count == 3 && view.mistakes == [])
    }
}
