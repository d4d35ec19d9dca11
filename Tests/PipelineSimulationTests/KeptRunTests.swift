import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineSimulation

/// A seed in a report is worth something only as long as it gives the same as it did then. Whoever changes what seeds
/// give writes the new numbers here.
@Suite("What seeds have always given", .endsHangs) struct KeptSeedTests {
    /// FNV-1a over the bytes of a text.
    private struct Digest {
        private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ text: String) {
            for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
    }

    @Test func aSeedGivesThePlanThatItAlwaysGave() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var digest = Digest()
        for seed: UInt64 in 0..<600 {
            let plans = [RunPlan(seed: seed), RunPlan(clusterSeed: seed)]
            #expect(plans.allSatisfy { $0.problem == nil }, "seed \(seed)")
            let data = try encoder.encode(plans[0])
            digest.add(String(decoding: data, as: UTF8.self))
        }
        #expect(digest.value == 11_961_149_942_549_723_477)
    }

    /// Whole runs, with the steps that a pipeline takes in them.
    @Test func aPlanTakesTheStepsThatItAlwaysTook() {
        var digest = Digest()
        for seed: UInt64 in 0..<120 {
            let result = SimulatedRun.run(RunPlan(seed: seed))
            digest.add("\(result.fingerprint) \(result.steps) \(result.opportunities)")
            for (name, count) in result.marks.sorted(by: { $0.key < $1.key })
            where !name.hasPrefix("met ") {
                digest.add("\(name) \(count)")
            }
        }
        #expect(digest.value == 17_121_133_781_732_919_670)
    }
}

/// Cases that broke a guarantee once, as the simulator made them small.
@Suite(.endsHangs) struct KeptCaseTests {
    @Test func whatFailedOnceDoesNotFailAgain() throws {
        let folder = try #require(Bundle.module.url(forResource: "Cases", withExtension: nil))
        let files = try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
        #expect(files.count >= 9)
        for file in files {
            let plan = try JSONDecoder().decode(RunPlan.self, from: Data(contentsOf: file))
            #expect(plan.problem == nil)
            #expect(SimulatedRun.run(plan).violations == [], "\(file.lastPathComponent)")
            // The list of choices means something else in other code, so orders around it are tried too.
            for seed: UInt64 in 0..<Effort.number(30, usually: 8) {
                var other = plan
                (other.seed, other.strategy) = (seed, .random)
                let violations = SimulatedRun.run(other).violations
                #expect(violations == [], "\(file.lastPathComponent), seed \(seed)")
            }
        }
    }
}

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

    /// All that happens in a cluster, step by step.
    @Test func aClusterTakesTheStepsThatItAlwaysTook() {
        let runs = (0..<6).map { SimulatedRun.run(RunPlan(clusterSeed: $0)) }
        #expect(runs.allSatisfy { $0.violations.isEmpty })
        #expect(runs.map(\.steps) == [5156, 5354, 1687, 2065, 1620, 1493])
    }
}
