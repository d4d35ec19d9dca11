import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Contents that were accepted and not shown", .endsHangs)
struct AcceptedContentTests {
    @Test(arguments: Substrate.allCases)
    func whatARelayoutBringsIsTheNewestContentOfItsElementAtOnce(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [.init(["a", "b"], headers: ["head"])])
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        for isOfAll in [true, false] {
            try await scene.onMain { controller in
                scene.view.elementSizeRange = .width(isOfAll ? 3 : 2)
                if isOfAll { try controller.assumeIsolated().relayoutAllNodes() }
                if !isOfAll { try controller.assumeIsolated().relayoutItems(at: [ItemPath(0, 1)]) }
            }
            let (shown, accepted) = await scene.onMain { controller in
                (controller.visibleMap, controller.pendingMap)
            }
            for item in accepted.items {
                #expect(item.element.content == item.content)
                #expect(shown.content(at: item.path) != item.content)
            }
            let content = accepted.supplementaryContent(ofKind: .header, at: ItemPath(0, 0))
            #expect(content != nil && content?.element.content == content)
        }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    /// The node that the reconfiguration brings is asked about its model once, not again by what measures it
    /// again.
    @Test(arguments: Substrate.allCases)
    func aRelayoutBehindAReconfigurationKeepsTheNodeThatItBrings(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        scene.nodes.onAccept { _ in false }
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items[0] = "b"
            try controller.assumeIsolated().reconfigureItems(at: [ItemPath(0, 0)])
            for _ in 0..<2 { try controller.assumeIsolated().relayoutItems(at: [ItemPath(0, 0)]) }
        }
        await scene.settle()
        #expect(scene.nodes.made.values.map(\.text) == ["a", "b"])
        #expect(scene.controller.visibleMap.nodeTexts == [["b"]])
        await scene.close()
    }
}
