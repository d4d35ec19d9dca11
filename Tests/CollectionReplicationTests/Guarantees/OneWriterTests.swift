import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionReplication

@Suite("One Writer") struct OneWriterTests {
    /// Without the faults that restore an older log, in which an epoch can be opened twice.
    private static let rates = BrokerFault.rates.filter {
        ![.storeIsRolledBack, .logIsDeleted].contains($0.key)
    }

    @Test func everyAcceptedEpochHasOneWriter() throws {
        for seed in 100..<UInt64(Effort.number(200, usually: 108)) {
            let world = ClusterWorld(seed: seed, rates: Self.rates)
            for step in 0..<60 {
                let fault = world.step()
                try #require(fault == nil, "seed \(seed), step \(step)")
            }
            for member in world.members {
                #expect(!member.has(.recovering(.missing)), "seed \(seed): the log was not deleted")
            }
        }
    }
}
