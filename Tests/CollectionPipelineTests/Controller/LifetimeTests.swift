import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Lifetimes", .endsHangs) struct LifetimeTests {
    private final class EndingSource: CollectionDataSource {
        let didEnd: () -> Void
        private let book = NodeBook()
        init(_ didEnd: @escaping () -> Void) { self.didEnd = didEnd }
        func numberOfItems(inSection section: Int) -> Int { 100 }
        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            { [book] in TextNode("\(path)", book: book) }
        }
        deinit { didEnd() }
    }

    @Test(arguments: Substrate.allCases)
    func theDataSourceEndsOnTheMainLaneWhoeverDropsTheControllerLast(
        _ substrate: Substrate
    ) async throws {
        let stage = substrate.makeStage()
        let endings = Journal<Bool>()
        for _ in 0..<20 {
            let source = EndingSource { endings.append(stage.lane.isCurrent) }
            let controller = stage.makeController(source)
            // Dropped while it is under way on all lanes.
            controller.enqueueBatchUpdates { _, changes in
                changes.reloadData()
            } completion: { _ in
            }
        }
        #expect(await endings.values(count: 20).allSatisfy { $0 })
    }

    @Test(arguments: Substrate.allCases)
    func aDeadlineThatIsFarOffKeepsNothingOnceTheCloseIsDone(
        _ substrate: Substrate
    ) async throws {
        let stage = substrate.makeStage()
        let endings = Journal<Void>()
        let closed = Journal<Void>()
        do {
            let source = EndingSource { endings.append(()) }
            let controller = stage.makeController(source)
            try await onMain(controller) { controller in
                try controller.assumeIsolated().reloadData(completion: nil)
                // Longer than the test may take.
                controller.close(draining: true, timeout: .seconds(3600)) { closed.append(()) }
            }
        }
        await closed.values(count: 1)
        await endings.values(count: 1)
    }

    @Test(arguments: Substrate.allCases)
    func whatWaitedForRoomKeepsNothingOnceItWasLetIn(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let endings = Journal<Void>()
        let completions = Journal<Void>()
        do {
            var configuration = PipelineConfiguration()
            configuration.backlogLimit = 1
            let source = EndingSource { endings.append(()) }
            let controller = stage.makeController(source, configuration: configuration)
            for _ in 0..<10 {
                controller.enqueueBatchUpdates { _, changes in
                    changes.reloadData()
                } completion: { _ in
                    completions.append(())
                }
            }
            await completions.values(count: 10)
        }
        await endings.values(count: 1)
    }
}
