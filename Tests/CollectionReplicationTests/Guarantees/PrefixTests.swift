import PipelineSimulation
import PipelineTestSupport
import Testing

@Suite("Prefix", .endsHangs) struct PrefixTests {
    /// All members and their readers show the same state at a version, and a leader has published
    /// it. At the end, all members have the leader's state.
    @Test func membersShowWhatLeadersPublishedAndConverge() {
        var restCount = 0
        let seeds = 400..<UInt64(Effort.number(600, usually: 412))
        for seed in seeds {
            let result = SimulatedRun.run(RunPlan(clusterSeed: seed))
            #expect(result.violations.isEmpty, "seed \(seed): \(result.violations)")
            restCount += result.marks["at rest", default: 0]
        }
        #expect(restCount == seeds.count)
    }
}
