import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Who is cancelled while it waits to come in", .endsHangs)
struct CancelledWaitTests {
    @Test(arguments: Substrate.allCases)
    func itIsSaidToWaitNoLonger(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        let task = Task { try await controller.performBatchUpdates { _, _ in } }
        await scene.events.wait(for: .suspended)
        // The turn in which it came is over then, and cancelling it enqueues one.
        await scene.onMain { _ in }
        task.cancel()
        await #expect(throws: UpdateError.self) { try await task.value }
        await scene.onMain { _ in }
        let id = scene.events.events(.suspended).first?.submission
        #expect(scene.events.kinds(of: id) == ["suspended", "resumed", "completed"])
        await scene.close()
    }

    /// The turn that would let it in is enqueued before the one of the cancellation.
    @Test(arguments: Substrate.allCases)
    func itDoesNotComeInThoughItsTurnIsTheNext(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let (controller, ran) = (scene.controller, Journal<Void>())
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        let task = Task { try await controller.performBatchUpdates { _, _ in ran.append(()) } }
        await scene.events.wait(for: .suspended)
        try await scene.onMain { controller in
            try controller.assumeIsolated().endUpdates()
            task.cancel()
        }
        let error = await #expect(throws: UpdateError.self) { try await task.value }
        #expect(error?.code == .cancelled && ran.count == 0)
        await scene.close()
    }
}
