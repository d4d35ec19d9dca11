import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Events in words", .endsHangs)
struct EventDescriptionTests {
    private func event(
        _ kind: PipelineEvent.Kind,
        _ submission: Int? = nil,
        _ set: (inout PipelineEvent) -> Void = { _ in }
    ) -> PipelineEvent {
        var event = PipelineEvent(
            kind: kind,
            pipeline: "feed",
            submission: submission.map { SubmissionID(rawValue: $0) },
            context: nil,
            timestamp: .zero
        )
        set(&event)
        return event
    }

    @Test func anEventIsOneLineWithWhatItsKindHas() {
        let accepted = event(.accepted, 4) {
            $0.editCount = 2
            $0.elementCount = 1
            $0.backlog = 1
            $0.divergence = .content(since: SubmissionID(rawValue: 3))
            $0.duration = .milliseconds(3)
        }
        #expect(
            "\(accepted)" == "feed #4 accepted: 2 edits, 1 element, backlog 1,"
                + " diverged in content since #3, took 3 ms"
        )
        #expect("\(event(.closed))" == "feed closed")
        let suspended = event(.suspended, 5) { $0.wait = .room }
        #expect("\(suspended)" == "feed #5 suspended: waits for room in the backlog")
    }

    /// An error of somebody else's, in more than a line.
    private struct Refusal: Error, CustomStringConvertible {
        var description: String { "refused\nbecause of it" }
    }

    /// What is waited for and what is wrong comes before what there is of it, in an order that does not change.
    @Test func remarksComeFirst() {
        let stall = Stall(wait: .mainLane, submission: nil, since: .zero)
        let disagreement = Disagreement(
            dataSourcePath: ItemPath(0, 1),
            viewPath: ItemPath(0, 3),
            modelInMap: "a",
            modelInSource: nil,
            lastAgreement: nil
        )
        let everything = event(.rejected, 4) {
            $0.wait = .room
            $0.stall = stall
            $0.disagreement = disagreement
            $0.error = Refusal()
            $0.editCount = 2
            $0.elementCount = 3
        }
        #expect(
            "\(everything)" == """
                feed #4 rejected: waits for room in the backlog, \(stall), \
                item 0 - 1 (0 - 3 on the view) is "a" in the map and missing in the data source. \
                Likely a record with a wrong index, or a change of the model that was not recorded, \
                refused, 2 edits, 3 elements
                """
        )
    }

    /// What failed names its error itself.
    @Test func aFailureIsToldOnce() {
        let element = ProvidedElement(
            model: "a",
            provider: nil,
            terms: ElementTerms(
                sizeRange: .unconstrained,
                surroundings: ElementSurroundings(Traits())
            )
        )
        let failure = ElementFailure(
            submission: SubmissionID(rawValue: 4),
            content: element.firstContent,
            dataSourcePath: ItemPath(0, 3),
            viewPath: ItemPath(0, 2),
            error: TestFailure()
        )
        let failed = event(.elementFailed, 4) {
            $0.wait = .room
            $0.failedElement = failure
            $0.error = TestFailure("not told")
        }
        #expect(
            "\(failed)" == "feed #4 elementFailed: waits for room in the backlog,"
                + " item 0 - 3 (view: 0 - 2) failed in #4: \(TestFailure())"
        )
    }

    @Test func theEndOfAStallSaysThatItIsOver() {
        let stall = Stall(wait: .mainLane, submission: nil, since: .zero)
        let stalled = event(.stalled) { $0.stall = stall }
        #expect(
            "\(stalled)" == "feed stalled: The controller waits for a turn of the main lane:"
                + " look for what blocks it, or for why nobody drains it"
        )
        let ended = event(.stallEnded) {
            $0.stall = stall
            $0.duration = .seconds(2)
        }
        #expect(
            "\(ended)" == "feed stallEnded: The controller no longer waits for a turn of the main"
                + " lane, took 2 s"
        )
    }

    @Test func anErrorIsItsSummaryAndAFailureItsElement() async throws {
        let scene = Scene(.dispatch, [["a"]])
        try await scene.controller.reloadData()
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, changes in
                changes.deleteItems(at: [ItemPath(0, 0)])
            }
        }
        let rejected = try #require(scene.events.events(.rejected).first)
        let error = try #require(rejected.error as? UpdateError)
        #expect(
            "\(rejected)".hasPrefix(
                "feed #2 rejected: \(error.summary)".replacing("feed", with: rejected.pipeline)
            )
        )
        #expect(!"\(rejected)".contains("\n"))
        await scene.close()
    }
}
