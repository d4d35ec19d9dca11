import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Exactly One Completion", .endsHangs)
struct ExactlyOneCompletionTests {
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

    /// An accepted submission that a close cuts off ends as cancelled; its caller receives the
    /// reason.
    @Test(arguments: Substrate.allCases)
    func asynchronousSubmissionsCutOffByACloseThrowClosed(
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
}
