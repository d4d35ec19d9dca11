import PipelineTestSupport
import Testing

@Suite("Converges")
struct ConvergesTests {
    /// Readers of every kind join, pause, resume, reconnect, move their windows and leave while
    /// random updates are published. Each receives the messages of a model and has the state of its
    /// version.
    @Test(arguments: [false, true])
    func everyReaderHasTheHubsStateOfItsVersion(_ isJumping: Bool) throws {
        for seed in 0..<UInt64(Effort.number(1_000, usually: 45)) {
            let world = HubWorld(seed: seed, isJumping: isJumping)
            for step in 0..<60 {
                let fault = world.step()
                try #require(fault == nil, "seed \(seed), step \(step)")
            }
            let fault = world.close()
            try #require(fault == nil, "seed \(seed), after the close")
        }
    }
}
