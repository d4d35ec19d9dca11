import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Scrolling")
struct ScrollingTests {
    /// From every offset at the beginning and beside it, left, right, above and below.
    @Test(arguments: [false, true])
    func whatShowsTheBeginningGoesOnShowingItAndAnythingElseStaysWithItsRow(
        _ isRightToLeft: Bool
    ) throws {
        for x in [-3.0, 0, 3] {
            for y in [-3.0, 0, 3] {
                let bench = try Bench([texts(30)], isRightToLeft: isRightToLeft)
                bench.load()
                let start = bench.view.contentOffset
                #expect(start == Point(x: isRightToLeft ? 200 : 0, y: 0))
                bench.view.contentOffset = Point(x: start.x + x, y: start.y + y)
                bench.settle()
                try bench.update { source, changes in
                    source.sections[0].insert("new", at: 0)
                    changes.insertItems(at: [ItemPath(0, 0)])
                }
                let isAtStart = y <= 0 && (isRightToLeft ? x >= 0 : x <= 0)
                let moved = Point(x: min(max(0, start.x + x), 200), y: start.y + y + 10)
                #expect(bench.view.contentOffset == (isAtStart ? start : moved), "\(x) \(y)")
                bench.check("\(x) \(y)")
            }
        }
    }

    @Test func scrollingToWhereTheViewIsAlreadyDoesNothingAtAll() throws {
        let bench = try Bench([texts(30)])
        bench.load()
        let view = bench.view
        view.scroll(by: 50)
        bench.settle()
        view.touchDown(at: ItemPath(0, 6))
        bench.clear()
        view.contentOffset = Point(x: 0, y: 50)
        view.scroll(by: 0)
        try view.scrollToItem(at: ItemPath(0, 5))
        view.resize(to: view.size)
        view.resize(to: view.size, animated: true)
        #expect(bench.log == [] && bench.lane.count == 0)
        #expect(view.highlightedItem == ItemPath(0, 6))
    }

    @Test func scrollingDownLeavesThePlaceAcrossAlone() throws {
        let bench = try Bench<SheetLayout>([texts(30)])
        bench.load()
        bench.view.scroll(by: Point(x: 50, y: 0))
        bench.view.scroll(by: 20)
        #expect(bench.view.contentOffset == Point(x: 50, y: 20))
        bench.view.scroll(by: Point(x: -8, y: 5))
        #expect(bench.view.contentOffset == Point(x: 42, y: 25))
    }

