import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// Single items of a data source that gives models by the range.
@Suite("Single items with models", .endsHangs)
struct ModelItemTests {
    @Test(arguments: Substrate.allCases)
    func aReconfiguredItemGetsItsOneModelInPlace(_ substrate: Substrate) async throws {
        let scene = ModelScene(substrate, [["a", "b", "c"]])
        try await scene.controller.reloadData()
        let element = try #require(scene.controller.visibleMap.element(at: ItemPath(0, 1)))
        let node = try await element.node
        let asked = try await scene.questions { source, changes in
            source.sections[0][1] = "B"
            changes.reconfigureItems(at: [ItemPath(0, 1)])
        }
        #expect(asked == ["models 0 1..<2", "range 0 1..<2"])
        #expect(scene.controller.visibleMap.element(at: ItemPath(0, 1)) === element)
        #expect(try await element.node === node)
        #expect(scene.controller.visibleMap.texts == [["a", "B", "c"]])
        #expect(scene.controller.visibleMap.nodeTexts == [["a", "B", "c"]])
        #expect(scene.nodes.made.count == 3)
        await scene.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aModelThatTheNodeRefusesGetsANewNode(_ substrate: Substrate) async throws {
        let scene = ModelScene(substrate, [["a", "b"]])
        try await scene.controller.reloadData()
        scene.nodes.onAccept { $0 != "B" }
        let element = try #require(scene.controller.visibleMap.element(at: ItemPath(0, 1)))
        _ = try await scene.questions { source, changes in
            source.sections[0][1] = "B"
            changes.reconfigureItems(at: [ItemPath(0, 1)])
        }
        #expect(scene.controller.visibleMap.element(at: ItemPath(0, 1)) === element)
        #expect(scene.controller.visibleMap.nodeTexts == [["a", "B"]])
        #expect(scene.nodes.made.values.map(\.text).sorted() == ["B", "a", "b"])
        await scene.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aReloadedItemIsAnotherElementWithANodeOfItsOwn(_ substrate: Substrate) async throws {
        let scene = ModelScene(substrate, [["a", "b", "c"]])
        try await scene.controller.reloadData()
        let element = try #require(scene.controller.visibleMap.element(at: ItemPath(0, 1)))
        let asked = try await scene.questions { source, changes in
            source.sections[0][1] = "B"
            changes.reloadItems(at: [ItemPath(0, 1)])
        }
        #expect(asked == ["models 0 1..<2", "range 0 1..<2"])
        #expect(scene.controller.visibleMap.element(at: ItemPath(0, 1)) !== element)
        #expect(scene.controller.visibleMap.path(of: element) == nil)
        #expect(scene.controller.visibleMap.nodeTexts == [["a", "B", "c"]])
        #expect(scene.nodes.made.count == 4)
        await scene.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func eachRunHasTheSizeRangeThatItIsGiven(_ substrate: Substrate) async throws {
        let scene = ModelScene(substrate, [["aa", "bb"], ["cc"], ["dd"]])
        await onMain(scene.controller) { controller in
            controller.assumeIsolated().dataSource.sizeRange = { items, section in
                section == 2 ? nil : .width(section == 0 ? 2 : Double(items.lowerBound) + 1)
            }
        }
        try await scene.controller.reloadData()
        let map = scene.controller.visibleMap
        #expect(map.items.map(\.content.sizeRange) == [2, 2, 1, 10].map { .width($0) })
        #expect(map.items.map { $0.content.size?.height } == [1, 1, 2, 1])
        _ = try await scene.questions { source, changes in
            source.sections[1] = ["cc", "ee", "ff"]
            changes.insertItems(at: [ItemPath(1, 1), ItemPath(1, 2)])
        }
        let ranges = scene.controller.visibleMap.items.map(\.content.sizeRange)
        #expect(ranges == [2, 2, 1, 2, 2, 10].map { .width($0) }, "by the run, not by the item")
        // Alone, as when it is measured again, an item may get another.
        try await scene.controller.relayoutItems(at: [ItemPath(1, 2)])
        #expect(
            scene.controller.visibleMap.content(at: ItemPath(1, 2))?.sizeRange == .width(3)
        )
        await scene.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func theMembersForOneItemAnswerFromTheRange(_ substrate: Substrate) async throws {
        let scene = ModelScene(substrate, [["a", "b"]])
        let nodes = scene.nodes
        await onMain(scene.controller) { controller in
            let source = controller.assumeIsolated().dataSource
            let path = ItemPath(0, 1)
            #expect(source.model(forItemAt: path) as? String == "b")
            #expect(source.sizeRange(forItemAt: path) == nil)
            #expect(scene.asked.values == ["models 0 1..<2", "range 0 1..<2"])
            // The model is that of now, not of when the node is made.
            let provider = source.nodeProvider(forItemAt: path)
            source.sections[0][1] = "other"
            #expect(nodes.made.count == 0)
            let node = try? provider()
            #expect((node as? TextNode)?.text == "b")
            source.falseModels = { _, _ in AnySequence([]) }
            #expect(source.model(forItemAt: path) == nil)
            let missing = source.nodeProvider(forItemAt: path)
            let error = #expect(throws: MissingModel.self) { try missing() }
            #expect(error?.path == path)
        }
        await scene.controller.close()
    }

    /// Unlike that of a new item: the element is there, and goes on with what it had.
    @Test(arguments: Substrate.allCases)
    func aReconfiguredItemWithoutAModelFailsAlone(_ substrate: Substrate) async throws {
        let scene = ModelScene(substrate, [["a", "b"]])
        try await scene.controller.reloadData()
        _ = try await scene.questions { source, changes in
            source.falseModels = { items, _ in items == 1..<2 ? AnySequence([]) : nil }
            changes.reconfigureItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        }
        let map = scene.controller.visibleMap
        #expect(map.items.map { $0.element.state.text } == ["measured", "failed"])
        #expect(map.nodeTexts == [["a", "b"]])
        let errors = scene.events.events(.elementFailed).map { $0.error as? MissingModel }
        #expect(errors.map(\.?.path) == [ItemPath(0, 1)])
        await scene.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aNodeThatCannotBeMadeFailsAloneAndIsNotMadeAgain(_ substrate: Substrate) async throws {
        let scene = ModelScene(substrate, [["a", "bad", "c"]])
        scene.nodes.onMake { if $0 == "bad" { throw TestFailure() } }
        try await scene.controller.reloadData()
        let elements = scene.controller.visibleMap.elements[0]
        #expect(elements.map(\.state.text) == ["measured", "failed", "measured"])
        await #expect(throws: TestFailure()) { try await elements[1].node }
        #expect(scene.nodes.made.count == 3)
        await scene.controller.close()
    }

    /// Notes where its maker of nodes is read.
    private final class ReadSource: ModelDataSource {
        let reads: Journal<CallPlace>
        private let stage: Stage
        private let nodes: NodeBook

        init(_ reads: Journal<CallPlace>, _ stage: Stage, _ nodes: NodeBook) {
            self.reads = reads
            self.stage = stage
            self.nodes = nodes
        }

        var makeNode: @Sendable (String) throws -> any CollectionNode {
            reads.append(stage.currentPlace)
            return { [nodes] in try nodes.makeNode($0) }
        }

        func numberOfItems(inSection section: Int) -> Int { 5 }

        func models(at items: Range<Int>, inSection section: Int) -> [String] {
            items.map { "item \($0)" }
        }
    }

    @Test(arguments: Substrate.allCases)
    func theNodeMakerIsReadWhenTheControllerIsMadeAndForReconfiguredItems(
        _ substrate: Substrate
    ) async throws {
        let (stage, reads) = (substrate.makeStage(), Journal<CallPlace>())
        let nodes = NodeBook(stage)
        nodes.onAccept { _ in false }
        let controller = stage.makeController(ReadSource(reads, stage, nodes))
        #expect(reads.values == [.elsewhere])
        try await controller.reloadData()
        try await controller.performBatchUpdates { $1.reloadItems(at: [ItemPath(0, 2)]) }
        #expect(reads.count == 1)
        try await controller.performBatchUpdates { $1.reconfigureItems(at: [ItemPath(0, 1)]) }
        #expect(reads.values == [.elsewhere, .mainLane])
        #expect(nodes.made.count == 7)
        await controller.close()
    }
}
