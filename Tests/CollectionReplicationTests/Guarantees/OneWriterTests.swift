import PipelineSimulation
import PipelineTestSupport
import Testing

@Suite("One Writer", .endsHangs) struct OneWriterTests {
    /// Members with short leases, delayed processes and a broker with every fault change the log
    /// only with a lease, and every accepted epoch has one writer.
    @Test func everyAcceptedEpochHasOneWriter() {
        for seed in 100..<UInt64(Effort.number(300, usually: 108)) {
            let violations = SimulatedRun.run(RunPlan(clusterSeed: seed)).violations
            #expect(violations.isEmpty, "seed \(seed): \(violations)")
        }
    }
}
