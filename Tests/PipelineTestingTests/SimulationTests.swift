import PipelineTestSupport
import Testing

@Suite struct SimulationTests {
    /// Three lanes that enqueue on each other, a fork and a timer; what ran, in order.
    private static func run(_ simulation: Simulation) -> [String] {
        let journal = Journal<String>()
        let lanes = (0..<3).map { simulation.makeLane(label: "lane \($0)") }
        for (index, lane) in lanes.enumerated() {
            for number in 0..<3 {
                lane.enqueue {
                    journal.append("\(index).\(number)")
                    lanes[(index + 1) % 3].enqueue { journal.append("from \(index).\(number)") }
                }
            }
        }
        let environment = simulation.environment
        environment.fork(
            parts: 4,
            joinOn: lanes[0],
            body: { journal.append("part \($0)") },
            join: { journal.append("join") }
        )
        environment.schedule(after: .nanoseconds(5), on: lanes[1]) { journal.append("timer") }
        #expect(simulation.run())
        return journal.values
    }

    static let strategies: [SchedulingStrategy] = [
        .inOrder, .random, .sticky(0.5), .sticky(1), .prioritized(changes: 0),
        .prioritized(changes: 3), .delayBounded(0), .delayBounded(4), .choices([]),
        .choices([1, 0, 2, 9, -3]),
    ]

    @Test(arguments: strategies)
    func theSameSeedGivesTheSameRun(_ strategy: SchedulingStrategy) {
        for seed: UInt64 in 0..<20 {
            let runs = (0..<2).map { _ in Simulation(seed: seed, strategy: strategy) }
            let journals = runs.map(Self.run)
            #expect(journals[0] == journals[1])
            #expect(journals[0].count == 24)
            #expect(runs[0].fingerprint == runs[1].fingerprint)
            #expect(runs[0].choices == runs[1].choices)
            #expect(runs[0].steps == runs[1].steps)
        }
    }

    @Test(arguments: strategies)
    func theChoicesReplayTheRun(_ strategy: SchedulingStrategy) {
        for seed: UInt64 in 0..<20 {
            let first = Simulation(seed: seed, strategy: strategy)
            let journal = Self.run(first)
            let replay = Simulation(seed: 99, strategy: .choices(first.choices))
            #expect(Self.run(replay) == journal)
            #expect(replay.fingerprint == first.fingerprint)
            #expect(replay.choices == first.choices)
        }
    }

    @Test func otherSeedsGiveOtherRuns() {
        for strategy: SchedulingStrategy in [
            .random, .sticky(0.5), .prioritized(changes: 2), .delayBounded(2),
        ] {
            let journals = (0..<50).map { Self.run(Simulation(seed: $0, strategy: strategy)) }
            #expect(Set(journals).count > 10, "\(strategy)")
        }
        let plain = (0..<50).map { Self.run(Simulation(seed: $0, strategy: .choices([]))) }
        #expect(Set(plain).count == 1)
    }

    @Test func inOrderIsTheOrderOfEnqueuing() {
        let simulation = Simulation(seed: 1, strategy: .choices([]))
        let journal = Journal<Int>()
        let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
        for number in 0..<9 { lanes[number * 2 % 3].enqueue { journal.append(number) } }
        simulation.run()
        #expect(journal.values == Array(0..<9))
        #expect(simulation.steps == 9)
    }

    @Test func aStickyLaneGoesOnToItsEnd() {
        let simulation = Simulation(seed: 1, strategy: .sticky(1))
        let journal = Journal<Int>()
        let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
        for number in 0..<12 { lanes[number % 3].enqueue { journal.append(number % 3) } }
        simulation.run()
        let turns = journal.values.indices.dropFirst().count {
            journal.values[$0] != journal.values[$0 - 1]
        }
        #expect(turns == 2)
    }

    @Test func aDelayIsOneStepThatIsOvertaken() {
        // Without delays it is the order of enqueuing; the number of choices bounds where delays can fall.
        var overtakings: Set<Int> = []
        for seed: UInt64 in 0..<3000 {
            let simulation = Simulation(seed: seed, strategy: .delayBounded(1))
            let lanes = (0..<2).map { simulation.makeLane(label: "\($0)") }
            for number in 0..<40 { lanes[number % 2].enqueue {} }
            simulation.run()
            overtakings.insert(simulation.choices.count { $0 != 0 })
        }
        #expect(overtakings == [0, 1])
    }

