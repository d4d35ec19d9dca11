import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Reconfiguring", .endsHangs)
struct ReconfigurationTests {
    @Test(arguments: Substrate.allCases)
    func theShownNodeKeepsItsModelUntilTheUpdateDeploys(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.reconfigure(to: "a much longer text")
        await scene.view.received.values(count: 2)
        #expect(scene.controller.visibleMap.nodeTexts == [["a"]])
        #expect(scene.controller.pendingMap.content(at: ItemPath(0, 0))?.size?.height == 2)
        #expect(scene.nodes.updates.count == 0)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.controller.visibleMap.nodeTexts == [["a much longer text"]])
        #expect(scene.nodes.updates.values.map(\.place) == [.mainLane])
        #expect(scene.nodes.made.count == 1)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aNodeThatRefusesTheModelIsReplacedAndTheElementIsNot(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let element = try #require(scene.controller.visibleMap.element(at: ItemPath(0, 0)))
        let node = element.nodeIfAllocated
        scene.nodes.onAccept { _ in false }
        try await scene.reconfigure(to: "b")
        await scene.settle()
        #expect(scene.controller.visibleMap.element(at: ItemPath(0, 0)) === element)
        #expect(element.nodeIfAllocated !== node)
        #expect(scene.controller.visibleMap.nodeTexts == [["b"]])
        #expect(scene.nodes.updates.count == 0)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anItemWithoutAModelGetsAFreshNode(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        await scene.withModel { $0.givesModels = false }
        try await scene.controller.reloadData()
        let element = scene.controller.visibleMap.element(at: ItemPath(0, 0))
        try await scene.reconfigure(to: "b")
        await scene.settle()
        #expect(scene.controller.visibleMap.element(at: ItemPath(0, 0)) === element)
        #expect(scene.controller.visibleMap.nodeTexts == [["b"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutBehindAReplacementMeasuresTheNodeThatWillBeShown(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        scene.nodes.onAccept { _ in false }
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.reconfigure(to: "b")
        try await scene.onMain { try $0.assumeIsolated().relayoutItems(at: [ItemPath(0, 0)]) }
        await scene.view.received.values(count: 3)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        let element = try #require(scene.controller.visibleMap.element(at: ItemPath(0, 0)))
        let shown = try await ObjectIdentifier(element.node)
        #expect(scene.nodes.measurements.values.last?.node == shown)
        #expect(scene.nodes.made.count == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func severalReconfigurationsInFlightEndWithTheLast(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        for number in 0..<10 { try await scene.reconfigure(to: "v\(number)") }
        await scene.settle()
        #expect(scene.controller.visibleMap.nodeTexts == [["v9"]])
        #expect(scene.controller.visibleMap.texts == [["v9"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func reconfiguringASectionReconfiguresEveryItemOfIt(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"], ["b", "c"]])
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap.elements
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[1] = ["b two", "c two"]
            changes.reconfigureSections([1])
        }
        #expect(scene.controller.visibleMap.elements == before)
        #expect(scene.controller.visibleMap.nodeTexts == [["a"], ["b two", "c two"]])
        await scene.close()
    }
}
