import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Waiting for milestones from threads and tasks. ``ControllerModelTests`` covers callbacks and
/// waits on the main lane.
@Suite("Milestones", .endsHangs)
struct MilestoneTests {
    @Test(arguments: Substrate.allCases)
    func threadsAndTasksCanWaitForMilestonesEvenAfterTheClose(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        let (controller, seen) = (scene.controller, Journal<Int>())
        for _ in 0..<2 {
            try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
            Thread.detachNewThread {
                controller.waitUntilReached(.deliveredToView)
                controller.waitUntilReached(.completed)
                seen.append(controller.visibleMap.generation)
            }
            await controller.whenReached(.deliveredToView)
            await seen.values(count: controller.visibleMap.generation)
        }
        #expect(seen.values == [1, 2])
        await scene.close()
        await scene.onMain { $0.waitUntilReached(.deliveredToView) }
        await controller.whenReached(.completed)
    }

    @Test func manyLanesCanWaitAtTheSameTime() async throws {
        // More than the threads that Dispatch has on two cores: it adds only one a second.
        let count = Effort.number(8, usually: 3)
        let controllers = (0..<count).map { _ in
            DataController(dataSource: TextDataSource([["a"]]))
        }
        let shown = Journal<[[String]]>()
        for controller in controllers {
            controller.lane.enqueue {
                _ = try? controller.assumeIsolated().reloadData(completion: nil)
                controller.waitUntilReached(.deliveredToView)
                shown.append(controller.visibleMap.texts)
            }
        }
        #expect(await shown.values(count: count) == Array(repeating: [["a"]], count: count))
        for controller in controllers { await controller.close() }
    }

    /// One turn for the view and one for its completion, however deep the nesting, and none if
    /// nothing can proceed.
    @Test func updatesTakeNoUnnecessaryMainLaneTurns() throws {
        let (stage, view) = (ManualStage(seed: 1), RecordingView())
        var configuration = PipelineConfiguration.unwatched
        configuration.backlogLimit = 2
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            view: view,
            configuration: configuration,
            lane: stage.main,
            environment: stage
        )
        /// Returns the number of turns that `body` causes until all work is done, without its own
        /// turn.
        func turns(
            _ body: (DataController<TextDataSource>.Isolated) throws -> Void
        ) rethrows -> Int {
            let before = stage.main.enqueued
            try stage.main.perform { try body(controller.assumeIsolated()) }
            stage.finish()
            return stage.main.enqueued - before
        }
        _ = try turns { try $0.reloadData() }
        let two = try turns { list in
            for _ in 0..<2 {
                try list.beginUpdates()
                for _ in 0..<5 { try list.performBatchUpdates() }
                try list.endUpdates()
            }
        }
        #expect(two == 4)
        _ = try turns { list in
            view.mode = .onDemand
            for _ in 0..<4 { try list.reloadData() }
        }
        let completions = Journal<Void>()
        controller.enqueueBatchUpdates({ _, _ in }) { _ in completions.append(()) }
        stage.finish()
        #expect(controller.core.admission.waiting.suspended == 1)
        // A backlog beyond its limit admits no waiting submission.
        let deploying = (0..<3).map { _ in
            turns { _ in view.deployNext(finishing: false) }
        }
        #expect(deploying.prefix(2) == [0, 0] && deploying[2] > 0)
        _ = turns { _ in view.catchUp() }
        #expect(completions.count == 1)
        let closing = turns { list in
            for draining in [true, false, true] {
                list.core.close(draining: draining, timeout: nil, nil)
            }
        }
        #expect(closing == 1)
    }
}
