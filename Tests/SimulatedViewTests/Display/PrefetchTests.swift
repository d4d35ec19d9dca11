import PipelineTestSupport
import SimulatedView
import Testing

/// Notes what it is told to fetch.
private final class Fetcher: CollectionViewDataSourcePrefetching {
    var heard: [String] = []

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        prefetchItemsAt paths: [ItemPath]
    ) { heard.append("fetch \(paths.map(\.item))") }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cancelPrefetchingForItemsAt paths: [ItemPath]
    ) { heard.append("cancel \(paths.map(\.item))") }
}

@Suite("Preparing ahead of scrolling")
struct PrefetchTests {
    private let bench: Bench<RowLayout>
    private let fetcher = Fetcher()

    init() throws {
        bench = try Bench([texts(100)])
        bench.view.prefetchDataSource = fetcher
        bench.load()
    }

    private var view: SimulatedCollectionView { bench.view }

    private func scroll(_ distance: Double) {
        view.scroll(by: distance)
        bench.settle()
    }

    /// The items that the data source was asked for since the log was cleared.
    private var asked: [String] { bench.log("dataSource view").map { String($0.dropFirst(16)) } }

    @Test func nothingIsDoneAheadWithoutAnIdleTick() {
        view.isPrefetchingEnabled = true
        bench.settle()
        #expect(view.preparedItems == [] && fetcher.heard == [] && asked == [])
    }

    @Test func dataAreAnnouncedTheNearestFirstAlsoWhereNoCellsArePrepared() {
        #expect(!view.isPrefetchingEnabled)
        view.idleTick(preparing: 5)
        #expect(fetcher.heard == ["fetch [3, 4, 5]"] && view.preparedItems == [] && asked == [])
        view.idleTick()
        #expect(fetcher.heard.count == 1, "once each")
        scroll(20)
        view.idleTick()
        #expect(fetcher.heard.dropFirst() == ["fetch [6, 7]"])
    }

    @Test func scrollingBackAnnouncesTheOtherSideAndCancelsWhatWasNotShown() {
        scroll(200)
        view.idleTick()
        scroll(10)
        fetcher.heard = []
        scroll(-5)
        view.idleTick()
        // 23 is visible; 21, 22 and 23 were, and 24 and 25 were only announced.
        #expect(fetcher.heard == ["cancel [24, 25]", "fetch [19, 18, 17]"])
    }

    @Test func whatWasShownIsNotCancelledEvenIfItIsOutOfSightAgain() {
        view.idleTick()
        scroll(30)
        scroll(300)
        view.idleTick()
        #expect(fetcher.heard == ["fetch [3, 4, 5]", "fetch [36, 37, 38]"])
    }

    @Test func aTickPreparesTheNearestCells() {
        view.isPrefetchingEnabled = true
        view.idleTick()
        #expect(view.preparedItems == [ItemPath(0, 3)] && asked == ["0 - 3"])
        view.idleTick(preparing: 5)
        #expect(view.preparedItems.map(\.item) == [3, 4, 5])
        view.idleTick(preparing: 0)
        view.idleTick(preparing: -1)
        view.idleTick(preparing: .max)
        #expect(view.preparedItems.map(\.item) == [3, 4, 5])
        #expect(view.visibleCells.count == 3 && view.cellForItem(at: ItemPath(0, 3)) == nil)
        #expect(bench.log("willDisplay") == [])
        bench.check()
    }

    @Test func aPreparedCellComesIntoSightWithoutAnotherQuestion() {
        view.isPrefetchingEnabled = true
        view.idleTick(preparing: 2)
        bench.clear()
        scroll(20)
        #expect(asked == [])
        #expect(bench.log("willDisplay") == ["willDisplay 0 - 3", "willDisplay 0 - 4"])
        bench.check()
    }

