import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import PipelineTesting
import Testing

@Suite("Nodes that are replaced", .endsHangs)
struct ReplacementTests {
    @Test(arguments: Substrate.allCases)
    func aNodeMayAskItsElementAsItEnds(_ substrate: Substrate) async throws {
        let elements = Lock<[CollectionElement]>([])
        let ended = Journal<Bool>()
        let stage = substrate.makeStage()
        let controller = stage.makeController(
            EndingNodes { ended.append(elements.withLock { $0.first }?.nodeIfAllocated != nil) }
        )
        try await controller.reloadData()
        elements.withLock { elements in
            elements = controller.visibleMap.items.map(\.element)
        }
        try await onMain(controller) {
            try $0.assumeIsolated().reconfigureItems(at: [ItemPath(0, 0)])
        }
        #expect(await ended.values(count: 1) == [true], "the new node is there by then")
        await controller.settle()
        elements.withLock { $0 = [] }
        await controller.close()
    }
}

/// One item, whose nodes tell of their end.
private final class EndingNodes: CollectionDataSource {
    private final class Node: CollectionNode {
        private let didEnd: @Sendable () -> Void

        init(_ didEnd: @escaping @Sendable () -> Void) { self.didEnd = didEnd }

        deinit { didEnd() }

        func measure(in range: SizeRange) -> Size { Size(width: 1, height: 1) }
    }

    private let didEnd: @Sendable () -> Void

    init(_ didEnd: @escaping @Sendable () -> Void) { self.didEnd = didEnd }

    func numberOfItems(inSection section: Int) -> Int { 1 }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [didEnd] in Node(didEnd) }
    }
}
