import CollectionElements
import CollectionPipeline

/// One run of a whole pipeline in a simulation: clients submit, faults happen, and every guarantee is
/// checked on the way and at the end.
package final class SimulatedRun: @unchecked Sendable {  // one thread
    private let plan: RunPlan
    private let simulation: Simulation
    private let lane: any Lane
    private let nodes: WatchedNodes
    private var view: FaultyView?
    private var controller: DataController<ReferenceModel>?
    private var violations: [GuaranteeViolation] = []
    private var marks: [String: Int] = [:]
    /// By submission of a client: how often it completed.
    private var completions: [Int] = []
    private var isClosing = false
    private var isClosed = false
    /// Whether a submitting call is under way: nothing may call back from within.
    private var isSubmitting = false
    private var mainLaneSubmissions = 0
    /// What nodes were told last.
    private var textScale = Traits().textScale

    private init(_ plan: RunPlan, keepsTrace: Bool) {
        self.plan = plan
        let rates = Dictionary(plan.faults.map { ($0.point, $0.rate) }) { first, _ in first }
        simulation = Simulation(
            seed: plan.seed,
            strategy: plan.strategy,
            workerCount: plan.workerCount,
            faultRates: rates
        )
        if keepsTrace { simulation.keepTrace() }
        lane = simulation.makeLane(label: "main")
        nodes = WatchedNodes(fates: simulation)
    }

    /// Runs a plan to its end.
    ///
    /// - Parameter keepsTrace: whether the result has the steps.
    package static func run(_ plan: RunPlan, keepsTrace: Bool = false) -> RunResult {
        SimulatedRun(plan, keepsTrace: keepsTrace).result()
    }

    /// More steps than any plan takes that ends.
    private static let stepLimit = 200_000

    private func result() -> RunResult {
        setUp()
        for (number, actions) in plan.clients.enumerated() {
            let client = simulation.makeLane(label: "client \(number)")
            for action in actions { client.enqueue { [self] in perform(action) } }
        }
        simulation.run(atMost: Self.stepLimit)
        checkEnd()
        tearDown()
        if let fault = simulation.fault { note("Simulation", "\(fault)") }
        for fault in nodes.reported { note(Self.guarantee(of: fault), fault) }
        return RunResult(
            plan: plan,
            violations: violations,
            steps: simulation.steps,
            fingerprint: simulation.fingerprint,
            choices: simulation.choices,
            marks: marks,
            trace: simulation.trace,
            laneLabels: simulation.laneLabels
        )
    }

    private static func guarantee(of fault: String) -> String {
        fault.hasPrefix("Never Re-entrant") ? "Never Re-entrant" : "Consistent Snapshot"
    }

    // MARK: Setting up and tearing down

    private func setUp() {
        var configuration = PipelineConfiguration()
        configuration.backlogLimit = plan.backlogLimit
        configuration.backlogPolicy = plan.rejectsWhenFull ? .reject : .suspend
        configuration.rejectionPolicy = plan.reloadsOnRejection ? .reload : .report
        configuration.decomposesMoves = plan.decomposesMoves
        let model = ReferenceModel(nodes: nodes, sections: plan.sections, items: plan.items)
        let checker = SnapshotChecker(
            model: model,
            decomposesMoves: configuration.decomposesMoves
        )
        checker.report = { [nodes] in nodes.report($0) }
        checker.textScale = { [weak self] in self?.textScale }
        let view = FaultyView(fates: simulation, check: checker.check) { [nodes] in
            nodes.report($0)
        }
        // The model lives on the one thread that there is.
        nonisolated(unsafe) let source = model
        let controller = DataController(
            dataSource: source,
            view: view,
            configuration: configuration,
            lane: lane,
            environment: simulation.environment,
            observer: Watcher(self)
        )
        model.isDiverged = { [weak controller] in controller?.divergedSince != nil }
        model.acceptedGeneration = { [weak controller] in controller?.pendingMap.generation ?? 0 }
        view.visibleGeneration = { [weak controller] in controller?.visibleMap.generation ?? -1 }
        self.view = view
        self.controller = controller
        onMain { controller, completion in try controller.reloadData(completion: completion) }
    }

    /// Closes what is still open, and checks that nothing is left of it.
    private func tearDown() {
        if !isClosing, simulation.fault == nil { close(draining: true, microseconds: nil) }
        simulation.run(atMost: Self.stepLimit)
        if simulation.fault == nil, !isClosed {
            note("Quiet After Close", "the close did not end")
        }
        weak let controller = controller
        weak let view = view
        self.controller = nil
        self.view = nil
        simulation.run(atMost: Self.stepLimit)
        guard simulation.fault == nil else { return }
        if controller != nil { note("Lifetimes", "the controller is still there") }
        if view != nil { note("Lifetimes", "the view is still there") }
    }

    // MARK: Acting

    private func perform(_ action: RunPlan.Action) {
        if simulation.happens(.clockJumps) { simulation.advanceClock(byNanoseconds: 1_000_000) }
        if simulation.happens(.viewGoesAway) { view = nil }
        switch action {
        case .edit(let seed):
            enqueue { [self] model, changes in
                if simulation.happens(.updatesThrow) { throw PlannedFailure() }
                var random = SeededGenerator(seed: seed)
                if simulation.happens(.modelLies) {
                    model.lie(&random, &changes)
                } else {
                    model.edit(&random, &changes)
                }
            }
        case .lie(let seed):
            enqueue { model, changes in
                var random = SeededGenerator(seed: seed)
                model.lie(&random, &changes)
            }
        case .fail: enqueue { _, _ in throw PlannedFailure() }
        case .insertAtTop:
            onMain { [self] controller, completion in
                try insertAtTop(controller, completion)
            }
        case .reload: onMain { try $0.reloadData(completion: $1) }
        case .relayoutAll: onMain { try $0.relayoutAllNodes(completion: $1) }
        case .relayoutFirst:
            onMain { try $0.relayoutItems(at: [ItemPath(section: 0, item: 0)], completion: $1) }
        case .traits(let scale):
            lane.enqueue { [self] in
                guard let controller, !controller.isClosed else { return }
                textScale = Double(scale)
                controller.environmentDidChange(Traits(textScale: textScale))
            }
        case .wait: controller?.waitUntilAllUpdatesAreProcessed()
        case .close(let draining, let microseconds):
            close(draining: draining, microseconds: microseconds)
        }
        if simulation.happens(.closes), !isClosing { close(draining: false, microseconds: nil) }
    }

    /// A batch of one, which is never refused for want of room.
    private func insertAtTop(
        _ controller: DataController<ReferenceModel>,
        _ completion: @escaping UpdateCompletion
    ) throws {
        try controller.beginUpdates()
        if let path = controller.dataSource.insertAtTop() {
            try controller.insertItems(at: [path])
        }
        if controller.divergedSince != nil { try controller.reloadData(completion: nil) }
        try controller.endUpdates(completion: completion)
    }

    private func enqueue(
        _ updates: @escaping @Sendable (ReferenceModel, inout BatchRecorder) throws -> Void
    ) {
        guard let controller else { return }
        let token = newToken()
        isSubmitting = true
        controller.enqueueBatchUpdates(animated: true, updates) { [self] in
            complete(token, $0.outcome)
        }
        isSubmitting = false
    }

    /// Makes a synchronous call on the main lane, unless the controller is closed by then.
    private func onMain(
        _ call:
            @escaping @Sendable (DataController<ReferenceModel>, @escaping UpdateCompletion)
            throws -> Void
    ) {
        let token = newToken()
        lane.enqueue { [self] in
            guard let controller, !controller.isClosed, !isClosed else {
                return complete(token, .cancelled, isOwn: true)
            }
            mainLaneSubmissions += 1
            isSubmitting = true
            defer { isSubmitting = false }
            do {
                try call(controller) { [self] in complete(token, $0.outcome) }
            } catch let error as UpdateError {
                // The completion is told as well, unless the call failed before it knew of one.
                if error.code == .closed || error.code == .backlogFull, completions[token] == 0 {
                    refusedEarly.insert(token)
                }
            } catch {
                note("Exactly One Completion", "an unexpected error: \(error)")
            }
        }
    }

    /// Submissions whose synchronous call was refused; their completion may come or not.
    private var refusedEarly: Set<Int> = []

    /// Submissions that were made while a close was under way: they may be told after it.
    private var lateTokens: Set<Int> = []

    private func close(draining: Bool, microseconds: Int?) {
        guard let controller, !isClosing else { return }
        isClosing = true
        controller.close(
            draining: draining,
            deadline: microseconds.map { .microseconds($0) }
        ) { [self] in
            if isClosed { note("Quiet After Close", "the close completed twice") }
            isClosed = true
        }
    }

    private func newToken() -> Int {
        completions.append(0)
        if isClosing { lateTokens.insert(completions.count - 1) }
        return completions.count - 1
    }

    // MARK: Checking

    private func complete(_ token: Int, _ outcome: UpdateOutcome, isOwn: Bool = false) {
        mark(outcome.name)
        completions[token] += 1
        if completions[token] > 1 {
            note("Exactly One Completion", "submission \(token) completed twice")
        }
        guard !isOwn else { return }
        if !lane.isCurrent { note("No Inline Callbacks", "a completion ran off the main lane") }
        if isSubmitting {
            note("No Inline Callbacks", "submission \(token) completed within a submitting call")
        }
        if isClosed, outcome.name != "cancelled" || !lateTokens.contains(token) {
            note("Quiet After Close", "\(outcome.name) came after the close")
        }
        if simulation.happens(.callbackSubmits), completions.count < 100 {
            enqueue { model, changes in
                if let path = model.insertAtTop() { changes.insertItems(at: [path]) }
                if model.isDiverged() { changes.reloadData() }
            }
        }
    }

    private func checkEnd() {
        guard simulation.fault == nil else { return }
        for (token, count) in completions.enumerated()
        where count == 0 && !refusedEarly.contains(token) {
            note(
                "Exactly One Completion",
                "submission \(token) of \(completions.count) never completed"
            )
        }
        guard let controller, !isClosing, !isClosed else { return }
        let (pending, visible) = (controller.pendingMap, controller.visibleMap)
        if visible.generation != pending.generation {
            note(
                "Ordered Commits",
                "at rest generation \(visible.generation) is shown, but \(pending.generation) was"
                    + " accepted"
            )
        }
        for item in visible.items { checkAtRest(item.element, item.content, item.path) }
    }

    /// At rest every element that is shown was measured, and shows its newest model and the traits of now.
    private func checkAtRest(
        _ element: CollectionElement,
        _ content: ElementContent,
        _ path: ItemPath
    ) {
        switch content.state {
        case .measured: break
        // Its node keeps what it showed.
        case .failed: return
        case .pending, .allocating, .skipped:
            note("Measured Once", "item \(path) is shown and was never measured")
        }
        guard let node = element.nodeIfAllocated as? WatchedNode else { return }
        if let item = content.model as? ModelItem, node.shown != item {
            note("Consistent Snapshot", "item \(path) shows \(node.shown) in place of \(item)")
        }
        if node.textScale != textScale {
            note(
                "Consistent Snapshot",
                "item \(path) has the text scale \(node.textScale) in place of \(textScale)"
            )
        }
    }

    fileprivate func observe(_ event: PipelineEvent) {
        mark("event \(event.kind.rawValue)")
        if isClosed { note("Quiet After Close", "the event \(event.kind.rawValue) came after it") }
        if let backlog = event.backlog, backlog > plan.backlogLimit + mainLaneSubmissions {
            note(
                "Bounded Backlog",
                "\(backlog) sets on the way, at most \(plan.backlogLimit) allowed"
            )
        }
    }

    private func mark(_ name: String) { marks[name, default: 0] += 1 }

    private func note(_ guarantee: String, _ message: String) {
        violations.append(GuaranteeViolation(guarantee: guarantee, message: message))
    }

    /// Watches the events, and has the model forget what it noted for a latch that was refused.
    private final class Watcher: PipelineObserver, @unchecked Sendable {  // one thread
        private weak var run: SimulatedRun?

        init(_ run: SimulatedRun) { self.run = run }

        func observe(_ event: PipelineEvent) {
            guard let run else { return }
            run.observe(event)
            if event.kind == .rejected, run.lane.isCurrent {
                run.controller?.dataSource.forgetLatch()
            }
        }
    }
}

extension UpdateOutcome {
    /// The name of the case.
    package var name: String {
        switch self {
        case .deployed: "deployed"
        case .deployedByReload: "deployedByReload"
        case .superseded: "superseded"
        case .rejected: "rejected"
        case .cancelled: "cancelled"
        }
    }
}
