import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// States that cannot be shown, that nobody waits for any more, or that stand for others.
@Suite("Applying states that give trouble", .endsHangs)
struct ApplyingFaultTests {
    private func board(
        _ substrate: Substrate,
        _ view: RecordingView = RecordingView(),
        limit: Int = 64
    ) -> DataController<SnapshotDataSource<OddState>> {
        let stage = substrate.makeStage()
        var configuration = PipelineConfiguration.unwatched
        configuration.backlogLimit = limit
        return DataController(
            states: OddState.self,
            view: view,
            configuration: configuration,
            lane: stage.lane,
            environment: stage.environment
        )
    }

    @Test(arguments: Substrate.allCases)
    func theFirstLoadIsLookedThroughForDuplicatesToo(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let board = DataController(
            states: ApplyingTests.Rows.self,
            configuration: .unwatched,
            differences: DifferenceOptions(duplicates: .refuse),
            lane: stage.lane,
            environment: stage.environment
        )
        for isReload in [false, true] {
            let rows = ApplyingTests.rows(("a", [1, 1]))
            let error = await #expect(throws: UpdateError.self) {
                _ =
                    isReload
                    ? try await board.applyUsingReloadData(rows) : try await board.apply(rows)
            }
            #expect(error?.code == .invalidState)
            #expect((error?.underlyingError as? DifferenceError)?.code == .duplicateNewItem)
            try await board.apply(ApplyingTests.rows(("a", [1, 2])))
            #expect(board.visibleMap.shape == [2])
        }
        await board.close()
    }

    @Test(arguments: Substrate.allCases)
    func anUpdateBetweenOtherStatesIsRejectedAlone(_ substrate: Substrate) async throws {
        let board = board(substrate)
        try await board.apply(OddState(5))
        let error = await #expect(throws: UpdateError.self) {
            try await board.apply(OddState(3, lie: 1))
        }
        #expect(error?.code == .invalidState)
        #expect(error?.message.contains("4") == true && error?.message.contains("3") == true)
        #expect(board.divergence == nil)
        try await board.apply(OddState(2))
        #expect(board.visibleMap.shape == [2])
        await board.close()
    }

    /// While the one under way waits for room, those behind it can be given up.
    @Test(arguments: Substrate.allCases)
    func whoeverWaitsCanBeCancelledAtOnce(_ substrate: Substrate) async throws {
        let view = RecordingView(.onDemand)
        let board = board(substrate, view, limit: 1)
        board.apply(OddState(1)) { _ in }
        await view.received.values(count: 1)
        let suspended = Task { try await board.apply(OddState(2)) }
        while await board.withIsolated({ $0.backlog }) < 1 { await Task.yield() }
        let ended = Journal<String>()
        let waiting = Task {
            do throws(UpdateError) {
                try await board.apply(OddState(3))
                ended.append("deployed")
            } catch {
                ended.append(error.code.rawValue)
            }
        }
        _ = await board.withIsolated { _ in }
        waiting.cancel()
        await waiting.value
        #expect(ended.values == ["cancelled"])
        suspended.cancel()
        _ = await suspended.result
        await board.lane.run { view.catchUp() }
        await board.close()
    }

    /// Not in a simulation, whose one thread the gate would hold.
    @Test(arguments: [Substrate.dispatch, .jittered])
    func aReloadThatIsSupersededIsOneAllTheSame(_ substrate: Substrate) async throws {
        let (view, gate) = (RecordingView(), Gate())
        let board = board(substrate, view)
        try await board.apply(OddState(1))
        board.apply(OddState(2, gate: gate), animated: false) { _ in }
        _ = await board.withIsolated { _ in }
        let reload = Task { try await board.applyUsingReloadData(OddState(3)) }
        // It comes before the next, as a rule; where it does not, it supersedes that.
        for _ in 0..<20 { await board.withIsolated { _ in } }
        board.apply(OddState(4), animated: false) { _ in }
        gate.open()
        let outcome = try await reload.value.outcome
        await board.reached(.completed)
        if case .superseded = outcome { #expect(board.visibleMap.shape == [4]) }
        let reloads = view.received.values.filter(\.changeSet.isReloadData)
        #expect(reloads.count == 2 && reloads.allSatisfy(\.isAnimated))
        await board.close()
    }
}
