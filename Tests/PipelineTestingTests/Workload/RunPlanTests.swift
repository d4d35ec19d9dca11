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
            "viewIsBusy has a rate of 1.0, not at most 0.9",
            { $0.faults = [.init(point: .viewIsBusy, rate: 1)] }
        ),
        (
            "stallMicroseconds is 0, not 1 to 1000000000",
            { $0.stallMicroseconds = 0 }
        ),
        ("the strategy counts -1", { $0.strategy = .delayBounded(-1) }),
        ("the strategy counts \(Int.max)", { $0.strategy = .prioritized(changes: .max) }),
        (
            "an extent of the view is -1, not 0 to 1000",
            {
                $0.view = .wide; $0.view?.width = -1
            }
        ),
        (
            "an extent of the view is \(Int.max), not 0 to 1000",
            {
                $0.view = .wide; $0.view?.height = .max
            }
        ),
        ("a number is out of range: idle -1", { $0.clients = [[.view(.idle(-1))]] }),
        ("a number is out of range: inset 1001", { $0.clients = [[.view(.inset(1001))]] }),
        (
            "a number is out of range: scroll \(Int.min)",
            { $0.clients = [[.view(.scroll(.min))]] }
        ),
        (
            "a number is out of range: drag 1 in 101 turns",
            { $0.clients = [[.view(.drag(turns: 101, tenths: 1))]] }
        ),
        (
            "a number is out of range: touch for -1 turns",
            { $0.clients = [[.view(.touch(0, turns: -1))]] }
        ),
        (
            "a number is out of range: resize to 2 × 1001",
            { $0.clients = [[.view(.resize(width: 2, height: 1001, isAnimated: false))]] }
        ),
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

    /// All that may be done to a view, at the ends of what is allowed.
    @Test func extremesOfAViewRun() {
        for layout in ViewPlan.Layout.allCases {
            var plan = RunPlan(seed: 1)
            plan.view = .wide
            plan.view?.layout = layout
            plan.faults = [.init(point: .viewDropsUpdate, rate: 0.5)]
            plan.clients += [
                [
                    .view(.scroll(1_000_000)), .view(.scroll(-1_000_000)),
                    .view(.scrollToItem(.max)), .view(.drag(turns: 100, tenths: 1_000_000)),
                    .view(.resize(width: 0, height: 0, isAnimated: true)),
                    .view(.resize(width: 1000, height: 1000, isAnimated: true)),
                    .view(.touch(.max, turns: 100)), .view(.select(.max)), .view(.idle(1000)),
                    .view(.changeWish(.max)), .view(.inset(1000)), .view(.invalidate),
                ]
            ]
            #expect(plan.problem == nil)
            #expect(SimulatedRun.run(plan).violations == [], "\(layout)")
        }
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

extension ViewPlan {
    /// As large as may be, and with everything on.
    fileprivate static var wide: ViewPlan {
        var random = SeededGenerator(seed: 1)
        var plan = ViewPlan(&random)
        (plan.width, plan.height) = (1000, 1000)
        (plan.sizesItself, plan.isPrefetching) = (true, true)
        (plan.hasRanges, plan.hasFetcher) = (true, true)
        return plan
    }
}
