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

    /// Whenever the cancelling comes before the closure runs: before the call, and while it waits behind
    /// somebody's batch. What waits for room has a test of its own.
    @Test(arguments: Substrate.allCases)
    func cancellingHasAnEffectUntilTheClosureRuns(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        try await controller.reloadData()
        let ran = Journal<Int>()
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await controller.performBatchUpdates { _, _ in ran.append(1) }
        }
        let first = await #expect(throws: UpdateError.self) { try await early.value }
        #expect(first?.code == .cancelled)
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        let waiting = Task { try await controller.performBatchUpdates { _, _ in ran.append(2) } }
        await scene.onMain { _ in }
        waiting.cancel()
        try await scene.onMain { try $0.assumeIsolated().endUpdates() }
        let second = await #expect(throws: UpdateError.self) { try await waiting.value }
        #expect(second?.code == .cancelled)
        #expect(first?.submission != nil && second?.submission != nil)
        let late = Task {
            try await controller.performBatchUpdates { _, _ in
                ran.append(3)
                withUnsafeCurrentTask { $0?.cancel() }
            }.text
        }
        #expect(try await late.value == "deployed")
        #expect(ran.values == [3])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func readingTheModelReturnsOrThrowsWhatTheClosureDoes(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        let controller = scene.controller
        #expect(await controller.withDataSource { $0.sections[0].items } == ["a", "b"])
        await #expect(throws: TestFailure("reading")) {
            try await controller.withDataSource { _ in throw TestFailure("reading") }
        }
        await scene.close()
        #expect(await controller.withDataSource { $0.sections.count } == 1, "also afterwards")
    }
}
