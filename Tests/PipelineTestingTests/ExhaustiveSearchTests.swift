import PipelineTestSupport
import Testing

/// An exhaustive search visits every interleaving exactly once; the tests compare the numbers with
/// combinatorics.
@Suite struct ExhaustiveSearchTests {
    /// Runs `body` and the simulation for every list of choices.
    private static func search(
        atMost limit: Int = 100_000,
        _ body: (Simulation, Journal<String>) -> Void
    ) -> [[String]] {
        var runs: [[String]] = []
        var choices: [Int]? = []
        while let list = choices, runs.count < limit {
            let simulation = Simulation(seed: 0, strategy: .choices(list))
            let journal = Journal<String>()
            body(simulation, journal)
            #expect(simulation.run())
            runs.append(journal.values)
            choices = simulation.nextChoices
        }
        #expect(choices == nil, "Expected the search to end within \(limit) runs")
        return runs
    }

    private static func factorial(_ number: Int) -> Int { (1...max(1, number)).reduce(1, *) }

    /// Lanes with a, b, … steps have (a + b + …)! / (a! b! …) interleavings.
    @Test(arguments: [
        [1], [3], [1, 1], [2, 2], [1, 2, 3], [2, 2, 2], [1, 1, 1, 1], [4, 5], [],
    ])
    func lanesInterleaveInEveryWayExactlyOnce(_ steps: [Int]) {
        let runs = Self.search { simulation, journal in
            for (index, count) in steps.enumerated() {
                let lane = simulation.makeLane(label: "\(index)")
                for number in 0..<count { lane.enqueue { journal.append("\(index).\(number)") } }
            }
        }
        let expected =
            Self.factorial(steps.reduce(0, +)) / steps.map(Self.factorial).reduce(1, *)
        #expect(runs.count == expected)
        #expect(Set(runs).count == expected)
    }

    /// The parts run in any of parts! orders, the join after them, and the steps of another lane
    /// anywhere.
    @Test(arguments: [1, 2, 3, 4], [0, 1, 2])
    func partsAndJoinsInterleaveWithALane(_ parts: Int, _ steps: Int) {
        let runs = Self.search { simulation, journal in
            let (main, other) = (
                simulation.makeLane(label: "main"), simulation.makeLane(label: "other")
            )
            simulation.environment.fork(
                parts: parts,
                joinOn: main,
                body: { journal.append("part \($0)") },
                join: { journal.append("join") }
            )
            for number in 0..<steps { other.enqueue { journal.append("\(number)") } }
        }
        let places =
            Self.factorial(parts + 1 + steps)
            / (Self.factorial(parts + 1) * Self.factorial(steps))
        #expect(runs.count == Self.factorial(parts) * places)
        #expect(Set(runs).count == runs.count)
    }

    /// A timer may fire before any step of a lane, or after the last.
    @Test func aTimerMayFireAnywhere() {
        let runs = Self.search { simulation, journal in
            let lane = simulation.makeLane(label: "lane")
            for number in 0..<3 { lane.enqueue { journal.append("\(number)") } }
            let other = simulation.makeLane(label: "other")
            simulation.environment.schedule(after: .nanoseconds(1), on: other) {
                journal.append("timer")
            }
        }
        #expect(Set(runs).count == 4)
    }

    /// Every interleaving of a whole pipeline in which two clients change the same section.
    @Test(.endsHangs)
    func everyInterleavingOfASmallPipelineEndsInTheSameModel() {
        var controllers: [DataController<TextDataSource>] = []
        let runs = Self.search(atMost: 3000) { simulation, outcomes in
            let controller = DataController(
                dataSource: TextDataSource([["a"]]),
                lane: simulation.makeLane(label: "main"),
                environment: simulation.environment
            )
            for text in ["b", "c"] {
                simulation.makeLane(label: text).enqueue {
                    controller.enqueueBatchUpdates {
                        $0.append(text, &$1)
                    } completion: {
                        outcomes.append($0.outcome.text)
                    }
                }
            }
            controllers.append(controller)
        }
        // Each run begins with the first load.
        #expect(Set(runs) == [["deployedByReload", "deployed"]] && runs.count > 1000)
        let texts = controllers.map { $0.visibleMap.texts.map { $0.sorted() } }
        #expect(Set(texts) == [[["a", "b", "c"]]])
    }
}
