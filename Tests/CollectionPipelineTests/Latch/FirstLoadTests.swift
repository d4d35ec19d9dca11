import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("The first load", .endsHangs)
struct FirstLoadTests {
    @Test(arguments: Substrate.allCases)
    func theFirstLoadShowsTheWholeModel(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"], [], ["c"]])
        #expect(scene.controller.pendingMap.shape == .empty)
        let outcome = try await scene.controller.reloadData()
        #expect(outcome.text == "deployed")
        #expect(scene.controller.visibleMap.texts == [["a", "b"], [], ["c"]])
        #expect(scene.controller.visibleMap.nodeTexts == [["a", "b"], [], ["c"]])
        #expect(scene.view.received.values.map(\.changeSet.isReloadData) == [true])
        #expect(scene.nodes.made.values.allSatisfy { $0.place == .worker })
        #expect(scene.nodes.measurements.values.allSatisfy { $0.place == .worker })
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anUpdateBeforeTheFirstLoadRunsAndBecomesTheFirstLoad(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        let first = try await scene.controller.performBatchUpdates { source, changes in
            source.sections.append(["b"])
            // Nothing that a record could refer to exists; what it says is dropped.
            changes.insertSections([7])
            changes.deleteItems(at: [ItemPath(3, 3)])
        }
        #expect(scene.controller.visibleMap.texts == [["a"], ["b"]])
        #expect(first.outcome.text == "deployedByReload" && first.generation == 1)
        #expect(scene.view.received.values.map(\.changeSet.isReloadData) == [true])
        let second = try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.append("c")
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        #expect(second.outcome.text == "deployed" && second.generation == 2)
        #expect(scene.view.received.values.map(\.changeSet.isReloadData) == [true, false])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aSingleEditBeforeTheFirstLoadIsTheFirstLoad(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.onMain { try $0.assumeIsolated().insertSections([0]) }
        await scene.settle()
        #expect(scene.controller.visibleMap.texts == [["a"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRejectedFirstLoadLeavesTheControllerUnloaded(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        await scene.withModel { $0.falseSectionCount = -1 }
        await #expect(throws: UpdateError.self) { try await scene.controller.reloadData() }
        #expect(scene.controller.pendingMap.generation == 0)
        await scene.withModel { $0.falseSectionCount = nil }
        try await scene.controller.performBatchUpdates { _, _ in }
        #expect(scene.controller.visibleMap.texts == [["a"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anEmptyCollectionLoads(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [])
        try await scene.controller.reloadData()
        #expect(scene.controller.visibleMap.numberOfSections == 0)
        #expect(scene.view.received.count == 1)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func withoutAViewTheVisibleMapStillFollows(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let controller = stage.makeController(TextDataSource([["a"]]))
        try await controller.reloadData()
        try await controller.performBatchUpdates { source, changes in
            source.sections[0].items.append("b")
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        #expect(controller.visibleMap.texts == [["a", "b"]])
        let size = controller.visibleMap.content(at: ItemPath(0, 1))?.size
        #expect(size == Size(width: 1, height: 1))
        await controller.close()
    }
}
