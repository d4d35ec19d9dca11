import PipelineTestSupport
import PipelineTesting
import Testing

/// The basis of an application's tests: a seed gives one run, its choices replay the run, and a run
/// that never ends is reported.
@Suite("Simulation", .endsHangs) struct SimulationTests {
    static let strategies: [SchedulingStrategy] = [
        .inOrder, .random, .sticky(0.5), .sticky(1), .prioritized(changes: 0),
        .prioritized(changes: 3), .delayBounded(0), .delayBounded(4), .choices([]),
        .choices([1, 0, 2, 9, -3]),
    ]

    /// Runs lanes that enqueue on each other, forks, timers, pauses, a wait and faults, and returns
    /// everything that ran, in order.
    private static func run(_ simulation: Simulation) -> [String] {
        let journal = Journal<String>()
        let lanes = (0..<4).map { simulation.makeLane(label: "lane \($0)") }
        let environment = simulation.environment
        let signal = environment.makeSignal()
        for (index, lane) in lanes.enumerated() {
            for number in 0..<4 {
                lane.enqueue {
                    journal.append("\(index).\(number)")
                    if simulation.happens(.closes) { journal.append("fault") }
                    if number == 2 { simulation.yield() }
                    if (index, number) == (0, 3) { signal.wait() }
                    if !lane.isCurrent || lanes[(index + 1) % 4].isCurrent {
                        journal.append("elsewhere")
                    }
                    lanes[(index + 1) % 4].enqueue { journal.append("from \(index).\(number)") }
                    if (index, number) == (1, 3) { signal.signal() }
                }
            }
        }
        for number in 0..<2 {
            environment.fork(
                parts: 4,
                joinOn: lanes[number],
                body: { part in
                    journal.append("part \(number).\(part)")
                    simulation.yield()
                    if !environment.isCurrentWorker { journal.append("elsewhere") }
                },
                join: { journal.append("join \(number)") }
            )
            environment.schedule(after: .nanoseconds(9 - number), on: lanes[2]) {
                journal.append("timer \(number) at \(simulation.now)")
            }
        }
        if !simulation.run() { journal.append("not done") }
        return journal.values
    }

    @Test(arguments: strategies)
    func aSeedGivesOneRunAndItsChoicesReplayIt(_ strategy: SchedulingStrategy) {
        var (faults, orders): ([String], Set<[String]>) = ([], [])
        for seed: UInt64 in 0..<20 {
            let rates: [FaultPoint: Double] = [.closes: 0.25]
            func make(_ seed: UInt64, _ strategy: SchedulingStrategy) -> Simulation {
                Simulation(seed: seed, strategy: strategy, faultRates: rates)
            }
            let (first, second) = (make(seed, strategy), make(seed, strategy))
            let journal = Self.run(first)
            orders.insert(journal)
            let replay = make(99, .choices(first.choices))
            for (name, other) in [("the second run", second), ("the replay", replay)] {
                let isSame =
                    Self.run(other) == journal && other.fingerprint == first.fingerprint
                    && other.choices == first.choices && other.steps == first.steps
                    && other.faultCounts == first.faultCounts && other.pauses == first.pauses
                if !isSame { faults.append("\(name) of seed \(seed)") }
            }
            let own = journal.count { !$0.hasPrefix("fault") }
            if own != 4 * 4 * 2 + 2 * 6 || first.fault != nil || journal.contains("elsewhere") {
                faults.append("seed \(seed): \(own) pieces, \(first.fault as Any)")
            }
        }
        #expect(faults == [])
        switch strategy {
        case .random, .sticky(0.5), .prioritized(changes: 3), .delayBounded(4):
            #expect(orders.count > 15, "different seeds give different runs")
        default: break
        }
    }

    /// FNV-1a over the bytes of a text.
    private struct Digest {
        private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ text: String) {
            for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
    }

