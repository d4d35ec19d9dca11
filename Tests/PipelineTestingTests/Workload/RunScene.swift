import PipelineTestSupport

@testable import CollectionElements
@testable import CollectionPipeline
@testable import PipelineTesting

/// A run of nothing, to do something to: its pipeline has loaded two sections of three items, and shows them.
final class RunScene: @unchecked Sendable {  // one thread
    let run: SimulatedRun
    let client: any Lane
    private var toldOfNodes = 0

    static var plan: RunPlan {
        var plan = RunPlan(seed: 1)
        plan.strategy = .inOrder
        (plan.clients, plan.faults, plan.view, plan.onlyFault) = ([], [], nil, nil)
        (plan.hasLayout, plan.givesRanges, plan.loadsFirst) = (false, false, true)
        (plan.preparesLayout, plan.releasesNodes, plan.measuring) = (nil, nil, nil)
        (plan.mergesWhenFull, plan.rejectsWhenFull, plan.stallMicroseconds) = (false, false, nil)
        (plan.reloadsOnRejection, plan.decomposesMoves) = (false, false)
        (plan.sections, plan.items, plan.backlogLimit, plan.workerCount) = (2, 3, 5, 2)
        return plan
    }

    init(_ change: (inout RunPlan) -> Void = { _ in }) {
        var plan = Self.plan
        change(&plan)
        run = SimulatedRun(plan, keepsTrace: false)
        run.setUp()
        client = run.simulation.makeLane(label: "client")
    }

    /// One in which a fault happens wherever it can.
    convenience init(_ fault: FaultPoint) {
        self.init { $0.faults = [.init(point: fault, rate: 1)] }
    }

    /// On the main lane, to the end of what comes of it.
    func onMain(_ body: @escaping (SimulatedRun) -> Void) {
        nonisolated(unsafe) let body = body
        run.lane.enqueue { [self] in body(run) }
        run.simulation.run()
    }

    /// By a client, without anything that comes of it.
    func begin(_ action: RunPlan.Action) {
        client.enqueue { [self] in run.perform(action, on: client) }
    }

    /// By a client, to the end of what comes of it.
    func perform(_ actions: RunPlan.Action...) {
        actions.forEach(begin)
        run.simulation.run()
    }

    /// In a task of a client, to its end.
    func inTask(_ body: @escaping @Sendable (SimulatedRun) async -> Void) {
        client.enqueue { [self] in
            _ = Task(executorPreference: LaneTaskExecutor(client)) { [self] in await body(run) }
        }
        run.simulation.run()
    }

    /// Has the simulation give up, as on a run that does not end.
    func giveUp() {
        run.lane.enqueue {}
        run.simulation.run(atMost: 0)
        run.simulation.run()
    }

    /// What was noted since it was asked last, by the run first.
    var noted: [String] {
        defer { (run.violations, toldOfNodes) = ([], run.nodes.reported.count) }
        return (run.violations + run.nodes.reported.dropFirst(toldOfNodes)).map(\.description)
    }

    /// What all items of the model are.
    var items: [ModelItem] { run.model?.sections.flatMap(\.items) ?? [] }

    /// An item that is shown, with its node.
    func shown(at path: ItemPath) -> (content: ElementContent, node: WatchedNode)? {
        guard let content = run.controller?.visibleMap.content(at: path),
            let node = content.element.nodeIfAllocated as? WatchedNode
        else { return nil }
        return (content, node)
    }

    /// Keeps the updates that the faulty view shows from now on.
    func keepUpdates() -> Journal<ViewUpdate> {
        let updates = Journal<ViewUpdate>()
        guard let view = run.view as? FaultyView else { return updates }
        let willShow = view.willShow
        view.willShow = { update in
            willShow(update)
            updates.append(update)
        }
        return updates
    }

    /// A second pipeline on the same lanes, loaded and shown, of which the run knows nothing.
    func makeOther(
        sections: Int,
        items: Int,
        view: (any CollectionView)? = nil
    ) -> (controller: DataController<ReferenceModel>, model: ReferenceModel) {
        nonisolated(unsafe) let model = ReferenceModel(
            nodes: WatchedNodes(fates: run.simulation),
            sections: sections,
            items: items
        )
        let controller = DataController(
            dataSource: model,
            view: view ?? FaultyView(fates: run.simulation),
            lane: run.lane,
            environment: run.simulation.environment
        )
        run.lane.enqueue { _ = try? controller.assumeIsolated().reloadData(completion: nil) }
        run.simulation.run()
        return (controller, model)
    }

    static func event(
        _ kind: PipelineEvent.Kind,
        of submission: SubmissionID? = nil,
        _ change: (inout PipelineEvent) -> Void = { _ in }
    ) -> PipelineEvent {
        var event = PipelineEvent(
            kind: kind,
            pipeline: "run",
            submission: submission,
            context: nil,
            timestamp: .zero
        )
        change(&event)
        return event
    }
}
