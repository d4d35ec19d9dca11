import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// How often runs of clusters are of a kind, where it is said how often.
@Suite("Draws of clusters", .endsHangs)
struct ClusterDrawTests {
    @Test func oneOfEightClustersHasTinyRecords() {
        var random = SeededGenerator(seed: 1)
        let count = 16_000
        let tiny = (0..<count).count { _ in ClusterPlan(&random).recordBytes == 400 }
        let part = Double(tiny) / Double(count)
        #expect((0.118...0.132).contains(part), "not \(part)")
    }

    /// The other kinds are drawn for each run.
    @Test func itIsPublishedTwiceAsOftenAsTimePasses() {
        var (publishing, waiting) = (0, 0)
        for seed in 0..<1500 as Range<UInt64> {
            for case .cluster(let action) in RunPlan(clusterSeed: seed).clients.joined() {
                switch action {
                case .publish: publishing += 1
                case .wait: waiting += 1
                default: break
                }
            }
        }
        let ratio = Double(publishing) / Double(waiting)
        #expect((1.92...2.08).contains(ratio), "not \(ratio)")
    }
}