    @Test func aDrawnStrategyIsOfEveryKind() {
        var random = SeededGenerator(seed: 1)
        let names = (0..<500).map { _ in
            "\(SchedulingStrategy.drawn(from: &random))".prefix { $0 != "(" }
        }
        #expect(
            Set(names) == ["in-order", "random", "sticky", "prioritized", "delay-bounded"]
        )
    }

    @Test func partsOfAForkComeInEveryOrder() {
        let orders = (UInt64(0)..<200).map { seed -> [Int] in
            let simulation = Simulation(seed: seed, workerCount: 3)
            let journal = Journal<Int>()
            #expect(simulation.environment.workerCount == 3)
            simulation.environment.fork(
                parts: 3,
                joinOn: simulation.makeLane(label: "main"),
                body: { journal.append($0) },
                join: {}
            )
            simulation.run()
            return journal.values
        }
        #expect(Set(orders).count == 6)
    }

    // MARK: Time

    @Test func timePassesOnlyWithTimers() {
        let simulation = Simulation(seed: 1)
        let lane = simulation.makeLane(label: "main")
        let journal = Journal<Duration>()
        let hour = Duration.seconds(3600)
        for delay in [hour, hour * 2, .zero] {
            simulation.environment.schedule(after: delay, on: lane) {
                journal.append(simulation.now)
            }
        }
        for _ in 0..<10 { lane.enqueue {} }
        simulation.run()
        #expect(journal.values == [.zero, hour, hour * 2])
        #expect(simulation.now == hour * 2)
    }

    @Test func aTimerMayComeBeforeWorkThatIsReady() {
        // Whether a timer is ahead of twenty steps is a choice.
        let positions = (UInt64(0)..<400).map { seed -> Int in
            let simulation = Simulation(seed: seed)
            let (lane, other) = (
                simulation.makeLane(label: "lane"), simulation.makeLane(label: "other")
            )
            let journal = Journal<Bool>()
            simulation.environment.schedule(after: .nanoseconds(9), on: other) {
                journal.append(true)
            }
            for _ in 0..<20 { lane.enqueue { journal.append(false) } }
            simulation.run()
            return journal.values.firstIndex(of: true) ?? -1
        }
        #expect(positions.contains { $0 < 20 } && positions.contains(20))
    }

    @Test func theClockMayJumpAndATimerIsThenLate() {
        let longest = Duration(attoseconds: .max)
        let simulation = Simulation(seed: 1)
        let journal = Journal<Duration>()
        let lane = simulation.makeLane(label: "main")
        simulation.environment.schedule(after: .nanoseconds(10), on: lane) {
            journal.append(simulation.now)
        }
        simulation.advanceClock(by: .nanoseconds(50))
        simulation.run()
        #expect(journal.values == [.nanoseconds(50)])
        simulation.environment.schedule(after: longest, on: lane) {
            journal.append(simulation.now)
        }
        simulation.run()
        #expect(journal.values == [.nanoseconds(50), longest])
        simulation.advanceClock(by: longest)
        #expect(simulation.now == longest)
    }

    // MARK: Waiting

    @Test func aWaitingCallRunsOthersStepsWithinItsOwn() {
        for seed: UInt64 in 0..<100 {
            let simulation = Simulation(seed: seed)
            let (main, other) = (
                simulation.makeLane(label: "main"), simulation.makeLane(label: "other")
            )
            let signal = simulation.environment.makeSignal()
            let journal = Journal<String>()
            main.enqueue {
                journal.append("begins \(main.isCurrent)")
                signal.wait()
                journal.append("ends \(main.isCurrent)")
            }
            main.enqueue { journal.append("next") }
            other.enqueue {
                journal.append("other \(main.isCurrent) \(other.isCurrent)")
                signal.signal()
            }
            #expect(simulation.run())
            let own = journal.values.filter { !$0.hasPrefix("other") }
            #expect(own == ["begins true", "ends true", "next"])
            #expect(journal.values.contains("other false true"))
            #expect(simulation.fault == nil)
        }
    }

    @Test func aDeadlockIsReportedWithWhatWaitsWhere() {
        let simulation = Simulation(seed: 1)
        let main = simulation.makeLane(label: "main")
        let signal = simulation.environment.makeSignal()
        main.enqueue { signal.wait() }
        main.enqueue { signal.signal() }
        simulation.run()
        guard case .deadlock(let report)? = simulation.fault else {
            Issue.record("no deadlock: \(String(describing: simulation.fault))")
            return
        }
        #expect(report == "lane main: #0 waits for a signal\nlane main: 1 waiting, since number 1")
        #expect("\(SimulationFault.deadlock(report: report))".hasPrefix("deadlock: "))
    }

    @Test func aLivelockIsReportedWithWhatWaitsWhere() {
        let simulation = Simulation(seed: 1, strategy: .choices([]))
        let main = simulation.makeLane(label: "main")
        @Sendable func again() { main.enqueue { again() } }
        again()
        simulation.environment.schedule(after: .nanoseconds(7), on: main) {}
        simulation.environment.fork(parts: 2, joinOn: main, body: { _ in again() }, join: {})
        #expect(!simulation.run(atMost: 2))
        guard case .livelock(2, let report)? = simulation.fault else {
            Issue.record("no livelock: \(String(describing: simulation.fault))")
            return
        }
        let lines = report.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "lane main: 2 waiting, since number 3",
                "fork 2: 1 parts not begun, 1 not done, joins on main",
                "timer 1: due at 7 ns on main",
            ]
        )
        #expect(!simulation.run(atMost: 100))
        #expect(simulation.fault == .livelock(steps: 2, report: report), "the first is kept")
    }

    @Test func whatIsDoneIsReportedAsNothing() {
        let simulation = Simulation(seed: 1)
        #expect(simulation.run(atMost: 0))
        #expect(simulation.report == "nothing waits")
        #expect(!simulation.step())
        #expect(simulation.steps == 0)
    }

    // MARK: Faults

    @Test func theOnlyFaultIsTheOneAtItsPlace() {
        for place in 0..<6 {
            let simulation = Simulation(seed: 1, faultRates: [.closes: 1], onlyFault: place)
            let answers = (0..<6).map { simulation.happens($0 % 2 == 0 ? .closes : .viewRefuses) }
            #expect(answers == (0..<6).map { $0 == place })
            #expect(simulation.opportunities == 6)
            #expect(simulation.choices.isEmpty)
        }
    }

    @Test func faultsHappenAtTheirRate() {
        let simulation = Simulation(
            seed: 1,
            faultRates: [.viewRefuses: 1, .closes: 0.25, .viewIsBusy: 0]
        )
        #expect((0..<100).allSatisfy { _ in simulation.happens(.viewRefuses) })
        #expect((0..<100).allSatisfy { _ in !simulation.happens(.viewIsBusy) })
        #expect((0..<100).allSatisfy { _ in !simulation.happens(.modelLies) })
        let count = (0..<4000).count { _ in simulation.happens(.closes) }
        #expect((850...1150).contains(count))
        // What cannot happen is no choice.
        #expect(simulation.choices.count == 4100)
    }
}
