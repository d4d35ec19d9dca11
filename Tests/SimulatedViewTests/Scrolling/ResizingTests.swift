import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Another size of the viewport")
struct ResizingTests {
    @Test func theLayoutIsAskedAboutItAtOnceAndForThePagesOfTheNewSizeInTheNextTurn() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        bench.view.resize(to: Size(width: 50, height: 20))
        #expect(bench.log == ["layout shouldInvalidateLayout bounds (0, 0) 50 × 20: false"])
        bench.lane.run()
        #expect(
            bench.log.dropFirst() == [
                "layout attributes in (0, 0) 50 × 20: 2", "didEndDisplaying 0 - 2",
            ]
        )
        bench.check()
    }

    @Test func aSizeThatIsNoneIsReportedWithItsNumbersAndLeavesTheView() throws {
        let good = SimulatedCollectionView(size: Size(width: 30, height: 20))
        #expect(good.errors == [] && good.errorCount == 0)
        for (width, height) in [(Double.nan, 1.0), (1, -1), (.infinity, 1)] {
            let size = Size(width: width, height: height)
            let view = SimulatedCollectionView(size: size)
            #expect(view.size == .zero && view.errorCount == 1)
            good.resize(to: size)
            #expect(good.size == Size(width: 30, height: 20))
            for error in [view.errors.last, good.errors.last] {
                #expect(error?.code == .notFinite)
                #expect(error?.message == "expected a size, found \(width) × \(height)")
            }
        }
        #expect(good.errorCount == 3)
    }

    /// Nothing is visible there that could stay in place.
    @Test func aViewportBeyondTheContentComesBackToItsEnd() throws {
        let bench = try Bench([texts(30)])
        bench.load()
        bench.view.contentOffset.y = 5000
        bench.settle()
        #expect(bench.view.contentOffset.y == 5000 && bench.rows == [])
        bench.view.resize(to: Size(width: 100, height: 50))
        bench.settle()
        #expect(bench.view.contentOffset.y == 250 && bench.rows.count == 5)
        bench.check()
    }

    @Test(arguments: [-20.0, 33, 5000])
    func anOffsetThatIsSetAfterwardsIsTakenAsItIs(_ y: Double) throws {
        let bench = try Bench([texts(30)])
        bench.load()
        bench.view.resize(to: Size(width: 100, height: 50))
        bench.view.contentOffset.y = y
        for _ in 0..<2 { bench.settle() }
        #expect(bench.view.contentOffset.y == y)
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.view.contentOffset.y == min(max(0, y), 250))
        bench.check()
    }

    @Test func anAnimatedOneGoesWhereTheLayoutSaysAndTransitionsLeadThere() throws {
        let bench = try Bench([texts(30)])
        bench.load()
        bench.layout.target = { _ in Point(x: 0, y: 50) }
        bench.view.resize(to: Size(width: 100, height: 20), animated: true)
        #expect(bench.view.contentOffset.y == 50 && bench.rows == ["0: 5", "10: 6"])
        let transitions = bench.view.transitions
        #expect(transitions.map { $0.oldPlace?.path.item } == [0, 1, 2, nil, nil])
        #expect(transitions.map { $0.newPlace?.path.item } == [nil, nil, nil, 5, 6])
        #expect(bench.log.last == "layout finalizeAnimatedBoundsChange")
        bench.settle()
        bench.check()
    }

    /// The layout does not mind, and places everything as before.
    @Test(arguments: [false, true], [0.0, 40])
    func theLeadingEdgeOfTheContentStaysAtItsDistanceFromThatOfTheViewport(
        _ isRightToLeft: Bool,
        _ distance: Double
    ) throws {
        let bench = try Bench([texts(30)], isRightToLeft: isRightToLeft)
        bench.load()
        let view = bench.view
        func leading() -> Double { isRightToLeft ? 300 - view.bounds.maxX : view.bounds.minX }
        view.scroll(by: Point(x: isRightToLeft ? -distance : distance, y: distance))
        bench.settle()
        for width in [140.0, 60] {
            view.resize(to: Size(width: width, height: 30))
            bench.settle()
            #expect(leading() == distance && view.bounds.minY == distance)
            bench.check("\(width)")
        }
    }
}

extension ScrollToItemTests {
    /// Each time that it prepares, its later items are a row further away, so many times.
    private final class RecedingLayout: RowLayout {
        var left = 0
        private var distance = 0.0

        override func prepare() {
            super.prepare()
            if left > 0 {
                left -= 1
                distance += 10
            }
        }

        override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
            var attributes = super.layoutAttributesForItem(at: path)
            if path.item >= 40 { attributes?.center.y += distance }
            return attributes
        }
    }

    @Test(arguments: [0, 1, 7, 13, 14, 15, 16, 40])
    func anItemThatRecedesIsFollowedAsOftenAsRoundsMayRun(_ steps: Int) throws {
        let bench = try Bench([texts(200)], RecedingLayout())
        bench.layout.invalidatesForBounds = true
        bench.load()
        bench.layout.left = steps
        try bench.view.scrollToItem(at: ItemPath(0, 100))
        let limit = SimulatedCollectionView.roundLimit
        #expect(bench.log("scrolled").count == min(steps + 1, limit))
        #expect(bench.view.contentOffset.y == 1000 + 10 * Double(min(steps, limit - 1)))
    }

    /// Where it goes away as the content arrives, which without a clock is at once.
    @Test func anAnimationToAnItemThatRecedesFollowsItAtTheEndToo() throws {
        let bench = try Bench([texts(200)], RecedingLayout())
        bench.layout.invalidatesForBounds = true
        bench.load()
        bench.layout.left = 3
        try bench.view.scrollToItem(at: ItemPath(0, 100), animated: true)
        #expect(bench.view.contentOffset.y == 1030 && !bench.view.isBusy)
    }

    @Test func withoutAPositionTheLayoutIsAskedOnceAndNothingMoves() throws {
        let bench = try Bench([texts(100)])
        bench.load()
        try bench.view.scrollToItem(at: ItemPath(0, 50), at: [])
        #expect(bench.log == ["layout attributes for 0 - 50"])
    }

    @Test func aViewportWithoutExtentScrollsToNothingAndAsksNobody() throws {
        for size in [Size.zero, Size(width: 100, height: 0), Size(width: 0, height: 30)] {
            let bench = try Bench([texts(100)], RowLayout(), size: size)
            bench.load()
            try bench.view.scrollToItem(at: ItemPath(0, 50))
            #expect(bench.log == [] && bench.view.contentOffset == .zero)
        }
    }
}
