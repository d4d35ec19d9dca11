import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What a simulation does with what it keeps, and with lists from outside.
@Suite("Details of simulations") struct SimulationDetailTests {
    /// A list may be of other code, in which there was more to choose from.
    @Test(arguments: [
        (listed: -3, value: 0), (0, 0), (1, 1), (2, 1), (.max, 1), (.min, 0),
    ])
    func aChoiceOfAListCountsAsFarAsThereIsSomethingToChoose(
        _ choice: (listed: Int, value: Int)
    ) {
        let simulation = Simulation(
            seed: 1,
            strategy: .choices([choice.listed]),
            faultRates: [.closes: 0.5]
        )
        #expect(simulation.happens(.closes) == (choice.value == 1))
        #expect(simulation.choices == [choice.value])
    }

    @Test func aSignalThatIsGoneIsForgotten() {
        let simulation = Simulation(seed: 1)
        do {
            let signal = simulation.environment.makeSignal()
            signal.signal()
            #expect(simulation.state.withLock { $0.signals.count } == 1)
        }
        #expect(simulation.state.withLock { $0.signals.isEmpty })
    }

    /// Until the signal is there, or nothing is left that could give it.
    @Test func whoeverWaitsOutsideOfEveryStepRunsThem() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let lane = simulation.makeLane(label: "main")
        let signal = simulation.environment.makeSignal()
        let journal = Journal<Int>()
        for number in 0..<3 {
            lane.enqueue {
                journal.append(number)
                if number == 1 { signal.signal() }
            }
        }
        signal.wait()
        #expect(journal.values == [0, 1] && simulation.steps == 2)
        signal.signal()
        signal.wait()
        #expect(simulation.steps == 2 && simulation.fault == nil)
        signal.wait()
        #expect(journal.values == [0, 1, 2])
        #expect(simulation.fault == .deadlock(report: "nothing waits"))
    }

    /// The limit of a run is over with it, and the largest there is fits after any number of steps.
    @Test func aLimitIsThatOfItsRun() {
        let simulation = Simulation(seed: 1)
        let lane = simulation.makeLane(label: "main")
        lane.enqueue {}
        #expect(simulation.run(atMost: 1))
        lane.enqueue {}
        #expect(simulation.step() && simulation.steps == 2)
        lane.enqueue {}
        #expect(simulation.run(atMost: .max) && simulation.steps == 3)
    }

    @Test func aStepMayRunAnother() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let lanes = ["a", "b"].map { simulation.makeLane(label: $0) }
        let current = Journal<[Bool]>()
        @Sendable func note() { current.append(lanes.map(\.isCurrent)) }
        lanes[0].enqueue {
            note()
            #expect(simulation.step())
            note()
        }
        lanes[1].enqueue { note() }
        #expect(simulation.run())
        #expect(current.values == [[true, false], [false, true], [true, false]])
        note()
        #expect(current.values.last == [false, false])
    }

    @Test func timersOfOneMomentComeInTheirOrder() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let lane = simulation.makeLane(label: "main")
        let journal = Journal<Int>()
        for number in 0..<3 {
            simulation.environment.schedule(after: .nanoseconds(5), on: lane) {
                journal.append(number)
            }
        }
        #expect(simulation.run())
        #expect(journal.values == [0, 1, 2])
    }

    @Test func aReportHasForksInTheirOrderAndWhoHasPaused() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        #expect(simulation.environment.workerCount == 2)
        let lanes = ["a", "b"].map { simulation.makeLane(label: $0) }
        let reports = Journal<String>()
        lanes[0].enqueue { simulation.yield() }
        lanes[1].enqueue { reports.append(simulation.report) }
        #expect(simulation.run())
        #expect(reports.values == ["lane a: #0 has paused"])
        for parts in [2, 3] {
            simulation.environment.fork(
                parts: parts,
                joinOn: lanes[0],
                body: { _ in },
                join: {}
            )
        }
        #expect(
            simulation.report == """
                fork 2: 2 parts not begun, 2 not done, joins on a
                fork 3: 3 parts not begun, 3 not done, joins on a
                """
        )
        #expect(simulation.run())
    }

    @Test func aNumberThatIsWiderThanItsColumnTakesNoMoreThanItNeeds() {
        let steps = [("main", 1_000_000), ("other", 2)].enumerated().map { index, step in
            SimulatedStep(
                step: index + 1,
                number: step.1,
                place: step.0,
                timestamp: .zero,
                isResumed: false
            )
        }
        #expect(
            Timeline(steps, laneLabels: ["main", "other"]).description == """
                step   main   other
                1      #1000000·
                2      ·      #2
                """
        )
    }

    @Test func ofARunThatWasStoppedNothingElseIsKnown() {
        let plan = RunPlan(seed: 1)
        for message in [nil, "a trap"] {
            let result = RunResult.stopped(plan, message)
            let trap = message.map { [GuaranteeViolation(guarantee: "Trap", message: $0)] } ?? []
            #expect(result.plan == plan && result.violations == trap)
            #expect(result.steps == 0 && result.fingerprint == 0 && result.opportunities == 0)
            #expect(result.choices == [] && result.marks == [:] && result.trace == [])
            let more = GuaranteeViolation(guarantee: "Other", message: "more")
            #expect(result.adding(more).violations == trap + [more])
        }
    }
}
