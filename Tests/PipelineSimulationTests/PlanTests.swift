import PipelineTestSupport
import Testing

@testable import PipelineSimulation
@testable import PipelineTesting

/// Makes failing plans small, of real runs in which something harmless counts as a failure.
@Suite("Shrinking", .endsHangs) struct ShrinkerTests {
    /// What makes a run of a real pipeline count as a failure, by the guarantee that it breaks then.
    private static let failures: [(String, @Sendable (RunResult) -> Bool)] = [
        ("rejected", { $0.marks["rejected"] != nil }),
        ("superseded", { $0.marks["superseded"] != nil }),
        (
            "order",
            { result in
                result.trace.first { $0.place.hasPrefix("client") }?.place == "client 1"
            }
        ),
    ]

    private static func run(_ plan: RunPlan) -> RunResult {
        let result = SimulatedRun.run(plan, keepsTrace: true)
        return failures.filter { $0.1(result) }.reduce(result) {
            $0.adding(GuaranteeViolation(guarantee: $1.0, message: "reached"))
        }
    }

    /// Another guarantee that is easier to break does not take the place of the one that was.
    @Test(arguments: failures.map(\.0)) func aFailureShrinksToItsCore(_ name: String) throws {
        func isBroken(_ plan: RunPlan) -> Bool {
            Self.run(plan).violations.contains { $0.guarantee == name }
        }
        let plans = (0..<2000 as Range<UInt64>).lazy.map { RunPlan(seed: $0) }
        let plan = try #require(plans.first { $0.actionCount > 6 && isBroken($0) })
        let limit = Effort.number(1_000, usually: 300)
        var runs = 0
        let small = Shrinker.shrink(plan, breaking: name, runs: limit) { plan in
            runs += 1
            return Self.run(plan)
        }
        #expect(isBroken(small) && small.actionCount < plan.actionCount)
        #expect(runs <= limit + 1)
        guard name != "superseded" else { return }
        #expect(small.actionCount <= 1 && small.faults.count <= 1 && small.sections <= 1)
        var choices = [1, 1]
        if case .choices(let list) = small.strategy { choices = list }
        #expect(choices.count { $0 != 0 } <= 1)
    }
}
