import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// What becomes of the providers that reconfigured items bring, with nodes that are released and nodes that stay.
@Suite("Providers of reconfigured items", .endsHangs)
struct ReconfiguredProviderTests {
    /// Its provider is for when the node is released, and for nothing else.
    @Test(arguments: Substrate.allCases)
    func aNodeThatHasTakenAModelStaysWhateverItSaysOnAWorker(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.releasesNodes = true }
        try await scene.controller.reloadData()
        let node = scene.controller.visibleMap.elements[0][0].nodeIfAllocated
        scene.nodes.onAccept { [stage = scene.stage] _ in stage.currentPlace == .mainLane }
        try await scene.reconfigure(to: "b")
        await scene.settle()
        #expect(scene.controller.visibleMap.nodeTexts == [["b"]])
        #expect(scene.controller.visibleMap.elements[0][0].nodeIfAllocated === node)
        #expect(scene.nodes.made.count == 1)
        await scene.close()
    }

    /// Whether the node that there was took the model, or another was made for it.
    @Test(arguments: Substrate.allCases, [true, false])
    func aNodeThatWasReleasedIsMadeAgainForTheNewModel(
        _ substrate: Substrate,
        _ accepts: Bool
    ) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.releasesNodes = true }
        try await scene.controller.reloadData()
        scene.nodes.onAccept { _ in accepts }
        try await scene.reconfigure(to: "b")
        await scene.settle()
        let content = try #require(scene.controller.visibleMap.content(at: ItemPath(0, 0)))
        let isReleased = await scene.onMain { _ in content.element.releaseNode(showing: content) }
        #expect(isReleased && content.element.nodeIfAllocated == nil)
        let node = try await content.element.node
        #expect((node as? TextNode)?.text == "b")
        #expect(scene.nodes.made.values.map(\.text) == (accepts ? ["a", "b"] : ["a", "b", "b"]))
        await scene.close()
    }

    private final class Token: Sendable {}

    /// One item without a model, whose provider captures a token.
    private final class TokenSource: CollectionDataSource {
        var token: Token?
        let nodes: NodeBook

        init(_ nodes: NodeBook) { self.nodes = nodes }

        func numberOfSections() -> Int { 1 }
        func numberOfItems(inSection section: Int) -> Int { 1 }

        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            { [token, nodes] in try withExtendedLifetime(token) { try nodes.makeNode("item") } }
        }
    }

    @Test(arguments: Substrate.allCases)
    func whereNodesStayAProviderIsReleasedOnceItHasRun(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let nodes = NodeBook(stage)
        let controller = stage.makeController(TokenSource(nodes))
        try await controller.reloadData()
        weak var token: Token?
        do {
            let made = Token()
            token = made
            try await controller.performBatchUpdates { source, changes in
                source.token = made
                changes.reconfigureItems(at: [ItemPath(0, 0)])
            }
        }
        await onMain(controller) { $0.assumeIsolated().dataSource.token = nil }
        #expect(nodes.made.count == 2)
        // What has been done with it ends on other lanes too.
        for _ in 0..<1000 where token != nil { await stage.lane.run {} }
        #expect(token == nil)
        await controller.close()
    }
}
