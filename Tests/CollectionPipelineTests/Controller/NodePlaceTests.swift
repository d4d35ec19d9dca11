import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("From a node to its place", .endsHangs)
struct NodePlaceTests {
    private func nodes(_ map: ElementMap) -> [TextNode] {
        map.items.compactMap { $0.element.nodeIfAllocated as? TextNode }
    }

    @Test(arguments: Substrate.allCases)
    func pathsLeadToNodesAndNodesToPaths(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"], [], .init(["c"], headers: ["d"])])
        try await scene.controller.reloadData()
        let map = scene.controller.pendingMap
        let places = nodes(map).map { $0.element?.dataSourcePlace?.path }
        #expect(places == map.items.map(\.path) && places.count == 3)
        let header = map.supplementary(ofKind: .header, at: ItemPath(2, 0))
        #expect(header?.dataSourcePlace == ElementPlace(path: ItemPath(2, 0), kind: .header))
        let node = header?.nodeIfAllocated as? TextNode
        #expect(node?.element === header && header?.viewPlace == header?.dataSourcePlace)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aPathIsThatOfTheNewestAcceptedStateAtOnceAndThatOfTheViewWhenItIsShown(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]], view: RecordingView(.onDemand))
        try await scene.onMain { try $0.assumeIsolated().reloadData() }
        await scene.view.received.values(count: 1)
        let elements = nodes(scene.controller.pendingMap).compactMap(\.element)
        #expect(elements.map { $0.viewPlace?.path } == [nil, nil, nil])
        await scene.onMain { _ in scene.view.catchUp() }
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            list.dataSource.sections[0].items.remove(at: 0)
            try list.deleteItems(at: [ItemPath(0, 0)])
            #expect(
                elements.map { $0.dataSourcePlace?.path } == [nil, ItemPath(0, 0), ItemPath(1, 0)]
            )
            list.dataSource.sections.remove(at: 0)
            try list.deleteSections([0])
            #expect(elements.map { $0.dataSourcePlace?.path } == [nil, nil, ItemPath(0, 0)])
            #expect(
                elements.map { $0.viewPlace?.path }
                    == [ItemPath(0, 0), ItemPath(0, 1), ItemPath(1, 0)]
            )
        }
        await scene.view.received.values(count: 3)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(elements.map { $0.viewPlace?.path } == [nil, nil, ItemPath(0, 0)])
        await scene.close()
    }

    @Test func anElementKnowsItsControllerAndKeepsNone() async throws {
        var scene: Scene? = Scene(.dispatch, [["a"]])
        try await scene?.controller.reloadData()
        let element = try #require(scene?.controller.pendingMap.element(at: ItemPath(0, 0)))
        #expect(element.controller(of: TextDataSource.self) === scene?.controller)
        #expect(element.controller(of: OtherSource.self) == nil)
        await scene?.close()
        scene = nil
        #expect(element.controller(of: TextDataSource.self) == nil)
        // The core goes when the turns that it has asked for are over.
        while element.dataSourcePlace != nil { await Task.yield() }
        element.setNeedsLayout()
    }

    private final class OtherSource: CollectionDataSource {
        func numberOfItems(inSection section: Int) -> Int { 0 }

        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            { throw TestFailure() }
        }
    }
}
