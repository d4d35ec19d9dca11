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

    private func element(_ model: Int) -> CollectionElement {
        ProvidedElement(
            model: model,
            provider: nil,
            terms: ElementTerms(
                sizeRange: .unconstrained,
                surroundings: ElementSurroundings(Traits())
            )
        )
    }

    /// What is ahead before what is behind, and each nearest first.
    @Test(arguments: [
        (start: 0, order: [0, 1, 2, 3, 4, 5]), (3, [3, 4, 2, 5, 1, 0]), (5, [5, 4, 3, 2, 1, 0]),
        (6, [5, 4, 3, 2, 1, 0]), (9, [5, 4, 3, 2, 1, 0]),
    ])
    func aSectionIsPreparedFromItsStart(_ expected: (start: Int, order: [Int])) {
        var work = PreparationWork()
        work.start = ItemPath(1, expected.start)
        let fresh = ElementMapChange.FreshSection(
            section: CollectionSection(id: 0, context: nil),
            elements: (0..<6).map(element)
        )
        work.sections = [(1, fresh)]
        let plan = PreparationPlan(work, grain: 1)
        var order: [Int] = []
        for part in plan.parts.indices {
            plan.forEach(inPart: part) { order.append($0.model as? Int ?? -1) }
        }
        #expect(order == expected.order)
    }

    /// A reload's work holds every element, so nobody may keep it.
    @Test func theWorkOfASubmissionIsTakenOnce() {
        var work = PreparationWork()
        work.singles = [(ItemPath(0, 0), element(0).firstContent)]
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
