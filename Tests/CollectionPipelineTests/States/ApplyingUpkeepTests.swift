import CollectionPipeline
import PipelineTestSupport
import Testing

/// Where states are compared, where they end, and what is told of them meanwhile.
@Suite("Applying states off the main lane", .endsHangs)
struct ApplyingUpkeepTests {
    private struct OddScene: Sendable {
        let stage: Stage
        let events = EventRecorder()
        let board: DataController<SnapshotDataSource<OddState>>

        init(
            _ substrate: Substrate,
            workerCount: Int = 2,
            configure: (inout PipelineConfiguration) -> Void = { _ in }
        ) {
            stage = substrate.makeStage(workerCount: workerCount)
            var configuration = PipelineConfiguration.unwatched
            configure(&configuration)
            board = DataController(
                states: OddState.self,
                configuration: configuration,
                lane: stage.lane,
                environment: stage.environment,
                observer: events
            )
        }
    }

    @Test(arguments: Substrate.allCases)
    func statesAreComparedOnWorkers(_ substrate: Substrate) async throws {
        let (scene, places) = (OddScene(substrate), Journal<Bool>())
        for count in 1...4 {
            var state = OddState(count)
            state.onComparing = { [environment = scene.stage.environment] in
                places.append(environment.isCurrentWorker)
            }
            try await scene.board.apply(state)
        }
        #expect(places.values == [true, true, true])
        await scene.board.close()
    }

    /// Says where it ends.
    private final class Baggage: Sendable {
        private let (endings, stage): (Journal<CallPlace>, Stage)
        init(_ endings: Journal<CallPlace>, _ stage: Stage) {
            (self.endings, self.stage) = (endings, stage)
        }
        deinit { endings.append(stage.currentPlace) }
    }

    @Test(arguments: Substrate.allCases, [true, false])
    func whatALargeStateLeavesBehindEndsOffTheMainLane(
        _ substrate: Substrate,
        _ shrinks: Bool
    ) async throws {
        let (scene, endings) = (OddScene(substrate), Journal<CallPlace>())
        func state(_ count: Int) -> OddState {
            var state = OddState(count)
            state.baggage = Baggage(endings, scene.stage)
            return state
        }
        try await scene.board.apply(state(shrinks ? 5000 : 1))
        // The caller has let go of it too, on a thread of its own.
        await scene.board.settle()
        try await scene.board.apply(state(shrinks ? 1 : 5000))
        let places = await endings.values(count: 1)
        #expect(places.count == 1 && !places.contains(.mainLane))
        await scene.board.close()
    }

    @Test(.holdsWorker, arguments: [Substrate.dispatch, .jittered])
    func aComparisonThatTakesTooLongIsTold(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = OddScene(substrate) { $0.stallTimeout = .milliseconds(50) }
        try await scene.board.apply(OddState(1))
        scene.board.apply(OddState(2, gate: gate)) { _ in }
        func stall(_ kind: PipelineEvent.Kind) -> Stall? {
            scene.events.events(kind).lazy.compactMap(\.stall).first { $0.wait == .comparing }
        }
        while stall(.stalled) == nil { await Task.yield() }
        #expect(
            stall(.stalled)?.description
                == "#2 waits for its state to be compared: look for a state that is slow to compare, or for busy workers"
        )
        gate.open()
        while stall(.stallEnded) == nil { await Task.yield() }
        await scene.board.close()
        #expect(scene.events.events(.stalled).count { $0.stall?.wait == .comparing } == 1)
    }

    @Test(.holdsWorker, arguments: [Substrate.dispatch, .jittered])
    func aReportNamesStatesThatAreNotCompared(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = OddScene(substrate)
        try await scene.board.apply(OddState(1))
        scene.board.apply(OddState(2, gate: gate)) { _ in }
        await gate.reached()
        scene.board.apply(OddState(3)) { _ in }
        scene.board.apply(OddState(4)) { _ in }
        let report = await scene.board.report()
        let waiting = report.details?.waiting ?? []
        #expect(waiting.map(\.submission.rawValue) == [2, 3, 4])
        #expect(waiting.allSatisfy { $0.wait == .comparing && $0.duration != nil })
        #expect(report.description.contains("#3 waits for its state to be compared, for "))
        gate.open()
        await scene.board.reached(.completed)
        #expect(await scene.board.report().details?.waiting.isEmpty == true)
        await scene.board.close()
    }
}
