import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionPublishing

@Suite("Converges")
struct ConvergesTests {
    /// Readers of every kind, that join, pause, go on, come back, look elsewhere and leave, while everything is published
    /// that can be: each is told what a model says, and has what there was at its version.
    @Test(arguments: [false, true])
    func everyReaderHasWhatTheHubHadAtItsVersion(_ isJumping: Bool) throws {
        for seed in 0..<UInt64(Effort.number(1_000, usually: 45)) {
            let world = HubWorld(seed: seed, isJumping: isJumping)
            for step in 0..<60 {
                let fault = world.step()
                try #require(fault == nil, "seed \(seed), step \(step)")
            }
            let fault = world.close()
            try #require(fault == nil, "seed \(seed), at the end")
        }
    }
}
