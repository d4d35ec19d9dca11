import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What is cut, and where the rest of it is.
@Suite("Long texts")
struct LongTextTests {
    @Test func theLastLineHasTheWholeMessageWhereTheSummaryIsShorter() {
        let message = String(repeating: "refused\n", count: 20)
        var error = UpdateError(.viewRefused, message)
        error.submission = SubmissionID(rawValue: 7)
        #expect(error.summary.count < 100)
        #expect(error.description.hasPrefix(error.summary + "\nDo: "))
        #expect(error.description.hasSuffix("\nSubmission: #7\n[viewRefused] \(message)"))
        let short = UpdateError(.viewRefused, "refused")
        #expect(short.description.hasSuffix("\n[viewRefused]"))
    }

    @Test(arguments: [0, 9, 10, 11, 30])
    func aReportListsTenThatWait(_ count: Int) {
        let waiting = (0..<count).map {
            PipelineReport.Waiting(
                submission: SubmissionID(rawValue: $0),
                wait: .room,
                duration: nil
            )
        }
        let report = PipelineReport(
            pipeline: "feed",
            generations: (1, 1),
            divergence: nil,
            details: PipelineReport.Details(
                phase: .open,
                backlog: count,
                backlogLimit: 64,
                waiting: waiting,
                suspendedForRoom: 0,
                suspendedForBatch: 0
            ),
            patience: .seconds(1)
        )
        let listed = (0..<min(10, count)).map { "  #\($0) waits for \(PipelineWait.room)" }
        let more = count > 10 ? ["  … and \(count - 10) more"] : []
        let lines =
            ["feed: open", "  maps: 1 accepted, 1 visible", "  backlog: \(count) of 64"]
            + listed + more + ["  view: none"]
        #expect(report.description == lines.joined(separator: "\n"))
    }
}
