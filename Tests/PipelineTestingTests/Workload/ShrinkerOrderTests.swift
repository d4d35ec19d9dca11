import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What a shrinker tries, and in which order, with runs that are functions of the plan alone.
@Suite("What a shrinker tries", .endsHangs)
struct ShrinkerOrderTests {
    private static let guarantee = "Broken"

    private static func result(
        of plan: RunPlan,
        _ isBroken: Bool,
        choices: [Int] = []
    ) -> RunResult {
        RunResult(
            plan: plan,
            violations: isBroken ? [GuaranteeViolation(guarantee: guarantee, message: "")] : [],
            steps: 0,
            fingerprint: 0,
            choices: choices,
            opportunities: 0,
            marks: [:],
            trace: [],
            laneLabels: []
        )
    }

    private static func plan(
        _ clients: [[RunPlan.Action]],
        _ strategy: SchedulingStrategy
    ) -> RunPlan {
        var plan = RunPlan(seed: 1)
        (plan.clients, plan.strategy) = (clients, strategy)
        (plan.faults, plan.view, plan.measuring) = ([], nil, nil)
        return plan
    }

    private static func list(of plan: RunPlan) -> [Int]? {
        if case .choices(let list) = plan.strategy { list } else { nil }
    }

    /// Those of a client that never gets smaller: by halves from the end, each half as large as those before.
    private static func expectedRemovals(of count: Int) -> [Range<Int>] {
        var removals: [Range<Int>] = []
        var size = max(1, count / 2)
        while true {
            var start = count - size
            while start >= 0 {
                removals.append(start..<start + size)
                start -= size
            }
            if size == 1 { return removals }
            size /= 2
        }
    }

    @Test(arguments: 1...9)
    func actionsAreLeftOutInHalvesAndThenOneByOne(_ count: Int) {
        let actions = (0..<count).map { RunPlan.Action.traits($0) }
        let plan = Self.plan([actions], .choices([]))
        var tried: [[RunPlan.Action]] = []
        let small = Shrinker.shrink(plan, breaking: Self.guarantee) { candidate in
            // The first round, before sizes fall.
            if candidate.clients != plan.clients { tried.append(candidate.clients.first ?? []) }
            return Self.result(of: candidate, false)
        }
        #expect(small == plan)
        let expected = Self.expectedRemovals(of: count).map { removal in
            actions.indices.filter { !removal.contains($0) }.map { actions[$0] }
        }
        // The whole client comes first, and there are three rounds.
        #expect(tried == Array(repeating: [[]] + expected, count: 3).flatMap { $0 })
    }

    @Test(arguments: 1...9)
    func choicesAreCutInHalvesAndThenMadePlainFromTheEnd(_ count: Int) {
        let list = (0..<count).map { ($0 + 1) % 3 }
        let plan = Self.plan([], .choices(list))
        var tried: [[Int]] = []
        let small = Shrinker.shrink(plan, breaking: Self.guarantee) { candidate in
            if let other = Self.list(of: candidate), other != list { tried.append(other) }
            return Self.result(of: candidate, false, choices: list)
        }
        #expect(small == plan)
        var expected: [[Int]] = []
        var size = max(1, count / 2)
        while size >= 1 {
            expected.append(Array(list.dropLast(size)))
            size /= 2
        }
        for index in list.indices.reversed() where list[index] != 0 {
            var plainer = list
            plainer[index] = 0
            expected.append(plainer)
        }
        #expect(tried == expected)
    }

    /// However long the list, only what the failure needs is left of it.
    @Test func oneChoiceThatMattersIsAllThatIsLeft() {
        for count in 1...12 {
            for place in 0..<count {
                let plan = Self.plan([], .choices(Array(repeating: 2, count: count)))
                let small = Shrinker.shrink(plan, breaking: Self.guarantee) { candidate in
                    let list = Self.list(of: candidate) ?? []
                    let isBroken = list.indices.contains(place) && list[place] != 0
                    return Self.result(of: candidate, isBroken, choices: list)
                }
                #expect(Self.list(of: small) == Array(repeating: 0, count: place) + [2])
            }
        }
    }

    /// A schedule that is fixed fits the plan that it was made for, and none that does less: all that can go must have
    /// gone by then, also what can go only since a size has fallen.
    @Test func whatFallingSizesMakeNeedlessIsLeftOutBeforeTheScheduleIsFixed() {
        let actions = (0..<6).map { RunPlan.Action.traits($0) }
        var plan = Self.plan([actions, actions], .random)
        plan.workerCount = 3
        let small = Shrinker.shrink(plan, breaking: Self.guarantee) { candidate in
            let count = candidate.actionCount
            let isBroken =
                if let list = Self.list(of: candidate) {
                    list.first == count
                } else {
                    candidate.clients.count == 2
                        && (candidate.workerCount == 1 ? count >= 2 : count == 12)
                }
            return Self.result(of: candidate, isBroken, choices: [count])
        }
        #expect(small.workerCount == 1 && small.actionCount == 2)
        #expect(Self.list(of: small) == [2])
    }

    /// Where no client can go as a whole, its actions are tried, whatever the strategy.
    @Test func aClientThatMustStayLosesItsActions() {
        let actions = (0..<5).map { RunPlan.Action.traits($0) }
        let plan = Self.plan([actions, actions], .random)
        let small = Shrinker.shrink(plan, breaking: Self.guarantee) { candidate in
            let isFixed = Self.list(of: candidate) != nil
            let isBroken =
                !isFixed && candidate.clients.map { $0.contains(.traits(3)) } == [true, true]
            return Self.result(of: candidate, isBroken)
        }
        #expect(small.clients == [[.traits(3)], [.traits(3)]])
        #expect(small.strategy == .inOrder)
    }
}
