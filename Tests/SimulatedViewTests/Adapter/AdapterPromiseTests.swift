import PipelineTestSupport
import SimulatedView
import Testing

@Suite("What a data source adapter promises besides")
struct AdapterPromiseTests {
    @Test(arguments: [true, false], [true, false])
    func theAnimationOfTheOutermostBatchCounts(_ outer: Bool, _ inner: Bool) throws {
        let bench = try Bench([texts(3)])
        bench.load()
        var order: [String] = []
        try bench.adapter.performBatchUpdates(
            animated: outer,
            { changes in
                try bench.adapter.performBatchUpdates(
                    animated: inner,
                    { changes in
                        bench.source.sections[0].removeFirst()
                        changes.deleteItems(at: [ItemPath(0, 0)])
                    },
                    completion: { order.append("inner \($0)") }
                )
            },
            completion: { order.append("outer \($0)") }
        )
        #expect(bench.view.transitions.isEmpty != outer)
        #expect(bench.log("didEnd").isEmpty == outer, "an animation lasts a turn")
        bench.lane.runOne()
        while order.isEmpty, bench.lane.count > 0 { bench.lane.runOne() }
        #expect(order == ["outer true", "inner true"])
        #expect(bench.log("didEnd").count == 1)
        bench.lane.run()
        bench.check()
    }

    @Test func aRejectedBatchCompletesUnfinishedInALaterTurnAndChangesNothing() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        var results: [Bool] = []
        #expect(throws: HierarchyUpdateError.self) {
            try bench.adapter.performBatchUpdates(
                { $0.deleteItems(at: [ItemPath(0, 7)]) },
                completion: { results.append($0) }
            )
        }
        #expect(results == [])
        bench.lane.run()
        #expect(results == [false] && bench.view.numberOfItems(inSection: 0) == 3)
        #expect(bench.log("layout", "invalidated", "applied", "finished") == [])
        bench.check()
    }

    /// The second of three goes wrong: the first is done, the third is not asked for.
    @Test func whatIsReconfiguredBeforeTheFirstMistakeIsDone() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        bench.source.sections[0] = ["x", "y", "z"]
        bench.source.madeCell = { view, path in
            if path.item == 1 { throw TestFailure() }
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
            (cell as? TextCell)?.text = bench.source.sections[0][path.item]
            return cell
        }
        do throws(ViewError) {
            try bench.adapter.reconfigureItems(at: (0..<3).map { ItemPath(0, $0) })
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.code == .noView && error.place == .cell(ItemPath(0, 1)))
        }
        #expect(bench.view.visibleCells.compactMap { ($0 as? TextCell)?.text } == ["x", "1", "2"])
        #expect(bench.log("dataSource view").count == 2)
        bench.source.madeCell = nil
        try bench.adapter.reconfigureItems(at: (0..<3).map { ItemPath(0, $0) })
        bench.settle()
        bench.check()
    }

    @Test func itKeepsItsViewAndNotItsDataSource() throws {
        weak var view: SimulatedCollectionView?
        weak var source: RowSource?
        let lane = ManualLane()
        var adapter: DataSourceAdapter?
        do {
            let ownSource = RowSource([texts(3)])
            let ownView = SimulatedCollectionView(
                size: Size(width: 100, height: 30),
                layout: RowLayout()
            )
            try ownView.register(TextCell.self, forCellWithReuseIdentifier: "row")
            adapter = DataSourceAdapter(dataSource: ownSource, view: ownView, lane: lane)
            lane.run()
            #expect(ownView.visibleCells.count == 3)
            (view, source) = (ownView, ownSource)
        }
        #expect(view != nil && source == nil)
        #expect(adapter?.dataSource == nil)
        adapter = nil
        lane.run()
        #expect(view == nil)
    }

    @Test func whoAnswersAViewIsNotKeptByIt() throws {
        final class Everyone: CollectionViewDelegate, CollectionViewDataSourcePrefetching {
            func collectionView(
                _ collectionView: SimulatedCollectionView,
                prefetchItemsAt paths: [ItemPath]
            ) {}
        }
        let bench = try Bench([texts(30)])
        weak var everyone: Everyone?
        do {
            let own = Everyone()
            everyone = own
            bench.view.delegate = own
            bench.view.prefetchDataSource = own
            bench.view.layoutMetrics = own
            bench.load()
            bench.view.tapItem(at: ItemPath(0, 1))
            bench.view.idleTick()
        }
        #expect(everyone == nil && bench.view.layoutMetrics == nil)
    }

    @Test func aViewOfADataSourceHasNoMapAndNoMeasuredSizes() throws {
        let bench = try Bench([texts(3)])
        bench.layout.headerHeight = 5
        bench.load()
        #expect(bench.view.map.shape == .empty && bench.view.map.numberOfSections == 0)
        for view in bench.view.visibleViews {
            let place = try #require(view.attributes?.place)
            #expect(bench.view.measuredSize(of: place) == nil)
            #expect(view.element == nil && view.content == nil)
        }
    }
}