    private static let kept: [(SchedulingStrategy, UInt64)] = [
        (.inOrder, 16_265_704_621_648_967_365),
        (.random, 5_570_648_074_570_622_105),
        (.sticky(0.6), 17_007_155_067_175_385_248),
        (.prioritized(changes: 40), 8_172_352_345_501_449_752),
        (.delayBounded(60), 15_246_649_967_636_321_950),
        (.choices([1, 0, 2, 1, 1, 3]), 7_368_938_399_854_807_085),
    ]

    /// A seed in a report is useful only if it still gives the same run.
    @Test(arguments: kept)
    func aStrategySchedulesAsBefore(_ strategy: SchedulingStrategy, _ kept: UInt64) {
        var digest = Digest()
        for seed: UInt64 in 0..<12 {
            let rates: [FaultPoint: Double] = [.closes: 0.25]
            let simulation = Simulation(seed: seed, strategy: strategy, faultRates: rates)
            for text in Self.run(simulation) { digest.add(text) }
            digest.add("\(simulation.choices) \(simulation.fingerprint) \(simulation.steps)")
        }
        #expect(digest.value == kept, "\(strategy)")
    }

    /// SplitMix64 as its authors publish it; a copy continues with the same numbers.
    @Test func seededNumbersMatchTheReference() {
        var random = SeededGenerator(seed: 1_234_567)
        var copy = random
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect((0..<5).map { _ in random.next() as UInt64 } == expected)
        #expect((0..<5).map { _ in copy.next() as UInt64 } == expected)
        let drawn = Set((0..<500).map { _ in random.next(below: 7) })
        let isBounded = drawn == Set(0..<7) && random.isTrue(oneIn: 1)
        #expect(isBounded && random.chance(1) && !random.chance(0))
    }

    /// Two runs with the same order have the same fingerprint, and two with different orders have
    /// different ones.
    @Test func fingerprintsDistinguishOrders() {
        var prints: [[Int]: Set<UInt64>] = [:]
        for number in 0..<81 {
            let choices = [number / 27, number / 9 % 3, number / 3 % 3, number % 3]
            let simulation = Simulation(seed: 1, strategy: .choices(choices))
            let journal = Journal<Int>()
            let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
            for number in 0..<9 { lanes[number % 3].enqueue { journal.append(number) } }
            simulation.run()
            prints[journal.values, default: []].insert(simulation.fingerprint)
        }
        // With fewer than three options, some lists make the same choice.
        #expect(prints.count == 78 && Set(prints.values.joined()).count == 78)
    }

    // MARK: Strategies

    /// Returns the lanes of the steps of many short blocks on three lanes and of a fork of three
    /// parts (-1).
    private static func order(_ strategy: SchedulingStrategy, _ seed: UInt64) -> (
        places: [Int], parts: [Int], simulation: Simulation
    ) {
        let simulation = Simulation(seed: seed, strategy: strategy)
        let (journal, parts) = (Journal<Int>(), Journal<Int>())
        let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
        simulation.environment.fork(
            parts: 3,
            joinOn: simulation.makeLane(label: "joins"),
            body: { part in
                journal.append(-1)
                parts.append(part)
            },
            join: {}
        )
        for _ in 0..<40 {
            for (index, lane) in lanes.enumerated() { lane.enqueue { journal.append(index) } }
        }
        simulation.run()
        return (journal.values, parts.values, simulation)
    }

    /// Returns the number of changes of the place between consecutive steps.
    private static func turns(_ places: [Int]) -> Int {
        zip(places, places.dropFirst()).count { $0 != $1 }
    }

