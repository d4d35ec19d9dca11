import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// Shrinks plans that fail for a reason that can be named, so that the smallest of them is known.
@Suite("The smallest plan that fails") struct SmallestPlanTests {
    /// A run of nothing that fails where `isFailing` says so, with choices of its own.
    private static func run(
        choices: [Int] = [],
        _ isFailing: @escaping (RunPlan) -> Bool
    ) -> Shrinker.Run {
        { plan in
            var made = choices
            if case .choices(let list) = plan.strategy { made = list }
            let result = RunResult(
                plan: plan,
                violations: [],
                steps: 0,
                fingerprint: 0,
                choices: made,
                opportunities: 0,
                marks: [:],
                trace: [],
                laneLabels: []
            )
            guard isFailing(plan) else { return result }
            return result.adding(GuaranteeViolation(guarantee: "It", message: "fails"))
        }
    }

    /// Everything is on and there is a lot of it.
    private static var large: RunPlan {
        var plan = RunPlan(seed: 7)
        plan.strategy = .random
        (plan.workerCount, plan.sections, plan.items, plan.backlogLimit) = (4, 5, 6, 3)
        (plan.rejectsWhenFull, plan.reloadsOnRejection, plan.decomposesMoves) = (true, true, true)
        (plan.hasLayout, plan.givesRanges, plan.mergesWhenFull) = (true, true, true)
        plan.measuring = RunPlan.Measuring(first: 2, isOnDemand: true)
        plan.clients = [
            [.wait, .edit(1), .clear, .fail, .reload, .edit(2), .askWhenDone],
            [.edit(3)], [.relayoutAll, .insertAtTop, .wait, .clear, .fail, .reload],
        ]
        plan.faults = [
            .init(point: .closes, rate: 0.1), .init(point: .viewRefuses, rate: 0.2),
            .init(point: .clockJumps, rate: 0.3),
        ]
        var random = SeededGenerator(seed: 1)
        var view = ViewPlan(&random)
        (view.layout, view.sizesItself, view.isPrefetching) = (.flow, true, true)
        (view.hasRanges, view.hasFetcher, view.isInverted) = (true, true, true)
        plan.view = view
        return plan
    }

    private func smallest(
        choices: [Int] = [],
        _ isFailing: @escaping (RunPlan) -> Bool
    ) -> RunPlan {
        Shrinker.shrink(Self.large, breaking: "It", by: Self.run(choices: choices, isFailing))
    }

    private static var empty: RunPlan {
        var plan = large
        plan.strategy = .choices([])
        (plan.workerCount, plan.sections, plan.items, plan.backlogLimit) = (1, 0, 0, 64)
        (plan.rejectsWhenFull, plan.reloadsOnRejection) = (false, false)
        (plan.mergesWhenFull, plan.measuring) = (false, nil)
        (plan.decomposesMoves, plan.hasLayout, plan.givesRanges) = (false, false, false)
        (plan.clients, plan.faults, plan.view) = ([], [], nil)
        return plan
    }

    @Test func whereEverythingFailsNothingIsLeft() {
        var small = smallest(choices: [1, 0, 2]) { _ in true }
        small.seed = Self.large.seed
        #expect(small == Self.empty)
    }

    @Test func whatMattersIsLeftAlone() {
        let small = smallest { plan in
            plan.sections > 0 && plan.items > 0 && plan.view != nil && plan.workerCount > 1
        }
        var expected = Self.empty
        (expected.sections, expected.items, expected.workerCount) = (1, 1, 4)
        (expected.view, expected.seed) = (Self.large.view, small.seed)
        expected.view?.layout = .list
        expected.view?.sizesItself = false
        expected.view?.isPrefetching = false
        expected.view?.hasRanges = false
        expected.view?.isInverted = nil
        expected.view?.hasFetcher = false
        #expect(small == expected)
    }

