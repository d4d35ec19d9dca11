import CollectionLayouts
import PipelineTestSupport

@testable import CollectionElements
@testable import CollectionPipeline
@testable import PipelineTesting
@testable import SimulatedView

/// A watched view of 40 by 12 at the end of a pipeline that has loaded, to be tampered with and looked at.
///
/// With two sections of 20 items in a list, a header of 2, six items of 1, 2, 3, 1, 2 and 3, and no more, are seen.
final class WatchedStage: @unchecked Sendable {  // one thread
    /// What happens from when it is said on, as often as it is said.
    final class Fates: WorkloadFates {
        private let left = Lock<[FaultPoint: Int]>([:])

        func begin(_ fault: FaultPoint, times: Int) { left.withLock { $0[fault] = times } }

        func happens(_ fault: FaultPoint) -> Bool {
            left.withLock { left in
                guard let times = left[fault], times > 0 else { return false }
                left[fault] = times - 1
                return true
            }
        }

        func pause() {}
    }

    /// The main lane, on which a test is too while nothing runs, so that it can look at the view.
    private final class MainLane: Lane {
        let label = "main"
        private let lane: any Lane
        private let isIdle = Lock(true)

        init(_ lane: any Lane) { self.lane = lane }

        var isCurrent: Bool { isIdle.withLock { $0 } || lane.isCurrent }

        func enqueue(_ work: @escaping @Sendable () -> Void) { lane.enqueue(work) }

        func run(_ simulation: Simulation) {
            isIdle.withLock { $0 = false }
            simulation.run()
            isIdle.withLock { $0 = true }
        }
    }

    let simulation = Simulation(seed: 1, strategy: .inOrder)
    let fates = Fates()
    let cells = LifeCount()
    let nodes: WatchedNodes
    private let mainLane: MainLane
    let view: WatchedView
    private let notes: Journal<String>
    private let controller: DataController<ReferenceModel>
    /// What the view has come to do, in order.
    private(set) var marks: [String] = []
    var shown: SimulatedCollectionView { view.shown }
    var lane: any Lane { mainLane }

    /// - Parameters:
    ///   - hasClock: whether what moves by itself takes time.
    ///   - isMeasured: whether anybody measures.
    ///   - preparesLayout: whether workers lay out.
    ///   - failures: how many elements cannot be measured: headers first, and then items.
    ///   - change: makes the view another.
    init(
        _ layout: ViewPlan.Layout = .list,
        sections: Int = 2,
        items: Int = 20,
        hasClock: Bool = false,
        isMeasured: Bool = true,
        preparesLayout: Bool = false,
        failures: Int = 0,
        _ change: (inout ViewPlan) -> Void = { _ in }
    ) {
        var random = SeededGenerator(seed: 1)
        var plan = ViewPlan(&random)
        (plan.layout, plan.sizesItself, plan.isPrefetching) = (layout, false, false)
        (plan.hasRanges, plan.hasFetcher, plan.isInverted) = (false, false, nil)
        (plan.width, plan.height) = (40, 12)
        change(&plan)
        let notes = Journal<String>()
        let nodes = WatchedNodes(fates: fates) { notes.append("\($0)") }
        view = WatchedView(
            plan,
            fates: fates,
            clock: hasClock ? simulation.environment : nil,
            cells: cells
        ) { notes.append($0) }
        let lane = MainLane(simulation.makeLane(label: "main"))
        mainLane = lane
        var delegate: (any LayoutDelegate)?
        if !isMeasured { delegate = IdleLayout() }
        if preparesLayout { delegate = FlowLayoutDelegate(view.shown) }
        nonisolated(unsafe) let model = ReferenceModel(
            nodes: nodes,
            sections: sections,
            items: items
        )
        (self.notes, self.nodes) = (notes, nodes)
        controller = DataController(
            dataSource: model,
            view: view,
            lane: lane,
            environment: simulation.environment,
            layoutDelegate: delegate
        )
        view.visibleMap = { [weak controller] in controller?.visibleMap }
        view.reportRanges = { notes.append("ranges: \($0)") }
        view.nodesInRange = { nodes.numberInRange }
        view.mark = { [weak self] in self?.marks.append($0) }
        fates.begin(.measurementThrows, times: failures)
        lane.enqueue { [controller] in
            _ = try? controller.assumeIsolated().reloadData(completion: nil)
        }
        run()
    }

    /// Measures nothing.
    private final class IdleLayout: LayoutDelegate {
        func layoutContext(for map: ElementMap) -> Int { 0 }
        func layout(_ map: ElementMap, in context: Int, measurer: LayoutMeasurer) -> Int { 0 }
    }

    private func run() { mainLane.run(simulation) }

    /// On the main lane, to the end of what comes of it.
    func onMain(_ body: @escaping (WatchedStage) -> Void) {
        nonisolated(unsafe) let body = body
        lane.enqueue { [self] in body(self) }
        run()
    }

    /// Each in a turn of its own, the next behind all that the former has enqueued on the main lane.
    func inTurns(_ bodies: [(WatchedStage) -> Void]) {
        func begin(_ index: Int) {
            guard index < bodies.count else { return }
            nonisolated(unsafe) let next = begin
            nonisolated(unsafe) let body = bodies[index]
            lane.enqueue { [self] in
                body(self)
                next(index + 1)
            }
        }
        begin(0)
        run()
    }

    func perform(_ actions: ViewAction...) {
        for action in actions { onMain { $0.view.perform(action) } }
    }

    /// A new item at the beginning.
    func insertItem() { insertItems(1) }

    /// New items at the beginning, each with an update of its own.
    func insertItems(_ count: Int) {
        for _ in 0..<count {
            controller.enqueueBatchUpdates { model, changes in
                if let path = model.insertAtTop() { changes.insertItems(at: [path]) }
            } completion: { _ in
            }
        }
        run()
    }

    /// Everything anew.
    func reload() {
        onMain { _ = try? $0.controller.assumeIsolated().reloadData(completion: nil) }
    }

    /// Has the view miss an update that brings an item.
    func fallBehind() {
        fates.begin(.viewDropsUpdate, times: 1)
        insertItem()
    }

    /// What is reported of the view once it has been tampered with, before anything follows from that.
    func found(
        isAtRest: Bool = true,
        _ tamper: @escaping (WatchedStage) -> Void = { _ in }
    ) -> [String] {
        onMain { stage in
            stage.notes.removeAll()
            tamper(stage)
            stage.marks = []
            stage.view.check(isAtRest: isAtRest)
        }
        return noted
    }

    /// What was reported since it was asked last.
    var noted: [String] {
        defer { notes.removeAll() }
        return notes.values
    }

    /// The node of an item that is shown.
    func node(_ section: Int, _ item: Int) -> WatchedNode? {
        shown.map.element(at: ItemPath(section, item))?.nodeIfAllocated as? WatchedNode
    }

    /// The visible cell of an item of the first section.
    func cell(_ item: Int) -> CollectionViewCell? {
        shown.display.shown[.cell(ItemPath(0, item))]?.view as? CollectionViewCell
    }
}
