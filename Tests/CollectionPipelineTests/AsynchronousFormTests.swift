import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Asynchronous forms", .endsHangs) struct AsynchronousFormTests {
    @Test(arguments: Substrate.allCases)
    func relayoutsAndClearsReturnWhenTheyAreDeployed(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        try await scene.controller.reloadData()
        await scene.withModel { $0.sizeRange = { _ in .width(7) } }
        try await scene.controller.relayoutItems(at: [ItemPath(0, 1)])
        let widths = scene.controller.visibleMap.items.map { $0.content.size?.width }
        #expect(widths.last == 7 && widths.first != 7)
        try await scene.controller.relayoutAllNodes()
        #expect(scene.controller.visibleMap.items.allSatisfy { $0.content.size?.width == 7 })
        try await scene.controller.clear()
        #expect(scene.controller.visibleMap.numberOfSections == 0)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutOfWhatIsNotThereThrows(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.relayoutItems(at: [ItemPath(3, -1)])
        }
        #expect(error?.code == .unknownElement)
        await scene.close()
    }
}
