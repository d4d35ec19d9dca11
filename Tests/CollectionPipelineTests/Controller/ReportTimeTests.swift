import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What is said of times, of the view and of the end, by a clock that a test sets.
@Suite("What reports and events say of times", .endsHangs)
struct ReportTimeTests {
    private let stage = Substrate.dispatch.makeStage(workerCount: 1)
    private let view = RecordingView(.onDemand)
    private let events = EventRecorder()

    /// A controller over one item, with its nodes and its clock.
    private func make(_ nodes: NodeBook) -> (
        controller: DataController<TextDataSource>, clock: SteppedEnvironment
    ) {
        let clock = SteppedEnvironment(stage.environment)
        let controller = DataController(
            dataSource: TextDataSource([["a"]], nodes: nodes),
            view: view,
            configuration: .unwatched,
            lane: stage.lane,
            environment: clock,
            observer: events
        )
        return (controller, clock)
    }

    /// The first is being measured, the second behind it was only accepted, and a batch has begun this moment.
    @Test(.holdsWorker)
    func eachIsSaidToHaveWaitedSinceItCameWhereItIs() async throws {
        let gate = Gate()
        defer { gate.open() }
        let nodes = NodeBook(stage)
        nodes.onMake { _ in gate.pass() }
        let (controller, clock) = make(nodes)
        try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        await clock.pass(.seconds(10))
        try await onMain(controller) { try $0.assumeIsolated().performBatchUpdates() }
        await clock.pass(.seconds(3))
        try await onMain(controller) { try $0.assumeIsolated().beginUpdates() }
        let waiting = await controller.report().details?.waiting ?? []
        #expect(waiting.map(\.wait) == [.batchEnd, .measuring, .measuring])
        #expect(waiting.map(\.submission.rawValue) == [3, 1, 2])
        #expect(waiting.map(\.duration) == [.zero, .seconds(13), .seconds(3)])
        gate.open()
        try await onMain(controller) { try $0.assumeIsolated().endUpdates(completion: nil) }
        await onMain(controller) { [view] _ in view.catchUp() }
        await controller.close()
    }

    @Test func whoComesInAtLastIsSaidToHaveWaitedSinceItCame() async throws {
        let (controller, clock) = make(NodeBook(stage))
        try await onMain(controller) { try $0.assumeIsolated().beginUpdates() }
        controller.enqueueBatchUpdates({ _, _ in }) { _ in }
        await events.wait(for: .suspended)
        await clock.pass(.seconds(2))
        try await onMain(controller) { try $0.assumeIsolated().endUpdates(completion: nil) }
        await events.wait(for: .resumed)
        #expect(events.events(.resumed).map(\.duration) == [.seconds(2)])
        await onMain(controller) { [view] _ in view.catchUp() }
        await controller.close()
    }

    @Test func whileACloseWaitsForTheViewTheReportSaysClosing() async throws {
        let (controller, _) = make(NodeBook(stage))
        try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        controller.close {}
        let report = await controller.report()
        #expect(report.details?.phase == .closing)
        #expect(report.description.hasPrefix("collection: closing\n"))
        await onMain(controller) { [view] _ in view.catchUp() }
        await controller.close()
    }

    /// Without one from the beginning nobody has to be told that it is gone.
    @Test func aReportSaysWhetherThereWasAView() async throws {
        let without = stage.makeController(TextDataSource([["a"]]))
        let details = await without.report().details
        #expect(details != nil && details?.view == nil)
        await without.close()
        let lost = stage.makeController(TextDataSource([["a"]]), view: RecordingView())
        #expect(await lost.report().details?.view == "gone; the application must keep it")
        await lost.close()
    }
}
