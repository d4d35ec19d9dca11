import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Numbers of submissions")
struct SubmissionNumberTests {
    @Test func submissionsAreOrderedByTheirNumbers() {
        for left in 1...4 {
            for right in 1...4 {
                let isLess = SubmissionID(rawValue: left) < SubmissionID(rawValue: right)
                #expect(isLess == (left < right), "\(left) and \(right)")
            }
        }
        let numbers = [12, 3, 1, 2].map { SubmissionID(rawValue: $0) }
        #expect(numbers.sorted().map(\.description) == ["#1", "#2", "#3", "#12"])
    }

    @Test func anErrorSaysWhichEarlierSubmissionItsDoubtComesFrom() {
        let (first, second) = (SubmissionID(rawValue: 1), SubmissionID(rawValue: 2))
        let own = "Model: It keeps what was done to it; undo that, or reload\n"
        let counts =
            "Model: The data source differs from the last accepted state since submission #1;"
            + " reload to catch up\n"
        let content = "Model: Items may be older than in the data source since submission #"
        let advice = "reload, or declareContentCurrent() in a batch"
        let cases: [(Divergence?, String)] = [
            (nil, ""), (.counts(since: second), own), (.counts(since: first), counts),
            (.content(since: first), content + "1; \(advice)\n"),
            (.content(since: second), content + "2; \(advice)\n"),
        ]
        let beginning = "A text\nDo: Record it again against the newest pendingMap\n"
        for (divergence, text) in cases {
            var error = UpdateError(.stale, "A text")
            error.divergence = divergence
            error.submission = second
            #expect(error.description == "\(beginning)Submission: #2\n\(text)[stale]")
            #expect(error.divergence?.countsSince == divergence?.countsSince)
        }
        #expect(UpdateError(.stale, "A text").description == beginning + "[stale]")
    }
}
