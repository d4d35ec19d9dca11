import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Reports", .endsHangs)
struct ReportTests {
    private let view = RecordingView(.onDemand)
    private let events = EventRecorder()

    /// Makes a controller of one item on a clock that the test sets.
    private func make(
        _ nodes: NodeBook = NodeBook(),
        limit: Int = 64
    ) -> (controller: DataController<TextDataSource>, clock: SteppedEnvironment) {
        let stage = Substrate.dispatch.makeStage(workerCount: 1)
        let clock = SteppedEnvironment(stage.environment)
        var configuration = PipelineConfiguration.unwatched
        configuration.name = "feed"
        configuration.backlogLimit = limit
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

    /// Everything that can wait for a view at the same time, each for a different duration.
    @Test func reportsListWhatSubmissionsWaitForAndHowLong() async throws {
        let (controller, clock) = make(limit: 2)
        let idle = await controller.report().description
        #expect(
            idle == """
                feed: open
                  maps: 0 accepted, 0 visible; nothing is loaded yet: call reloadData()
                  backlog: 0 of 2
                  view: RecordingView
                """
        )
        try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        await onMain(controller) { [view] _ in view.deployNext(finishing: false) }
        await clock.pass(.seconds(10))
        for count in 2...3 {
            try await onMain(controller) { controller in
                try controller.assumeIsolated().performBatchUpdates { $0.append("b", &$1) }
            }
            await view.received.values(count: count)
            await onMain(controller) { _ in }
            await clock.pass(.seconds(3))
        }
        await #expect(throws: UpdateError.self) {
            try await onMain(controller) { try $0.assumeIsolated().endUpdates(completion: nil) }
        }
        let error = await #expect(throws: UpdateError.self) {
            try await onMain(controller) { controller in
                controller.assumeIsolated().dataSource.sections[0].items.append("d")
                try controller.assumeIsolated().deleteSections([7])
            }
        }
        controller.enqueueBatchUpdates({ _, _ in }) { _ in }
        await events.wait(for: .suspended)
        #expect(
            await controller.report().description == """
                feed: open
                  maps: 3 accepted, 1 visible
                  backlog: 2 of 2
                  #1 waits for the view to finish it, for 16 s
                  #2 waits for the view to deploy it, for 6 s
                  #3 waits for the view to deploy it, for 3 s
                  waiting: 1 for room in the backlog, 0 for the end of the open batch
                  view: RecordingView
                  the data source may differ: counts since #5
                  last rejection: \(error?.summary ?? "")
                """
        )
        controller.close {}
        #expect(await controller.report().description.hasPrefix("feed: closing\n"))
        await onMain(controller) { [view] _ in view.catchUp() }
        await controller.close()
        #expect(await controller.report().description.hasPrefix("feed: closed\n"))
    }

    /// The first change set is being measured, the second waits for it, and a batch has just begun.
    @Test(.holdsWorker)
    func reportsListAnOpenBatchAndMeasuring() async throws {
        let (gate, nodes) = (Gate(), NodeBook())
        defer { gate.open() }
        nodes.onMake { _ in gate.pass() }
        let (controller, clock) = make(nodes)
        try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        await clock.pass(.seconds(10))
        try await onMain(controller) { try $0.assumeIsolated().performBatchUpdates() }
        await clock.pass(.seconds(3))
        try await onMain(controller) { try $0.assumeIsolated().beginUpdates() }
        controller.enqueueBatchUpdates({ _, _ in }) { _ in }
        await events.wait(for: .suspended)
        #expect(
            await controller.report().description == """
                feed: open
                  maps: 2 accepted, 0 visible
                  backlog: 2 of 64
                  #3 waits for the end of the open batch, for 0 ns
                  #1 waits for its nodes to be measured, for 13 s
                  #2 waits for its nodes to be measured, for 3 s
                  waiting: 0 for room in the backlog, 1 for the end of the open batch
                  view: RecordingView
                """
        )
        gate.open()
        await clock.pass(.seconds(2))
        try await onMain(controller) { try $0.assumeIsolated().endUpdates(completion: nil) }
        await events.wait(for: .resumed)
        #expect(events.events(.resumed).map(\.duration) == [.seconds(2)])
        await onMain(controller) { [view] _ in view.catchUp() }
        await controller.close()
    }

    @Test func reportsNameAReleasedViewAndABlockedMainLane() async throws {
        let lost = DataController(models: [["a"]], view: RecordingView())
        #expect(await lost.report().details?.view == "gone; the application must keep it")
        await lost.close()
        let without = DataController(models: [["a"]])
        let details = await without.report().details
        #expect(details != nil && details?.view == nil)
        let gate = Gate()
        defer { gate.open() }
        try await without.reloadData()
        without.lane.enqueue { gate.pass() }
        await gate.reached()
        #expect(
            await without.report().description == """
                collection: unknown
                  the main lane has not responded for 1 s: look for what blocks it, or for a queue \
                that is not drained
                  maps: 1 accepted, 1 visible
                """
        )
        gate.open()
        await without.close()
    }

    /// The report lists ten submissions, without durations if there is no observer.
    @Test(arguments: [0, 9, 10, 11, 30])
    func reportsListTheFirstTenSubmissions(_ count: Int) {
        let waiting = (0..<count).map {
            PipelineReport.Waiting(
                submission: SubmissionID(rawValue: $0),
                wait: .backlogCapacity,
                duration: nil
            )
        }
        let report = PipelineReport(
            pipeline: "feed",
            generations: (1, 1),
            divergence: nil,
            details: PipelineReport.Details(
                phase: .open,
                backlog: count,
                backlogLimit: 64,
                waiting: waiting,
                suspendedForCapacity: 0,
                suspendedForBatch: 0
            ),
            patience: .seconds(1)
        )
        let listed = (0..<min(10, count)).map {
            "  #\($0) waits for \(PipelineWait.backlogCapacity)"
        }
        let more = count > 10 ? ["  … and \(count - 10) more"] : []
        let lines =
            ["feed: open", "  maps: 1 accepted, 1 visible", "  backlog: \(count) of 64"]
            + listed + more + ["  view: none"]
        #expect(report.description == lines.joined(separator: "\n"))
    }
}
