import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Who is let in when there is room in the backlog, and who is not when it has gone again.
@Suite("Room in the backlog", .endsHangs)
struct RoomTests {
    private func full(_ substrate: Substrate, limit: Int = 1) async throws -> Scene {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
            $0.backlogLimit = limit
        }
        try await scene.onMain { controller in
            for _ in 0..<limit {
                try controller.assumeIsolated().performBatchUpdates(completion: nil)
            }
        }
        await scene.view.received.values(count: limit)
        return scene
    }

    private func enqueue(_ text: String, to scene: Scene, _ ran: Journal<String>) async {
        let count = await scene.onMain { $0.core.admission.waiting.suspended }
        scene.controller.enqueueBatchUpdates(
            { source, changes in
                ran.append(text)
                source.append(text, &changes)
            },
            completion: scene.completion(text)
        )
        while await scene.onMain({ $0.core.admission.waiting.suspended }) == count {
            await Task.yield()
        }
    }

    /// A single edit is never rejected; the room that there was for a moment is its.
    @Test(arguments: Substrate.allCases)
    func roomThatASingleEditHasTakenIsNotGivenTwice(_ substrate: Substrate) async throws {
        let scene = try await full(substrate)
        let ran = Journal<String>()
        await enqueue("b", to: scene, ran)
        try await scene.onMain { controller in
            scene.view.deployNext()
            try controller.assumeIsolated().reloadItems(at: [ItemPath(0, 0)])
        }
        for _ in 0..<5 { await scene.onMain { _ in } }
        #expect(ran.values == [])
        #expect(await scene.onMain { $0.core.admission.waiting.suspended } == 1)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.outcomes.values(count: 1)
        #expect(ran.values == ["b"])
        await scene.close()
    }

    /// What is let in and rejected at once takes no room, so the next comes in though nothing deploys.
    @Test(arguments: Substrate.allCases)
    func oneThatIsStaleWhenItIsLetInMakesRoomForTheNext(_ substrate: Substrate) async throws {
        let scene = try await full(substrate)
        let controller = scene.controller
        let ran = Journal<String>()
        let old = controller.visibleMap
        let task = Task {
            try await controller.submit(HierarchyChangeSet(), recordedAgainst: old) { _ in
                ran.append("stale")
            }
        }
        while await scene.onMain({ $0.core.admission.waiting.suspended == 0 }) {
            await Task.yield()
        }
        await enqueue("b", to: scene, ran)
        await enqueue("c", to: scene, ran)
        await scene.onMain { _ in _ = scene.view.deployNext() }
        let error = await #expect(throws: UpdateError.self) { try await task.value }
        #expect(error?.code == .stale)
        await ran.values(count: 1)
        for _ in 0..<5 { await scene.onMain { _ in } }
        #expect(ran.values == ["b"])
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.outcomes.values(count: 2)
        #expect(scene.outcomes.values.map(\.name) == ["b", "c"])
        await scene.close()
    }

    /// Sets that a reload stands for leave the backlog together, and so many others come in.
    @Test(arguments: Substrate.allCases)
    func asManyComeInAsAReloadHasMadeRoomFor(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
            $0.backlogLimit = 3
        }
        await scene.onMain { _ in scene.view.mode = .atOnce }
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.onMain { controller in
            for _ in 0..<3 { try controller.assumeIsolated().performBatchUpdates(completion: nil) }
        }
        await scene.view.received.values(count: 4)
        let ran = Journal<String>()
        for text in ["b", "c", "d"] { await enqueue(text, to: scene, ran) }
        // The view refuses the first; one reload stands for all three, and deploys.
        await scene.onMain { _ in
            scene.view.onApply = { _ in throw TestFailure("refused") }
            scene.view.deployNext()
            scene.view.onApply = { _ in }
            scene.view.dropAll()
        }
        await scene.view.received.values(count: 5)
        await scene.onMain { _ in _ = scene.view.deployNext() }
        await ran.values(count: 3)
        #expect(ran.values == ["b", "c", "d"])
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.outcomes.values(count: 3)
        #expect(scene.controller.visibleMap.texts == [["a", "b", "c", "d"]])
        await scene.close()
    }

    /// What would cancel it holds the controller's innards, and has to go with the waiting.
    @Test(arguments: Substrate.allCases)
    func whoHasWaitedForRoomKeepsNothingAlive(_ substrate: Substrate) async throws {
        for isLetIn in [true, false] {
            weak var core: PipelineCore?
            do {
                let scene = try await full(substrate)
                core = scene.controller.core
                await enqueue("b", to: scene, Journal())
                if isLetIn { await scene.onMain { _ in scene.view.catchUp() } }
                if isLetIn { await scene.outcomes.values(count: 1) }
                await scene.close(draining: false)
                await scene.outcomes.values(count: 1)
                await scene.onMain { _ in scene.view.dropAll() }
            }
            for _ in 0..<2000 where core != nil { try await Task.sleep(for: .milliseconds(1)) }
            #expect(core == nil, "let in: \(isLetIn)")
        }
    }

    @Test(arguments: Substrate.allCases)
    func aBackloggedBatchSaysHowFullItIs(_ substrate: Substrate) async throws {
        let scene = try await full(substrate, limit: 2)
        try await scene.onMain { try $0.assumeIsolated().reloadItems(at: [ItemPath(0, 0)]) }
        let error = await #expect(throws: UpdateError.self) {
            try await scene.onMain {
                _ = try $0.assumeIsolated().performBatchUpdates(completion: nil)
            }
        }
        #expect(error?.code == .backlogFull)
        #expect(
            error?.message
                == "3 change sets are accepted and not yet deployed, and 2 is the limit; nothing"
                + " was called"
        )
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }
}
