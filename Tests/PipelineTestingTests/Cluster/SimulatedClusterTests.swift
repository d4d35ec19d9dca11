import Foundation
import PipelineTestSupport
import PipelineTesting
import Testing

@Suite("Runs of clusters", .endsHangs)
struct SimulatedClusterTests {
    @Test func plansSurviveJSON() throws {
        for seed: UInt64 in 0..<200 {
            let plan = RunPlan(clusterSeed: seed)
            let data = try JSONEncoder().encode(plan)
            #expect(try JSONDecoder().decode(RunPlan.self, from: data) == plan)
            #expect(plan.problem == nil)
            #expect(plan == RunPlan(clusterSeed: seed))
        }
    }

    @Test func aPlanFromOutsideHasBounds() throws {
        let changes: [(inout ClusterPlan) -> Void] = [
            { $0.members = [] },
            { $0.members += $0.members + $0.members + $0.members + $0.members },
            { $0.members[0].visibility = 3 }, { $0.members[0].visibility = -1 },
            { $0.leaseMilliseconds = 0 }, { $0.answerMilliseconds = -1 },
            { $0.readMilliseconds = 0 }, { $0.retryMilliseconds = 60_001 },
            { $0.patienceMilliseconds = 0 }, { $0.faultMilliseconds = .max },
            { $0.readRecords = 0 }, { $0.inFlightRecords = 0 }, { $0.pendingRecords = 0 },
            { $0.recordBytes = 0 }, { $0.chunkBytes = 0 }, { $0.snapshotInterval = 0 },
            { $0.rememberedAppends = -1 },
        ]
        for change in changes {
            var plan = RunPlan(clusterSeed: 1)
            var cluster = try #require(plan.cluster)
            change(&cluster)
            plan.cluster = cluster
            #expect(plan.problem != nil)
        }
    }

    @Test func theSamePlanGivesTheSameRun() {
        for seed: UInt64 in 0..<Effort.number(10, usually: 4) {
            let plan = RunPlan(clusterSeed: seed)
            let (first, second) = (SimulatedRun.run(plan), SimulatedRun.run(plan))
            #expect(first.fingerprint == second.fingerprint)
            #expect(first.steps == second.steps)
            var replay = plan
            replay.strategy = .choices(first.choices)
            #expect(SimulatedRun.run(replay).fingerprint == first.fingerprint)
        }
    }

    @Test func everyGuaranteeHolds() {
        var marks: Set<String> = []
        for seed in 1030..<1030 + UInt64(Effort.number(200, usually: 30)) {
            let result = SimulatedRun.run(RunPlan(clusterSeed: seed))
            #expect(result.violations.isEmpty, "seed \(seed)")
            marks.formUnion(result.marks.keys)
        }
        let expected = ["accepted", "leading", "at rest", "snapshot", "reader told", "came back"]
        #expect(marks.isSuperset(of: expected))
    }

    /// Numbers of members that there are not count around, so that leaving members out leaves a plan that runs.
    @Test func anythingMayHappenToAnybody() throws {
        var plan = RunPlan(clusterSeed: 1)
        plan.faults = []
        let numbers = [0, 1, 7, -3, Int.max, Int.min]
        plan.clients = [
            numbers.flatMap { number -> [RunPlan.Action] in
                [
                    .cluster(.stand(number)), .cluster(.wait(milliseconds: 100)),
                    .cluster(.publish(7)), .cluster(.pause(number)), .cluster(.run(20)),
                    .cluster(.goOn(number)), .cluster(.cutOff(number, 7)), .cluster(.run(20)),
                    .cluster(.mend(number)), .cluster(.readers(3)), .cluster(.crash(number)),
                    .cluster(.restart(number)), .cluster(.run(-1)), .cluster(.close(number)),
                    .cluster(.wait(milliseconds: -1)),
                ]
            }
        ]
        #expect(SimulatedRun.run(plan).violations.isEmpty)
    }
}
