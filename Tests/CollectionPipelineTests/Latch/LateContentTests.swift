import CollectionPipeline
import PipelineTestSupport
import Testing

/// Data sources that change when they are asked for what goes with an empty section.
@Suite("Content that comes while it is asked for", .endsHangs)
struct LateContentTests {
    private final class LazySource: CollectionDataSource {
        var counts: [Int] = []
        var fillsWhenAsked = false
        func numberOfSections() -> Int { counts.count }
        func numberOfItems(inSection section: Int) -> Int { counts[section] }
        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            { TextNode("\(path)", book: NodeBook()) }
        }
        func context(forSection section: Int) -> (any SectionContext)? {
            if fillsWhenAsked { counts[section] += 1 }
            return nil
        }
    }

    @Test(arguments: Substrate.allCases)
    func anEmptySectionThatItsContextFillsRejectsTheSet(_ substrate: Substrate) async throws {
        let controller = substrate.makeStage().makeController(LazySource())
        try await controller.reloadData()
        let code = await refusal(of: controller) { source, changes in
            source.counts = [0]
            source.fillsWhenAsked = true
            changes.insertSections([0])
        }
        #expect(code == .dataSourceChangedDuringLatch)
        #expect(controller.pendingMap.numberOfSections == 0)
        #expect(controller.divergence?.countsSince != nil)
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aSectionOfMovedItemsThatItsContextFillsRejectsTheSet(
        _ substrate: Substrate
    ) async throws {
        let source = LazySource()
        source.counts = [2]
        let controller = substrate.makeStage().makeController(source)
        try await controller.reloadData()
        let code = await refusal(of: controller) { source, changes in
            source.counts = [1, 1]
            source.fillsWhenAsked = true
            changes.insertSections([1])
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(1, 0))
        }
        #expect(code == .dataSourceChangedDuringLatch)
        #expect(controller.pendingMap.shape == [2])
        await controller.close()
    }

    private func refusal(
        of controller: DataController<LazySource>,
        _ updates: @escaping @Sendable (LazySource, inout BatchRecorder) -> Void
    ) async -> UpdateError.Code? {
        do {
            try await controller.performBatchUpdates(updates)
            return nil
        } catch {
            return error.code
        }
    }
}
