import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Identity Kept", .endsHangs)
struct IdentityKeptTests {
    /// A relayout of everything measures no node again for the same size range.
    @Test(arguments: Substrate.allCases)
    func aMovedItemKeepsItsElementNodeAndMeasurement(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b", "c"], ["d"]])
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["b", "d", "c"], ["a"]]
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(1, 0))
            changes.moveItem(at: ItemPath(1, 0), to: ItemPath(0, 1))
        }
        try await scene.controller.relayoutAllNodes()
        let after = scene.controller.visibleMap
        #expect(after.texts == [["b", "d", "c"], ["a"]])
        let moved = try #require(after.element(at: ItemPath(1, 0)))
        #expect(moved === before.element(at: ItemPath(0, 0)))
        #expect(after.content(at: ItemPath(1, 0)) == before.content(at: ItemPath(0, 0)))
        #expect((moved.nodeIfAllocated as? TextNode)?.measurementCount == 1)
        #expect(scene.nodes.made.count == 4)
        #expect(scene.nodes.measurements.count == 4)
        await scene.close()
    }
}