    @Test func eachStrategyKeepsItsBound() {
        var faults: [String] = []
        var (mostTurns, mostOvertaken) = ([0, 0, 0, 0], [0, 0, 0, 0])
        var firstParts: Set<Int> = []
        for seed: UInt64 in 0..<120 {
            for bound in 0...3 {
                // One lane runs after the other, except when the highest priority falls; parts have
                // no priority.
                let falling = Self.order(.prioritized(changes: bound), seed)
                let lanes = Self.turns(falling.places.filter { $0 >= 0 })
                if lanes > 2 + bound { faults.append("\(lanes) turns of prioritized(\(bound))") }
                mostTurns[bound] = max(mostTurns[bound], lanes)
                let delayed = Self.order(.delayBounded(bound), seed).simulation.choices
                let overtaken = delayed.count { $0 != 0 }
                if overtaken > bound { faults.append("\(overtaken) of delay-bounded(\(bound))") }
                mostOvertaken[bound] = max(mostOvertaken[bound], overtaken)
            }
            let sticky = Self.order(.sticky(1), seed)
            if Self.turns(sticky.places) != 3 { faults.append("sticky: \(sticky.places)") }
            firstParts.insert(sticky.parts[0])
            if Self.order(.inOrder, seed).simulation.choices.contains(where: { $0 != 0 }) {
                faults.append("in-order overtakes")
            }
            // After half of the list, the run continues in order.
            let whole = Self.order(.random, seed)
            let half = Array(whole.simulation.choices.prefix(20))
            let replay = Self.order(.choices(half), 1)
            if replay.places.prefix(15) != whole.places.prefix(15)
                || replay.simulation.choices.dropFirst(20).contains(where: { $0 != 0 })
            {
                faults.append("half of the choices of seed \(seed)")
            }
        }
        #expect(faults == [])
        #expect(mostTurns[0...2] == [2, 3, 4] && mostOvertaken == [0, 1, 2, 3])
        #expect(firstParts == [0, 1, 2], "any part of a fork can run first")
    }

    @Test func drawnStrategiesCoverEveryKind() {
        var random = SeededGenerator(seed: 1)
        let names = (0..<500).map { _ in
            "\(SchedulingStrategy.drawn(from: &random))".prefix { $0 != "(" }
        }
        #expect(Set(names) == ["in-order", "random", "sticky", "prioritized", "delay-bounded"])
    }

    // MARK: Time

    @Test func timersFireInOrderAndOnlyThenTimePasses() {
        let simulation = Simulation(seed: 1)
        let lane = simulation.makeLane(label: "main")
        let longest = Duration(attoseconds: .max)
        let journal = Journal<[Duration]>()
        for _ in 0..<10 { lane.enqueue { if simulation.now != .zero { journal.append([]) } } }
        while simulation.step() {}
        simulation.advanceClock(by: .seconds(1))
        let delays: [Duration] = [
            longest, .seconds(2), Duration(attoseconds: .min), .seconds(2), .zero,
        ]
        for delay in delays {
            simulation.environment.schedule(after: delay, on: lane) {
                journal.append([delay, simulation.now - .seconds(1)])
            }
        }
        simulation.run()
        let expected: [[Duration]] = [
            [Duration(attoseconds: .min), .zero], [.zero, .zero], [.seconds(2), .seconds(2)],
            [.seconds(2), .seconds(2)], [longest, longest - .seconds(1)],
        ]
        #expect(journal.values == expected)
        simulation.advanceClock(by: .seconds(-1))
        simulation.advanceClock(by: longest)
        #expect(simulation.now == longest, "the clock never goes back and stops at its maximum")
    }

    @Test func aTimerFiresLateAfterAJumpOfTheClock() {
        let simulation = Simulation(seed: 1)
        let lane = simulation.makeLane(label: "main")
        let journal = Journal<Duration>()
        simulation.environment.schedule(after: .nanoseconds(10), on: lane) {
            journal.append(simulation.now)
        }
        simulation.advanceClock(by: .nanoseconds(50))
        #expect(journal.values == [] && simulation.steps == 0)
        simulation.run()
        #expect(journal.values == [.nanoseconds(50)])
    }

    // MARK: Runs that never end

