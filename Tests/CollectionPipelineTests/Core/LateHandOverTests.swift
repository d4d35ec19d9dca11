import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Updates that come too late", .endsHangs)
struct LateHandOverTests {
    private final class Noting: UpdateFacilitator {
        let told = Journal<SubmissionID>()
        func willDeploy(_ update: ViewUpdate) { told.append(update.submission) }
    }

    /// What was cancelled while workers had it never reaches the view, nor anybody else.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func whatACloseCancelledIsNotHandedOver(_ substrate: Substrate) async throws {
        let facilitator = Noting()
        let scene = Scene(substrate, [["a"]], facilitators: [facilitator], workerCount: 1)
        try await scene.cancelWhileTheFirstNodeIsMade()
        for _ in 0..<5 { await scene.onMain { _ in } }
        #expect(scene.view.received.count == 0)
        #expect(facilitator.told.count == 0)
        #expect(scene.events.events(.handedOver).isEmpty)
        #expect(scene.controller.visibleMap.generation == 0)
    }

    /// What a reload stands for is never shown to the view, however late it was measured.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func whatAReloadReplacesIsNotHandedOver(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let facilitator = Noting()
        let scene = Scene(substrate, [["a"]], facilitators: [facilitator], workerCount: 1)
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.append("b")
        await scene.view.received.values(count: 2)
        scene.nodes.onMake { _ in gate.pass() }
        try await scene.append("c")
        await gate.reached()
        await scene.onMain { _ in
            scene.view.onApply = { _ in throw TestFailure("refused") }
            scene.view.deployNext()
            scene.view.onApply = { _ in }
        }
        gate.open()
        await scene.view.received.values(count: 3)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.view.received.values.map(\.submission.rawValue) == [1, 2, 4])
        #expect(facilitator.told.values.map(\.rawValue) == [1, 2, 4])
        #expect(scene.events.events(.handedOver).compactMap(\.submission?.rawValue) == [1, 2, 4])
        #expect(
            scene.outcomes.values.map(\.description)
                == ["b: deployedByReload", "c: superseded(#4)"]
        )
        #expect(scene.controller.visibleMap.texts == [["a", "b", "c"]])
        await scene.close()
    }

    /// Deployed in the wrong order, it is named beside what was expected.
    @Test func anUpdateThatComesAheadOfTheReloadThatReplacesItIsNotApplied() async throws {
        let scene = Scene(.dispatch, [["a"]])
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.append("b")
        try await scene.append("c")
        await scene.view.received.values(count: 3)
        let answers = await scene.onMain { _ in
            scene.view.onApply = { _ in throw TestFailure("refused") }
            let first = scene.view.deployNext(finishing: false)
            scene.view.onApply = { _ in }
            return [first, scene.view.deployNext(finishing: false)]
        }
        #expect(answers == [true, false])
        await scene.view.received.values(count: 4)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.view.deployed.values.map(\.rawValue) == [1, 4])
        await scene.close()
    }
}
