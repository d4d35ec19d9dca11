import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// Rows of 20 in a viewport of three, of which only those around it have nodes.
@Suite("Nodes of rows that are far away")
struct ReleasedRowTests {
    /// Says when it comes, is told and goes.
    final class Node: RangeManagedNode, ReconfigurableNode {
        private let text: Lock<String>
        private let told: Journal<String>

        init(_ text: String, _ told: Journal<String>) {
            self.text = Lock(text)
            self.told = told
            told.append("\(text) made")
        }

        deinit { told.append("\(text.withLock { $0 }) released") }

        func measure(in range: SizeRange) -> Size { Size(width: 100, height: 20) }
        func measure(_ model: String, in range: SizeRange) -> Size { measure(in: range) }
        func update(to model: String) { text.withLock { $0 = model } }
        func didEnterPreloadState() { told.append("\(text.withLock { $0 }) enters") }
        func didExitPreloadState() { told.append("\(text.withLock { $0 }) leaves") }
    }

    private let simulation = Simulation(seed: 1, strategy: .inOrder)
    private let view = SimulatedCollectionView(size: Size(width: 100, height: 60))
    private let told = Journal<String>()
    private let controller: DataController<RangedRows>

    init() { self.init(releasesNodes: true) }

    private init(
        releasesNodes: Bool,
        measuring: PipelineConfiguration.MeasuringPolicy = .onDemand(1)
    ) {
        var configuration = PipelineConfiguration()
        configuration.measuringPolicy = measuring
        configuration.releasesNodes = releasesNodes
        let ranges = RangeController()
        // Half a viewport after it, and a quarter before.
        ranges.requestedMode = .minimum
        view.rangeController = ranges
        let rows = RangedRows((0..<300).map { "row \($0)" }) { [told] in Node($0, told) }
        controller = DataController(
            dataSource: rows,
            view: view,
            in: simulation,
            configuration: configuration
        )
        update { _, changes in changes.reloadData() }
    }

    private func update(_ body: @escaping @Sendable (RangedRows, inout BatchRecorder) -> Void) {
        controller.enqueueBatchUpdates { list, changes in
            body(list, &changes)
        } completion: { _ in
        }
        simulation.run()
    }

    private func onMain(_ body: @escaping (SimulatedCollectionView) -> Void) {
        nonisolated(unsafe) let body = body
        controller.lane.enqueue { [view] in body(view) }
        simulation.run()
    }

    private func scroll(to row: Int) { onMain { $0.contentOffset.y = Double(row) * 20 } }

    private func news() -> [String] {
        defer { told.removeAll() }
        return told.values
    }

    private var rowsWithNodes: [Int] {
        controller.visibleMap.items.filter { $0.element.nodeIfAllocated != nil }.map(\.path.item)
    }

    private func size(ofRow row: Int) -> Size? {
        controller.visibleMap.content(at: ItemPath(section: 0, item: row))?.size
    }

    @Test func whatIsFarAwayIsReleasedOnceItHasHeardSoAndKeepsItsSize() {
        #expect(rowsWithNodes == [0, 1, 2, 3, 4])
        _ = news()
        scroll(to: 2)
        let near = news()
        #expect(near.contains("row 0 leaves") && !near.contains("row 0 released"), "not yet")
        scroll(to: 12)
        let far = news().filter { $0.hasPrefix("row 0") || $0.hasPrefix("row 1 ") }
        #expect(far == ["row 1 leaves", "row 0 released", "row 1 released"])
        #expect(size(ofRow: 0) == Size(width: 100, height: 20))
    }

    @Test func toAndFroNothingIsMadeAgain() {
        scroll(to: 50)
        _ = news()
        for _ in 0..<5 {
            onMain { $0.scroll(by: 20) }
            onMain { $0.scroll(by: -20) }
        }
        let made = news().filter { $0.hasSuffix("made") }
        #expect(Set(made).count == made.count)
    }

    @Test func whatComesNearAgainGetsAnotherNode() {
        scroll(to: 10)
        scroll(to: 40)
        _ = news()
        scroll(to: 0)
        let news = news()
        #expect(news.filter { $0.hasPrefix("row 0 ") } == ["row 0 made", "row 0 enters"])
        onMain { view in
            let shown = view.visibleCells.compactMap { $0.element?.nodeIfAllocated }
            #expect(shown.count == 3, "cells show the new nodes")
        }
    }