    static let kept: [(name: String, keeps: @Sendable (RunPlan) -> Bool)] = [
        ("decomposesMoves", { $0.decomposesMoves }), ("hasLayout", { $0.hasLayout }),
        ("givesRanges", { $0.givesRanges }), ("rejectsWhenFull", { $0.rejectsWhenFull }),
        ("mergesWhenFull", { $0.mergesWhenFull }), ("measuring", { $0.measuring != nil }),
        ("reloadsOnRejection", { $0.reloadsOnRejection }),
        ("backlogLimit", { $0.backlogLimit == 3 }), ("layout", { $0.view?.layout == .flow }),
        ("sizesItself", { $0.view?.sizesItself == true }),
        ("isPrefetching", { $0.view?.isPrefetching == true }),
        ("hasRanges", { $0.view?.hasRanges == true }),
        ("hasFetcher", { $0.view?.hasFetcher == true }),
    ]

    /// And nothing else beside it.
    @Test func eachSettingThatMattersIsLeft() {
        for (name, keeps) in Self.kept {
            let small = smallest(keeps)
            let others = Self.kept.filter { $0.keeps(small) && $0.name != name }.map(\.name)
            #expect(keeps(small), "\(name)")
            #expect(others == [], "\(name)")
            #expect(small.clients == [] && small.faults == [] && small.workerCount == 1)
        }
    }

    /// Some of the actions, wherever they are, and no other.
    @Test func ofTheActionsThoseAreLeftThatMatter() {
        let actions = Self.large.clients
        for (first, second) in zip(actions[0], actions[2].reversed()) {
            let small = smallest { plan in
                plan.clients.count >= 2 && plan.clients.first?.contains(first) == true
                    && plan.clients.last?.contains(second) == true
            }
            #expect(small.clients == [[first], [second]])
        }
        let ordered = smallest { plan in
            let all = Array(plan.clients.joined())
            guard let clear = all.firstIndex(of: .clear), let fail = all.lastIndex(of: .fail) else {
                return false
            }
            return clear < fail && all.contains(.wait)
        }
        #expect(ordered.actionCount == 3)
    }

    @Test func aFaultThatMattersIsLeftAndHappensAlways() {
        for fault in Self.large.faults {
            let small = smallest { $0.faults.contains { $0.point == fault.point } }
            #expect(small.faults == [.init(point: fault.point, rate: 1)])
            let rare = smallest { $0.faults.contains(fault) }
            #expect(rare.faults == [fault])
        }
    }

    /// A list of choices as plain and as short as can be.
    @Test func ofTheChoicesThoseAreLeftThatMatter() {
        let made = [1, 2, 0, 1, 3, 1, 0, 2, 1, 1, 4]
        for kept in made.indices where made[kept] > 0 {
            let small = smallest(choices: made) { plan in
                guard case .choices(let list) = plan.strategy else { return true }
                return list.count > kept && list[kept] == made[kept]
            }
            let expected = Array(repeating: 0, count: kept) + [made[kept]]
            #expect(small.strategy == .choices(expected))
        }
        let none = smallest(choices: made) { $0.strategy != .inOrder }
        #expect(none.strategy == .choices([]))
    }

    /// Smaller plans fail by chance with other seeds, of which some are tried.
    @Test func otherSeedsAreTried() {
        var tried: Set<UInt64> = []
        let rest = (Self.large.seed % 4 + 1) % 4
        let small = Shrinker.shrink(
            Self.large,
            breaking: "It",
            by: Self.run { plan in
                tried.insert(plan.seed)
                return plan == Self.large || plan.seed % 4 == rest
            }
        )
        #expect(small.seed % 4 == rest && tried.count > 1)
        #expect(small.clients == [] && small.faults == [] && small.view == nil)
    }

    @Test(arguments: [0, 1, 2, 13, 14, 40])
    func itRunsNoMoreOftenThanItMay(_ runs: Int) {
        var count = 0
        let small = Shrinker.shrink(Self.large, breaking: "It", runs: runs) { plan in
            count += 1
            return Self.run { _ in false }(plan)
        }
        // One more tells the choices of what is left.
        #expect(count == runs + 1)
        #expect(small == Self.large)
    }
}
