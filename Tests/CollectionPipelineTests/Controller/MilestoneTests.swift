import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Knowing when things are done. Callbacks, and waits of the main lane, are in ``ControllerModelTests``.
@Suite("Milestones", .endsHangs)
struct MilestoneTests {
    @Test(arguments: Substrate.allCases)
    func threadsAndTasksWaitForTheMainLaneAlsoWhenNothingIsLeft(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        let (controller, seen) = (scene.controller, Journal<Int>())
        for _ in 0..<2 {
            try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
            Thread.detachNewThread {
                controller.waitUntilReached(.handedOver)
                controller.waitUntilReached(.completed)
                seen.append(controller.visibleMap.generation)
            }
            await controller.reached(.handedOver)
            await seen.values(count: controller.visibleMap.generation)
        }
        #expect(seen.values == [1, 2])
        await scene.close()
        await scene.onMain { $0.waitUntilReached(.handedOver) }
        await controller.reached(.completed)
    }

    @Test func asManyLanesAsLikeMayWaitAtOnce() async throws {
        // More than Dispatch has threads for on two cores; another comes once a second, and nobody has
        // one meanwhile.
        let count = Effort.number(8, usually: 3)
        let controllers = (0..<count).map { _ in
            DataController(dataSource: TextDataSource([["a"]]))
        }
        let shown = Journal<[[String]]>()
        for controller in controllers {
            controller.lane.enqueue {
                _ = try? controller.assumeIsolated().reloadData(completion: nil)
                controller.waitUntilReached(.handedOver)
                shown.append(controller.visibleMap.texts)
            }
        }
        #expect(await shown.values(count: count) == Array(repeating: [["a"]], count: count))
        for controller in controllers { await controller.close() }
    }

    /// One for the view and one for its completion, whatever is nested, and none where nothing has become possible.
    @Test func nothingTakesMoreTurnsOfTheMainLaneThanItNeeds() throws {
        let (stage, view) = (HandStage(seed: 1), RecordingView())
        var configuration = PipelineConfiguration.unwatched
        configuration.backlogLimit = 2
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            view: view,
            configuration: configuration,
            lane: stage.main,
            environment: stage
        )
        /// How many turns come of `body`, which has one of its own, until it is settled.
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
        let told = Journal<Void>()
        controller.enqueueBatchUpdates({ _, _ in }) { _ in told.append(()) }
        stage.finish()
        #expect(controller.core.admission.waiting.suspended == 1)
        // An overfull backlog calls nobody in.
        let deploying = (0..<3).map { _ in
            turns { _ in view.deployNext(finishing: false) }
        }
        #expect(deploying.prefix(2) == [0, 0] && deploying[2] > 0)
        _ = turns { _ in view.catchUp() }
        #expect(told.count == 1)
        let closing = turns { list in
            for draining in [true, false, true] {
                list.core.close(draining: draining, timeout: nil, nil)
            }
        }
        #expect(closing == 1)
    }

    /// Something has begun until their turn came, and others have come to wait behind them.
    @Test func whoIsCalledTooEarlyWaitsOnInItsPlace() {
        let called = Journal<Int>()
        var milestones = Milestones()
        milestones.awaitCompletion { called.append(1) }
        let early = milestones.takeCompleted()
        milestones.awaitCompletion { called.append(2) }
        milestones.putBack(completed: early)
        for callback in milestones.takeCompleted() { callback() }
        #expect(called.values == [1, 2])
    }
}
