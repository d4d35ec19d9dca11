import PipelineTestSupport
import Testing

@Suite("Simulated runs of a whole pipeline", .endsHangs)
struct SimulatedRunTests {
    @Test func aRangeOfSeedsBreaksNothingAndReachesEverything() {
        var marks: [String: Int] = [:]
        for seed: UInt64 in 0..<400 {
            let result = SimulatedRun.run(RunPlan(seed: seed))
            for violation in result.violations.prefix(3) {
                Issue.record("seed \(seed): \(violation)")
            }
            for (name, count) in result.marks { marks[name, default: 0] += count }
        }
        for name in [
            "deployed", "deployedByReload", "superseded", "rejected", "cancelled",
            "event handedOver", "event accepted", "event rejected", "event elementFailed",
            "event viewRefused", "event deployed", "event closed", "view applied",
            "event stalled", "event stallEnded", "stalled for the view to deploy it",
            "stalled for the view to finish it", "stalled for room in the backlog",
            "hub resumed", "hub up to date", "hub reloaded", "hub reset joined",
            "hub window", "hub moved", "hub reset otherHistory", "hub reset unknownVersion",
            "hub reset forgotten",
        ] {
            #expect(marks[name, default: 0] > 0, "\(name) is among \(marks.keys.sorted())")
        }
    }

    @Test func aPlanGivesTheSameRunAgainAndItsChoicesToo() {
        for seed: UInt64 in 0..<Effort.number(60, usually: 20) {
            let plan = RunPlan(seed: seed)
            let first = SimulatedRun.run(plan)
            let second = SimulatedRun.run(plan)
            #expect(first.fingerprint == second.fingerprint, "seed \(seed)")
            #expect(first.steps == second.steps && first.choices == second.choices)
            #expect(first.marks == second.marks)
            var replay = plan
            replay.strategy = .choices(first.choices)
            let third = SimulatedRun.run(replay)
            #expect(third.fingerprint == first.fingerprint, "seed \(seed) replayed")
            #expect(third.choices == first.choices)
        }
    }

    @Test(arguments: SimulationTests.strategies)
    func everyStrategyBreaksNothing(_ strategy: SchedulingStrategy) {
        for seed: UInt64 in 0..<Effort.number(20, usually: 8) {
            var plan = RunPlan(seed: seed)
            plan.strategy = strategy
            #expect(SimulatedRun.run(plan).violations == [], "seed \(seed)")
        }
    }

    /// One fault at a time, in every place where one could happen.
    @Test func everySingleFaultBreaksNothing() {
        var faults = 0
        let seeds: UInt64 = Effort.number(3, usually: 1)
        for seed in 0..<seeds {
            var plan = RunPlan(seed: seed)
            plan.faults = []
            let plain = SimulatedRun.run(plan)
            #expect(plain.violations == [])
            #expect(plain.opportunities > 0)
            let step = Effort.number(1, usually: 7)
            for place in stride(from: 0, to: plain.opportunities, by: step) {
                plan.onlyFault = place
                let result = SimulatedRun.run(plan)
                #expect(result.violations == [], "seed \(seed), fault \(place)")
                // What comes before it is as it was.
                #expect(result.opportunities > place)
                faults += 1
            }
        }
        #expect(faults > (Effort.isFull ? 100 : 0))
    }

    @Test func theTraceIsKeptOnRequest() {
        let plan = RunPlan(seed: 5)
        let plain = SimulatedRun.run(plan)
        let traced = SimulatedRun.run(plan, keepsTrace: true)
        #expect(plain.trace.isEmpty)
        #expect(traced.trace.count == traced.steps)
        #expect(traced.fingerprint == plain.fingerprint)
        #expect(traced.laneLabels.first == "main")
    }
}
