import PipelineTestSupport
import PipelineTesting
import Testing

/// Apart from other runs of clusters, since some of these are long.
@Suite("Kept seeds of clusters", .endsHangs)
struct KeptClusterSeedTests {
    private static let seeds: [UInt64] = [
        503, 5941, 11_451, 13_984, 31_808, 343_478, 354_433, 393_120, 453_115, 549_171, 673_721,
        709_643, 724_971, 936_991,
    ]

    /// Each of these has broken a guarantee that is mended since.
    @Test(arguments: seeds.prefix(Effort.number(seeds.count, usually: 4)))
    func whatOnceBrokeHolds(seed: UInt64) {
        #expect(SimulatedRun.run(RunPlan(clusterSeed: seed)).violations.isEmpty)
    }
}
