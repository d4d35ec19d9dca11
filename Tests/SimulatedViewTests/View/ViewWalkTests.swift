import PipelineTestSupport
import SimulatedView
import Testing

@Suite("A view of a data source as a model", .endsHangs)
struct ViewWalkTests {
    @Test(arguments: 1...Effort.number(600, usually: 60) as ClosedRange<UInt64>)
    func theViewFollowsTheModelAfterEveryStep(_ seed: UInt64) throws {
        let walk = try ViewWalk(seed: seed)
        var faults: [String] = []
        for _ in 0..<60 where faults.isEmpty { faults = try walk.step() }
        let story = walk.story.suffix(5).joined(separator: "; ")
        #expect(faults == [], "seed \(seed), after \(story)")
    }

    // MARK: Inverted

    /// The state of a view except for what inversion changes on the screen.
    private struct Story: Equatable {
        let events: [String]
        let bounds: Rect
        let attributes: [LayoutAttributes?]
        let selected: [ItemPath]

        init(_ view: SimulatedCollectionView) {
            events = view.eventLog.map(\.description)
            bounds = view.bounds
            attributes = view.visibleViews.map(\.attributes)
            selected = view.indexPathsForSelectedItems
        }
    }

    /// The simulation checks what inversion changes on the screen.
    @Test(arguments: 1...Effort.number(40, usually: 6) as ClosedRange<UInt64>)
    func anInvertedViewBehavesTheSame(_ seed: UInt64) throws {
        let (plain, inverted) = (try ViewWalk(seed: seed), try ViewWalk(seed: seed))
        for step in 0..<40 {
            inverted.bench.view.isInverted = step % 3 != 2
            let faults = try plain.step() + inverted.step()
            let isSame = Story(plain.bench.view) == Story(inverted.bench.view)
            guard faults.isEmpty, isSame else {
                let story = plain.story.suffix(4).joined(separator: "; ")
                Issue.record("seed \(seed), step \(step), after \(story): \(faults)")
                return
            }
        }
    }

    @Test func touchesMissEmptyAreasAndTransparentViews() throws {
        let bench = try Bench([texts(3)])
        bench.layout.altered = { answer in
            answer.map { attributes in
                var attributes = attributes
                attributes.frame = Rect(x: 0, y: 0, width: 100, height: 10)
                attributes.alpha = [1, 0.01, 0.0099][attributes.indexPath.item]
                return attributes
            }
        }
        bench.load()
        for isInverted in [false, true] {
            bench.view.isInverted = isInverted
            let y = isInverted ? 25.0 : 5
            #expect(bench.view.hitTest(Point(x: 5, y: y)) === bench.cell(0, 1))
            for odd in [Double.nan, .infinity, -.infinity, -1, 1e300, 100] {
                let points = [Point(x: odd, y: y), Point(x: 5, y: odd), Point(x: 5, y: 30 - y)]
                #expect(points.allSatisfy { bench.view.hitTest($0) == nil }, "\(odd)")
            }
        }
        bench.view.resize(to: .zero)
        bench.settle()
        #expect(bench.view.hitTest(.zero) == nil)
    }

    // MARK: Regressions

    /// The delegate may change the insets when a cell disappears.
    @Test func theLayoutIsNotQueriedForItemsThatAReloadRemoved() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 400)
        bench.settle()
        bench.watcher.onEnd = { view, _ in view.contentInset = EdgeInsets(top: 7) }
        bench.source.sections = [texts(3)]
        bench.adapter.reloadData()
        bench.lane.run()
        bench.watcher.onEnd = { _, _ in }
        bench.settle()
        #expect(!bench.log("layout attributes for").contains { $0.hasSuffix(": none") })
        bench.check()
    }

    /// A mistake that IGListKit once had.
    @Test func aBlockThatInvalidatesTheLayoutIsLaidOutInTheSameUpdate() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        try bench.update { source, changes in
            bench.layout.rowHeight = 15
            bench.layout.invalidateLayout()
            bench.view.contentInset.top = 5
            source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        #expect(bench.rows == ["5: 1", "20: 2"])
        bench.check()
    }
}
