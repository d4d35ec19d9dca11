import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("A task that lives as long as its controller", .endsHangs)
struct ControllerRunTests {
    @Test(arguments: Substrate.allCases)
    func runningLastsUntilTheControllerIsClosed(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        let running = Task { await controller.run() }
        try await controller.reloadData()
        await scene.close()
        await running.value
        await controller.run()
    }

    @Test(arguments: Substrate.allCases)
    func cancellingTheRunDrainsAndCloses(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        let controller = scene.controller
        let running = Task { await controller.run() }
        try await scene.onMain {
            try $0.assumeIsolated().reloadData(completion: scene.completion("load"))
        }
        running.cancel()
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in scene.view.catchUp() }
        await running.value
        #expect(scene.outcomes.values.map(\.description) == ["load: deployed"])
    }

    @Test(arguments: Substrate.allCases)
    func aCancelledRunDrainsNoLongerThanItsTimeout(_ substrate: Substrate) async throws {
        let scene = try await held(substrate)
        let controller = scene.controller
        let running = Task { await controller.run(drainingTimeout: .milliseconds(1)) }
        running.cancel()
        // The view never deploys, so without the timeout this would wait for ever.
        await running.value
        #expect(scene.outcomes.values.map(\.description) == ["load: cancelled"])
    }

    @Test(arguments: Substrate.allCases)
    func aRunThatIsCancelledBeforeItBeginsCloses(_ substrate: Substrate) async throws {
        let scene = try await held(substrate)
        let controller = scene.controller
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await controller.run(drainingTimeout: .zero)
        }.value
        #expect(scene.outcomes.values.map(\.description) == ["load: cancelled"])
    }

    /// In real time: virtual time may be up at once.
    @Test(arguments: Substrate.threaded)
    func whatIsDrainedInTimeIsDeployed(_ substrate: Substrate) async throws {
        let scene = try await held(substrate)
        let controller = scene.controller
        let running = Task { await controller.run(drainingTimeout: .seconds(3600)) }
        running.cancel()
        await scene.onMain { _ in scene.view.catchUp() }
        await running.value
        #expect(scene.outcomes.values.map(\.description) == ["load: deployed"])
    }

    /// A scene with an update that its view has and does not deploy.
    private func held(_ substrate: Substrate) async throws -> Scene {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        try await scene.onMain {
            try $0.assumeIsolated().reloadData(completion: scene.completion("load"))
        }
        await scene.view.received.values(count: 1)
        return scene
    }
}
