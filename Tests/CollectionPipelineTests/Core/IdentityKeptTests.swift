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

    /// This holds although the model is the same, and for headers if their section or everything is
    /// reloaded.
    @Test(arguments: Substrate.allCases, ReloadKind.allCases)
    func reloadedItemsHaveNewElementsAndNodes(
        _ substrate: Substrate,
        _ kind: ReloadKind
    ) async throws {
        let scene = Scene(substrate, [.init(["a", "b"], headers: ["head"])])
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        try await scene.controller.performBatchUpdates { _, changes in
            switch kind {
            case .items: changes.reloadItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
            case .sections: changes.reloadSections([0])
            case .everything: changes.reloadData()
            }
        }
        let after = scene.controller.visibleMap
        let header = ItemPath(0, 0)
        let headers = [before, after].map { $0.supplementary(ofKind: .header, at: header) }
        #expect((headers[0] === headers[1]) == (kind == .items))
        var pairs = Array(zip(before.elements[0], after.elements[0]))
        if kind != .items { pairs.append((try #require(headers[0]), try #require(headers[1]))) }
        #expect(pairs.count == (kind == .items ? 2 : 3))
        for (old, new) in pairs {
            #expect(old !== new)
            let nodes = (try #require(old.nodeIfAllocated), try #require(new.nodeIfAllocated))
            #expect(nodes.0 !== nodes.1)
        }
        await scene.close()
    }
}

enum ReloadKind: CaseIterable, Sendable {
    case items
    case sections
    case everything
}
