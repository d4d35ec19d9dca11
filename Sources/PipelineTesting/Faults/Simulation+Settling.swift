import CollectionElements
import CollectionPipeline

extension Simulation {
    /// Runs a controller and its view to their end, and checks the view: faults end and stalls with them, an empty
    /// batch follows, or a reload where the model is ahead, and then the close.
    ///
    /// ```swift
    /// try simulation.settle(controller, view)
    /// ```
    ///
    /// What was submitted before is run first, with faults. A controller that is closed by then stays so.
    ///
    /// Threading: like ``run(atMost:)``; not from within a step.
    ///
    /// - Parameters:
    ///   - controller: closed afterwards; made with a lane and the environment of this simulation.
    ///   - view: the one that the controller was made with.
    /// - Throws: the first mistake of the wrapped view; `hangs` where nothing comes to rest.
    public func settle<Source>(
        _ controller: DataController<Source>,
        _ view: FaultyView
    ) throws(ViewMistake) {
        try runToRest(view)
        endFaults()
        let lane = controller.lane
        lane.enqueue { view.goOn() }
        try runToRest(view)
        try check(view, on: lane) { $0.checkAtRest() }
        let isShown = Lock(false)
        let reloads = controller.divergence != nil
        controller.enqueueBatchUpdates { _, changes in
            if reloads { changes.reloadData() }
        } completion: { result in
            switch result.outcome {
            case .deployed, .deployedByReload: isShown.withLock { $0 = true }
            default: break
            }
        }
        try runToRest(view)
        let newest = isShown.withLock { $0 } ? controller.pendingMap : nil
        try check(view, on: lane) { view in
            view.checkAtRest()
            if let newest { view.checkShows(newest) }
        }
        let isClosed = Lock(false)
        controller.close { isClosed.withLock { $0 = true } }
        try runToRest(view)
        guard isClosed.withLock({ $0 }) else {
            throw ViewMistake(.hangs, "the close of the controller does not end: \(report)")
        }
        try check(view, on: lane) { $0.checkAtRest() }
    }

    private func runToRest(_ view: FaultyView) throws(ViewMistake) {
        run()
        if let mistake = view.mistakes.first { throw mistake }
        if let fault { throw ViewMistake(.hangs, "\(fault)") }
    }

    /// Looks at the view on its lane.
    private func check(
        _ view: FaultyView,
        on lane: any Lane,
        _ check: @escaping @Sendable (FaultyView) -> Void
    ) throws(ViewMistake) {
        lane.enqueue { check(view) }
        try runToRest(view)
    }
}

extension FaultyView {
    /// At rest the wrapped view shows the newest state, unless it has refused that itself.
    fileprivate func checkShows(_ map: ElementMap) {
        guard wrapped != nil, let shown = wrappedState.shownMap else { return }
        guard shown.generation < map.generation else { return }
        note(
            ViewMistake(
                .notShown,
                "at rest the view shows generation \(shown.generation), but \(map.generation) was"
                    + " accepted"
            )
        )
    }
}

extension DataController {
    /// Makes a controller whose lane, workers and clock are those of a simulation.
    ///
    /// - Parameters:
    ///   - dataSource: what is in the collection; it belongs to the simulation from now on.
    ///   - view: what shows it, held weakly, so it must be kept elsewhere (``CollectionView``).
    ///   - simulation: has a lane `main` by this.
    ///   - configuration: how to behave.
    public convenience init(
        dataSource: sending Source,
        view: (any CollectionView)?,
        in simulation: Simulation,
        configuration: PipelineConfiguration = PipelineConfiguration()
    ) {
        self.init(
            dataSource: dataSource,
            view: view,
            configuration: configuration,
            lane: simulation.makeLane(label: "main"),
            environment: simulation.environment
        )
    }
}
