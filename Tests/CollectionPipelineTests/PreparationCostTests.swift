import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What preparing costs beside measuring.
@Suite("The cost of preparing", .endsHangs)
struct PreparationCostTests {
    /// Says that there are so many workers, and notes how much each fork is cut.
    private struct CuttingEnvironment: ForwardingEnvironment {
        let base: any PipelineEnvironment = DispatchEnvironment(workerCount: 1)
        let workerCount: Int
        let forks = Journal<Int>()

        func fork(
            parts: Int,
            joinOn lane: any Lane,
            body: @escaping @Sendable (Int) -> Void,
            join: @escaping @Sendable () -> Void
        ) {
            forks.append(parts)
            base.fork(parts: parts, joinOn: lane, body: body, join: join)
        }
    }

    /// So that workers can balance, and taking a part costs little beside it.
    @Test(arguments: [
        (items: 1, workers: 1, parts: 1), (7, 1, 7), (8, 1, 8), (16, 1, 8), (520, 1, 9),
        (64, 4, 32), (32, 4, 32), (31, 4, 31), (5, 0, 5), (24, 0, 8),
    ])
    func anUpdateIsCutIntoEightPartsAWorkerOfSixtyFourElementsAtMost(
        _ size: (items: Int, workers: Int, parts: Int)
    ) async throws {
        let environment = CuttingEnvironment(workerCount: size.workers)
        let controller = DataController(
            dataSource: TextDataSource([.init((0..<size.items).map { "\($0)" })]),
            environment: environment
        )
        try await controller.reloadData()
        #expect(environment.forks.values == [size.parts])
        await controller.close()
    }

    /// A reload's work holds every element, so nobody may keep it.
    @Test func theWorkOfASubmissionIsTakenOnce() {
        let element = ProvidedElement(
            model: nil,
            provider: nil,
            terms: ElementTerms(
                sizeRange: .unconstrained,
                surroundings: ElementSurroundings(Traits())
            )
        )
        var work = PreparationWork()
        work.singles = [(ItemPath(0, 0), element.firstContent)]
        let map = ElementMap.empty(generation: 1)
        let submission = Submission(
            id: SubmissionID(rawValue: 1),
            latched: Latched(
                update: .unchanged(.empty),
                map: map,
                work: work,
                nextSectionID: 0
            ),
            oldMap: map,
            request: SubmissionRequest(id: SubmissionID(rawValue: 1)),
            traitsGeneration: 0
        )
        #expect([submission.takeWork().count, submission.takeWork().count] == [1, 0])
        #expect(submission.workCount == 1)
    }
}
