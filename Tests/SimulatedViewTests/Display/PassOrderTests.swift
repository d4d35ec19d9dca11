import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Notes what it is told to fetch.
private final class Fetcher: CollectionViewDataSourcePrefetching {
    var told: [ItemPath] = []

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        prefetchItemsAt paths: [ItemPath]
    ) { told += paths }
}

@Suite("In which order a pass makes, sizes and announces views")
struct PassOrderTests {
    private let bench: Bench<RowLayout>

    init() throws {
        bench = try Bench([texts(20)])
        bench.layout.takesWishes = true
    }

    /// Those that wait for their sizes are announced before any that come after them.
    @Test func whatIsSizedIsAnnouncedBeforeWhatComesNext() {
        bench.source.wishes = { Int($0).map { $0 < 3 } == true ? 5 : nil }
        bench.lane.run()
        #expect(
            bench.log("dataSource view", "willDisplay", "layout prepare") == [
                "layout prepare", "dataSource view 0 - 0", "dataSource view 0 - 1",
                "dataSource view 0 - 2", "layout prepare", "willDisplay 0 - 0",
                "willDisplay 0 - 1", "willDisplay 0 - 2", "dataSource view 0 - 3",
                "willDisplay 0 - 3", "dataSource view 0 - 4", "willDisplay 0 - 4",
            ]
        )
        bench.check()
    }

    /// A cell that scrolls while it is asked for its size: what was to come there comes no more.
    @Test func afterTheQuestionsForSizesCountsWhatIsInSightThen() {
        bench.load()
        bench.view.scroll(by: 10)
        let context = LayoutInvalidationContext()
        context.invalidateItems(at: [ItemPath(0, 1)])
        bench.layout.invalidateLayout(with: context)
        var isFirst = true
        bench.cell(0, 1)?.wish = { [view = bench.view] _ in
            if isFirst { view.contentOffset.y = 60 }
            isFirst = false
            return nil
        }
        bench.settle()
        #expect(bench.view.contentOffset.y == 60 && bench.view.errors == [])
        #expect(bench.log("willDisplay") == [6, 7, 8].map { "willDisplay 0 - \($0)" })
        bench.check()
    }

    /// What the update left stays in place while what came turns out to want another size.
    @Test func theWishesOfWhatCameMoveNothingThatStayed() throws {
        bench.source.wishes = { $0 == "new" ? 30 : nil }
        bench.load()
        bench.view.scroll(by: 100)
        bench.settle()
        try bench.update { source, changes in
            source.sections[0][10] = "new"
            changes.deleteItems(at: [ItemPath(0, 10)])
            changes.insertItems(at: [ItemPath(0, 10)])
        }
        #expect(bench.rows == ["-20: new", "10: 11", "20: 12"])
        bench.check()
    }

    /// A view that was made, and grew out of sight before it was announced, waits for no animation.
    @Test func whatNobodySawIsUsedAgainAtOnceAlsoInAnAnimation() throws {
        bench.source.wishes = { $0 == "3" ? 30 : nil }
        bench.load()
        try bench.adapter.performBatchUpdates(animated: true) { changes in
            bench.source.sections[0].removeFirst(2)
            changes.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        }
        #expect(bench.rows == ["0: 2", "10: 3"])
        #expect(bench.view.numberOfReusableViews == 1 && bench.log("didEnd") == [])
        bench.lane.run()
        #expect(bench.view.numberOfReusableViews == 3 && bench.log("didEnd").count == 2)
        bench.check()
    }

    @Test func anAnimationEndsWithWhatItTookAwayAndThenWithWhatItMovedOutOfSight() throws {
        bench.load()
        try bench.update(animated: true) { source, changes in
            source.sections[0].replaceSubrange(0...0, with: ["x", "y", "z"])
            changes.deleteItems(at: [ItemPath(0, 0)])
            changes.insertItems(at: (0..<3).map { ItemPath(0, $0) })
        }
        #expect(
            bench.log("didEnd") == [0, 3, 4].map { "didEndDisplaying 0 - \($0)" }
        )
        bench.check()
    }

    @Test func anAnimationThatTakesNothingAwayHoldsNothingBack() throws {
        bench.load()
        try bench.adapter.performBatchUpdates(animated: true) { _ in }
        bench.view.scroll(by: 10)
        bench.view.layoutIfNeeded()
        #expect(bench.log("didEnd") == ["didEndDisplaying 0 - 0"])
        bench.lane.run()
        bench.check()
    }

    /// While nothing is known of the layout, what was applied last says where things are.
    @Test func betweenTwoInvalidationsWhatStandsOnTheScreenCounts() {
        bench.load()
        bench.layout.invalidateLayout()
        bench.view.contentOffset.y = 10
        bench.layout.rowHeight = 20
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.view.contentOffset.y == 20 && bench.rows.first == "0: 1")
        bench.check()
    }

    @Test func anOffsetThatIsSetAfterTheViewportChangedIsTakenAsItIs() {
        bench.load()
        bench.view.resize(to: Size(width: 100, height: 40))
        bench.settle()
        bench.view.contentOffset.y = -50
        for _ in 0..<3 { bench.settle() }
        #expect(bench.view.contentOffset.y == -50)
    }

    /// The header of a section and its first item have one path.
    @Test func aHeaderIsNoItemForWhoeverPreparesOrFetches() throws {
        let bench = try Bench([texts(2), texts(5, "b")], height: 40)
        let fetcher = Fetcher()
        bench.layout.headerHeight = 10
        bench.view.prefetchDataSource = fetcher
        bench.view.isPrefetchingEnabled = true
        bench.load()
        bench.view.resize(to: Size(width: 100, height: 30))
        bench.settle()
        bench.view.idleTick(preparing: 9)
        let first = ItemPath(1, 0)
        #expect(bench.view.preparedItems.contains(first) && fetcher.told.contains(first))
        // The header becomes visible, and its item does not.
        bench.view.scroll(by: 10)
        bench.settle()
        #expect(bench.view.visibleView(at: .header(1)) is TextHeader)
        #expect(bench.cell(1, 0) == nil && bench.view.preparedItems.contains(first))
        bench.view.idleTick(preparing: 9)
        #expect(fetcher.told.filter { $0 == first } == [first], "once")
        bench.check()
    }
}
