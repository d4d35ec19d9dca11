import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// Rows of which only those that somebody looks at are measured: 20 high each, where the layout takes 50 for what it
/// does not know.
@Suite("What is measured when it is looked at")
struct OnDemandTests {
    private final class Node: CollectionNode {
        func measure(in range: SizeRange) -> Size { Size(width: 100, height: 20) }
    }

    /// Notes what it is filled with.
    private final class Cell: CollectionViewCell {
        nonisolated(unsafe) var fillings: [Bool] = []

        override func contentDidChange() { fillings.append(element?.nodeIfAllocated != nil) }
    }

    private let simulation = Simulation(seed: 1, strategy: .inOrder)
    private let view = SimulatedCollectionView(size: Size(width: 100, height: 60))
    private let made = Journal<String>()
    private let controller: DataController<RangedRows>
    // Unchecked: used on the main lane, which is the test's thread, and between its steps.
    nonisolated(unsafe) private let ranges = RangeController()

    private func number(_ name: String) -> Int { Int(name.split(separator: " ")[1]) ?? -1 }

    /// The rows that have a node, ascending.
    private var rowsWithNodes: [Int] { made.values.map(number).sorted() }

    init() {
        try? view.register(
            Cell.self,
            forCellWithReuseIdentifier: SimulatedCollectionView.elementReuseIdentifier
        )
        var configuration = PipelineConfiguration()
        configuration.measuringPolicy = .onDemand(1)
        let rows = RangedRows((0..<1000).map { "row \($0)" }) { [made] name in
            made.append(name)
            return Node()
        }
        controller = DataController(
            dataSource: rows,
            view: view,
            in: simulation,
            configuration: configuration
        )
    }

    private func load() {
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadData()
        } completion: { _ in
        }
        simulation.run()
    }

    private func onMain(_ body: @escaping (SimulatedCollectionView) -> Void) {
        nonisolated(unsafe) let body = body
        controller.lane.enqueue { [view] in body(view) }
        simulation.run()
    }

    /// The heights of the rows in the viewport.
    private var heights: [Int: Double] {
        nonisolated(unsafe) var found: [Int: Double] = [:]
        onMain { view in
            for cell in view.visibleCells {
                found[cell.attributes?.place.path.item ?? -1] = cell.frame.size.height
            }
        }
        return found
    }

    @Test func whatIsShownIsMeasuredAndNothingElse() {
        load()
        #expect(heights == [0: 20, 1: 20, 2: 20])
        #expect(rowsWithNodes == [0, 1, 2])
        onMain { $0.scroll(by: 20) }
        #expect(rowsWithNodes == [0, 1, 2, 3] && heights == [1: 20, 2: 20, 3: 20])
    }

    @Test func farAwayWhatIsShownIsMeasuredAndTheRestStaysAsItWas() {
        load()
        onMain { $0.contentOffset = Point(x: 0, y: $0.contentSize.height / 2) }
        let shown = heights
        #expect(shown.values.allSatisfy { $0 == 20 } && (3...4).contains(shown.count))
        #expect(rowsWithNodes.count < 12)
    }

    /// A cell that was filled before there was a node is filled again, once.
    @Test func aCellIsFilledAgainWhenTheNodeComes() {
        load()
        nonisolated(unsafe) var fillings: [[Bool]] = []
        onMain { view in fillings = view.visibleCells.compactMap { ($0 as? Cell)?.fillings } }
        // The one nearest to the first visible row was measured before it was shown.
        #expect(fillings == [[true], [false, true], [false, true]])
        onMain { $0.setNeedsLayout() }
        onMain { view in fillings = view.visibleCells.compactMap { ($0 as? Cell)?.fillings } }
        #expect(fillings == [[true], [false, true], [false, true]])
    }

    /// What comes into a range has its size before anybody sees it.
    @Test func rangesAreMeasuredToo() {
        onMain { [ranges] view in view.rangeController = ranges }
        load()
        let reach = Int(ranges.preloadRect.maxY / 20)
        #expect(reach >= 4 && rowsWithNodes.prefix(reach) == Array(0..<reach)[...])
        #expect(rowsWithNodes.count <= reach + 2)
        onMain { $0.scroll(by: 20) }
        nonisolated(unsafe) var unmeasured = 0
        onMain { [ranges] view in
            for element in ranges.elements(in: .preload) where element.content.size == nil {
                unmeasured += 1
            }
        }
        #expect(unmeasured == 0 && rowsWithNodes.count > reach)
    }

    @Test func cellsThatWerePreparedAheadAreFilledAgain() {
        load()
        onMain { view in
            view.isPrefetchingEnabled = true
            view.scroll(by: 1)
        }
        onMain { $0.idleTick(preparing: 2) }
        onMain { $0.scroll(by: 30) }
        nonisolated(unsafe) var last: [Bool?] = []
        onMain { view in last = view.visibleCells.map { ($0 as? Cell)?.fillings.last } }
        #expect(last.allSatisfy { $0 == true })
    }
}
