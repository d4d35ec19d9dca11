import Foundation
import PipelineTestSupport
import Testing

/// All kinds of concurrent use on real Dispatch, mainly for ThreadSanitizer.
///
/// `STRESS_SEED` sets the first seed and `STRESS_RUNS` the number of runs, so that a failure can be
/// repeated: `STRESS_SEED=17 STRESS_RUNS=1 swift test --filter StressTests`.
@Suite(.serialized, .endsHangs) struct StressTests {
    @Test func everyInterleavingEndsInOrderAndCompletesOnce() async {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["STRESS_SEED"].flatMap(UInt64.init) ?? 1
        let runs = environment["STRESS_RUNS"].flatMap(Int.init) ?? Effort.number(24, usually: 8)
        for seed in first..<(first + UInt64(max(1, runs))) {
            let run = StressRun(seed: seed, submissionsEach: 12)
            let faults = await run.run()
            print("stress seed \(seed): \(run.summary)")
            if !faults.isEmpty {
                Issue.record("seed \(seed): \(faults.prefix(5).joined(separator: "; "))")
            }
        }
    }
}

/// The negative control: a race that ThreadSanitizer must report; otherwise its silence above
/// proves nothing.
@Suite struct RaceControl {
    @Test(.enabled(if: ProcessInfo.processInfo.environment["RACE_CONTROL"] != nil))
    func aRaceIsReported() async {
        let racy = Racy()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<200 {
                        racy.value += 1
                        usleep(100)
                    }
                }
            }
        }
        #expect(racy.value > 0)
    }

    private final class Racy: @unchecked Sendable {  // the race is the point
        var value = 0
    }
}
