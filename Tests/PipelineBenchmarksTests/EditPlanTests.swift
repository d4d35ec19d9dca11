import CollectionPipeline
import Testing

@testable import pipeline_benchmarks

@Suite struct EditPlanTests {
    @Test(arguments: 1...50)
    func everyPlanIsAValidChangeSet(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var counts = [3, 0, 20, 7]
        for _ in 0..<20 {
            let plan = EditPlan.random(in: counts, deletions: 5, insertions: 5, using: &random)
            let newCounts = plan.applied(to: counts)
            var changes = HierarchyChangeSet()
            plan.record(into: &changes)
            let update = try changes.validated(
                from: HierarchyShape(counts),
                to: HierarchyShape(newCounts)
            )
            #expect(update.itemRemovals.count == 5)
            #expect(update.itemInsertions.count == 5)
            #expect(newCounts.reduce(0, +) == 30)
            counts = newCounts
        }
    }

    @Test func theSameSeedMakesTheSamePlans() {
        func plan() -> EditPlan {
            var random = SplitMix64(seed: 4)
            return .random(in: [9, 9], deletions: 3, insertions: 3, using: &random)
        }
        #expect(plan() == plan())
    }

    @Test func everyItemMayBeDeleted() {
        var random = SplitMix64(seed: 1)
        let plan = EditPlan.random(in: [2, 0, 3], deletions: 5, insertions: 0, using: &random)
        #expect(plan.applied(to: [2, 0, 3]) == [0, 0, 0])
        #expect(plan.oldPaths.count == 5)
    }
}