    @Test(arguments: [0.0, 200])
    func anOffsetThatIsSetHasTheLastWordOverWhatWasToStayInPlace(_ start: Double) throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: start)
        bench.settle()
        bench.clear()
        bench.layout.rowHeight = 20
        bench.layout.invalidateLayout()
        bench.view.contentOffset.y = 70
        // It would not know yet.
        #expect(bench.log == ["invalidated all", "scrolled (0, 70)"])
        bench.settle()
        #expect(bench.rows == ["-10: 3", "10: 4"] && bench.view.contentOffset.y == 70)
        bench.check()
    }

    // MARK: Sizes

    @Test func scrollingThatInvalidatesAsksNobodyInSightForASize() throws {
        let bench = try Bench([texts(30)])
        bench.layout.invalidatesForBounds = true
        bench.load()
        bench.view.scroll(by: 10)
        bench.settle()
        #expect(bench.log("preferred") == ["preferred 0 - 3 100 × 10"])
        bench.clear()
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.log("preferred").count == 3)
        bench.check()
    }

    /// A row above grows; what is below stays where it is, and so the offset changes.
    @Test func contentThatIsMovedAlongIsNotAskedForItsSizesAgain() throws {
        let bench = try Bench([texts(30)])
        bench.layout.takesWishes = true
        bench.layout.invalidatesForBounds = true
        bench.load()
        bench.view.scroll(by: 15)
        bench.settle()
        let row = try #require(bench.cell(0, 1))
        row.wish = { _ in 22 }
        bench.clear()
        bench.view.invalidatePreferredSize(of: row)
        bench.settle()
        #expect(bench.rows == ["-17: 1", "5: 2", "15: 3", "25: 4"])
        // The context of the row lists all of them, the row itself too.
        let asked = bench.log("preferred").map { $0.split(separator: " ")[3] }
        #expect(asked == ["1", "2", "3", "4", "1"])
        bench.clear()
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.log("preferred").count == 4)
        bench.check()
    }

    @Test func anAdjustmentThatIsNoPlaceMovesNothing() throws {
        let bench = try Bench<SheetLayout>([texts(30)])
        bench.load()
        bench.view.scroll(by: Point(x: 20, y: 20))
        for value in [Double.nan, .infinity, -.infinity] {
            for adjustment in [Point(x: value, y: 1), Point(x: 1, y: value)] {
                let context = LayoutInvalidationContext()
                context.contentOffsetAdjustment = adjustment
                bench.layout.invalidateLayout(with: context)
                #expect(bench.view.contentOffset == Point(x: 20, y: 20))
                bench.settle()
                #expect(bench.view.contentOffset == Point(x: 20, y: 20))
            }
        }
        bench.check()
    }

    // MARK: The delegate

    @Test func everyScrollIsToldHoweverManyThereWere() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        for _ in 0..<40 { bench.view.scroll(by: 1) }
        #expect(bench.watcher.numberOfScrolls == 40)
    }

    @Test func aDelegateThatAnswersWithScrollingIsToldAsOftenAsRoundsMayRun() throws {
        let bench = try Bench([texts(60)])
        bench.load()
        bench.watcher.onScroll = { $0.contentOffset.y += 1 }
        bench.view.scroll(by: 10)
        #expect(bench.watcher.numberOfScrolls == SimulatedCollectionView.roundLimit)
        #expect(bench.view.contentOffset.y == 25)
        #expect(bench.view.errorCount == 1)
        #expect(bench.view.errors.first?.message.contains("15 times within one another") == true)
        bench.watcher.onScroll = { _ in }
        bench.view.scroll(by: 1)
        #expect(bench.watcher.numberOfScrolls == SimulatedCollectionView.roundLimit + 1)
    }

    /// Whoever answers that with a change would change what is being updated.
    @Test func anUpdateThatMovesTheContentAlongLogsThatAndTellsNobody() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 200)
        bench.settle()
        let count = bench.watcher.numberOfScrolls
        bench.clear()
        try bench.update { source, changes in
            source.sections[0].insert("new", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(bench.log("scrolled") == ["scrolled (0, 210)"])
        #expect(bench.watcher.numberOfScrolls == count)
        bench.check()
    }

    /// That is not the scrolling's doing, which would ask nobody and keep nothing in place.
    @Test func whatTheDelegateInvalidatesWhenItIsToldIsLikeAnyInvalidation() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 200)
        bench.settle()
        bench.clear()
        bench.watcher.onScroll = { _ in
            bench.layout.rowHeight = 20
            bench.layout.invalidateLayout()
        }
        bench.view.scroll(by: 5)
        bench.settle()
        // 21 was the first that was wholly visible.
        #expect(bench.rows == ["-15: 20", "5: 21", "25: 22"])
        #expect(bench.log("preferred").count == 3)
        bench.check()
    }

    // MARK: Numbers

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func offsetsAndDistancesThatAreNoneAreReportedAndLeaveTheViewWhereItIs(_ value: Double) throws {
        let bench = try Bench<SheetLayout>([texts(50)])
        let view = bench.view
        bench.load()
        view.scroll(by: Point(x: 20, y: 50))
        bench.settle()
        view.contentOffset = Point(x: 1, y: value)
        view.contentOffset = Point(x: value, y: 1)
        view.scroll(by: value)
        view.scroll(by: Point(x: value, y: 1))
        view.endDragging(at: Point(x: value, y: 1), velocity: .zero)
        view.endDragging(at: Point(x: 1, y: 1), velocity: Point(x: 0, y: value))
        #expect(view.contentOffset == Point(x: 20, y: 50) && bench.lane.count == 0)
        let found = [(1, value), (value, 1), (0, value), (value, 1), (value, 1), (0, value)]
        #expect(
            view.errors.map(\.message)
                == found.map { "expected finite numbers, found (\($0.0), \($0.1))" }
        )
    }

    // MARK: Flings

    @Test(arguments: [Double.nan, .infinity])
    func aFlingWhoseTargetIsNoPlaceEndsWhereItWould(_ value: Double) throws {
        let bench = try Bench([texts(30)])
        bench.load()
        bench.layout.target = { _ in Point(x: 0, y: value) }
        bench.view.endDragging(at: Point(x: 0, y: 47), velocity: .zero)
        #expect(bench.view.contentOffset.y == 47)
        #expect(
            bench.view.errors.map(\.message) == ["expected finite numbers, found (0.0, \(value))"]
        )
    }
}