    @Test func onTheWayThroughOnlyAFewAreThereAtOnce() {
        var most = 0
        for row in 0..<290 {
            scroll(to: row)
            most = max(most, rowsWithNodes.count)
        }
        #expect(most <= 15)
        let news = news()
        let made = news.filter { $0.hasSuffix("made") }
        #expect(made.count > 290 && Set(made).count == made.count, "each once")
        #expect(news.count { $0.hasSuffix("released") } == made.count - rowsWithNodes.count)
    }

    @Test func aFarRowThatIsReconfiguredIsReleasedAgainAndComesWithItsNewModel() {
        scroll(to: 100)
        _ = news()
        update { rows, changes in
            rows.rows[0] = "other"
            changes.reconfigureItems(at: [ItemPath(section: 0, item: 0)])
        }
        #expect(news() == ["other made", "other released"])
        scroll(to: 0)
        #expect(news().filter { $0.hasPrefix("other") } == ["other made", "other enters"])
    }

    @Test func aFarRowThatComesAloneIsMeasuredAndKeepsNoNode() {
        scroll(to: 100)
        _ = news()
        update { rows, changes in
            rows.rows.insert("new", at: 0)
            changes.insertItems(at: [ItemPath(section: 0, item: 0)])
        }
        #expect(news() == ["new made", "new released"])
        #expect(size(ofRow: 0) == Size(width: 100, height: 20))
    }

    @Test func whoAsksForAFarNodeGetsOne() async throws {
        scroll(to: 100)
        let node = try controller.visibleMap.element(at: ItemPath(section: 0, item: 0))?
            .waitForNode()
        #expect(node is Node)
    }

    /// It was released, and nobody but the one who asked knows of it.
    @Test func aNodeThatSomebodyAskedForFarAwayStays() throws {
        scroll(to: 10)
        scroll(to: 40)
        let path = ItemPath(section: 0, item: 0)
        let element = try #require(controller.visibleMap.element(at: path))
        #expect(element.nodeIfAllocated == nil)
        let node = try element.waitForNode()
        scroll(to: 41)
        scroll(to: 42)
        #expect(element.nodeIfAllocated === node)
    }

    /// Does something when it is told of the first element.
    private final class Answering: RangeControllerDelegate {
        var answer: (() -> Void)?

        func rangeController(
            _ rangeController: RangeController,
            didChangeStateOf element: CollectionElement,
            to newState: InterfaceState,
            from oldState: InterfaceState
        ) {
            let answer = answer
            self.answer = nil
            answer?()
        }
    }

    @Test func whatIsNearAgainByThenIsNotReleased() {
        scroll(to: 2)
        _ = news()
        nonisolated(unsafe) let answering = Answering()
        answering.answer = { [view] in
            view.contentOffset.y = 40
            view.layoutIfNeeded()
        }
        onMain { $0.rangeController?.delegate = answering }
        scroll(to: 12)
        #expect(answering.answer == nil, "somebody scrolled back")
        #expect(!news().contains("row 0 released") && rowsWithNodes.contains(0))
    }

    @Test func aNodeThatIsBeingMeasuredIsReleasedOnceThatIsDone() throws {
        controller.enqueueBatchUpdates { _, changes in
            changes.reconfigureItems(at: [ItemPath(section: 0, item: 0)])
        } completion: { _ in
        }
        // The view is far away before the row is measured.
        controller.lane.enqueue { [view] in view.contentOffset.y = 2000 }
        simulation.run()
        #expect(!rowsWithNodes.contains(0))
        #expect(rowsWithNodes.count < 15)
    }

    @Test func withoutTheSettingNodesStay() {
        let list = ReleasedRowTests(releasesNodes: false)
        list.scroll(to: 100)
        list.scroll(to: 0)
        #expect(list.rowsWithNodes.count > 10)
        #expect(list.news().allSatisfy { !$0.hasSuffix("released") })
    }

    @Test func whatIsMeasuredForItsSizeAloneKeepsNoNode() {
        let list = ReleasedRowTests(releasesNodes: true, measuring: .nearestFirst(5))
        #expect(list.size(ofRow: 299) == Size(width: 100, height: 20))
        #expect(list.rowsWithNodes.count < 15)
        let made = list.news().filter { $0.hasSuffix("made") }
        #expect(made.count == 300, "each once")
    }

    @Test func inLowMemoryOnlyWhatIsVisibleStays() {
        scroll(to: 10)
        onMain { $0.rangeController?.requestedMode = .lowMemory }
        nonisolated(unsafe) var visible: [Int] = []
        onMain { view in
            visible = view.visibleCells.compactMap { $0.attributes?.indexPath.item }.sorted()
        }
        #expect(rowsWithNodes == visible && visible.count < 5)
    }
}
