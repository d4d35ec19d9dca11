import CollectionPipeline
import PipelineTestSupport
import SimulatedView

/// A node that notes the states that it is told, and finds when one does not follow on another.
final class RangedNode: RangeManagedNode, ReconfigurableNode {
    private let name: Lock<String>
    private let told: Journal<String>
    private let state = Lock(InterfaceState())

    init(_ name: String, _ told: Journal<String>) {
        self.name = Lock(name)
        self.told = told
    }

    func measure(in range: SizeRange) -> Size { Size(width: 100, height: 10) }

    func measure(_ model: String, in range: SizeRange) -> Size { measure(in: range) }

    /// What ends in an exclamation mark needs a node of its own.
    func accepts(_ model: String) -> Bool { !model.hasSuffix("!") }

    func update(to model: String) { name.withLock { $0 = model } }

    private func note(_ text: String) { told.append("\(name.withLock { $0 }) \(text)") }

    private func enter(_ single: InterfaceState) {
        if !state.withLock({ $0.insert(single).inserted }) { note("is told twice: \(single)") }
        note("+\(single)")
    }

    private func exit(_ single: InterfaceState) {
        if state.withLock({ $0.remove(single) }) == nil { note("was never told: \(single)") }
        note("-\(single)")
    }

    func didEnterPreloadState() { enter(.preload) }
    func didExitPreloadState() { exit(.preload) }
    func didEnterDisplayState() { enter(.display) }
    func didExitDisplayState() { exit(.display) }
    func didEnterVisibleState() { enter(.visible) }
    func didExitVisibleState() { exit(.visible) }

    func interfaceStateDidChange(to newState: InterfaceState, from oldState: InterfaceState) {
        if state.withLock({ $0 }) != newState { note("is not in \(newState)") }
        note("\(oldState) > \(newState)")
    }
}

/// Rows of text.
final class RangedRows: ModelDataSource {
    var rows: [String]
    let makeNode: @Sendable (String) throws -> any CollectionNode

    init(_ rows: [String], makeNode: @escaping @Sendable (String) throws -> any CollectionNode) {
        self.rows = rows
        self.makeNode = makeNode
    }

    func numberOfItems(inSection section: Int) -> Int { rows.count }

    func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<String> { rows[items] }
}

/// Rows of 10 in a viewport of 100 × 30 with a range controller, all in the test's thread.
final class RangedList {
    let simulation = Simulation(seed: 1, strategy: .inOrder)
    let view: SimulatedCollectionView
    let controller: DataController<RangedRows>
    /// What nodes were told, oldest first.
    let told = Journal<String>()
    // Unchecked: used on the main lane, which is the test's thread, and between its steps.
    nonisolated(unsafe) let ranges = RangeController()

    init(
        _ count: Int,
        hasRanges: Bool = true,
        hasClock: Bool = false,
        clock: ManualClock? = nil,
        makeNode: @escaping @Sendable (String, Journal<String>) -> any CollectionNode = {
            RangedNode($0, $1)
        }
    ) {
        view = SimulatedCollectionView(
            size: Size(width: 100, height: 30),
            clock: clock ?? (hasClock ? simulation.environment : nil)
        )
        if hasRanges { view.rangeController = ranges }
        let rows = RangedRows((0..<count).map { "row \($0)" }) { [told] in makeNode($0, told) }
        controller = DataController(dataSource: rows, view: view, in: simulation)
        update { _, changes in changes.reloadData() }
    }

    /// Does something on the main lane, and all that follows.
    func onMain(_ body: @escaping (SimulatedCollectionView, RangeController) -> Void) {
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) let ranges = ranges
        controller.lane.enqueue { [view] in body(view, ranges) }
        simulation.run()
    }

    func update(_ body: @escaping @Sendable (RangedRows, inout BatchRecorder) -> Void) {
        controller.enqueueBatchUpdates { list, changes in
            body(list, &changes)
        } completion: { _ in
        }
        simulation.run()
    }

    func scroll(by distance: Double) { onMain { view, _ in view.scroll(by: distance) } }

    /// What was told since the last time, without the states as a whole.
    func news() -> [String] {
        defer { told.removeAll() }
        return told.values.filter { !$0.contains(">") }
    }

    /// The rows that are at least in a state, by number.
    func rows(in state: InterfaceState) -> [Int] {
        nonisolated(unsafe) var found: [Int] = []
        onMain { view, ranges in
            found = ranges.elements(in: state).compactMap { view.map.path(of: $0)?.item }
        }
        return found
    }
}
