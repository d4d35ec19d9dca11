import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Exactly One Completion", .endsHangs)
struct ExactlyOneCompletionTests {
    @Test(arguments: Substrate.allCases)
    func everySubmissionCompletesOnceOnTheMainLaneWithItsContext(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: scene.completion("reload"))
            try controller.assumeIsolated().performBatchUpdates(
                context: "mine",
                completion: scene.completion("batch")
            )
            try controller.assumeIsolated().relayoutAllNodes(
                completion: scene.completion("relayout")
            )
            try controller.assumeIsolated().relayoutItems(
                at: [ItemPath(0, 0)],
                completion: scene.completion("items")
            )
            try controller.assumeIsolated().clear(completion: scene.completion("clear"))
        }
        controller.enqueueBatchUpdates({ _, _ in }, completion: scene.completion("enqueued"))
        await scene.outcomes.values(count: 6)
        await scene.close()
        let outcomes = scene.outcomes.values
        #expect(
            outcomes.map(\.name)
                == ["reload", "batch", "relayout", "items", "clear", "enqueued"]
        )
        #expect(outcomes.allSatisfy { $0.result.outcome.text == "deployed" })
        #expect(outcomes.allSatisfy { $0.place == .mainLane })
        #expect(outcomes.map(\.result.submission.rawValue) == [1, 2, 3, 4, 5, 6])
        #expect(outcomes[1].result.context as? String == "mine")
    }

    @Test(arguments: Substrate.allCases)
    func aViewThatGoesAwayInMidFlightCostsNoCompletion(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let outcomes = Journal<String>()
        var view: RecordingView? = RecordingView(.onDemand)
        let received = try #require(view?.received)
        let controller = stage.makeController(
            TextDataSource([["a"]], nodes: NodeBook(stage)),
            view: view
        )
        try await onMain(controller) { controller in
            try controller.assumeIsolated().reloadData { outcomes.append($0.outcome.text) }
            try controller.assumeIsolated().performBatchUpdates(completion: {
                outcomes.append($0.outcome.text)
            })
        }
        await received.values(count: 2)
        // Released on a thread of nobody's, with two updates in it.
        view = nil
        try await onMain(controller) { controller in
            try controller.assumeIsolated().performBatchUpdates(completion: {
                outcomes.append($0.outcome.text)
            })
        }
        let texts = await outcomes.values(count: 3)
        #expect(texts == ["deployed", "deployed", "deployed"])
        #expect(controller.visibleMap.texts == [["a"]])
        await controller.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func droppingTheControllerCancelsEverythingOnTheMainLane(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let nodes = NodeBook(stage)
        let gate = Gate()
        defer { gate.open() }
        nodes.onMeasure { _, _ in
            gate.pass()
            return nil
        }
        let outcomes = Journal<(String, CallPlace)>()
        var controller: DataController? = stage.makeController(
            TextDataSource([["a"]], nodes: nodes),
            view: nil
        )
        try await onMain(controller!) { controller in
            for _ in 0..<3 {
                try controller.assumeIsolated().performBatchUpdates(completion: {
                    outcomes.append(($0.outcome.text, stage.currentPlace))
                })
            }
        }
        await gate.reached()
        controller = nil
        let values = await outcomes.values(count: 3)
        #expect(values.map(\.0) == ["cancelled", "cancelled", "cancelled"])
        #expect(values.map(\.1) == [.mainLane, .mainLane, .mainLane])
    }

    @Test(arguments: Substrate.allCases)
    func whatWasHandedOverBeforeTheControllerWasDroppedIsCancelledToo(
        _ substrate: Substrate
    ) async throws {
        let stage = substrate.makeStage()
        let view = RecordingView(.onDemand)
        let outcomes = Journal<String>()
        var controller: DataController? = stage.makeController(
            TextDataSource([["a"]]),
            view: view
        )
        try await onMain(controller!) { controller in
            for _ in 0..<2 {
                try controller.assumeIsolated().reloadData { outcomes.append($0.outcome.text) }
            }
        }
        await view.received.values(count: 2)
        await stage.lane.run { _ = view.deployNext(finishing: false) }
        controller = nil
        let values = await outcomes.values(count: 2)
        #expect(values == ["deployed", "cancelled"])
        // The view may still try; nobody wants the update any more.
        let isWanted = await stage.lane.run { view.deployNext() }
        #expect(!isWanted)
        await stage.lane.run { view.dropAll() }
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func closingInMidFlightCompletesEverything(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let gate = Gate()
        defer { gate.open() }
        try await scene.controller.reloadData()
        scene.nodes.onMeasure { _, _ in
            gate.pass()
            return nil
        }
        try await scene.append("b")
        try await scene.append("c")
        await gate.reached()
        await scene.close(draining: false)
        #expect(scene.outcomes.values.map(\.description) == ["b: cancelled", "c: cancelled"])
    }

    @Test(arguments: Substrate.allCases)
    func anAsynchronousSubmissionThrowsWhatItWasRejectedWith(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let refused = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { $1.deleteSections([4]) }
        }
        #expect(refused?.code == .invalidUpdate)
        let threw = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { _, _ in throw TestFailure("model") }
        }
        #expect(threw?.code == .updatesThrew)
        #expect(threw?.underlyingError as? TestFailure == TestFailure("model"))
        await scene.close()
        let closed = await #expect(throws: UpdateError.self) {
            try await scene.controller.reloadData()
        }
        #expect(closed?.code == .closed)
    }

    /// What was accepted and then cut off by a close ends as cancelled; its caller is told by whom.
    @Test(arguments: Substrate.allCases)
    func anAsynchronousSubmissionThatACloseCutsOffThrowsThatItClosed(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        let controller = scene.controller
        let load = Task { try await controller.reloadData() }
        await scene.view.received.values(count: 1)
        // Too late to have an effect.
        load.cancel()
        await scene.onMain { _ in }
        await scene.close(draining: false)
        let error = await #expect(throws: UpdateError.self) { try await load.value }
        #expect(error?.code == .closed)
        #expect(error?.message == "The controller closed before the edits reached the view")
        #expect(error?.submission?.rawValue == 1)
    }

    @Test(arguments: Substrate.allCases)
    func aSynchronousSubmissionThrowsAndCompletes(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let errors = await scene.onMain { controller in
            var codes: [UpdateError.Code] = []
            do throws(UpdateError) {
                try controller.assumeIsolated().insertItems(at: [ItemPath(0, 0)])
            } catch {
                codes.append(error.code)
            }
            do throws(UpdateError) {
                try controller.assumeIsolated().performBatchUpdates(
                    { _, _ in throw TestFailure() },
                    completion: scene.completion("threw")
                )
            } catch {
                codes.append(error.code)
            }
            do throws(UpdateError) {
                try controller.assumeIsolated().relayoutItems(
                    at: [ItemPath(0, 0)],
                    completion: scene.completion("relayout")
                )
            } catch {
                codes.append(error.code)
            }
            return codes
        }
        #expect(errors == [.invalidUpdate, .updatesThrew, .diverged])
        await scene.settle()
        #expect(
            scene.outcomes.values.map(\.description)
                == ["threw: rejected(updatesThrew)", "relayout: rejected(diverged)"]
        )
        await scene.close()
    }
}
