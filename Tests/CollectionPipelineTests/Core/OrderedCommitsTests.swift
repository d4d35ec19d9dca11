import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Ordered Commits", .endsHangs)
struct OrderedCommitsTests {
    /// It proceeds from step 1 to step 4 immediately, unless an earlier set is pending.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func setsWithoutPreparationSkipTheWorkers(_ substrate: Substrate) async throws {
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
