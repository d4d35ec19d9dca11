import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What the main lane says of waits, and when it is asked, with timers that a test lets come.
@Suite("Answers about stalls", .endsHangs)
struct StallAnswerTests {
    /// A controller whose main lane does not go on at a gate, and was asked in vain why a submission is not received.
    private struct Stuck: Sendable {
        let lane = CountingLane()
        let environment = SteppedEnvironment(DispatchEnvironment(workerCount: 1))
        let gate = Gate()
        let controller: DataController<TextDataSource>

        init(_ observer: any PipelineObserver) async {
            controller = DataController(
                dataSource: TextDataSource([["a"]]),
                lane: lane,
                environment: environment,
                observer: observer
            )
            lane.enqueue { [gate] in gate.pass() }
            await gate.reached()
            controller.enqueueBatchUpdates({ _, _ in }) { _ in }
            for _ in 0..<2 { await environment.pass(.seconds(3)) }
        }
    }

    private func waits(_ kind: PipelineEvent.Kind, _ events: EventRecorder) -> [PipelineWait] {
        events.events(kind).compactMap { $0.stall?.wait }
    }

    /// It answers what it was asked as soon as it goes on.
    @Test(.holdsWorker) func aMainLaneThatDoesNotGoOnIsNotAskedOnceMoreWhenThatIsTold() async throws
    {
        let events = EventRecorder()
        let stuck = await Stuck(events)
        defer { stuck.gate.open() }
        let turns = stuck.lane.turns.count
        await stuck.environment.pass(.seconds(10))
        #expect(waits(.stalled, events) == [.mainLane])
        #expect(stuck.lane.turns.count == turns)
        stuck.gate.open()
        await onMain(stuck.controller) { _ in }
        #expect(waits(.stallEnded, events) == [.mainLane])
        await stuck.controller.close()
    }

    /// Held while it is told of a stall.
    private final class HeldObserver: PipelineObserver {
        let events = EventRecorder()
        let gate = Gate()

        func observe(_ event: PipelineEvent) {
            events.observe(event)
            if event.kind == .stalled { gate.pass() }
        }
    }

    /// It tells nothing before that, and nobody else would have it look afterwards.
    @Test(.holdsWorker)
    func aMainLaneThatGoesOnWhileItsStallIsToldTellsTheEndAfterwards() async throws {
        let observer = HeldObserver()
        let stuck = await Stuck(observer)
        defer {
            stuck.gate.open()
            observer.gate.open()
        }
        async let telling: Void = stuck.environment.pass(.seconds(10))
        await observer.gate.reached()
        stuck.gate.open()
        await stuck.controller.settle()
        await onMain(stuck.controller) { _ in }
        #expect(waits(.stallEnded, observer.events).isEmpty)
        observer.gate.open()
        await telling
        await onMain(stuck.controller) { _ in }
        #expect(waits(.stallEnded, observer.events) == [.mainLane])
        await stuck.controller.close()
    }

    @Test func thatTheViewHasFinishedAtLastIsToldInTheSameTurn() async throws {
        let environment = SteppedEnvironment(DispatchEnvironment(workerCount: 1))
        let (view, events) = (RecordingView(.onDemand), EventRecorder())
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            view: view,
            environment: environment,
            observer: events
        )
        try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        await onMain(controller) { _ in view.deployNext(finishing: false) }
        await environment.pass(.seconds(20))
        await onMain(controller) { _ in }
        #expect(waits(.stalled, events) == [.finishing])
        let ends = await onMain(controller) { _ -> Int in
            view.finishNext()
            return events.events(.stallEnded).count
        }
        #expect(ends == 1)
        await controller.close()
    }

    /// From who comes in to the view.
    @Test func waitsAreSaidInTheOrderOfTheSteps() async throws {
        let scene = Scene(.dispatch, [["a"]], view: RecordingView(.onDemand)) {
            $0.backlogLimit = 1
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in scene.view.deployNext(finishing: false) }
        try await scene.append("b")
        await scene.view.received.values(count: 2)
        scene.controller.enqueueBatchUpdates({ _, _ in }) { _ in }
        await scene.events.wait(for: .suspended)
        let waits = try await scene.onMain { controller -> [PipelineWait] in
            // There is room for the batch, and who waits for room comes in a turn of its own.
            scene.view.deployNext(finishing: false)
            try controller.assumeIsolated().beginUpdates()
            return controller.core.waits.map(\.wait)
        }
        #expect(waits == [.batchEnd, .room, .finishing])
        try await scene.onMain { try $0.assumeIsolated().endUpdates(completion: nil) }
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    @Test(.holdsWorker) func aComparisonIsSaidAfterTheBatchThatIsOpen() async throws {
        let gate = Gate()
        defer { gate.open() }
        let board = DataController(
            states: OddState.self,
            configuration: .unwatched,
            environment: DispatchEnvironment(workerCount: 1),
            observer: EventRecorder()
        )
        try await board.apply(OddState(1))
        board.apply(OddState(2, gate: gate)) { _ in }
        await gate.reached()
        let waits = try await onMain(board) { board -> [PipelineWait] in
            try board.assumeIsolated().beginUpdates()
            return board.core.waits.map(\.wait)
        }
        #expect(waits == [.batchEnd, .comparing])
        try await onMain(board) { try $0.assumeIsolated().endUpdates(completion: nil) }
        gate.open()
        await board.close()
    }
}
