import PipelineTestSupport
import PipelineTesting
import Testing

@Suite("Steps that pause", .endsHangs)
struct PausingTests {
    // MARK: Yielding

    @Test func aYieldLetsAtLeastOneOtherRun() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let lanes = (0..<2).map { simulation.makeLane(label: "\($0)") }
        let journal = Journal<String>()
        lanes[0].enqueue {
            journal.append("begins")
            simulation.yield()
            journal.append("ends")
        }
        lanes[1].enqueue { journal.append("other") }
        lanes[1].enqueue { journal.append("another") }
        #expect(simulation.run())
        #expect(journal.values == ["begins", "other", "ends", "another"])
        #expect(simulation.steps == 4, "what goes on is a step too")
        #expect(simulation.pauses == 1)
    }

    @Test func aYieldWithNobodyElseGoesOn() {
        let simulation = Simulation(seed: 1)
        let lane = simulation.makeLane(label: "main")
        let journal = Journal<Int>()
        simulation.yield()
        lane.enqueue {
            simulation.yield()
            journal.append(1)
        }
        lane.enqueue { journal.append(2) }
        #expect(simulation.run())
        #expect(journal.values == [1, 2])
        #expect(simulation.steps == 2)
    }

    @Test(arguments: SimulationTests.strategies)
    func aLaneIsHeldWhileItsStepHasPaused(_ strategy: SchedulingStrategy) {
        for seed: UInt64 in 0..<30 {
            let simulation = Simulation(seed: seed, strategy: strategy)
            let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
            let underWay = Journal<String>()
            let order = Journal<Int>()
            for (index, lane) in lanes.enumerated() {
                for number in 0..<4 {
                    lane.enqueue {
                        underWay.append("+\(index)")
                        for _ in 0..<3 {
                            simulation.yield()
                            #expect(lane.isCurrent)
                            #expect(!lanes[(index + 1) % 3].isCurrent)
                        }
                        underWay.append("-\(index)")
                        if index == 0 { order.append(number) }
                    }
                }
            }
            #expect(simulation.run())
            #expect(order.values == [0, 1, 2, 3])
            for index in 0..<3 {
                let own = underWay.values.filter { $0.hasSuffix("\(index)") }
                #expect(own == (0..<8).map { $0 % 2 == 0 ? "+\(index)" : "-\(index)" })
            }
        }
    }

    @Test(arguments: 1...4)
    func thereAreNeverMorePartsUnderWayThanWorkers(_ workers: Int) {
        var most = 0
        for seed: UInt64 in 0..<100 {
            let simulation = Simulation(seed: seed, workerCount: workers)
            let counts = Journal<Int>()
            let underWay = Lock(0)
            let environment = simulation.environment
            environment.fork(
                parts: 6,
                joinOn: simulation.makeLane(label: "main"),
                body: { _ in
                    counts.append(
                        underWay.withLock { count in
                            count += 1
                            return count
                        }
                    )
                    #expect(environment.isCurrentWorker)
                    simulation.yield()
                    #expect(environment.isCurrentWorker)
                    underWay.withLock { $0 -= 1 }
                },
                join: { counts.append(-1) }
            )
            #expect(simulation.run())
            #expect(counts.values.last == -1 && counts.values.count == 7)
            most = max(most, counts.values.max() ?? 0)
        }
        #expect(most == workers)
    }

    @Test func theSameSeedPausesInTheSameWayAndChoicesReplayIt() {
        func run(_ simulation: Simulation) -> [Int] {
            let journal = Journal<Int>()
            for lane in 0..<4 {
                let own = simulation.makeLane(label: "\(lane)")
                for number in 0..<3 {
                    own.enqueue {
                        journal.append(lane * 10 + number)
                        simulation.yield()
                        journal.append(100 + lane * 10 + number)
                    }
                }
            }
            #expect(simulation.run())
            return journal.values
        }
        var orders: Set<[Int]> = []
        for seed: UInt64 in 0..<40 {
            let simulations = (0..<2).map { _ in Simulation(seed: seed) }
            let journals = simulations.map(run)
            #expect(journals[0] == journals[1])
            #expect(simulations[0].fingerprint == simulations[1].fingerprint)
            let replay = Simulation(seed: 0, strategy: .choices(simulations[0].choices))
            #expect(run(replay) == journals[0])
            #expect(replay.fingerprint == simulations[0].fingerprint)
            orders.insert(journals[0])
        }
        #expect(orders.count > 30)
    }

    @Test func anExhaustiveSearchGoesThroughPausesToo() {
        var choices: [Int]? = []
        var orders: Set<[String]> = []
        while let list = choices {
            let simulation = Simulation(seed: 0, strategy: .choices(list))
            let journal = Journal<String>()
            for name in ["a", "b"] {
                simulation.makeLane(label: name).enqueue {
                    journal.append("\(name)1")
                    simulation.yield()
                    journal.append("\(name)2")
                }
            }
            simulation.run()
            orders.insert(journal.values)
            choices = simulation.nextChoices
        }
        // A yield lets the other begin or go on, so that nothing but the other comes next.
        #expect(
            orders == [
                ["a1", "b1", "a2", "b2"], ["b1", "a1", "b2", "a2"],
            ]
        )
    }

    // MARK: Waiting

    /// Each waits for the one after it, whatever the order in which they begin.
    @Test func waitsOfManyEndInAnyOrder() {
        for seed: UInt64 in 0..<200 {
            let simulation = Simulation(seed: seed)
            let signals = (0..<4).map { _ in simulation.environment.makeSignal() }
            let journal = Journal<Int>()
            for number in 0..<4 {
                simulation.makeLane(label: "\(number)").enqueue {
                    if number < 3 { signals[number + 1].wait() }
                    journal.append(number)
                    signals[number].signal()
                }
            }
            #expect(simulation.run())
            #expect(simulation.fault == nil)
            #expect(journal.values == [3, 2, 1, 0])
        }
    }

    @Test func aRingOfWaitsIsADeadlockThatNamesAll() {
        let simulation = Simulation(seed: 3)
        let signals = (0..<3).map { _ in simulation.environment.makeSignal() }
        let journal = Journal<Int>()
        for number in 0..<3 {
            simulation.makeLane(label: "lane \(number)").enqueue {
                signals[(number + 1) % 3].wait()
                journal.append(number)
            }
        }
        simulation.run()
        guard case .deadlock(let report) = simulation.fault else {
            Issue.record("found \(String(describing: simulation.fault))")
            return
        }
        for number in 0..<3 { #expect(report.contains("lane \(number): #")) }
        #expect(report.split(separator: "\n").count == 3)
        // Everybody comes to an end all the same, or threads would be left behind.
        #expect(journal.values.sorted() == [0, 1, 2])
    }

    @Test func whatHasPausedEndsWhereTheStepsAreUsedUp() {
        let simulation = Simulation(seed: 1)
        let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
        let journal = Journal<String>()
        lanes[0].enqueue {
            for _ in 0..<1000 { simulation.yield() }
            journal.append("ended")
        }
        for lane in lanes.dropFirst() {
            @Sendable func again() { lane.enqueue { again() } }
            again()
        }
        #expect(!simulation.run(atMost: 50))
        #expect(journal.values == ["ended"])
        guard case .livelock(50, _) = simulation.fault else {
            Issue.record("found \(String(describing: simulation.fault))")
            return
        }
    }

    // MARK: Tasks

    @Test func tasksRunOnTheirLaneAndComeAgain() {
        func run(_ simulation: Simulation) -> [String] {
            let journal = Journal<String>()
            let controller = DataController(
                dataSource: TextDataSource([["a"]]),
                lane: simulation.makeLane(label: "main"),
                environment: simulation.environment
            )
            controller.enqueueBatchUpdates {
                $1.reloadData()
            } completion: { _ in
            }
            for number in 0..<3 {
                let lane = simulation.makeLane(label: "client \(number)")
                Task(executorPreference: LaneTaskExecutor(lane)) {
                    #expect(lane.isCurrent)
                    let result = try await controller.performBatchUpdates { source, changes in
                        source.append("\(number)", &changes)
                    }
                    #expect(lane.isCurrent)
                    journal.append("\(number) \(result.outcome.name)")
                }
            }
            simulation.run()
            controller.close {}
            simulation.run()
            return journal.values
        }
        var orders: Set<[String]> = []
        for seed: UInt64 in 0..<30 {
            let journals = (0..<2).map { _ in run(Simulation(seed: seed)) }
            #expect(journals[0] == journals[1])
            #expect(
                journals[0].sorted() == ["0 deployed", "1 deployed", "2 deployed"]
            )
            orders.insert(journals[0])
        }
        #expect(orders.count == 6)
    }

    // MARK: Faults and notes

    @Test func noFaultHappensOnceTheyHaveEnded() {
        let simulation = Simulation(seed: 1, faultRates: [.closes: 1])
        #expect(simulation.happens(.closes))
        simulation.endFaults()
        #expect(!simulation.happens(.closes))
        #expect(simulation.opportunities == 1)
        #expect(simulation.faultCounts == [.closes: 1])
    }

    @Test func notesAreInTheLineOfTheirStep() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        simulation.annotate("nobody keeps this")
        simulation.keepTrace()
        let lanes = ["one", "two"].map { simulation.makeLane(label: $0) }
        lanes[0].enqueue {
            simulation.annotate("begins")
            simulation.annotate("waits")
            simulation.yield()
            simulation.annotate("ends")
        }
        lanes[1].enqueue {}
        simulation.run()
        let timeline = Timeline(simulation.trace, laneLabels: simulation.laneLabels)
        #expect(
            timeline.description == """
                step   one    two
                1      #0     ·      begins; waits
                2      ·      #1
                3      …0     ·      ends
                """
        )
    }
}
