import CollectionPipeline
import PipelineTestSupport
import SimulatedView

/// A row with the height that follows an equals sign in its text, or 10, that records its
/// notifications of ranges, visibility and scrolling. A call that does not follow from the previous
/// calls is a fault.
final class RangedNode: ViewportNode, ReconfigurableNode {
    private struct State {
        var text: String
        var interfaceState: InterfaceState = []
        var visibleRect: Rect?
    }

    private let state: Lock<State>
    private let notifications: Journal<String>

    init(_ text: String, _ notifications: Journal<String>) {
        state = Lock(State(text: text))
        self.notifications = notifications
    }

    var text: String { state.withLock { $0.text } }

    var interfaceState: InterfaceState { state.withLock { $0.interfaceState } }

    var visibleRect: Rect? { state.withLock { $0.visibleRect } }

    // MARK: Contents

    func measure(in range: SizeRange) -> Size { measure(text, in: range) }

    func measure(_ model: String, in range: SizeRange) -> Size {
        let height = model.split(separator: "=").dropFirst().first.flatMap { Double($0) }
        return Size(width: 100, height: height ?? 10)
    }

    /// A text with an exclamation mark needs a new node.
    func accepts(_ model: String) -> Bool { !model.contains("!") }

    func update(to model: String) { state.withLock { $0.text = model } }

    // MARK: Notifications

    private func note(_ what: String) { notifications.append("\(text) \(what)") }

    private func enter(_ single: InterfaceState) {
        if !state.withLock({ $0.interfaceState.insert(single).inserted }) {
            note("FAULT: enters \(single) twice")
        }
        note("+\(single)")
    }

    private func exit(_ single: InterfaceState) {
        if state.withLock({ $0.interfaceState.remove(single) }) == nil {
            note("FAULT: leaves \(single) without having entered it")
        }
        note("-\(single)")
    }

    func didEnterPreloadState() { enter(.preload) }
    func didExitPreloadState() { exit(.preload) }
    func didEnterDisplayState() { enter(.display) }
    func didExitDisplayState() { exit(.display) }
    func didEnterVisibleState() { enter(.visible) }
    func didExitVisibleState() { exit(.visible) }

    func interfaceStateDidChange(to newState: InterfaceState, from oldState: InterfaceState) {
        if interfaceState != newState { note("FAULT: is not in \(newState)") }
    }

    func visibleRectDidChange(to newRect: Rect?, from oldRect: Rect?) {
        if visibleRect != oldRect || newRect == oldRect { note("FAULT: saw no \(oldRect as Any)") }
        if !interfaceState.contains(.visible) { note("FAULT: sees something unseen") }
        state.withLock { $0.visibleRect = newRect }
        note(
            newRect.map { "sees \(Int($0.minY))+\(Int($0.size.height))" } ?? "sees nothing"
        )
    }

    func scrollingDidChange(_ event: ScrollingEvent) { note("\(event)") }
}

/// Rows of text in several sections.
final class RowSections: ModelDataSource {
    var sections: [[String]]
    let makeNode: @Sendable (String) throws -> any CollectionNode
    private(set) var lastNumber = -1

    init(_ counts: [Int], makeNode: @escaping @Sendable (String) throws -> any CollectionNode) {
        sections = []
        self.makeNode = makeNode
        sections = counts.map { count in (0..<count).map { _ in makeRow() } }
    }

    /// Returns a text that no row has had.
    func makeRow() -> String {
        lastNumber += 1
        return "row \(lastNumber)"
    }

    func numberOfSections() -> Int { sections.count }

    func numberOfItems(inSection section: Int) -> Int { sections[section].count }

    func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<String> {
        sections[section][items]
    }

    /// Records a random change set and changes the rows accordingly.
    ///
    /// - Parameter changed: Returns the new text of a reconfigured row.
    func take(
        _ drawn: HierarchyChangeSet,
        to newShape: HierarchyShape,
        _ changes: inout BatchRecorder,
        changed: (String) -> String
    ) {
        let old = HierarchyShape(sections.map(\.count))
        guard let valid = try? drawn.validated(from: old, to: newShape) else { return }
        sections = valid.models(after: sections, changed: changed) { makeRow() }
        for operation in drawn.operations { changes.record(operation) }
    }
}

extension ValidatedChangeSet {
    /// Returns the models after the change set: it keeps the models that stay, changes the
    /// reconfigured ones, and creates the inserted and reloaded ones.
    func models(
        after old: [[String]],
        changed: (String) -> String = { $0 },
        makeText: () -> String
    ) -> [[String]] {
        let reloaded = Set(itemInsertions.filter { $0.role == .reload }.map(\.path))
        let reconfigured = Set(reconfigurations.map(\.newPath))
        return newShape.itemCounts.enumerated().map { section, count in
            (0..<count).map { item in
                let path = ItemPath(section, item)
                guard !reloaded.contains(path), let oldPath = oldPath(for: path) else {
                    return makeText()
                }
                let text = old[oldPath.section][oldPath.item]
                return reconfigured.contains(path) ? changed(text) : text
            }
        }
    }
}

/// Rows of 10 in a viewport of 100 × 30 by default, with a range controller.
final class RangedList: PipelineBench<RowSections> {
    /// The notifications of all nodes, oldest first.
    let notifications = Journal<String>()
    // Unchecked: used on the main lane, which is the test's thread, and between its steps.
    nonisolated(unsafe) let ranges = RangeController()

    init(
        _ count: Int,
        height: Double = 30,
        configuration: PipelineConfiguration = PipelineConfiguration(),
        cellClass: CollectionViewCell.Type = CollectionViewCell.self,
        hasRanges: Bool = true,
        hasClock: Bool = false,
        clock: ManualClock? = nil,
        makeNode: @escaping @Sendable (String, Journal<String>) -> any CollectionNode = {
            RangedNode($0, $1)
        }
    ) {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let view = SimulatedCollectionView(
            size: Size(width: 100, height: height),
            clock: clock ?? (hasClock ? simulation.environment : nil)
        )
        let identifier = SimulatedCollectionView.elementReuseIdentifier
        try? view.register(cellClass, forCellWithReuseIdentifier: identifier)
        if hasRanges { view.rangeController = ranges }
        let rows = RowSections([count]) { [notifications] in makeNode($0, notifications) }
        let controller = DataController(
            dataSource: rows,
            view: view,
            in: simulation,
            configuration: configuration
        )
        super.init(simulation, view, controller)
        update { _, changes in changes.reloadData() }
    }

    func onMain(_ body: @escaping (SimulatedCollectionView, RangeController) -> Void) {
        onMain { [ranges] in body($0, ranges) }
    }

    func scroll(by distance: Double) { onMain { $0.scroll(by: distance) } }

    /// The notifications since the last call.
    func news() -> [String] {
        defer { notifications.removeAll() }
        return notifications.values
    }

    /// The numbers of the rows that are at least in a state.
    func rows(in state: InterfaceState) -> [Int] {
        onMain { [ranges] view in
            ranges.elements(in: state).compactMap { view.map.path(of: $0)?.item }
        }
    }
}
