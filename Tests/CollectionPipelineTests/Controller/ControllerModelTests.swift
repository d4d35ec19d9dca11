import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// Random sequences of all calls of a controller, compared with its model.
@Suite("Controller model", .endsHangs)
struct ControllerModelTests {
    /// On the simulation, a seed reproduces every step; on other substrates it reproduces the
    /// calls.
    @Test(arguments: Substrate.allCases)
    func everyCallMatchesTheModel(_ substrate: Substrate) async {
        let count = substrate == .simulated ? Effort.number(2_000, usually: 200) : 6
        var situations: Set<String> = []
        for seed in 1...UInt64(count) {
            let (faults, met) = await run(substrate, seed)
            situations.formUnion(met)
            guard faults.isEmpty else {
                Issue.record("seed \(seed): \(faults.joined(separator: "\n"))")
                return
            }
        }
        // Otherwise the runs would prove little.
        let rare: Set = [
            "refused alone", "refused with others", "merged", "replaced", "cancelled", "suspended",
            "dropped before its turn", "reload in place", "several waiters",
        ]
        #expect(substrate != .simulated || rare.isSubset(of: situations), "\(situations)")
    }

    private func run(_ substrate: Substrate, _ seed: UInt64) async -> ([String], Set<String>) {
        var random = SeededGenerator(seed: seed)
        let driver = Driver(substrate, &random)
        let sections = (0..<random.next(below: 4)).map { number in
            TextDataSource.Section(["a\(number)", "b\(number)"], headers: number == 1 ? ["h"] : [])
        }
        let run = ControllerRun(
            driver.stage,
            driver.simulation,
            SeededGenerator(seed: random.next()),
            sections: sections
        )
        for _ in 0..<40 {
            // Often directly after the turns that the last actions caused.
            let isRight = await driver.turn {
                for _ in 0..<(1 + run.random.next(below: 3)) { run.act() }
                run.check()
                return run.model.faults.isEmpty
            }
            guard isRight else { break }
            if random.chance(0.4) { await driver.rest(run) }
            if random.chance(0.5) { await driver.turn { run.check() } }
        }
        await end(run, driver, &random)
        return await driver.turn { (run.model.faults, run.situations) }
    }

    /// Closes the controller, with or without draining, or releases it.
    private func end(
        _ run: ControllerRun,
        _ driver: Driver,
        _ random: inout SeededGenerator
    ) async {
        let (isDropped, isDraining) = (random.chance(0.3), random.chance(0.5))
        let closed = Journal<Void>()
        // After this turn there are no more events.
        await driver.rest(run)
        await driver.turn {
            for _ in 0..<2 where !run.isBatchOpen { run.submitBatch() }
            // A waiting task would retain the controller.
            let isLeft =
                run.operations.values.contains { $0.isAsynchronous && !$0.hasEnded }
                || run.model.divergence != nil
            if isDropped, !isLeft, !run.isBatchOpen {
                run.closesWithoutDraining = true
                run.releaseController()
                closed.append(())
            } else {
                run.closesWithoutDraining = !isDraining
                run.controller?.close(draining: isDraining) { closed.append(()) }
            }
        }
        for _ in 0..<400 {
            let isClosed = await driver.turn {
                let mayRefuse = run.controller != nil && run.random.chance(0.1)
                if !run.updates.isEmpty { run.deploy(finishing: true, refusing: mayRefuse) }
                while !run.unfinished.isEmpty { run.finish(run.unfinished.removeFirst()) }
                run.check()
                return run.model.isClosed || !run.model.faults.isEmpty
            }
            if isClosed { break }
            await driver.rest(run)
        }
        for (_, task) in await driver.turn({ run.tasks }) { await driver.value(of: task) }
        for _ in 0..<3 { await driver.turn {} }
        await driver.turn {
            run.model.expect(
                run.model.isClosed && closed.count == 1,
                "the controller has not closed"
            )
            run.checkEnd()
        }
    }
}

/// Runs turns of a main lane; in a simulation, step by step.
private struct Driver {
    let stage: Stage
    let simulation: Simulation?

    init(_ substrate: Substrate, _ random: inout SeededGenerator) {
        let seed = random.next()
        guard substrate == .simulated else {
            (stage, simulation) = (substrate.makeStage(seed: seed), nil)
            return
        }
        let simulation = Simulation(
            seed: seed,
            strategy: .drawn(from: &random),
            workerCount: 1 + random.next(below: 3)
        )
        let lane = simulation.makeLane(label: "main")
        (stage, self.simulation) = (
            Stage(lane: lane, environment: simulation.environment), simulation
        )
    }

    @discardableResult
    func turn<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        guard let simulation else { return await stage.lane.run(body) }
        let result = Lock<Result?>(nil)
        stage.lane.enqueue {
            let value = body()
            result.withLock { $0 = value }
        }
        while true {
            if let value = result.withLock({ $0 }) { return value }
            if !simulation.step() {
                fatalError("the main lane makes no progress: \(simulation.report)")
            }
        }
    }

    func rest(_ run: ControllerRun) async {
        if let simulation {
            simulation.run()
            await turn { run.checkWaiters() }
        } else {
            while await !turn({ run.isQuiet || !run.model.faults.isEmpty }) { await Task.yield() }
        }
    }

    func value(of task: Task<Void, Never>) async {
        if let simulation { simulation.run() }
        await task.value
    }
}
