import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What is told of states that are compared or wait, and how they leave.
@Suite("States that wait", .endsHangs)
struct ApplyingWaitsTests {
    private typealias Board = DataController<SnapshotDataSource<OddState>>

    private let view = RecordingView()
    private let events = EventRecorder()

    private func board(
        _ environment: any PipelineEnvironment = DispatchEnvironment(workerCount: 1),
        configure: (inout PipelineConfiguration) -> Void = { $0.stallTimeout = nil }
    ) -> Board {
        var configuration = PipelineConfiguration()
        configure(&configuration)
        return Board(
            states: OddState.self,
            view: view,
            configuration: configuration,
            environment: environment,
            observer: events
        )
    }

    // MARK: What is watched

    @Test func aStateStartsOneTimerBeforeTheMainLaneComesToIt() async throws {
        let environment = TimedEnvironment(base: DispatchEnvironment(workerCount: 1))
        let board = board(environment) { $0.stallTimeout = .seconds(3600) }
        await onMain(board) { board in
            #expect(environment.delays.count == 0)
            // While this runs its turn cannot come.
            board.apply(OddState(1)) { _ in }
            #expect(environment.delays.count == 1)
            board.apply(OddState(2)) { _ in }
            #expect(environment.delays.count == 1)
        }
        await board.settle()
        // With nobody on the way and nobody waiting the main lane has nothing that may stall.
        let mayStall = board.core.stallWatch?.state.withLock { watch in
            _ = watch.answered([], at: .zero)
            return watch.mayStall
        }
        #expect(mayStall == false)
        await board.close()
    }

    /// The stall of the one that is compared was told, and no timer is left: nothing else would have the main lane
    /// watched.
    @Test(.holdsWorker)
    func whileItIsToBeToldThatAStateWasCancelledTheMainLaneIsWatched() async throws {
        let gate = Gate()
        defer { gate.open() }
        let stepped = SteppedEnvironment(DispatchEnvironment(workerCount: 1))
        let environment = TimedEnvironment(base: stepped)
        let board = board(environment) { $0.stallTimeout = .seconds(10) }
        try await board.apply(OddState(1))
        board.apply(OddState(2, gate: gate)) { _ in }
        await gate.reached()
        let task = Task { try await board.apply(OddState(3)) }
        while await onMain(board, { $0.core.applier?.comparisons.count }) != 2 {
            await Task.yield()
        }
        // The timer asks the main lane, which tells of the stall, and the next one finds nothing to ask about.
        for _ in 0..<2 {
            await stepped.pass(.seconds(20))
            await onMain(board) { _ in }
        }
        #expect(events.events(.stalled).map { $0.stall?.wait } == [.comparing])
        let timers = environment.delays.count
        task.cancel()
        let result = await task.result
        #expect(throws: UpdateError.self) { try result.get() }
        #expect(environment.delays.count == timers + 1)
        gate.open()
        await board.close()
    }

    // MARK: What is said

    @Test(.holdsWorker) func theNewestOfThoseUnderWayIsTheOneThatIsCompared() async throws {
        let (first, second) = (Gate(), Gate())
        defer {
            first.open()
            second.open()
        }
        let board = board()
        try await board.apply(OddState(1))
        board.apply(OddState(2, gate: first)) { _ in }
        await first.reached()
        board.apply(OddState(3)) { _ in }
        board.apply(OddState(4, gate: second)) { _ in }
        await onMain(board) { _ in }
        first.open()
        await second.reached()
        await onMain(board) { board in
            #expect(board.core.applier?.comparison?.submission?.rawValue == 4)
            let comparisons = board.core.applier?.comparisons ?? []
            #expect(comparisons.map { $0.submission?.rawValue } == [3, 4])
        }
        second.open()
        await board.close()
    }

    @Test func aStateThatWaitsForRoomIsNotSaidToBeComparedAnyMore() async throws {
        let board = board {
            $0.stallTimeout = nil
            $0.backlogLimit = 1
        }
        await onMain(board) { [view] _ in view.mode = .onDemand }
        board.apply(OddState(1)) { _ in }
        await view.received.values(count: 1)
        board.apply(OddState(2)) { _ in }
        await events.wait(for: .suspended)
        board.apply(OddState(3)) { _ in }
        await onMain(board) { board in
            #expect(board.core.applier?.comparison == nil)
            let comparisons = board.core.applier?.comparisons ?? []
            #expect(comparisons.map { $0.submission?.rawValue } == [3])
        }
        await onMain(board) { [view] _ in view.catchUp() }
        await board.close()
    }

    @Test(.holdsWorker)
    func theViewIsToldOfAStateInTheTurnInWhichItsComparisonBegins() async throws {
        let gate = Gate()
        defer { gate.open() }
        let board = board()
        try await board.apply(OddState(1))
        board.apply(OddState(2, gate: gate)) { _ in }
        await gate.reached()
        #expect(view.inFlight.values == [true, false, true])
        gate.open()
        await board.close()
    }

    // MARK: Leaving

    /// It need not be compared, and waits alone from the beginning.
    @Test func aFirstStateThatWaitsForTheEndOfABatchLeavesWhenItsTaskIsCancelled() async throws {
        let board = board()
        try await onMain(board) { try $0.assumeIsolated().beginUpdates() }
        let task = Task { try await board.apply(OddState(1)) }
        await events.wait(for: .suspended)
        // The turn in which it came has ended.
        await onMain(board) { _ in }
        task.cancel()
        // It leaves in the first turn, and that is told in the next.
        for _ in 0..<2 { await onMain(board) { _ in } }
        #expect(events.events(.completed).map { $0.submission?.rawValue } == [2])
        try await onMain(board) { try $0.assumeIsolated().endUpdates(completion: nil) }
        let result = await task.result
        let error = #expect(throws: UpdateError.self) { try result.get() }
        #expect(error?.code == .cancelled)
        await board.close()
    }
}
