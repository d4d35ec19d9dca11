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

    /// That counts differ since the rejected submission itself goes without saying.
    @Test func anErrorSaysWhichEarlierSubmissionItsDoubtComesFrom() {
        let (first, second) = (SubmissionID(rawValue: 1), SubmissionID(rawValue: 2))
        let counts = ". The data source differs from the last accepted state since submission #1;"
        let content = ". Items may be older than in the data source since submission #"
        let cases: [(Divergence?, String)] = [
            (nil, ""), (.counts(since: second), ""),
            (.counts(since: first), counts + " reload to catch up"),
            (.content(since: first), content + "1"), (.content(since: second), content + "2"),
        ]
        for (divergence, text) in cases {
            var error = UpdateError(.stale, "A text")
            error.divergence = divergence
            error.submission = second
            #expect(error.description == "A text [stale]. Submission: #2" + text)
            #expect(error.divergedSince == divergence?.countsSince)
        }
        #expect(UpdateError(.stale, "A text").description == "A text [stale]")
    }
}
