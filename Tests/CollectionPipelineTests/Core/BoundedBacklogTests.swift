import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Bounded Backlog", .endsHangs)
struct BoundedBacklogTests {
    /// A controller whose view holds two updates, so that the backlog is full.
    private func full(_ substrate: Substrate) async throws -> Scene {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
            ($0.backlogPolicy, $0.backlogLimit) = (.reject, 2)
        }
        try await scene.onMain { controller in
            for _ in 0..<2 { try controller.assumeIsolated().performBatchUpdates() }
        }
        await scene.view.received.values(count: 2)
        return scene
    }

    @Test(arguments: Substrate.allCases)
    func everyAsynchronousCallIsRejected(_ substrate: Substrate) async throws {
        let scene = try await full(substrate)
        let controller = scene.controller
        let calls: [(String, @Sendable () async throws -> UpdateResult)] = [
            ("batch", { try await controller.performBatchUpdates { _, _ in } }),
            ("reload", { try await controller.reloadData() }),
            ("items", { try await controller.relayoutItems(at: [ItemPath(0, 0)]) }),
            ("all", { try await controller.relayoutAllNodes() }),
            ("clear", { try await controller.clear() }),
        ]
        for (name, call) in calls {
            let error = await #expect(throws: UpdateError.self, "\(name)") { _ = try await call() }
            #expect(error?.code == .backlogFull, "\(name)")
        }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func singleEditsAreAcceptedBeyondTheLimit(_ substrate: Substrate) async throws {
        let scene = try await full(substrate)
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            let source = list.dataSource
            source.sections[0].items.append("b")
            try list.insertItems(at: [ItemPath(0, 1)])
            try list.reloadItems(at: [ItemPath(0, 0)])
            try list.reconfigureItems(at: [ItemPath(0, 1)])
            source.sections[0].items.swapAt(0, 1)
            try list.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
            source.sections[0].items.removeLast()
            try list.deleteItems(at: [ItemPath(0, 1)])
            source.sections.append(["c"])
            try list.insertSections([1])
            try list.reloadSections([1])
            try list.reconfigureSections([1])
            source.sections.swapAt(0, 1)
            try list.moveSection(0, toSection: 1)
            try list.reloadSupplementaries(ofKind: .header, in: [0])
            source.sections.removeLast()
            try list.deleteSections([1])
            try list.relayoutItems(at: [ItemPath(0, 0)])
            try list.relayoutAllNodes()
            try list.clear()
            try list.reloadData(completion: nil)
            #expect(list.backlog == 2 + 15)
            // Calls that can be rejected are still rejected.
            #expect(throws: UpdateError.self) { try list.beginUpdates() }
        }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.controller.visibleMap.texts == [["c"]])
        await scene.close()
    }
}
