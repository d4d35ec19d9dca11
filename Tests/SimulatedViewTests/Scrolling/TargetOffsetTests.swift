import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Where an update scrolls to")
struct TargetOffsetTests {
    /// A viewport of 100 × 30 over content of 400 × 300, at (200, 100).
    private func scrolledBench() throws -> Bench<RowLayout> {
        let bench = try Bench([texts(30)])
        bench.layout.alteredSize = { Size(width: 400, height: $0.height) }
        bench.load()
        bench.view.scroll(by: Point(x: 200, y: 100))
        bench.settle()
        #expect(bench.view.contentOffset == Point(x: 200, y: 100))
        return bench
    }

    private func reload(_ bench: Bench<RowLayout>) throws {
        try bench.update { _, changes in changes.reloadItems(at: [ItemPath(0, 29)]) }
    }

    /// Less than a ten-thousandth of a unit is none; what is no number is no wish.
    @Test func anotherTargetCountsFromTheSmallestDistanceOnEachAxis() throws {
        let tenThousandth = 1e-4
        let wishes: [(Point, Point?)] = [
            (Point(x: 200, y: 100), nil), (Point(x: 210, y: 100), Point(x: 210, y: 100)),
            (Point(x: 200, y: 110), Point(x: 200, y: 110)),
            (Point(x: 190, y: 90), Point(x: 190, y: 90)),
            (Point(x: 200.00009, y: 99.99991), nil), (Point(x: 199.99991, y: 100), nil),
            (Point(x: 200, y: 100.0002), Point(x: 200, y: 100.0002)),
            (Point(x: 199.9998, y: 100), Point(x: 199.9998, y: 100)),
            (Point(x: .nan, y: 110), nil), (Point(x: 210, y: .infinity), nil),
            (Point(x: -5, y: 110), Point(x: 0, y: 110)),
            (Point(x: 1000, y: 1000), Point(x: 300, y: 270)),
        ]
        for (wish, expected) in wishes {
            let bench = try scrolledBench()
            bench.watcher.target = { _ in wish }
            try reload(bench)
            #expect(bench.view.contentOffset == expected ?? Point(x: 200, y: 100), "\(wish)")
        }
        for axis in [\Point.x, \Point.y] {
            let bench = try Bench([texts(30)])
            bench.layout.alteredSize = { Size(width: 400, height: $0.height) }
            bench.load()
            bench.watcher.target = { offset in
                var wish = offset
                wish[keyPath: axis] = tenThousandth
                return wish
            }
            try reload(bench)
            let offset = bench.view.contentOffset[keyPath: axis]
            #expect(abs(offset - tenThousandth) < 1e-12)
        }
    }

    @Test func theLayoutAnswersFirstAndTheDelegateHearsItsAnswer() throws {
        let bench = try scrolledBench()
        bench.layout.target = { Point(x: $0.x + 10, y: $0.y + 20) }
        var proposed: [Point] = []
        bench.watcher.target = { offset in
            proposed.append(offset)
            return offset
        }
        bench.clear()
        try reload(bench)
        #expect(proposed == [Point(x: 210, y: 120)])
        #expect(
            bench.log("layout target") == [
                "layout targetContentOffset (200, 100): (210, 120)"
            ]
        )
        #expect(bench.view.contentOffset == Point(x: 210, y: 120))
    }

    @Test func anUpdateWithoutEditsAsksForNoTarget() throws {
        let bench = try scrolledBench()
        bench.watcher.target = { _ in
            Issue.record("asked")
            return .zero
        }
        bench.clear()
        try bench.update { _, _ in }
        #expect(bench.log("layout target") == [])
        #expect(bench.view.contentOffset == Point(x: 200, y: 100))
    }
}
