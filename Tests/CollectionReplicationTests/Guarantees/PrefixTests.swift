import PipelineTestSupport
import Testing

@testable import CollectionReplication

@Suite("Prefix") struct PrefixTests {
    /// Whatever any member shows at a version, each shows the same there, and a leader has published it; and in the end,
    /// all have what the leader has.
    @Test func membersShowWhatLeadersPublishedAndConverge() throws {
        var count = (shown: 0, told: 0)
        for seed in 0..<UInt64(Effort.number(200, usually: 18)) {
            let world = ClusterWorld(seed: seed)
            for step in 0..<50 {
                let fault = world.step()
                try #require(fault == nil, "seed \(seed), step \(step)")
            }
            let fault = world.end()
            try #require(fault == nil, "seed \(seed), at the end")
            count = (count.shown + world.count.shown, count.told + world.count.told)
        }
        #expect(count.shown > 300 && count.told > 100, "\(count)")
    }
}
