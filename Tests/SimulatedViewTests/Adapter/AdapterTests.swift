import PipelineTestSupport
import Testing

@testable import SimulatedView

@Suite("A data source adapter")
struct AdapterTests {
    @Test func theViewAlwaysShowsTheModel() throws {
        var verdicts: Set<HierarchyUpdateError.Code> = []
        for seed in 0..<UInt64(Effort.number(500, usually: 120)) {
            let walk = try AdapterWalk(seed: seed)
            for step in 0..<50 {
                guard let fault = try walk.step() else { continue }
                Issue.record("seed \(seed) step \(step): \(fault) \(walk.story.suffix(5))")
                return
            }
            verdicts.formUnion(walk.verdicts)
        }
        #expect(verdicts.count > 10)
    }

    // MARK: Counts

    private static let claims: [(Int?, Int?, HierarchyUpdateError.Code)] = [
        (-3, nil, .negativeSectionCount), (.min, nil, .negativeSectionCount),
        (.max, nil, .tooManySections), (nil, -1, .negativeItemCount), (nil, .max, .tooManyItems),
        (4, nil, .tooManySections), (nil, 4, .tooManyItems),
    ]

    /// Invalid counts leave the view empty at a load and reject an update.
    @Test(arguments: claims)
    func invalidCountsAreReportedOrRejected(
        _ sections: Int?,
        _ items: Int?,
        _ code: HierarchyUpdateError.Code
    ) throws {
        let bench = try Bench([texts(3), texts(3)])
        (bench.adapter.limits.sections, bench.adapter.limits.items) = (3, 7)
        bench.load()
        func claim(_ sections: Int?, _ items: Int?) {
            bench.source.claimedSections = sections
            bench.source.claimedItems = { _ in items }
        }
        let error = #expect(throws: HierarchyUpdateError.self) {
            try bench.update { source, changes in
                claim(sections, items)
                changes.deleteItems(at: [ItemPath(0, 0)])
            }
        }
        #expect(error?.code == code && bench.view.numberOfSections == 2)
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.errors.map(\.code) == [.counts] && bench.watcher.displayed.isEmpty)
        #expect(bench.view.numberOfSections == 0 && bench.view.visibleViews.isEmpty)
        if let count = sections {
            let text = "The number of sections must be from 0 to 3, but the data source returned"
            #expect(bench.view.errors.first?.message == "\(text) \(count)")
        }
        claim(nil, nil)
        bench.view.clearErrors()
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.rows.count == 3)
        bench.check()
    }

    // MARK: Data source calls

    /// Each call requests a layout pass of the view. A batch that begins during a call joins the
    /// outer batch.
    @Test func theViewIsLockedDuringDataSourceCalls() throws {
        let bench = try Bench([texts(9), texts(2)])
        bench.load()
        var callCount = 0
        bench.source.onCall = { view in
            callCount += 1
            view.setNeedsLayout()
            view.layoutIfNeeded()
        }
        try bench.adapter.performBatchUpdates(animated: false) { changes in
            bench.source.sections[1].append("new")
            changes.insertItems(at: [ItemPath(1, 2)])
        }
        let locked = Array(repeating: ViewError.Code.reentrantLayout, count: callCount)
        #expect(callCount == 3 && bench.view.errors.map(\.code) == locked)
        bench.view.clearErrors()
        var finished: [Bool] = []
        bench.source.onCall = { [source = bench.source, adapter = bench.adapter] _ in
            source.onCall = { _ in }
            try? adapter.performBatchUpdates {
                $0.reloadItems(at: [ItemPath(0, 0)])
            } completion: {
                finished.append($0)
            }
        }
        let nestedBatch = bench.source.onCall
        bench.source.onCall = { _ in }
        bench.clear()
        try bench.adapter.performBatchUpdates(animated: false) { _ in
            bench.source.onCall = nestedBatch
            bench.view.scroll(by: 10)
            bench.view.layoutIfNeeded()
            #expect(bench.log("applied") == [])
        }
        bench.lane.run()
        #expect(bench.log("applied").count == 1 && finished == [true])
        bench.check()
    }

    // MARK: Lifetimes

    @Test func anAdapterRetainsItsViewButNotItsDataSource() throws {
        weak var view: SimulatedCollectionView?
        let lane = ManualLane()
        var source: RowSource? = RowSource([texts(9)])
        var adapter: DataSourceAdapter?
        do {
            let own = SimulatedCollectionView(
                size: Size(width: 100, height: 30),
                layout: RowLayout()
            )
            try own.register(TextCell.self, forCellWithReuseIdentifier: "row")
            adapter = try DataSourceAdapter(dataSource: #require(source), view: own, lane: lane)
            lane.run()
            view = own
        }
        var isFinished = false
        try adapter?.performBatchUpdates({ _ in }, completion: { isFinished = $0 })
        let shown = try #require(view)
        source = nil
        #expect(adapter?.dataSource == nil)
        shown.scroll(by: 30)
        lane.run()
        #expect(isFinished && Set(shown.errors.map(\.code)) == [.noDataSource])
        shown.clearErrors()
        adapter?.reloadData()
        lane.run()
        #expect(shown.numberOfSections == 0 && shown.errors == [])
        #expect(shown.map.shape == .empty && shown.measuredSize(of: .cell(ItemPath(0, 0))) == nil)
        adapter = nil
        lane.run()
        #expect(shown.visibleViews.isEmpty)
    }
}
