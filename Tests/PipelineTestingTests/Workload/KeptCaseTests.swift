import Foundation
import PipelineTestSupport
import Testing

/// Cases that broke a guarantee once, as the simulator made them small.
@Suite struct KeptCaseTests {
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
