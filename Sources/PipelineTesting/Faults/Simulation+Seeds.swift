import CollectionElements
import CollectionPipeline

extension Simulation {
    /// Runs a test once for each seed, each time in a new simulation.
    ///
    /// ```swift
    /// try Simulation.forEachSeed(0..<1_000) { simulation in
    ///     let view = FaultyView(wrapping: MyView(), in: simulation)
    ///     let controller = DataController(dataSource: Feed(), view: view, in: simulation)
    ///     …  // submit
    ///     try simulation.settle(controller, view)
    /// }
    /// ```
    ///
    /// The strategy is drawn from the seed. If `body` throws, or the simulation has a ``fault``,
    /// the seed is replayed from its choices to record its steps, and no further seed is run.
    /// Therefore `body` must do the same each time, and depend on nothing except the simulation.
    ///
    /// Threading: `body` runs on the caller's thread, within this call.
    ///
    /// - Parameters:
    ///   - seeds: The seeds to run, in order.
    ///   - faultRates: The probability of each fault at each opportunity.
    ///   - body: The test.
    /// - Throws: The first failure, with its seed and choices, and the error that `body` threw.
    public static func forEachSeed(
        _ seeds: some Sequence<UInt64>,
        faultRates: [FaultPoint: Double] = FaultPoint.viewRates,
        _ body: (Simulation) throws -> Void
    ) throws(SeedFailure) {
        for seed in seeds {
            var random = SeededGenerator(seed: seed)
            let strategy = SchedulingStrategy.drawn(from: &random)
            let simulation = Simulation(seed: seed, strategy: strategy, faultRates: faultRates)
            guard let error = simulation.failure(of: body) else { continue }
            let replay = Simulation(
                seed: seed,
                strategy: .choices(simulation.choices),
                faultRates: faultRates
            )
            replay.keepTrace()
            let isRepeated = replay.failure(of: body) != nil
            throw SeedFailure(
                seed: seed,
                choices: simulation.choices,
                underlyingError: error,
                isRepeated: isRepeated && replay.fingerprint == simulation.fingerprint,
                hasOwnRates: faultRates != FaultPoint.viewRates,
                timeline: Timeline(replay.trace.suffix(shownSteps), laneLabels: replay.laneLabels)
            )
        }
    }

    /// The number of steps that fit on one screen.
    private static let shownSteps = 40

    private func failure(of body: (Simulation) throws -> Void) -> (any Error)? {
        do {
            try body(self)
            return fault
        } catch {
            return error
        }
    }
}

/// The failure of a test at one seed.
public struct SeedFailure: Error {
    /// The seed.
    public let seed: UInt64

    /// The choices of the failed run, for ``SchedulingStrategy/choices(_:)``.
    public let choices: [Int]

    /// The error that the test threw, or the fault of the simulation.
    public let underlyingError: any Error

    /// Whether replaying the choices failed after the same steps. If not, the test depends on
    /// something outside its simulation.
    public let isRepeated: Bool

    /// Whether the fault rates differ from the default rates. A repetition then needs the same
    /// rates.
    let hasOwnRates: Bool

    /// The last steps of the replay.
    public let timeline: Timeline
}

extension SeedFailure: CustomStringConvertible {
    /// The seed, the error, how to repeat the run, and the last steps.
    public var description: String {
        let again =
            isRepeated
            ? "Repeat it with Simulation.forEachSeed([\(seed)]), or with the strategy .choices(…) and its \(choices.count) choices"
                + (hasOwnRates ? ", and the same faultRates" : "")
            : "Its replay differed: the test depends on something outside its simulation"
        return "seed \(seed): \(underlyingError)\n\(again)\nThe last steps:\n\(timeline)"
    }
}

