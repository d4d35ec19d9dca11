import PipelineTestSupport
import Testing

@testable import SimulatedView

@Suite("One pass of a view")
struct PassTests {
    private let bench: Bench<RowLayout>

    init() throws { bench = try Bench([texts(20)]) }

    @Test func askingForAPassWhereNothingIsInvalidIsNoMistakeAnywhere() {
        bench.watcher.onDisplay = { view, _ in view.layoutIfNeeded() }
        bench.load()
        #expect(bench.view.errors == [] && bench.view.visibleCells.count == 3)
        bench.view.layoutIfNeeded()
        #expect(bench.log == [])
    }

    @Test func callsThatWantTheViewUpToDateDoWithoutFromWithinAPass() throws {
        var calls: [(SimulatedCollectionView) throws -> Void] = [
            { $0.scroll(by: 10) }, { $0.scrollToTop() },
            { $0.endDragging(at: Point(x: 0, y: 20), velocity: .zero) },
            { try $0.scrollToItem(at: ItemPath(0, 4)) }, { try $0.selectItem(at: ItemPath(0, 1)) },
        ]
        bench.watcher.onDisplay = { view, _ in
            guard !calls.isEmpty else { return }
            view.setNeedsLayout()
            do { try calls.removeFirst()(view) } catch { Issue.record(error) }
        }
        bench.load()
        bench.view.scroll(by: 60)
        bench.settle()
        #expect(calls.isEmpty && bench.view.errors == [])
        bench.check()
    }

    /// From the delegate, and from the layout, each where nothing else is under way.
    @Test func whoIsToldOfAnUpdateOrAskedForATargetCannotLayTheViewOut() throws {
        bench.load()
        func intrude(_ view: SimulatedCollectionView) {
            view.setNeedsLayout()
            view.layoutIfNeeded()
        }
        func expectRejections(_ count: Int) {
            #expect(
                bench.view.errors.map(\.code) == Array(repeating: .reentrantLayout, count: count)
            )
            bench.view.clearErrors()
            bench.settle()
            bench.check()
        }
        bench.watcher.onEnd = { view, _ in intrude(view) }
        try bench.update { source, changes in
            source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        bench.watcher.onEnd = { _, _ in }
        expectRejections(1)
        bench.watcher.target = { [view = bench.view] offset in
            intrude(view)
            return offset
        }
        try bench.update { _, changes in changes.reloadItems(at: [ItemPath(0, 9)]) }
        bench.watcher.target = { $0 }
        expectRejections(1)
        bench.layout.target = { [view = bench.view] offset in
            intrude(view)
            return offset
        }
        bench.view.endDragging(at: .zero, velocity: .zero)
        bench.layout.target = { $0 }
        expectRejections(1)
    }

