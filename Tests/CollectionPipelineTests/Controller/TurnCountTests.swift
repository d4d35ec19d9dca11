import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// How many turns of the main lane things take: whoever shares the lane waits for each of them.
@Suite("Turns of the main lane", .endsHangs)
struct TurnCountTests {
    private struct Counted: Sendable {
        let lane = CountingLane()
        let view = RecordingView(.onDemand)
        let told = Journal<Void>()
        let controller: DataController<TextDataSource>

        init(backlogLimit: Int = 64) {
            var configuration = PipelineConfiguration()
            configuration.backlogLimit = backlogLimit
            controller = DataController(
                dataSource: TextDataSource([["a"]]),
                view: view,
                configuration: configuration,
                lane: lane
            )
        }

        /// How many turns come after `body`, which has one of its own, up to the one in which it is settled.
        func turns(
            _ body: @escaping @Sendable (DataController<TextDataSource>) throws -> Void
        ) async throws -> Int {
            let before = lane.turns.count
            try await onMain(controller) { try body($0) }
            // Every turn that is enqueued by now, and those that these enqueue.
            var count = -1
            var visits = 0
            while lane.turns.count != count || visits < 4 {
                count = lane.turns.count + 1
                await lane.run {}
                visits += 1
            }
            return lane.turns.count - before - 1 - visits
        }
    }

    @Test func anUpdateTakesOneTurnForTheViewAndOneForItsCompletion() async throws {
        let counted = Counted()
        await onMain(counted.controller) { _ in counted.view.catchUp() }
        try await counted.controller.reloadData()
        #expect(
            try await counted.turns {
                try $0.assumeIsolated().performBatchUpdates { _, _ in
                } completion: { _ in
                }
            }
                == 2
        )
        #expect(
            try await counted.turns { controller in
                for _ in 0..<3 {
                    try controller.assumeIsolated().performBatchUpdates { _, _ in
                    } completion: { _ in
                    }
                }
            } == 6
        )
        await counted.controller.close()
    }

    @Test func whereNobodyWaitsDeployingAndFinishingTakeNoTurns() async throws {
        let counted = Counted()
        try await onMain(counted.controller) { try $0.assumeIsolated().reloadData(completion: nil) }
        await counted.view.received.values(count: 1)
        #expect(try await counted.turns { _ in counted.view.deployNext(finishing: false) } == 0)
        #expect(try await counted.turns { _ in counted.view.finishNext() } == 1)
        await counted.controller.close()
    }

    /// Where the backlog is still full there is no turn for those that wait for room.
    @Test func anOverfullBacklogCallsNobodyIn() async throws {
        let counted = Counted(backlogLimit: 2)
        try await onMain(counted.controller) { controller in
            for _ in 0..<4 { try controller.assumeIsolated().reloadData(completion: nil) }
        }
        await counted.view.received.values(count: 4)
        counted.controller.enqueueBatchUpdates(
            { _, _ in },
            completion: { _ in counted.told.append(()) }
        )
        while await onMain(counted.controller, { $0.core.admission.waiting.suspended == 0 }) {
            await Task.yield()
        }
        for backlog in [3, 2] {
            let turns = try await counted.turns { controller in
                counted.view.deployNext(finishing: false)
                #expect(controller.assumeIsolated().backlog == backlog)
            }
            #expect(turns == 0)
        }
        #expect(try await counted.turns { _ in counted.view.deployNext(finishing: false) } > 0)
        await onMain(counted.controller) { _ in counted.view.catchUp() }
        await counted.told.values(count: 1)
        await counted.controller.close()
    }

    @Test func anIdleControllerIsClosedInOneTurnHoweverOftenItIsAsked() async throws {
        let counted = Counted()
        let turns = try await counted.turns { controller in
            for draining in [true, false, true] {
                controller.core.close(draining: draining, timeout: nil, nil)
            }
        }
        #expect(turns == 1)
    }

    @Test func aNestedBatchTakesNoTurnsOfItsOwn() async throws {
        let counted = Counted()
        await onMain(counted.controller) { _ in counted.view.catchUp() }
        try await counted.controller.reloadData()
        let turns = try await counted.turns { controller in
            try controller.assumeIsolated().beginUpdates()
            for _ in 0..<5 {
                try controller.assumeIsolated().beginUpdates()
                try controller.assumeIsolated().endUpdates()
            }
            try controller.assumeIsolated().endUpdates()
        }
        #expect(turns == 2)
        await counted.controller.close()
    }
}