extension Simulation {
    /// Runs a controller and its view until both finish, and checks the view and the content. The
    /// method ends faults and stalls. It then submits an empty batch, or a reload if the model may
    /// differ from the recorded changes, and finally closes the controller.
    ///
    /// ```swift
    /// try simulation.settle(controller, view)
    /// ```
    ///
    /// Work that was submitted earlier runs first, with faults. A controller that is already closed
    /// stays closed.
    ///
    /// After all work has finished, the models of the data source are compared with those of the
    /// map, as `DataController.Isolated.firstContentMismatch(by:)` does. A finding of
    /// `PipelineConfiguration.contentCheck` during the run is thrown too, because a later reload
    /// would hide it. The test therefore fails if an index is wrong or if the models of the data
    /// source cannot be compared.
    ///
    /// Threading: as for ``run(atMost:)``; do not call it from within a step.
    ///
    /// - Parameters:
    ///   - controller: A controller that was made with a lane and the environment of this
    ///     simulation. It is closed afterwards.
    ///   - view: The view that the controller was made with.
    ///   - checksContent: Whether to compare models. Pass `false` if the data source has no models,
    ///     or if they are not `Equatable`.
    /// - Throws: The first mistake of the wrapped view or the data source; `hangs` if the run does
    ///   not finish.
    public func settle<Source>(
        _ controller: DataController<Source>,
        _ view: FaultyView,
        checksContent: Bool = true
    ) throws(ViewMistake) {
        try runToRest(view)
        endFaults()
        let lane = controller.lane
        lane.enqueue { view.endStall() }
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
        // The content has changed without a recorded edit.
        case .rejected(let error) where error.code == .invalidUpdate && checksContent:
            throw ViewMistake(.unrecordedContent, error.summary)
        default: break
        }
        let finding = Lock<ContentMismatch?>(nil)
        try check(view, on: lane) { [newest] view in
            view.checkAtRest()
            if let newest { view.checkShows(newest) }
            guard checksContent else { return }
            let list = controller.assumeIsolated()
            // If the controller was already closed, its model may have changed since.
            let found =
                list.contentCheckFinding ?? newest.flatMap { _ in list.firstContentMismatch() }
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

    /// Runs a check of the view on its lane.
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
    /// Checks, after all work has finished, that the wrapped view shows the newest state, unless it
    /// refused that state itself.
    fileprivate func checkShows(_ map: ElementMap) {
        guard wrapped != nil, let shown = wrappedState.shownMap else { return }
        guard shown.generation < map.generation else { return }
        note(
            ViewMistake(
                .notShown,
                "all work is done, but the view shows generation \(shown.generation), and"
                    + " \(map.generation) was accepted"
            )
        )
    }
}

extension DataController {
    /// Creates a controller that uses the lanes, workers and clock of a simulation.
    ///
    /// - Parameters:
    ///   - dataSource: The content of the collection. It belongs to the simulation from now on.
    ///   - view: The view that shows the collection. The controller holds it weakly, so keep it
    ///     elsewhere (``CollectionView``).
    ///   - simulation: The simulation, which gets a lane named after the configuration,
    ///     `collection.main` by default. The timeline of a failure uses the same name for the
    ///     controller's events.
    ///   - configuration: The configuration of the controller.
    ///   - observer: The observer that receives events. Without one, stalls are not detected.
    public convenience init(
        dataSource: sending Source,
        view: (any CollectionView)?,
        in simulation: Simulation,
        configuration: PipelineConfiguration = PipelineConfiguration(),
        observer: (any PipelineObserver)? = nil
    ) {
        var configuration = configuration
        // Notes for a timeline must not add timers to the run.
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

/// Adds a note with the controller's name to the current step for each event, and forwards the
/// event.
private struct EventNotes: PipelineObserver {
    let simulation: Simulation
    let next: (any PipelineObserver)?

    func observe(_ event: PipelineEvent) {
        let submission = event.submission.map { " \($0)" } ?? ""
        simulation.annotate("\(event.pipeline)\(submission) \(event.kind.rawValue)")
        next?.observe(event)
    }
}
