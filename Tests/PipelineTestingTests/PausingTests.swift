import Dispatch
import PipelineTestSupport
import PipelineTesting
import Testing

/// Steps that let other steps run in their middle, or wait for a signal: each is on a thread, and
/// one thread runs at a time.
@Suite("Steps that pause", .endsHangs)
struct PausingTests {
    // MARK: Yielding

    @Test(arguments: SimulationTests.strategies)
    func aLaneIsHeldWhileItsStepHasPaused(_ strategy: SchedulingStrategy) {
        for seed: UInt64 in 0..<30 {
            let simulation = Simulation(seed: seed, strategy: strategy)
            let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
            let journal = Journal<String>()
            for (index, lane) in lanes.enumerated() {
                for number in 0..<4 {
                    lane.enqueue {
                        journal.append("+\(number) \(index)")
                        for _ in 0..<3 {
                            simulation.yield()
                            if lanes.map(\.isCurrent) != (0..<3).map({ $0 == index }) {
                                journal.append("elsewhere \(index)")
                            }
                        }
                        journal.append("-\(number) \(index)")
                    }
                }
            }
            simulation.run()
            let own = (0..<3).map { index in
                journal.values.filter { $0.hasSuffix(" \(index)") }.map { $0.dropLast(2) }
            }
            let expected = (0..<4).flatMap { ["+\($0)", "-\($0)"] }
            #expect(own.allSatisfy { $0.map(String.init) == expected }, "seed \(seed): \(own)")
        }
    }

    @Test(arguments: [-1, 1, 2, 4])
    func neverMorePartsRunThanThereAreWorkers(_ workers: Int) {
        var most = 0
        for seed: UInt64 in 0..<100 {
            let simulation = Simulation(seed: seed, workerCount: workers)
            let counts = Journal<Int>()
            let running = Lock(0)
            simulation.environment.fork(
                parts: 6,
                joinOn: simulation.makeLane(label: "main"),
                body: { _ in
                    running.withLock { count in
                        count += 1
                        counts.append(count)
                    }
                    simulation.yield()
                    running.withLock { $0 -= 1 }
                },
                join: { counts.append(-1) }
            )
            simulation.run()
            if counts.values.last != -1 || counts.count != 7 { most = .max }
            most = max(most, counts.values.max() ?? 0)
        }
        #expect(most == max(1, workers))
    }

    /// A resumed step may resume another one, and ends before the step that resumed it.
    @Test func aNestedStepEndsBeforeTheStepThatResumedIt() {
        // All three begin and pause; then the first one ends. The other two have their own threads.
        let simulation = Simulation(seed: 1, strategy: .choices([0, 0, 1]))
        let journal = Journal<String>()
        for name in ["a", "b", "c"] {
            let lane = simulation.makeLane(label: name)
            lane.enqueue {
                journal.append("\(name) begins")
                simulation.yield()
                journal.append("\(name) goes on")
                if name == "b" {
                    simulation.step()
                    journal.append("b is \(lane.isCurrent ? "here" : "elsewhere")")
                }
                journal.append("\(name) ends")
            }
        }
        #expect(simulation.run())
        #expect(
            journal.values == [
                "a begins", "b begins", "c begins", "a goes on", "a ends", "b goes on",
                "c goes on", "c ends", "b is here", "b ends",
            ]
        )
        #expect(simulation.steps == 6 && simulation.pauses == 3)
    }

    /// A call from a thread outside the simulation lets no step run.
    @Test func aYieldOfAnotherThreadDoesNothing() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let journal = Journal<String>()
        simulation.makeLane(label: "a").enqueue {
            let done = DispatchSemaphore(value: 0)
            DispatchQueue(label: "elsewhere").async {
                simulation.yield()
                done.signal()
            }
            done.wait()
            journal.append("a")
        }
        simulation.makeLane(label: "b").enqueue { journal.append("b") }
        #expect(simulation.run() && journal.values == ["a", "b"] && simulation.pauses == 0)
    }

    // MARK: Waiting

    /// Each signal ends exactly one of several waits, on one lane or on two.
    @Test func aSignalEndsOneWaitAndTheOthersAreStuck() {
        for signals in 0...4 {
            let simulation = Simulation(seed: 1, strategy: .inOrder)
            let lanes = ["a", "b", "c"].map { simulation.makeLane(label: $0) }
            let signal = simulation.environment.makeSignal()
            let journal = Journal<String>()
            for (lane, name) in zip(lanes, ["a", "b"]) {
                lane.enqueue {
                    for number in 1...2 {
                        signal.wait()
                        if simulation.fault == nil { journal.append("\(name)\(number)") }
                    }
                }
            }
            for _ in 0..<signals { lanes[2].enqueue { signal.signal() } }
            simulation.run()
            #expect(journal.count == signals, "\(journal.values)")
            #expect((simulation.fault == nil) == (signals == 4))
        }
    }

    /// The wait runs steps until the signal is set or no step remains that could set it.
    @Test func aWaitOutsideOfAllStepsRunsThem() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let lane = simulation.makeLane(label: "main")
        let signal = simulation.environment.makeSignal()
        for number in 0..<3 { lane.enqueue { if number == 1 { signal.signal() } } }
        signal.wait()
        #expect(simulation.steps == 2)
        signal.signal()
        signal.wait()
        #expect(simulation.steps == 2 && simulation.fault == nil)
        signal.wait()
        #expect(simulation.steps == 3 && simulation.fault == .deadlock(report: "nothing waits"))
    }

    /// A step that yields forever and one that waits forever, each on a thread that would otherwise
    /// remain.
    @Test func pausedStepsEndWhenTheStepLimitIsReached() {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
        let signal = simulation.environment.makeSignal()
        let journal = Journal<String>()
        lanes[0].enqueue {
            for _ in 0..<1000 { simulation.yield() }
            journal.append("ended")
        }
        lanes[1].enqueue {
            signal.wait()
            journal.append("gave up")
        }
        @Sendable func again() { lanes[2].enqueue { again() } }
        again()
        #expect(!simulation.run(atMost: 50))
        #expect(journal.values.sorted() == ["ended", "gave up"])
        if case .livelock(50, _)? = simulation.fault { return }
        Issue.record("found \(simulation.fault as Any)")
    }

    /// The step could wait forever; the process ends with the first fault.
    @Test func repeatedWaitsInVainStopTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let simulation = Simulation(seed: 1)
            let signal = simulation.environment.makeSignal()
            simulation.makeLane(label: "main").enqueue { while true { signal.wait() } }
            simulation.run()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("lane main: #0 waits for a signal"), "\(text)")
    }

    // MARK: Tasks

    @Test func tasksRunOnTheirLaneAndRepeatWithTheSeed() {
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
                    let before = lane.isCurrent
                    let result = try await controller.performBatchUpdates { source, changes in
                        source.append("\(number)", &changes)
                    }
                    journal.append("\(number) \(result.text) \(before && lane.isCurrent)")
                }
            }
            simulation.run()
            controller.close {}
            simulation.run()
            return journal.values
        }
        var orders: Set<[String]> = []
        let expected = (0..<3).map { "\($0) deployed true" }
        for seed: UInt64 in 0..<30 {
            let journals = (0..<2).map { _ in run(Simulation(seed: seed)) }
            #expect(journals[0] == journals[1] && journals[0].sorted() == expected)
            orders.insert(journals[0])
        }
        #expect(orders.count == 6)
    }
}
