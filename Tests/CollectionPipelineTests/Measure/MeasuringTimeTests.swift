import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Since when a set is where it is in step 3, by a clock that a test sets: it begins at ten seconds.
@Suite("Times of measuring", .endsHangs)
struct MeasuringTimeTests {
    private let stage = Substrate.dispatch.makeStage(workerCount: 1)
    private let view = RecordingView(.onDemand)
    private let events = EventRecorder()

    /// A controller over an item `a`, of which sets on the way to the view are kept from it.
    private func make(
        _ nodes: NodeBook,
        _ configuration: PipelineConfiguration = .unwatched
    ) -> (controller: DataController<TextDataSource>, clock: SteppedEnvironment) {
        let clock = SteppedEnvironment(stage.environment)
        let controller = DataController(
            dataSource: TextDataSource([["a"]], nodes: nodes),
            view: view,
            configuration: configuration,
            lane: stage.lane,
            environment: clock,
            observer: events
        )
        return (controller, clock)
    }

    private func append(_ text: String, _ controller: DataController<TextDataSource>) async throws {
        try await onMain(controller) { controller in
            try controller.assumeIsolated().performBatchUpdates({ $0.append(text, &$1) })
        }
    }

    /// What the second set waits for, and since when.
    private func waitOfSecond(
        _ controller: DataController<TextDataSource>
    ) async -> (wait: PipelineWait, since: Duration)? {
        await onMain(controller) { controller in
            let waits = controller.core.delivery.allWaits
            return waits.first { $0.payload.id.rawValue == 2 }.map { ($0.wait, $0.payload.arrival) }
        }
    }

    @Test(.holdsWorker) func whatIsMeasuredHasWaitedSinceItsTurnCame() async throws {
        let (first, second) = (Gate(), Gate())
        defer {
            first.open()
            second.open()
        }
        let nodes = NodeBook(stage)
        nodes.onMake { text in text == "a" ? first.pass() : second.pass() }
        let (controller, clock) = make(nodes)
        try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
        await first.reached()
        try await append("b", controller)
        #expect(await waitOfSecond(controller)?.since == .seconds(10), "it is accepted")
        await clock.pass(.seconds(5))
        first.open()
        await second.reached()
        let found = await waitOfSecond(controller)
        #expect(found?.wait == .measuring && found?.since == .seconds(15))
        second.open()
        await onMain(controller) { [view] _ in view.catchUp() }
        await controller.close()
    }

    @Test(.holdsWorker) func whatTheViewHasNoRoomForHasWaitedSinceItWasMeasured() async throws {
        let gate = Gate()
        defer { gate.open() }
        let nodes = NodeBook(stage)
        nodes.onMake { text in if text == "b" { gate.pass() } }
        var configuration = PipelineConfiguration.unwatched
        (configuration.backlogPolicy, configuration.backlogLimit) = (.merge, 1)
        let (controller, clock) = make(nodes, configuration)
        try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        try await append("b", controller)
        await gate.reached()
        await clock.pass(.seconds(5))
        gate.open()
        while await waitOfSecond(controller)?.wait == .measuring { await Task.yield() }
        let found = await waitOfSecond(controller)
        #expect(found?.wait == .deploying && found?.since == .seconds(15))
        #expect(view.received.count == 1)
        await onMain(controller) { [view] _ in view.catchUp() }
        await controller.close()
    }
}
