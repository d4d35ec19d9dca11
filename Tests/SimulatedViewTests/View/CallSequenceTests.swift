import PipelineTestSupport
import SimulatedView
import Testing

@Suite("The order of calls while loading, scrolling and switching layouts")
struct CallSequenceTests {
    @Test func theFirstLoadAsksForCountsThenPreparesThenFillsTheViewport() throws {
        let bench = try Bench([["a", "b", "c"], ["d", "e"]])
        #expect(bench.log == [], "nothing before the first turn")
        bench.lane.run()
        #expect(
            bench.log == [
                "reloaded", "dataSource numberOfSections: 2", "dataSource numberOfItems 0: 3",
                "dataSource numberOfItems 1: 2", "invalidated everything counts",
                "layout prepare", "layout collectionViewContentSize 100 × 50",
                "contentSize 100 × 50",
                "layout attributes in (0, 0) 100 × 30: 3",
                "dataSource view 0 - 0", "apply 0 - 0", "preferred 0 - 0 100 × 10",
                "layout shouldInvalidateLayout preferred 0 - 0 100 × 10: false",
                "willDisplay 0 - 0",
                "dataSource view 0 - 1", "apply 0 - 1", "preferred 0 - 1 100 × 10",
                "layout shouldInvalidateLayout preferred 0 - 1 100 × 10: false",
                "willDisplay 0 - 1",
                "dataSource view 0 - 2", "apply 0 - 2", "preferred 0 - 2 100 × 10",
                "layout shouldInvalidateLayout preferred 0 - 2 100 × 10: false",
                "willDisplay 0 - 2",
            ]
        )
        bench.check()
    }

    @Test func cellsComeBeforeSupplementariesAndThoseBeforeDecorations() throws {
        let bench = try Bench([["a"], ["b"]], height: 60)
        bench.layout.headerHeight = 10
        bench.layout.decorationKind = SupplementaryKind(rawValue: "backdrop")
        bench.layout.register(
            Backdrop.self,
            forDecorationViewOfKind: SupplementaryKind(rawValue: "backdrop")
        )
        bench.lane.run()
        #expect(
            bench.log("willDisplay") == [
                "willDisplay 0 - 0", "willDisplay 1 - 0", "willDisplay header 0 - 0",
                "willDisplay header 1 - 0", "willDisplay decoration backdrop 0 - 0",
                "willDisplay decoration backdrop 1 - 0",
            ]
        )
        #expect(bench.log("dataSource view").count == 4, "decorations are the layout's own")
        bench.check()
    }

    @Test func scrollingAsksTheLayoutBeforeTheBoundsChangeAndPreparesNothing() throws {
        let bench = try Bench([["a", "b", "c"], ["d", "e"]])
        bench.load()
        bench.view.scroll(by: 10)
        #expect(
            bench.log == [
                "layout shouldInvalidateLayout bounds (0, 10) 100 × 30: false", "scrolled (0, 10)",
            ]
        )
        #expect(bench.layout.boundsWhenAsked == [Rect(x: 0, y: 0, width: 100, height: 30)])
        bench.clear()
        bench.lane.run()
        #expect(
            bench.log == [
                "layout attributes in (0, 0) 100 × 60: 5", "didEndDisplaying 0 - 0",
                "dataSource view 1 - 0", "prepareForReuse 1 - 0", "apply 1 - 0",
                "preferred 1 - 0 100 × 10",
                "layout shouldInvalidateLayout preferred 1 - 0 100 × 10: false",
                "willDisplay 1 - 0",
            ]
        )
        bench.check()
    }

    @Test func scrollingWithinWhatIsKnownAsksTheLayoutForNothing() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        bench.view.scroll(by: 5)
        bench.settle()
        bench.clear()
        bench.view.scroll(by: 5)
        bench.settle()
        #expect(bench.log("layout attributes", "layout prepare") == [])
        bench.check()
    }

    @Test func scrollingThatInvalidatesAsksForTheContextBeforeTheBoundsChange() throws {
        let bench = try Bench([["a", "b", "c"], ["d", "e"]])
        bench.layout.invalidatesForBounds = true
        bench.load()
        bench.view.scroll(by: 10)
        bench.lane.run()
        #expect(
            bench.log("layout", "scrolled", "invalidated", "dataSource n").filter {
                !$0.contains("preferred")
            } == [
                "layout shouldInvalidateLayout bounds (0, 10) 100 × 30: true",
                "layout context for bounds (0, 10) 100 × 30", "scrolled (0, 10)",
                "invalidated all", "layout prepare", "layout collectionViewContentSize 100 × 50",
                "layout attributes in (0, 0) 100 × 60: 5",
            ]
        )
        #expect(bench.layout.boundsWhenAsked == [Rect(x: 0, y: 0, width: 100, height: 30)])
        bench.check()
    }

    @Test func invalidatingAnyNumberOfTimesPreparesOnceAndAsksForNoCounts() throws {
        let bench = try Bench([texts(5)])
        bench.load()
        for _ in 0..<5 { bench.layout.invalidateLayout() }
        bench.lane.run()
        #expect(bench.log("layout prepare") == ["layout prepare"])
        #expect(bench.log("dataSource") == [])
        bench.check()
    }

    @Test func anAdjustmentOfOffsetAndContentSizeTakesEffectAtOnce() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        bench.view.scroll(by: 20)
        bench.settle()
        bench.clear()
        let context = LayoutInvalidationContext()
        context.contentOffsetAdjustment = Point(x: 0, y: 7)
        context.contentSizeAdjustment = Size(width: 0, height: 30)
        bench.layout.invalidateLayout(with: context)
        #expect(bench.view.contentOffset == Point(x: 0, y: 27))
        #expect(bench.view.contentSize == Size(width: 100, height: 120))
        #expect(
            bench.log == [
                "invalidated all size 0 × 30 offset (0, 7)", "contentSize 100 × 120",
                "scrolled (0, 27)",
            ]
        )
    }

    @Test func aFlingComesToRestWhereTheLayoutSays() throws {
        let bench = try Bench([texts(20)])
        bench.load()
        bench.layout.target = { Point(x: 0, y: ($0.y / 10).rounded() * 10) }
        bench.view.endDragging(at: Point(x: 0, y: 47), velocity: Point(x: 0, y: 1.5))
        #expect(
            Array(bench.log.prefix(8)) == [
                "busy", "willBeginDragging",
                "layout targetContentOffset (0, 47) velocity (0, 1.5): (0, 50)",
                "willEndDragging velocity (0, 1.5) (0, 50): (0, 50)",
                "didEndDragging willDecelerate: true", "willBeginDecelerating",
                "layout shouldInvalidateLayout bounds (0, 50) 100 × 30: false", "scrolled (0, 50)",
            ]
        )
        #expect(Array(bench.log.suffix(2)) == ["didEndDecelerating", "idle"])
        bench.layout.target = { _ in Point(x: 0, y: 1e9) }
        bench.view.endDragging(at: Point(x: 0, y: 47), velocity: .zero)
        #expect(bench.view.contentOffset.y == 170, "not beyond the end")
        bench.settle()
        bench.check()
    }

    @Test func anAnimatedChangeOfBoundsTellsTheLayoutBeforeAndAfter() throws {
        let bench = try Bench([texts(9)])
        bench.layout.invalidatesForBounds = true
        bench.load()
        bench.view.resize(to: Size(width: 50, height: 20), animated: true)
        let calls = bench.log("layout").filter {
            !$0.contains("preferred") && !$0.hasPrefix("layout attributes")
        }
        #expect(
            calls == [
                "layout prepare(forAnimatedBoundsChange:) (0, 0) 100 × 30",
                "layout shouldInvalidateLayout bounds (0, 0) 50 × 20: true",
                "layout context for bounds (0, 0) 50 × 20", "layout prepare",
                "layout collectionViewContentSize 50 × 90",
                "layout targetContentOffset (0, 0): (0, 0)",
                "layout finalLayoutAttributes 0 - 2: none", "layout finalizeAnimatedBoundsChange",
            ]
        )
        let transitions = bench.view.transitions
        #expect(transitions.map { $0.oldPlace?.description } == ["0 - 2", "0 - 0", "0 - 1"])
        #expect(transitions[0].newPlace == nil && transitions[0].end.alpha == 0)
        #expect(transitions[1].end.size == Size(width: 50, height: 10))
        bench.settle()
        bench.check()
    }
}
