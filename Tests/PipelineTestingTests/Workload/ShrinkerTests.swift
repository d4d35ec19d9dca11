import PipelineTestSupport
import Testing

/// Shrinks runs of the real pipeline in which something harmless counts as a failure.
@Suite(.endsHangs) struct ShrinkerTests {
    /// A run in which reaching a mark breaks a guarantee of that name.
    private static func marks(_ names: Set<String>) -> Shrinker.Run {
        { plan in
            var result = SimulatedRun.run(plan)
            for name in names.sorted() where result.marks[name] != nil {
                result = result.adding(GuaranteeViolation(guarantee: name, message: "reached"))
            }
            return result
        }
    }

    private static func breaks(
        _ guarantees: String...,
        plan: RunPlan,
        by run: Shrinker.Run
    ) -> Bool {
        let broken = run(plan).violations.map(\.guarantee)
        return guarantees.allSatisfy(broken.contains)
    }

    @Test func aFailureShrinksToItsCore() throws {
        let run = Self.marks(["rejected"])
        let plan = try #require(
            (0..<60).lazy.map { RunPlan(seed: $0) }
                .first { $0.actionCount > 6 && Self.breaks("rejected", plan: $0, by: run) }
        )
        let small = Shrinker.shrink(plan, breaking: "rejected", by: run)
        #expect(Self.breaks("rejected", plan: small, by: run))
        #expect(small.actionCount <= 1)
        #expect(small.faults.count <= 1)
        #expect(small.sections <= 1 && small.items <= 1 && small.workerCount == 1)
        guard case .choices(let list) = small.strategy else {
            Issue.record("the strategy is \(small.strategy)")
            return
        }
        #expect(list.count { $0 != 0 } <= 1)
    }

    /// Another guarantee that is easier to break must not take the place of the one that was.
    @Test func theGuaranteeStaysTheSame() throws {
        let run = Self.marks(["superseded", "rejected", "cancelled"])
        // Few plans do both; from here on one is near.
        let plans = (260..<2000).lazy.map { RunPlan(seed: $0) }
        let plan = try #require(
            plans.first { Self.breaks("superseded", "rejected", plan: $0, by: run) }
        )
        let runs = Effort.number(1_000, usually: 150)
        let small = Shrinker.shrink(plan, breaking: "superseded", runs: runs, by: run)
        #expect(Self.breaks("superseded", plan: small, by: run))
        #expect(small.actionCount < plan.actionCount)
    }

    /// Where the order alone is at fault, the order alone is left: one choice that is not the first.
    @Test func anOrderShrinksToTheChoiceThatMatters() throws {
        let run: Shrinker.Run = { plan in
            let result = SimulatedRun.run(plan, keepsTrace: true)
            let first = result.trace.first { $0.place.hasPrefix("client") }
            guard first?.place == "client 1" else { return result }
            return result.adding(GuaranteeViolation(guarantee: "Order", message: "1 before 0"))
        }
        let plan = try #require(
            (0..<100).lazy.map { RunPlan(seed: $0) }.first {
                Self.breaks("Order", plan: $0, by: run)
            }
        )
        let small = Shrinker.shrink(plan, breaking: "Order", by: run)
        #expect(Self.breaks("Order", plan: small, by: run))
        guard case .choices(let list) = small.strategy else {
            Issue.record("the strategy is \(small.strategy)")
            return
        }
        #expect(list.count { $0 != 0 } <= 1)
        #expect(small.actionCount <= 1)
    }

    @Test func itGivesUpAfterSoManyRuns() {
        let run = Self.marks(["deployed"])
        var count = 0
        let plan = RunPlan(seed: 2)
        let small = Shrinker.shrink(plan, breaking: "deployed", runs: 5) {
            count += 1
            return run($0)
        }
        #expect(count <= 6)
        #expect(Self.breaks("deployed", plan: small, by: run))
    }

    @Test func whatDoesNotFailStaysAsItIs() {
        let plan = RunPlan(seed: 4)
        #expect(Shrinker.shrink(plan, breaking: "nothing", runs: 200) == plan)
    }
}
