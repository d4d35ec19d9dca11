import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// With which seeds a shrinker tries a smaller plan, and the settings that only few plans have.
@Suite("The seeds that a shrinker tries", .endsHangs)
struct ShrinkerSeedTests {
    private static func run(_ isFailing: @escaping (RunPlan) -> Bool) -> Shrinker.Run {
        { plan in
            let result = RunResult.stopped(plan, nil)
            guard isFailing(plan) else { return result }
            return result.adding(GuaranteeViolation(guarantee: "It", message: "fails"))
        }
    }

    private static var plan: RunPlan {
        var plan = RunPlan(seed: 3)
        plan.strategy = .random
        (plan.clients, plan.faults, plan.view) = ([[.traits(0)]], [], nil)
        (plan.workerCount, plan.releasesNodes, plan.preparesLayout) = (2, true, true)
        return plan
    }

    /// A plan without its seed, and the seeds that it was tried with, one after the other.
    private typealias Tries = (plan: RunPlan, seeds: [UInt64])

    private static func tries(_ isFailing: @escaping (RunPlan) -> Bool) -> (RunPlan, [Tries]) {
        var tries: [Tries] = []
        let run = run(isFailing)
        let small = Shrinker.shrink(plan, breaking: "It") { candidate in
            var seedless = candidate
            seedless.seed = 0
            if tries.last?.plan != seedless { tries.append((seedless, [])) }
            tries[tries.count - 1].seeds.append(candidate.seed)
            return run(candidate)
        }
        return (small, tries)
    }

    /// A list of choices leaves nothing to chance, and neither does what is left in the end.
    @Test func aSmallerPlanIsTriedWithItsOwnSeedAndTwelveOthers() {
        let (small, tries) = Self.tries { _ in false }
        #expect(small == Self.plan)
        var seedless = Self.plan
        seedless.seed = 0
        var counts: [Int: Int] = [:]
        for (plan, seeds) in tries {
            counts[seeds.count, default: 0] += 1
            #expect(seeds.first == Self.plan.seed && Set(seeds).count == seeds.count)
            let isOnce = plan == seedless || plan.strategy == .choices([])
            #expect(seeds.count == (isOnce ? 1 : 13), "\(plan)")
        }
        #expect(counts.count == 2 && counts[1] == 2 && counts[13, default: 0] > 10)
    }

    /// It is taken with the seed with which it fails, the last that is tried as well.
    @Test func theSeedThatFailsIsTaken() throws {
        let seeds = try #require(Self.tries { _ in false }.1.first?.seeds)
        for seed in seeds {
            let (small, _) = Self.tries { $0.clients.isEmpty && $0.seed == seed }
            #expect(small.clients == [] && small.seed == seed)
        }
    }

    @Test func releasedNodesAndPreparedLayoutsAreLeftOutWhereTheyDoNotMatter() {
        for (releases, prepares) in [(true, true), (true, false), (false, true), (false, false)] {
            let (small, _) = Self.tries { plan in
                (plan.releasesNodes == true || !releases)
                    && (plan.preparesLayout == true || !prepares)
            }
            #expect(small.releasesNodes == (releases ? true : nil))
            #expect(small.preparesLayout == (prepares ? true : nil))
            #expect(small.clients == [] && small.workerCount == 1)
        }
    }
}
