import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Who is on the way to the main lane, or waits there to come in, is watched as well.
@Suite("Stalls of those who come", .endsHangs)
struct ArrivalWatchTests {
    @Test func aSubmissionFromElsewhereStartsOneTimerBeforeTheMainLaneComesToIt() async throws {
        let stage = Substrate.dispatch.makeStage(workerCount: 1)
        let environment = TimedEnvironment(base: stage.environment)
        var configuration = PipelineConfiguration()
        configuration.stallTimeout = .seconds(3600)
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            configuration: configuration,
            lane: stage.lane,
            environment: environment,
            observer: EventRecorder()
        )
        await onMain(controller) { controller in
            #expect(environment.delays.count == 0)
            // While this runs its turn cannot come.
            controller.enqueueBatchUpdates({ _, _ in }) { _ in }
            #expect(environment.delays.count == 1)
            controller.enqueueBatchUpdates({ _, _ in }) { _ in }
            #expect(environment.delays.count == 1)
        }
        await controller.settle()
        // With nobody on the way and nobody waiting the main lane has nothing that may stall.
        let mayStall = controller.core.stallWatch?.state.withLock { watch in
            _ = watch.answered([], at: .zero)
            return watch.mayStall
        }
        #expect(mayStall == false)
        await controller.close()
    }

    /// Nothing else would have the main lane look: the view that is full was told of before, and no timer is left.
    @Test func aRelayoutThatWaitsForRoomIsWatchedFromTheTurnOnInWhichItComes() async throws {
        let scene = Scene(.dispatch, [["a"]], workerCount: 1) {
            $0.backlogLimit = 1
            // What waits is told of whenever the main lane looks.
            $0.stallTimeout = .zero
        }
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.append("b")
        func isTold(_ wait: PipelineWait) -> Bool {
            scene.events.events(.stalled).contains { $0.stall?.wait == wait }
        }
        while !isTold(.deploying) { await Task.yield() }
        await scene.onMain { $0.visibleMap.element(at: ItemPath(0, 0))?.setNeedsLayout() }
        await scene.onMain { _ in }
        #expect(isTold(.room))
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }
}
