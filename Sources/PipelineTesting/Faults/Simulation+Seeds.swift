import CollectionPipeline

extension Simulation {
    /// Runs a test once for each seed, in a simulation of its own.
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
    /// The strategy is drawn from the seed. A seed at which `body` throws, or whose simulation has a ``fault``, is run again
    /// by its choices, for its steps, and is the last: so `body` must do the same each time, and depend on nothing but
    /// the simulation.
    ///
    /// Threading: `body` runs on the caller's thread, within this call.
    ///
    /// - Parameters:
    ///   - seeds: what to go through, in this order.
    ///   - faultRates: how likely each fault is where it could happen.
    ///   - body: one test.
    /// - Throws: the first failure, with its seed and choices, and what `body` threw.
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

    /// A screen full.
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

/// A seed at which a test failed.
public struct SeedFailure: Error {
    /// The seed.
    public let seed: UInt64

    /// The choices of its run, for ``SchedulingStrategy/choices(_:)``.
    public let choices: [Int]

    /// What the test threw, or the simulation's fault.
    public let underlyingError: any Error

    /// Whether its choices led to a failure in the same steps; else the test depends on something beside its
    /// simulation.
    public let isRepeated: Bool

    /// Whether the simulations had other fault rates than the usual ones, which a repetition needs as well.
    let hasOwnRates: Bool

    /// The last steps of the replay.
    public let timeline: Timeline
}

extension SeedFailure: CustomStringConvertible {
    /// The seed, what was wrong, how to run it again, and the last steps.
    public var description: String {
        let again =
            isRepeated
            ? "Again: Simulation.forEachSeed([\(seed)]), or by the \(choices.count) choices, strategy .choices(…)"
                + (hasOwnRates ? "; with the same faultRates" : "")
            : "Its replay went otherwise: the test depends on something beside its simulation"
        return "seed \(seed): \(underlyingError)\n\(again)\nThe last steps:\n\(timeline)"
    }
}
