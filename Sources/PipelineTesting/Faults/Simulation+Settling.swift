import CollectionElements
import CollectionPipeline

extension Simulation {
    /// Runs a controller and its view to their end, and checks the view and the content: faults end and stalls with
    /// them, an empty batch follows, or a reload where the model is ahead, and then the close.
    ///
    /// ```swift
    /// try simulation.settle(controller, view)
    /// ```
    ///
    /// What was submitted before is run first, with faults. A controller that is closed by then stays so.
    ///
    /// At rest the models of the data source are compared with those of the map, as
    /// `DataController.Isolated.firstDisagreement(by:)` does; and what `PipelineConfiguration.contentCheck` found on the
    /// way is thrown too, which a later reload would hide otherwise. So a wrong index fails, and so does a data source
    /// whose models cannot be compared.
    ///
    /// Threading: like ``run(atMost:)``; not from within a step.
    ///
    /// - Parameters:
    ///   - controller: closed afterwards; made with a lane and the environment of this simulation.
    ///   - view: the one that the controller was made with.
    ///   - checksContent: whether models are compared; false for a data source that has none, or whose models are not
    ///     `Equatable`.
    /// - Throws: the first mistake of the wrapped view or the data source; `hangs` where nothing comes to rest.
    public func settle<Source>(
        _ controller: DataController<Source>,
        _ view: FaultyView,
        checksContent: Bool = true
    ) throws(ViewMistake) {
        try runToRest(view)
        endFaults()
        let lane = controller.lane
        lane.enqueue { view.goOn() }
        try runToRest(view)
        try check(view, on: lane) { $0.checkAtRest() }
        let outcome = Lock<UpdateOutcome?>(nil)
        let reloads = controller.divergence != nil
        controller.enqueueBatchUpdates { _, changes in
            if reloads { changes.reloadData() }
        } completion: { result in
            outcome.withLock { $0 = result.outcome }
        }
        try runToRest(view)
        var newest: ElementMap?
        switch outcome.withLock({ $0 }) {
        case .deployed, .deployedByReload: newest = controller.pendingMap
        // Something has changed that nobody recorded.
        case .rejected(let error) where error.code == .invalidUpdate && checksContent:
            throw ViewMistake(.unrecordedContent, error.summary)
        default: break
        }
        let finding = Lock<Disagreement?>(nil)
        try check(view, on: lane) { [newest] view in
            view.checkAtRest()
            if let newest { view.checkShows(newest) }
            guard checksContent else { return }
            let list = controller.assumeIsolated()
            // A controller that was closed before has a model of its own.
            let found = list.contentCheckFinding ?? newest.flatMap { _ in list.firstDisagreement() }
            finding.withLock { $0 = found }
        }
        if let found = finding.withLock({ $0 }), found.reason != .notLoaded {
            let isDifferent = found.reason == .differs
            throw ViewMistake(isDifferent ? .unrecordedContent : .uncheckedContent, "\(found)")
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
    ///   - simulation: has a lane by this that is named after the configuration: `collection.main` by default. The
    ///     timeline of a failure names the controller's events in the same way.
    ///   - configuration: how to behave.
    ///   - observer: who is told of events; without one, nothing is watched for stalls.
    public convenience init(
        dataSource: sending Source,
        view: (any CollectionView)?,
        in simulation: Simulation,
        configuration: PipelineConfiguration = PipelineConfiguration(),
        observer: (any PipelineObserver)? = nil
    ) {
        var configuration = configuration
        // Notes for a timeline must not bring timers into the run.
        if observer == nil { configuration.stallTimeout = nil }
        self.init(
            dataSource: dataSource,
            view: view,
            configuration: configuration,
            lane: simulation.makeLane(label: "\(configuration.name).main"),
            environment: simulation.environment,
            observer: EventNotes(simulation: simulation, next: observer)
        )
    }
}

/// Notes each event beside the step in which it happens, by the name of its controller, and passes it on.
private struct EventNotes: PipelineObserver {
    let simulation: Simulation
    let next: (any PipelineObserver)?

    func observe(_ event: PipelineEvent) {
        let submission = event.submission.map { " \($0)" } ?? ""
        simulation.annotate("\(event.pipeline)\(submission) \(event.kind.rawValue)")
        next?.observe(event)
    }
}