    @Test func aCellThatWentOutOfSightWaitsForItsItemAndComesBackWithoutAQuestion() {
        view.isPrefetchingEnabled = true
        let cell = bench.cell(0, 0)
        scroll(30)
        #expect(view.preparedItems.map(\.item) == [0, 1, 2])
        bench.clear()
        scroll(-30)
        #expect(asked == [] && bench.log("prepareForReuse") == [] && bench.cell(0, 0) === cell)
        #expect(bench.log("willDisplay").count == 3 && bench.log("didEnd").count == 3)
        bench.check()
    }

    @Test func preparedCellsFollowTheirItemsThroughUpdates() throws {
        view.isPrefetchingEnabled = true
        view.idleTick(preparing: 3)
        bench.clear()
        try bench.update { source, changes in
            source.sections[0].remove(at: 4)
            source.sections[0].removeFirst(2)
            changes.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 1), ItemPath(0, 4)])
        }
        #expect(asked == [], "2, 3 and 5 are there")
        #expect(bench.rows == ["0: 2", "10: 3", "20: 5"] && view.preparedItems == [])
        bench.check()
        scroll(10)
        bench.check()
    }

    @Test func aReloadedItemIsAskedForAgain() throws {
        view.isPrefetchingEnabled = true
        view.idleTick(preparing: 3)
        bench.clear()
        try bench.update { source, changes in
            source.sections[0][3] = "new"
            changes.reloadItems(at: [ItemPath(0, 3)])
        }
        #expect(view.preparedItems.map(\.item) == [4, 5])
        scroll(10)
        #expect(asked == ["0 - 3"])
        bench.check()
    }

    @Test func reloadingDataDropsWhatWasPreparedAndWhatIsInSight() {
        view.isPrefetchingEnabled = true
        view.idleTick(preparing: 3)
        bench.source.sections = [texts(100, "new")]
        bench.adapter.reloadData()
        bench.clear()
        bench.settle()
        #expect(asked == ["0 - 0", "0 - 1", "0 - 2"] && view.preparedItems == [])
        bench.check()
        scroll(20)
        bench.check()
    }

    @Test func aPreparedCellThatIsReconfiguredOutOfSightIsConfiguredWhenItComesBack() throws {
        view.isPrefetchingEnabled = true
        scroll(30)
        bench.clear()
        bench.source.sections[0][0] = "at once"
        try bench.adapter.reconfigureItems(at: [ItemPath(0, 0)])
        try bench.update { source, changes in
            source.sections[0][1] = "in a batch"
            changes.reconfigureItems(at: [ItemPath(0, 1)])
        }
        #expect(asked == [], "nobody sees it yet")
        scroll(-30)
        #expect(asked == ["0 - 0", "0 - 1"] && bench.log("prepareForReuse") == [])
        #expect(bench.rows == ["0: at once", "10: in a batch", "20: 2"])
        bench.check()
    }

    @Test func theFlagToReconfigureFollowsItsItem() throws {
        view.isPrefetchingEnabled = true
        scroll(30)
        bench.source.sections[0][1] = "new"
        try bench.adapter.reconfigureItems(at: [ItemPath(0, 1)])
        try bench.update { source, changes in
            source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        view.scrollToTop()
        bench.settle()
        #expect(bench.rows == ["0: new", "10: 2", "20: 3"])
        bench.check()
    }

    @Test func whatIsPreparedIsBounded() {
        view.isPrefetchingEnabled = true
        for _ in 0..<12 {
            for _ in 0..<15 {
                view.idleTick(preparing: 3)
                scroll(63)
            }
            view.scrollToTop()
            bench.settle()
        }
        #expect(view.preparedItems.count <= 20)
        #expect(view.numberOfMadeViews <= 30)
        bench.check()
    }

    @Test func whenPreparingIsSwitchedOffItsCellsAreUsedForOthers() {
        view.isPrefetchingEnabled = true
        view.idleTick(preparing: 3)
        view.isPrefetchingEnabled = false
        #expect(view.preparedItems == [] && view.numberOfReusableViews == 3)
        scroll(30)
        #expect(view.numberOfMadeViews == 6)
        bench.check()
    }
}
