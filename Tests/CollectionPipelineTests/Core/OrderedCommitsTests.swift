import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Ordered Commits", .endsHangs)
struct OrderedCommitsTests {
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func changeSetsDeployInTheOrderOfAcceptanceHoweverLongTheyMeasure(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMeasure { text, _ in
            if text == "slow" { gate.pass() }
            return nil
        }
        try await scene.onMain { controller in
            for text in ["slow", "quick", "quicker"] {
                try controller.assumeIsolated().performBatchUpdates(
                    { $0.append(text, &$1) },
                    completion: scene.completion(text)
                )
            }
        }
        await gate.reached()
        #expect(scene.controller.pendingMap.texts == [["a", "slow", "quick", "quicker"]])
        #expect(scene.controller.visibleMap.texts == [["a"]])
        gate.open()
        await scene.settle()
        #expect(scene.view.deployed.values.map(\.rawValue) == [1, 2, 3, 4])
        #expect(scene.outcomes.values.map(\.name) == ["slow", "quick", "quicker"])
        await scene.close()
    }

    /// Straight from step 1 to step 4, unless there is somebody to stay behind.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func aSetWithNothingToPrepareTakesNoWayAround(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let events = scene.events
        try await scene.onMain { controller in
            let empty = try controller.assumeIsolated().performBatchUpdates(completion: nil)
            #expect(
                events.kinds(of: empty).suffix(3) == [
                    "accepted", "measuringStarted", "measuringFinished",
                ],
                "before the call returned"
            )
        }
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMeasure { _, _ in
            gate.pass()
            return nil
        }
        try await scene.append("held")
        await gate.reached()
        let behind = try await scene.onMain {
            try $0.assumeIsolated().performBatchUpdates(completion: nil)
        }
        await scene.onMain { _ in }
        #expect(events.kinds(of: behind).last == "accepted")
        gate.open()
        await scene.settle()
        #expect(scene.view.deployed.values.map(\.rawValue) == [1, 2, 3, 4])
        await scene.close()
    }
}