    @Test func aLayoutThatInvalidatesItselfWhileItPreparesIsStoppedAndShownAsItIs() {
        bench.layout.onPrepare = { $0.invalidateLayout() }
        bench.lane.run(limit: 1)
        #expect(SimulatedCollectionView.roundLimit == 15)
        #expect(bench.layout.numberOfPrepares == 17, "one a round, and two to show what there is")
        #expect(
            bench.view.errors.map(\.message) == [
                "UICollectionView is stuck in its update/layout loop: after 15 rounds without a new"
                    + " element the layout was invalidated again"
            ]
        )
        #expect(bench.view.errors.first?.place == nil)
        #expect(bench.log("preferred") == [], "nobody is asked any more")
        bench.layout.onPrepare = { _ in }
        bench.view.clearErrors()
        bench.check()
        bench.layout.invalidateLayout()
        bench.settle()
        bench.check()
    }

    /// Every round brings an item into sight, and has the layout be invalid again.
    @Test(arguments: [9, 10, 11])
    func aPassHasABoundedNumberOfRoundsEvenIfEachBringsSomethingNew(_ count: Int) throws {
        let bench = try Bench([texts(count)], RowLayout(), size: Size(width: 100, height: 600))
        bench.view.pass.totalRoundLimit = 10
        bench.layout.takesWishes = true
        bench.layout.rowHeight = 600
        bench.source.wishes = { _ in 10 }
        bench.lane.run()
        let loops = bench.view.errors.filter { $0.code == .layoutLoop }
        #expect(loops.count == (count < 10 ? 0 : 1), "\(bench.view.errors)")
        #expect(loops.allSatisfy { $0.message.contains("loop: after 10 rounds the layout") })
    }

    /// What was news in one pass is news in the next one.
    @Test func everyPassCountsItsRoundsAgain() throws {
        let bench = try Bench([texts(40)], RowLayout(), size: Size(width: 100, height: 400))
        bench.layout.takesWishes = true
        bench.layout.rowHeight = 400
        bench.source.wishes = { _ in 10 }
        for _ in 0..<3 {
            bench.layout.heights = [:]
            bench.adapter.reloadData()
            bench.settle()
            #expect(bench.view.errors == [] && bench.view.visibleCells.count == 40)
            #expect(bench.layout.numberOfPrepares >= 40)
        }
        // The views stay, and are asked one after the other as they come into the bounds.
        for _ in 0..<3 {
            bench.layout.heights = [:]
            bench.layout.invalidateLayout()
            bench.settle()
            #expect(bench.view.errors == [])
            bench.check()
        }
    }

    @Test(arguments: [2, 3, 4])
    func noMoreViewsThanTheLimitAreShownTheFirstOnes(_ limit: Int) throws {
        bench.view.display.viewLimit = limit
        bench.load()
        let text = "the layout placed 3 views in the viewport; the first 2 are shown"
        #expect(Set(bench.view.errors.map(\.message)) == (limit < 3 ? [text] : []))
        #expect(Set(bench.view.errors.map(\.code)) == (limit < 3 ? [.tooManyViews] : []))
        #expect(bench.rows == ["0: 0", "10: 1", "20: 2"].prefix(limit).map(\.self))
    }

    /// An anchor that could not be kept is given up with its pass.
    @Test func whatCouldNotStayInPlaceIsForgotten() {
        bench.load()
        bench.view.scroll(by: 105)
        bench.settle()
        bench.layout.rowHeight = 1
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.view.contentOffset.y == 0)
        bench.layout.rowHeight = 10
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.view.contentOffset.y == 0)
        bench.check()
    }

    /// A class of cells may serve for headers, which then are no cells of items.
    @Test func aHeaderOfAClassOfCellsIsNeitherListedAmongCellsNorKeptForAnItem() throws {
        try bench.view.register(
            TextCell.self,
            forSupplementaryViewOfKind: .header,
            withReuseIdentifier: "header"
        )
        bench.layout.headerHeight = 10
        bench.view.isPrefetchingEnabled = true
        bench.load()
        let header = bench.view.visibleView(at: .header(0))
        #expect(header is TextCell && bench.view.visibleViews.count == 3)
        #expect(bench.view.visibleCells.count == 2)
        #expect(bench.view.visibleCells.allSatisfy { $0 !== header })
        bench.view.scroll(by: 25)
        bench.settle()
        #expect(bench.view.preparedItems == [ItemPath(0, 0)])
        #expect(bench.view.numberOfReusableViews == 1, "the header's")
        bench.view.scrollToTop()
        bench.settle()
        #expect(bench.cell(0, 0) !== header)
        bench.check()
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func aFrameThatIsNowhereAcrossIsReportedAndNotShown(_ x: Double) throws {
        bench.layout.altered = { answer in
            answer.map { attributes in
                var attributes = attributes
                if attributes.indexPath.item == 1 { attributes.center.x = x }
                return attributes
            }
        }
        bench.load()
        #expect(Set(bench.view.errors.map(\.code)) == [.layoutAttributes])
        #expect(bench.view.errors.first?.place == .cell(ItemPath(0, 1)))
        #expect(bench.rows == ["0: 0", "20: 2"])
    }

    /// What it says before is of sizes that it knows better by then.
    @Test func aLayoutThatGaveInToAViewPreparesBeforeItIsAskedForMore() throws {
        bench.layout.takesWishes = true
        bench.load()
        let cell = try #require(bench.cell(0, 1))
        cell.wish = { _ in 20 }
        bench.view.invalidatePreferredSize(of: cell)
        bench.view.layoutIfNeeded()
        #expect(bench.log("layout prepare", "layout attributes in").first == "layout prepare")
        #expect(bench.rows == ["0: 0", "10: 1"])
        bench.check()
    }
}
