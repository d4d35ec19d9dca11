import Foundation
import Testing

@testable import git_timelapse

@Suite struct SummaryTests {
    @Test func jsonHasTheAgreedKeysInOrder() throws {
        var summary = Summary()
        summary.commits = 3
        summary.seconds = 1.5
        summary.changeSets = 3
        summary.latencyMilliseconds = Summary.Latency(p50: 0.25, p99: 1e-9, max: 1e300)
        #expect(
            summary.json == #"{"commits":3,"changeSets":3,"edits":0,"sections":0,"items":0,"#
                + #""nodesMeasured":0,"seconds":1.5,"changeSetsPerSecond":2.0,"#
                + #""latencyMilliseconds":{"p50":0.25,"p99":0.0,"max":1e+300},"#
                + #""mainLaneSeconds":0.0,"mainLaneLongestStallMilliseconds":0.0}"#
        )
        summary.differences = 0
        #expect(summary.json.hasSuffix(#","differences":0}"#))
    }

    @Test func jsonStaysValidWhateverTheNumbersAre() throws {
        var summary = Summary()
        summary.changeSets = .max
        summary.seconds = .leastNonzeroMagnitude
        summary.mainLaneSeconds = .nan
        summary.mainLaneLongestStallMilliseconds = -.infinity
        summary.latencyMilliseconds.max = .greatestFiniteMagnitude
        let object = try JSONSerialization.jsonObject(with: Data(summary.json.utf8))
        #expect((object as? [String: Any])?.count == 11)
        #expect(!summary.text.contains("nan") && !summary.text.contains("inf"))
    }

    @Test func percentilesAreByNearestRank() {
        var samples = DurationSamples()
        #expect(samples.latencyMilliseconds == Summary.Latency())
        for number in (1...200).reversed() { samples.add(.milliseconds(number)) }
        #expect(samples.latencyMilliseconds == Summary.Latency(p50: 100, p99: 198, max: 200))
        #expect(samples.totalNanoseconds == 20_100_000_000)
    }
}
