import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Sets recorded against a map", .endsHangs)
struct StaleSubmissionTests {
    @Test(arguments: Substrate.allCases)
    func aSetRecordedAgainstTheNewestMapIsAccepted(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let map = scene.controller.pendingMap
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(0, 1)])
        let outcome = try await scene.controller.submit(changes, recordedAgainst: map) { source in
            source.sections[0].items.append("b")
        }
        #expect(outcome.text == "deployed")
        #expect(scene.controller.visibleMap.texts == [["a", "b"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aSetRecordedAgainstAnOlderMapIsStaleAndLeavesTheModelAlone(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let map = scene.controller.pendingMap
        try await scene.controller.performBatchUpdates { _, _ in }
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.submit(HierarchyChangeSet(), recordedAgainst: map) {
                $0.sections = []
            }
        }
        #expect(error?.code == .stale)
        #expect(error?.message.contains("generation 1") == true)
        #expect(await scene.withModel { $0.sections.count } == 1)
        #expect(scene.controller.divergence?.countsSince == nil)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func ofTwoSetsRecordedAgainstOneMapTheSecondIsStale(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [[]])
        let controller = scene.controller
        try await controller.reloadData()
        let map = controller.pendingMap
        let outcomes = await withTaskGroup(of: String.self) { group in
            for text in ["x", "y"] {
                group.addTask {
                    var changes = HierarchyChangeSet()
                    changes.insertItems(at: [ItemPath(0, 0)])
                    do throws(UpdateError) {
                        return try await controller.submit(changes, recordedAgainst: map) {
                            $0.sections[0].items.append(text)
                        }.text
                    } catch {
                        return error.code.rawValue
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.sorted() == ["deployed", "stale"])
        #expect(controller.visibleMap.numberOfItems == 1)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aThrowingModelUpdateDropsTheRecord(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.submit(
                HierarchyChangeSet([.reloadData()]),
                recordedAgainst: scene.controller.pendingMap
            ) { _ in throw TestFailure() }
        }
        #expect(error?.code == .updatesThrew)
        #expect(scene.view.received.count == 1)
        await scene.close()
    }
}
