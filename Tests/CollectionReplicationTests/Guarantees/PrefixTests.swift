import PipelineTestSupport
import Testing

@testable import CollectionReplication

@Suite("Prefix") struct PrefixTests {
    /// All members show the same state at a version, and a leader has published it. At the end, all
    /// members have the leader's state.
    @Test func membersShowWhatLeadersPublishedAndConverge() throws {
        var count = (shown: 0, results: 0)
        for seed in 0..<UInt64(Effort.number(200, usually: 18)) {
            let world = ClusterWorld(seed: seed)
            for step in 0..<50 {
                let fault = world.step()
                try #require(fault == nil, "seed \(seed), step \(step)")
            }
            let fault = world.end()
            try #require(fault == nil, "seed \(seed), after the faults end")
            count = (count.shown + world.count.shown, count.results + world.count.results)
        }
        #expect(count.shown > 300 && count.results > 100, "\(count)")
    }
}
