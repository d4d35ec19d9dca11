import Foundation
import SimulatedView
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
        summary.ranges = RangeTally()
        summary.ranges?.mode = .full
        (summary.ranges!.visible, summary.ranges!.display, summary.ranges!.preload) = (1, 2, 3)
        (summary.ranges!.nodes, summary.ranges!.items) = (4, 5)
        let ranges =
            #","ranges":{"mode":"full","visible":1,"display":2,"preload":3},"nodesAllocated":4"#
        #expect(summary.json.hasSuffix(ranges + "}"))
        summary.differences = 0
        #expect(summary.json.hasSuffix(ranges + #","differences":0}"#))
        summary.ranges = nil
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
        #expect(!summary.text().contains("nan") && !summary.text().contains("inf"))
    }

    @Test func percentilesAreByNearestRank() {
        var samples = DurationSamples()
        #expect(samples.latencyMilliseconds == Summary.Latency())
        for number in (1...200 as ClosedRange<UInt64>).reversed() {
            samples.add(nanoseconds: number * 1_000_000)
        }
        #expect(samples.latencyMilliseconds == Summary.Latency(p50: 100, p99: 198, max: 200))
        #expect(samples.totalNanoseconds == 20_100_000_000)
    }

    @Test func percentilesOfFewAreThemselves() {
        for count in 1...120 as ClosedRange<UInt64> {
            var samples = DurationSamples()
            for number in 1...count { samples.add(nanoseconds: number * 1_000_000) }
            // The least rank that so many hundredths of all do not pass.
            let expected = Summary.Latency(
                p50: Double((count + 1) / 2),
                p99: Double((99 * count + 99) / 100),
                max: Double(count)
            )
            #expect(samples.latencyMilliseconds == expected)
        }
    }

    @Test func textSaysWhatJSONDoes() {
        var summary = Summary()
        #expect(summary == Summary())
        summary.commits = 1
        summary.seconds = 0.5
        summary.changeSets = 3
        summary.edits = 4
        summary.sections = 5
        summary.items = 6
        summary.nodesMeasured = 7
        summary.latencyMilliseconds = Summary.Latency(p50: 0.12345, p99: 1, max: 2.5)
        summary.mainLaneSeconds = 0.25
        summary.mainLaneLongestStallMilliseconds = 12
        var lines = [
            "commits         1", "change sets     3", "edits           4", "sections        5",
            "items           6", "nodes measured  7, on workers",
            "time            0.5 s, without pauses to look at",
            "throughput      6.0 change sets/s",
            "latency         p50 0.123 ms, p99 1.0 ms, max 2.5 ms, from submitted to shown",
            "main lane       0.25 s busy: data source, validation, hand-over to the view;",
            "                measuring is on workers",
            "longest stall   12.0 ms, for which the main lane did nothing else",
        ]
        #expect(summary.text() == lines.map { $0 + "\n" }.joined())
        summary.ranges = RangeTally()
        (summary.ranges!.visible, summary.ranges!.display, summary.ranges!.preload) = (1, 2, 3)
        (summary.ranges!.nodes, summary.ranges!.items) = (4, 5)
        lines += [
            "ranges          1 items visible, 2 in the display range, 3 in the preload range;",
            "                mode minimum, at the end",
            "nodes           4 of 5 items have one, at the end",
        ]
        #expect(summary.text() == lines.map { $0 + "\n" }.joined())
        summary.differences = 8
        lines.append("differences     8")
        #expect(summary.text() == lines.map { $0 + "\n" }.joined())
    }

    @Test(arguments: [40, 60, 80, 100])
    func noLineOfTheTextIsWiderThanItMayBe(width: Int) {
        var summary = Summary()
        summary.changeSets = 123_456_789
        summary.seconds = 123_456.789
        summary.mainLaneSeconds = 123_456.789
        summary.mainLaneLongestStallMilliseconds = 123_456.789
        summary.latencyMilliseconds = Summary.Latency(
            p50: 123_456.789,
            p99: 123_456.789,
            max: 123_456.789
        )
        for line in summary.text(width: width).split(separator: "\n") {
            #expect(line.count <= width, "\(line)")
        }
    }

    @Test func nothingHasHappenedAtFirst() {
        var summary = Summary()
        let keys = ["commits", "changeSets", "edits", "sections", "items", "nodesMeasured"]
        for key in keys { #expect(summary.json.contains("\"\(key)\":0,")) }
        summary.changeSets = 3
        // Without time there is no throughput, which could be any.
        #expect(summary.changeSetsPerSecond == 0)
        summary.seconds = 0.5
        #expect(summary.changeSetsPerSecond == 6)
        summary.seconds = -1
        #expect(summary.changeSetsPerSecond == 0)
    }

    @Test func whatIsNoNumberOfJSONBecomesTheNextOne() {
        let greatest = Double.greatestFiniteMagnitude
        let values = [
            (Double.nan, "0.0"), (.infinity, "\(greatest)"), (-.infinity, "\(-greatest)"),
            (greatest, "\(greatest)"), (1e300, "1e+300"), (-0.12345, "-0.123"),
        ]
        for (value, shown) in values {
            var summary = Summary()
            summary.mainLaneSeconds = value
            #expect(summary.json.contains("\"mainLaneSeconds\":\(shown),"), "\(value)")
        }
    }
}
