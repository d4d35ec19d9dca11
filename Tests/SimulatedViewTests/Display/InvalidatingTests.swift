import PipelineTestSupport
import SimulatedView
import Testing

/// Rows that become higher with the content offset.
private final class GrowingLayout: RowLayout {
    override func prepare() {
        rowHeight = (host?.bounds.minY ?? 0) > 0 ? 20 : 10
        super.prepare()
    }
}

@Suite("Invalidating a layout")
struct InvalidatingTests {
    private let kind = SupplementaryKind(rawValue: "backdrop")

    /// A view at whose every place something stands.
    private func fullBench() throws -> Bench<RowLayout> {
        let bench = try Bench([texts(2), texts(2)], height: 100)
        bench.layout.headerHeight = 5
        bench.layout.decorationKind = kind
        bench.layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        bench.load()
        return bench
    }

    private func asked(_ bench: Bench<RowLayout>) -> [String] {
        bench.log("preferred").map { $0.replacing(" 100 × ", with: "@") }
    }

    @Test func viewsAreAskedForTheirSizeWhereTheirAttributesAreNoLongerRight() throws {
        let bench = try fullBench()
        let all = [
            "preferred 0 - 0@10", "preferred 0 - 1@10", "preferred 1 - 0@10", "preferred 1 - 1@10",
            "preferred header 0 - 0@5", "preferred header 1 - 0@5",
            "preferred decoration backdrop 0 - 0@25", "preferred decoration backdrop 1 - 0@25",
        ]
        let context = LayoutInvalidationContext()
        func expect(_ expected: [String], _ context: LayoutInvalidationContext) {
            bench.clear()
            bench.layout.invalidateLayout(with: context)
            bench.settle()
            #expect(asked(bench) == expected)
        }
        expect(all, LayoutInvalidationContext())
        context.invalidateItems(at: [ItemPath(0, 1), ItemPath(7, 7)])
        expect([all[1]], context)
        context.invalidateSupplementaryElements(ofKind: .header, at: [ItemPath(1, 0)])
        context.invalidateSupplementaryElements(ofKind: .footer, at: [ItemPath(0, 0)])
        expect([all[1], all[5]], context)
        context.invalidateDecorationElements(ofKind: kind, at: [ItemPath(0, 0)])
        expect([all[1], all[5], all[6]], context)
        context.invalidatesDataSourceCounts = true
        expect(all, context)
        bench.check()
    }

    /// Scrolling places views again, and says nothing about their sizes.
    @Test func scrollingThatInvalidatesAsksNobodyInSightForItsSize() throws {
        let bench = try Bench([texts(20)])
        bench.layout.invalidatesForBounds = true
        bench.load()
        bench.view.scroll(by: 10)
        bench.settle()
        #expect(bench.log("invalidated") == ["invalidated all"])
        #expect(asked(bench) == ["preferred 0 - 3@10"])
        bench.check()
    }

    /// What scrolling changes stays where it is in the content, and not on the screen.
    @Test func scrollingThatInvalidatesKeepsTheOffset() throws {
        let layout = GrowingLayout()
        layout.invalidatesForBounds = true
        let bench = try Bench<GrowingLayout>([texts(20)], layout)
        bench.load()
        bench.view.scroll(by: 50)
        bench.settle()
        #expect(bench.view.contentOffset.y == 50 && bench.view.contentSize.height == 400)
        bench.check()
    }

    @Test func anOffsetThatTheLayoutMovedStaysUntilTheLayoutIsPrepared() throws {
        let bench = try Bench([texts(30)])
        bench.layout.alteredSize = { Size(width: 300, height: $0.height) }
        bench.load()
        bench.view.scroll(by: Point(x: 50, y: 100))
        bench.settle()
        let context = LayoutInvalidationContext()
        context.contentOffsetAdjustment = Point(x: 3, y: 7)
        bench.layout.invalidateLayout(with: context)
        #expect(bench.view.contentOffset == Point(x: 53, y: 107))
        // Neither what was visible before nor what is now has a say.
        bench.layout.rowHeight = 12
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.view.contentOffset == Point(x: 53, y: 107))
        bench.check()
        // Then it has again: row 8, which began at 96, is the first in sight.
        bench.layout.rowHeight = 20
        bench.layout.invalidateLayout()
        bench.settle()
        #expect(bench.view.contentOffset == Point(x: 53, y: 171))
        bench.check()
    }

    @Test func contentSizesAreAdjustedAtOnceByNumbersAndNotBelowNothing() throws {
        let bench = try Bench([texts(5)])
        bench.load()
        let adjustments: [(Size, Size)] = [
            (Size(width: 10, height: -20), Size(width: 110, height: 30)),
            (Size(width: -30, height: 1), Size(width: 80, height: 31)),
            (Size(width: .nan, height: 5), Size(width: 80, height: 31)),
            (Size(width: 5, height: .infinity), Size(width: 80, height: 31)),
            (Size(width: -81, height: 0), Size(width: 0, height: 31)),
            (Size(width: 0, height: -500), Size(width: 0, height: 0)),
        ]
        for (adjustment, expected) in adjustments {
            let context = LayoutInvalidationContext()
            context.contentSizeAdjustment = adjustment
            bench.layout.invalidateLayout(with: context)
            #expect(bench.view.contentSize == expected, "\(adjustment)")
        }
        bench.clear()
        bench.settle()
        #expect(bench.view.contentSize == Size(width: 100, height: 50))
        #expect(bench.log("contentSize") == ["contentSize 100 × 50"])
        bench.check()
    }
}
