import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Models alone", .endsHangs)
struct ModelListTests {
    private func makeController(
        _ substrate: Substrate,
        _ models: [[String]],
        _ recorder: EventRecorder = EventRecorder()
    ) -> DataController<ModelList<String>> {
        let stage = substrate.makeStage()
        return DataController(
            models: models,
            lane: stage.lane,
            environment: stage.environment,
            observer: recorder
        )
    }

    @Test(arguments: Substrate.allCases)
    func theyFollowTheirArraysAndNothingIsMeasured(_ substrate: Substrate) async throws {
        let recorder = EventRecorder()
        let controller = makeController(substrate, [["a", "b"], []], recorder)
        try await controller.reloadData()
        #expect(controller.visibleMap.texts == [["a", "b"], []])
        try await controller.performBatchUpdates { list, changes in
            list[1].append(list[0].removeFirst())
            list[0].append("c")
            list.sections.append(["d"])
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(1, 0))
            changes.insertItems(at: [ItemPath(0, 1)])
            changes.insertSections([2])
        }
        #expect(controller.visibleMap.texts == [["b", "c"], ["a"], ["d"]])
        try await controller.reconfigureItems(at: [ItemPath(0, 0)]) { $0[0][0] = "B" }
        #expect(controller.visibleMap.texts == [["B", "c"], ["a"], ["d"]])
        try await controller.relayoutAllNodes()
        try await controller.relayoutItems(at: [ItemPath(0, 0)])
        #expect(recorder.events(.accepted).map(\.elementCount) == [0, 0, 0, 0, 0])
        #expect(recorder.events(.elementFailed).isEmpty)
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func whoeverAsksForANodeIsToldThatThereIsNone(_ substrate: Substrate) async throws {
        let controller = makeController(substrate, [["a"]])
        try await controller.reloadData()
        let element = try #require(controller.visibleMap.element(at: ItemPath(0, 0)))
        #expect(element.nodeIfAllocated == nil && "\(element.state)" == "pending")
        #expect(controller.visibleMap.content(at: ItemPath(0, 0))?.size == nil)
        await #expect(throws: ElementError.modelOnly) { _ = try await element.node }
        #expect("\(ElementError.modelOnly)".contains("read content.model, or make nodes"))
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func anItemKeepsItsIdentityThroughAMove(_ substrate: Substrate) async throws {
        let controller = makeController(substrate, [["a", "b"]])
        try await controller.reloadData()
        let element = controller.visibleMap.element(at: ItemPath(0, 0))
        try await controller.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1)) {
            $0[0].swapAt(0, 1)
        }
        #expect(controller.visibleMap.element(at: ItemPath(0, 1)) === element)
        await controller.close()
    }

    private final class Counting: LayoutDelegate {
        func layoutContext(for map: ElementMap) -> Int { map.numberOfItems }

        func layout(_ map: ElementMap, in context: Int, measurer: LayoutMeasurer) -> Int { context }
    }

    /// A source of models that has lost one; the others are as they were. A layout that measures nothing changes
    /// nothing in that.
    @Test(arguments: Substrate.allCases, [false, true])
    func aReconfiguredItemWithoutAModelIsTold(
        _ substrate: Substrate,
        _ hasLayout: Bool
    ) async throws {
        final class Losing: ModelSource {
            var (models, isLost) = (["a", "b"], false)
            func numberOfItems(inSection section: Int) -> Int { models.count }
            func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<String> {
                isLost ? [] : models[items]
            }
        }
        let (stage, recorder) = (substrate.makeStage(), EventRecorder())
        let controller = DataController(
            dataSource: Losing(),
            lane: stage.lane,
            environment: stage.environment,
            layoutDelegate: hasLayout ? Counting() : nil,
            observer: recorder
        )
        try await controller.reloadData()
        let path = ItemPath(0, 1)
        let result = try await controller.reconfigureItems(at: [path]) { $0.isLost = true }
        let failure = try #require(result.failedElements.first.first)
        #expect(result.failedElements.count == 1 && result.text == "deployed")
        #expect((failure.error as? MissingModel)?.path == path)
        #expect(failure.dataSourcePath == path && failure.content.model == nil)
        #expect(recorder.events(.elementFailed).count == 1)
        #expect(controller.visibleMap.content(at: ItemPath(0, 0))?.model as? String == "a")
        let again = try await controller.reconfigureItems(at: [path]) { $0.isLost = false }
        #expect(again.failedElements.isEmpty)
        #expect(controller.visibleMap.content(at: path)?.model as? String == "b")
        await controller.close()
    }

    /// Also a data source of one's own, with a view, whose cells then have no node.
    @Test(arguments: Substrate.allCases)
    func aListStartsEmpty(_ substrate: Substrate) async throws {
        let list = ModelList<String>()
        #expect(list.numberOfSections() == 0 && list.sections.isEmpty)
        let controller = makeController(substrate, [])
        try await controller.reloadData()
        #expect(controller.visibleMap.numberOfSections == 0)
        await controller.close()
    }
}
