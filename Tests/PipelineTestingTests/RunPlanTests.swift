import Foundation
import PipelineTestSupport
import Testing

@Suite struct RunPlanTests {
    @Test func plansSurviveJSON() throws {
        for seed: UInt64 in 0..<200 {
            let plan = RunPlan(seed: seed)
            let data = try JSONEncoder().encode(plan)
            #expect(try JSONDecoder().decode(RunPlan.self, from: data) == plan)
            #expect(plan.problem == nil)
        }
        var plan = RunPlan(seed: 1)
        plan.strategy = .choices([0, 3, 1])
        let data = try JSONEncoder().encode(plan)
        #expect(try JSONDecoder().decode(RunPlan.self, from: data) == plan)
    }

    @Test func theSameSeedGivesTheSamePlan() {
        #expect(RunPlan(seed: 3) == RunPlan(seed: 3))
        #expect(Set((0..<100).map { RunPlan(seed: $0) }).count == 100)
    }

    /// What a file may say that no seed does.
    static let problems: [(message: String, change: @Sendable (inout RunPlan) -> Void)] = [
        ("workerCount is 0, not 1 to 64", { $0.workerCount = 0 }),
        ("workerCount is \(Int.max), not 1 to 64", { $0.workerCount = .max }),
        ("sections is -1, not 0 to 100", { $0.sections = -1 }),
        ("items is 1001, not 0 to 1000", { $0.items = 1001 }),
        ("backlogLimit is 0, not 1 to 1000000", { $0.backlogLimit = 0 }),
        ("there is too much to do", { $0.clients = Array(repeating: [.wait], count: 65) }),
        ("there is too much to do", { $0.clients = [Array(repeating: .reload, count: 10_001)] }),
        ("a rate is not 0 to 1", { $0.faults = [.init(point: .closes, rate: 1.5)] }),
        ("a rate is not 0 to 1", { $0.faults = [.init(point: .closes, rate: .nan)] }),
        ("a rate is not 0 to 1", { $0.strategy = .sticky(-1) }),
        (
            "the view is busy at a rate of 1.0, not at most 0.9",
            { $0.faults = [.init(point: .viewIsBusy, rate: 1)] }
        ),
        ("the strategy counts -1", { $0.strategy = .delayBounded(-1) }),
        ("the strategy counts \(Int.max)", { $0.strategy = .prioritized(changes: .max) }),
        (
            "a close has a deadline of -5",
            { $0.clients = [[.close(draining: true, microseconds: -5)]] }
        ),
    ]

    @Test(arguments: problems.indices)
    func aPlanFromOutsideIsLookedAt(_ index: Int) {
        let (message, change) = Self.problems[index]
        var plan = RunPlan(seed: 1)
        change(&plan)
        #expect(plan.problem == message)
    }

    /// Whatever is no problem runs to an end, whatever it says.
    @Test func extremesThatAreAllowedRun() {
        var plan = RunPlan(seed: 1)
        plan.strategy = .choices([.max, .min, -1])
        plan.faults = FaultPoint.all.map { .init(point: $0, rate: 0.9) }
        plan.faults += [.init(point: FaultPoint(rawValue: "nobody's"), rate: 1)]
        plan.clients = [
            [.traits(.max), .traits(.min), .edit(.max), .wait],
            [.close(draining: true, microseconds: .max), .close(draining: false, microseconds: 0)],
        ]
        #expect(plan.problem == nil)
        #expect(SimulatedRun.run(plan).violations == [])
    }
}