    @Test func aDeadlockNamesEveryCallThatWaits() {
        let simulation = Simulation(seed: 3)
        let signals = (0..<3).map { _ in simulation.environment.makeSignal() }
        let journal = Journal<Int>()
        for number in 0..<3 {
            let lane = simulation.makeLane(label: "lane \(number)")
            lane.enqueue {
                signals[(number + 1) % 3].wait()
                journal.append(number)
            }
            if number == 0 { lane.enqueue {} }
        }
        simulation.run()
        guard case .deadlock(let report)? = simulation.fault else {
            Issue.record("found \(simulation.fault as Any)")
            return
        }
        #expect(
            report.split(separator: "\n").sorted() == [
                "lane lane 0: #0 waits for a signal", "lane lane 0: 1 waiting, since number 1",
                "lane lane 1: #2 waits for a signal", "lane lane 2: #3 waits for a signal",
            ]
        )
        // Every step still ends; otherwise its thread would remain.
        #expect(journal.values.sorted() == [0, 1, 2])
        #expect(simulation.report == "nothing waits" && !simulation.step())
    }

    @Test func aLivelockIsTheFirstFaultAndReportsAllWaitingWork() {
        let simulation = Simulation(seed: 1, strategy: .choices([]))
        let main = simulation.makeLane(label: "main")
        @Sendable func again() { main.enqueue { again() } }
        again()
        simulation.environment.schedule(after: .nanoseconds(7), on: main) {}
        simulation.environment.fork(parts: 2, joinOn: main, body: { _ in again() }, join: {})
        #expect(!simulation.run(atMost: 2))
        let report = """
            lane main: 2 waiting, since number 3
            fork 2: 1 parts not begun, 1 not done, joins on main
            timer 1: due at 7 ns on main
            """
        #expect(simulation.fault == .livelock(steps: 2, report: report))
        #expect(!simulation.run(atMost: 100))
        #expect(simulation.fault == .livelock(steps: 2, report: report), "the first is kept")
    }

    @Test(arguments: [0, 1, 9, 10, 11, -3, Int.max])
    func aRunStopsExactlyAtItsStepLimit(_ limit: Int) {
        let simulation = Simulation(seed: 1)
        let lane = simulation.makeLane(label: "main")
        for _ in 0..<10 { lane.enqueue {} }
        let isDone = simulation.run(atMost: limit)
        #expect(isDone == (limit >= 10) && (simulation.fault == nil) == isDone)
        #expect(simulation.steps == min(10, max(0, limit)))
        #expect(simulation.run() && simulation.steps == 10, "a later call runs the remaining steps")
    }

    // MARK: Faults

    @Test func faultsHappenAtTheirRateUntilTheyEnd() {
        let simulation = Simulation(
            seed: 1,
            faultRates: [.viewRefuses: 1, .closes: 0.25, .viewIsBusy: 0]
        )
        var counts: [FaultPoint: Int] = [:]
        for fault: FaultPoint in [.viewRefuses, .viewIsBusy, .modelLies, .closes] {
            counts[fault] = (0..<1000).count { _ in simulation.happens(fault) }
        }
        let closes = counts[.closes] ?? 0
        #expect(counts == [.viewRefuses: 1000, .viewIsBusy: 0, .modelLies: 0, .closes: closes])
        #expect((180...320).contains(closes))
        #expect(simulation.faultCounts == [.viewRefuses: 1000, .closes: closes])
        // A fault that cannot happen makes no choice, but counts as an opportunity.
        #expect(simulation.choices.count == 2000 && simulation.opportunities == 4000)
        simulation.endFaults()
        #expect(!(0..<100).contains { _ in simulation.happens(.viewRefuses) })
        #expect(simulation.opportunities == 4000)
    }

    @Test func onlyTheChosenFaultHappens() {
        for place in 0..<6 {
            let simulation = Simulation(seed: 1, faultRates: [.closes: 1], onlyFault: place)
            let answers = (0..<6).map { simulation.happens($0 % 2 == 0 ? .closes : .viewRefuses) }
            #expect(answers == (0..<6).map { $0 == place } && simulation.choices.isEmpty)
        }
    }
}
