import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Transitions across the screen")
struct SidewaysTransitionTests {
    /// Content that runs sideways, and moves with what is visible.
    @Test func whatWasInSightStartsFromWhereItWasAcrossTheScreen() throws {
        let layout = FlowLayout()
        layout.scrollDirection = .horizontal
        layout.itemSize = Size(width: 10, height: 30)
        layout.minimumLineSpacing = 0
        let bench = try Bench([texts(50)], layout, size: Size(width: 30, height: 30))
        bench.load()
        bench.view.scroll(by: Point(x: 105, y: 0))
        bench.settle()
        func positions() -> [String: Double] {
            let cells = bench.view.visibleCells.compactMap { $0 as? TextCell }
            return Dictionary(
                uniqueKeysWithValues: cells.map {
                    ($0.text, $0.frame.minX - bench.view.bounds.minX)
                }
            )
        }
        let before = positions()
        let old = bench.source.sections[0]
        #expect(before == ["10": -5, "11": 5, "12": 15, "13": 25])
        try bench.adapter.performBatchUpdates { changes in
            bench.source.sections[0].remove(at: 12)
            bench.source.sections[0].insert(contentsOf: ["x", "y"], at: 0)
            changes.deleteItems(at: [ItemPath(0, 12)])
            changes.insertItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        }
        let x = bench.view.bounds.minX
        #expect(x == 125, "with 11 in place")
        var starts: [String: Double] = [:]
        for transition in bench.view.transitions {
            guard let path = transition.oldPlace?.path else { continue }
            starts[old[path.item]] = transition.start.frame.minX - x
        }
        #expect(starts["12"] == 15, "what goes")
        #expect(starts["13"] == 25 && positions()["13"] == 15, "what moves up")
        bench.lane.run()
        bench.check()
    }
}
