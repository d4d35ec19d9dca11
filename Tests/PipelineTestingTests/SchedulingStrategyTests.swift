import PipelineTestSupport
import PipelineTesting
import Testing

@Suite struct SchedulingStrategyTests {
    /// The lanes of the steps of a run of many short pieces on a few lanes.
    private func order(
        _ strategy: SchedulingStrategy,
        seed: UInt64,
        lanes count: Int,
        pieces: Int
    ) -> (lanes: [Int], simulation: Simulation) {
        let simulation = Simulation(seed: seed, strategy: strategy)
        let journal = Journal<Int>()
        let lanes = (0..<count).map { simulation.makeLane(label: "\($0)") }
        for _ in 0..<pieces {
            for (index, lane) in lanes.enumerated() {
                lane.enqueue { journal.append(index) }
            }
        }
        #expect(simulation.run())
        return (journal.values, simulation)
    }

    @Test func ofWhatIsReadyAnythingComesWithEqualChances() {
        var firsts = Array(repeating: 0, count: 5)
        for seed: UInt64 in 0..<3000 {
            firsts[order(.random, seed: seed, lanes: 5, pieces: 1).lanes[0]] += 1
        }
        #expect(firsts.allSatisfy { (500...700).contains($0) }, "\(firsts)")
    }

    /// What runs goes on with the probability, or by being drawn among the others.
    @Test(arguments: [0, 0.3, 0.7, 1])
    func whatRunsGoesOnAsOftenAsItsProbabilitySays(_ probability: Double) {
        var (stayed, steps) = (0, 0)
        for seed: UInt64 in 0..<Effort.number(200, usually: 40) {
            // While all four still have something to do.
            let lanes = order(.sticky(probability), seed: seed, lanes: 4, pieces: 60).lanes
            for index in 1..<50 {
                steps += 1
                if lanes[index] == lanes[index - 1] { stayed += 1 }
            }
        }
        let expected = probability + (1 - probability) / 4
        #expect(abs(Double(stayed) / Double(steps) - expected) < Effort.number(0.02, usually: 0.05))
    }

    @Test(arguments: 0...4)
    func prioritiesChangeAtMostSoManyTimes(_ changes: Int) {
        var most = 0
        for seed: UInt64 in 0..<Effort.number(300, usually: 60) {
            let lanes = order(.prioritized(changes: changes), seed: seed, lanes: 3, pieces: 60)
                .lanes
            let runs = zip(lanes, lanes.dropFirst()).count { $0 != $1 }
            // Lane after lane to its end, but where the highest falls behind the others.
            #expect(runs <= 2 + changes)
            most = max(most, runs)
        }
        #expect(most == 2 + changes || changes > 2)
    }

    /// What ran of three lanes and a fork of three parts, in order: lanes by number, parts by a negative one.
    private func orderWithAFork(_ strategy: SchedulingStrategy, seed: UInt64) -> [Int] {
        let simulation = Simulation(seed: seed, strategy: strategy)
        let journal = Journal<Int>()
        let lanes = (0..<3).map { simulation.makeLane(label: "\($0)") }
        simulation.environment.fork(
            parts: 3,
            joinOn: lanes[0],
            body: { journal.append(-1 - $0) },
            join: {}
        )
        for (index, lane) in lanes.enumerated() {
            for _ in 0..<6 { lane.enqueue { journal.append(index) } }
        }
        #expect(simulation.run())
        return journal.values
    }

    /// Workers that run go on until the fork is done, and the lanes have nothing from the numbers of its parts.
    @Test func aStickyForkGoesOnWhateverItsPartsAndTheLanesAreNumbered() {
        for seed: UInt64 in 0..<Effort.number(300, usually: 60) {
            let ran = orderWithAFork(.sticky(1), seed: seed)
            let places = ran.map { max($0, -1) }
            #expect(zip(places, places.dropFirst()).count { $0 != $1 } == 3, "\(ran)")
        }
    }

    @Test func aStickyForkBeginsWithAnyPart() {
        let first = (UInt64(0)..<200).map { seed in
            orderWithAFork(.sticky(1), seed: seed).first { $0 < 0 }
        }
        #expect(Set(first) == [-1, -2, -3])
    }

    /// Where no priority changes, the lanes come in the order of theirs, in which the parts have no say.
    @Test func ofAForkAnyPartComesNextWhateverPrioritiesLanesHave() {
        var pairs: Set<[Int]> = []
        for seed: UInt64 in 0..<2000 {
            let ran = orderWithAFork(.prioritized(changes: 0), seed: seed)
            // The join belongs to lane 0, and comes as a piece of it without a trace here.
            let lanes = ran.filter { $0 >= 0 }
            var order: [Int] = []
            for lane in lanes where !order.contains(lane) { order.append(lane) }
            #expect(zip(lanes, lanes.dropFirst()).count { $0 != $1 } == 2, "\(ran)")
            pairs.insert(order + ran.filter { $0 < 0 })
        }
        #expect(pairs.count == 36)
    }

    @Test(arguments: 0...5)
    func atMostSoManyStepsAreOvertaken(_ delays: Int) {
        var most = 0
        for seed: UInt64 in 0..<Effort.number(300, usually: 60) {
            let run = order(.delayBounded(delays), seed: seed, lanes: 3, pieces: 100)
            let overtaken = run.simulation.choices.count { $0 != 0 }
            #expect(overtaken <= delays && run.simulation.choices.allSatisfy { $0 <= 1 })
            most = max(most, overtaken)
        }
        #expect(most == delays)
    }

    /// A replay of half a list goes on with what was enqueued first.
    @Test func afterTheListWhatWasEnqueuedFirstComes() {
        for seed: UInt64 in 0..<50 {
            let whole = order(.random, seed: seed, lanes: 3, pieces: 6)
            let half = Array(whole.simulation.choices.prefix(5))
            let replay = order(.choices(half), seed: 1, lanes: 3, pieces: 6)
            #expect(replay.lanes.prefix(5) == whole.lanes.prefix(5))
            #expect(replay.simulation.choices.prefix(5) == half[...])
            #expect(replay.simulation.choices.dropFirst(5).allSatisfy { $0 == 0 })
        }
    }

    @Test func aStrategyIsDescribedByItsNameAndNumber() {
        let strategies: [SchedulingStrategy] = [
            .inOrder, .random, .sticky(0.5), .prioritized(changes: 3), .delayBounded(2),
            .choices([1, 0, 2]),
        ]
        #expect(
            strategies.map(\.description) == [
                "in-order", "random", "sticky(0.5)", "prioritized(3)", "delay-bounded(2)",
                "choices(3)",
            ]
        )
    }
}
