import CollectionElements
import CollectionPipeline
import PipelineTesting

/// One run of a whole pipeline in a simulation: clients submit, faults happen, and the run checks
/// every guarantee during the run and at its end.
package final class SimulatedRun: @unchecked Sendable {  // one thread
    let plan: RunPlan
    let keepsTrace: Bool
    /// Notified of every event before the run processes it.
    let observer: (any PipelineObserver)?
    let simulation: Simulation
    let lane: any Lane
    let nodes: WatchedNodes
    var view: (any CollectionView)?
    let cells = LifeCount()
    var controller: DataController<ReferenceModel>?
    /// The undo history of the client that undoes its edits.
    var history: UndoHistory<ReferenceModel>?
    /// The list that receives whole states; `nil` until the first is applied.
    var board: SimulatedBoard?
    var violations: [GuaranteeViolation] = []
    var marks: [String: Int] = [:]
    var eventCounts: [PipelineEvent.Kind: Int] = [:]
    var eventOrder = EventOrder()
    /// The stalls that were reported and have not ended.
    var stalls: [Stall] = []
    /// The contents that were reported as failed.
    var failedContents: Set<ElementContent> = []
    var acceptedCount = 0
    /// The accepted submissions, and those that the view has received.
    var acceptedIDs: [SubmissionID] = []
    var handedOverIDs: Set<SubmissionID> = []
    /// The number of completions of each client submission.
    var completions: [Int] = []
    var isClosing = false
    var isClosed = false
    /// Whether the controller was released without being closed.
    var isAbandoned = false
    /// Whether an abandoned controller has ended, so that nothing may continue.
    var hasAbandoned = false
    /// The tasks that have not ended, in the order of their start.
    var tasks: [RunningTask] = []
    /// The submissions of cancelled tasks.
    var cancelledTokens: Set<Int> = []
    /// The submissions whose cancellation has arrived on the main lane.
    var arrivedCancellations: Set<Int> = []
    weak var model: ReferenceModel?
    /// Whether a submitting call is in progress; no callback may run within it.
    var isSubmitting = false
    var mainLaneSubmissions = 0
    /// Submissions whose synchronous call was rejected; their completion is optional.
    var rejectedEarly: Set<Int> = []
    /// Submissions during a close; their completions may run after it.
    var lateTokens: Set<Int> = []
    /// The text scale that nodes last received.
    var textScale = Traits().textScale
    /// Whether nodes are receiving new traits.
    var isChangingTraits = false

    init(_ plan: RunPlan, keepsTrace: Bool, observer: (any PipelineObserver)? = nil) {
        self.plan = plan
        self.keepsTrace = keepsTrace
        self.observer = observer
        let rates = Dictionary(plan.faults.map { ($0.point, $0.rate) }) { first, _ in first }
        simulation = Simulation(
            seed: plan.seed,
            strategy: plan.strategy,
            workerCount: plan.workerCount,
            faultRates: rates,
            onlyFault: plan.onlyFault
        )
        if keepsTrace { simulation.keepTrace() }
        lane = simulation.makeLane(label: "main")
        nodes = WatchedNodes(fates: simulation, measuresOnce: !plan.hasLayout) { [simulation] in
            simulation.annotate("broken: \($0)")
        }
    }

    /// Runs a plan to its end.
    ///
    /// - Parameters:
    ///   - keepsTrace: Whether the result includes the steps.
    ///   - observer: Notified of every event of the list that the clients edit.
    package static func run(
        _ plan: RunPlan,
        keepsTrace: Bool = false,
        observer: (any PipelineObserver)? = nil
    ) -> RunResult {
        if let cluster = plan.cluster {
            return SimulatedCluster(plan, cluster, keepsTrace: keepsTrace).result()
        }
        return SimulatedRun(plan, keepsTrace: keepsTrace, observer: observer).result()
    }

    /// More steps than any terminating plan takes.
    static let stepLimit = 200_000

    func result() -> RunResult {
        setUp()
        for (number, actions) in plan.clients.enumerated() {
            let client = simulation.makeLane(label: "client \(number)")
            for action in actions { client.enqueue { [self] in perform(action, on: client) } }
        }
        simulation.run(atMost: Self.stepLimit)
        endStall()
        checkEnd()
        checkLiveness()
        tearDown()
        if let fault = simulation.fault { note("Simulation", "\(fault)") }
        violations += nodes.reported
        for (kind, count) in eventCounts { marks["event \(kind.rawValue)"] = count }
        if simulation.pauses > 0 { marks["step paused"] = simulation.pauses }
        return RunResult(of: simulation, plan, violations, marks: marks)
    }

    // MARK: Setting up and tearing down

    func setUp() {
        var configuration = PipelineConfiguration()
        configuration.backlogLimit = plan.backlogLimit
        configuration.backlogPolicy =
            plan.mergesWhenFull ? .coalesce : plan.rejectsWhenFull ? .reject : .suspend
        configuration.rejectionPolicy = plan.reloadsOnRejection ? .reload : .report
        configuration.decomposesMoves = plan.decomposesMoves
        if let measuring = plan.measuring { configuration.measuringPolicy = measuring.policy }
        configuration.releasesNodes = plan.releasesNodes == true
        configuration.stallTimeout = plan.stallMicroseconds.map { .microseconds($0) }
        let kind = plan.givesRanges ? RangedModel.self : ReferenceModel.self
        let model = kind.init(nodes: nodes, sections: plan.sections, items: plan.items)
        let checker = SnapshotChecker(model: model)
        checker.expectsPrepared =
            !plan.hasLayout && plan.measuring == nil && plan.releasesNodes != true
        checker.textScale = { [weak self] in self?.textScale }
        weak var made: DataController<ReferenceModel>?
        let view = makeView(checker) { made }
        // The model is used by the only thread.
        nonisolated(unsafe) let source = model
        let controller = DataController(
            dataSource: source,
            view: view,
            configuration: configuration,
            lane: lane,
            environment: simulation.environment,
            layoutDelegate: makeLayoutDelegate(view),
            observer: Watcher(self)
        )
        self.model = model
        model.isDiverged = { [weak controller] in controller?.divergence?.countsSince != nil }
        // Every accepted set has the next generation; the controller may have been released.
        model.acceptedGeneration = { [weak self] in self?.acceptedCount ?? 0 }
        made = controller
        self.view = view
        self.controller = controller
        onMain { controller, completion in
            try controller.assumeIsolated().reloadData(completion: completion)
        }
        if plan.loadsFirst { simulation.run(atMost: Self.stepLimit) }
    }

    /// Closes everything that is still open, and checks that all objects are released.
    func tearDown() {
        failedContents = []
        if !isClosing, simulation.fault == nil { close(draining: true, microseconds: nil) }
        board?.close(draining: true)
        simulation.run(atMost: Self.stepLimit)
        if simulation.fault == nil { board?.checkClosed() }
        if simulation.fault == nil, !isClosed, isClosing {
            note("Quiet After Close", "the close did not end")
        }
        weak let controller = controller
        weak let view = view
        weak let shown = watchedView?.shown
        weak let lastBoard = board
        (self.controller, history, board) = (nil, nil, nil)
        self.view = nil
        simulation.run(atMost: Self.stepLimit)
        guard simulation.fault == nil else { return }
        for id in eventOrder.uncompleted {
            note("Events In Order", "\(id) was accepted and no event says that it completed")
        }
        checkNoStall()
        if controller != nil { note("Lifetimes", "the controller is still there") }
        if lastBoard != nil { note("Lifetimes", "the board is still there") }
        if view != nil || shown != nil { note("Lifetimes", "the view is still there") }
        if model != nil { note("Lifetimes", "the data source is still there") }
        if cells.numberAlive != 0 {
            note("Lifetimes", "\(cells.numberAlive) views of elements are still there")
        }
        if nodes.numberAlive != 0 {
            note("Lifetimes", "\(nodes.numberAlive) nodes are still there")
        }
    }
}

extension UpdateOutcome {
    /// Whether a submission after a close, or a cancelled one, may end with this outcome.
    var isOfLateSubmission: Bool {
        switch self {
        case .rejected(let error): error.code == .closed
        case .cancelled: true
        default: false
        }
    }

    /// The name of the case.
    package var name: String {
        switch self {
        case .deployed: "deployed"
        case .deployedByReload: "deployedByReload"
        case .superseded: "superseded"
        case .rejected: "rejected"
        case .refusedByView: "refused"
        case .cancelled: "cancelled"
        }
    }
}
