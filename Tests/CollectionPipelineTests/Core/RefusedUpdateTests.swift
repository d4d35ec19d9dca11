import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What everybody is told when a view refuses an update, and of the reload that follows.
@Suite("Rejected updates", .endsHangs)
struct RefusedUpdateTests {
    /// A scene whose view has refused the second update, and was handed the reload that stands for it.
    private func refused(
        _ substrate: Substrate,
        finishing finishes: Bool = false
    ) async throws -> Scene {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.append("b")
        await scene.view.received.values(count: 2)
        await scene.onMain { _ in
            scene.view.onApply = { _ in throw TestFailure("no room") }
            scene.view.deployNext(finishing: finishes)
            scene.view.onApply = { _ in }
        }
        await scene.view.received.values(count: 3)
        return scene
    }

    @Test(arguments: Substrate.allCases)
    func theEventHasTheErrorAndTheRejectedSetCountsAsNotDeployed(
        _ substrate: Substrate
    ) async throws {
        let scene = try await refused(substrate)
        let event = try #require(scene.events.events(.viewRefused).first)
        #expect(event.submission?.rawValue == 2)
        #expect(event.error as? TestFailure == TestFailure("no room"))
        #expect(scene.events.events(.deployed).compactMap(\.submission?.rawValue) == [1])
        #expect(await scene.onMain { $0.assumeIsolated().backlog } == 2)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.events.events(.deployed).compactMap(\.submission?.rawValue) == [1, 3])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theReloadIsNotAnimated(_ substrate: Substrate) async throws {
        let scene = try await refused(substrate)
        #expect(scene.view.received.values.map(\.isAnimated) == [true, true, false])
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        await scene.close()
    }

    /// Also where the view says that it is done with the one that it refused.
    @Test(arguments: Substrate.allCases)
    func aRejectedUpdateDoesNotCompleteBeforeItsReloadIsShown(
        _ substrate: Substrate
    ) async throws {
        let scene = try await refused(substrate, finishing: true)
        for _ in 0..<5 { await scene.onMain { _ in } }
        #expect(scene.outcomes.values.isEmpty)
        await scene.onMain { _ in scene.view.deployNext(finishing: false) }
        for _ in 0..<5 { await scene.onMain { _ in } }
        #expect(scene.outcomes.values.map(\.description) == ["b: deployedByReload"])
        await scene.onMain { _ in scene.view.finishNext() }
        await scene.close()
    }

    /// The view shows b, and is not done with it when it refuses c; the reload that follows waits for it.
    ///
    /// - Parameter afterwards: what the view does in the turn of the refusal, before the reload comes.
    private func refusedScene(
        _ substrate: Substrate,
        _ afterwards: @escaping @Sendable (RecordingView) -> Void
    ) async throws -> Scene {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        for text in ["b", "c"] { try await scene.append(text) }
        await scene.view.received.values(count: 3)
        await scene.onMain { _ in
            scene.view.deployNext(finishing: false)
            scene.view.onApply = { _ in throw TestFailure("no room") }
            scene.view.deployNext(finishing: true)
            scene.view.onApply = { _ in }
            afterwards(scene.view)
        }
        await scene.view.received.values(count: 4)
        return scene
    }

    /// The reload ends what it stands for, and no animation of what was shown before the rejection.
    @Test(arguments: Substrate.allCases)
    func whatIsStillShownWhenTheReloadDeploysCompletesWhenTheViewIsDoneWithIt(
        _ substrate: Substrate
    ) async throws {
        let scene = try await refusedScene(substrate) { _ in }
        await scene.onMain { _ in scene.view.deployNext(finishing: true) }
        for _ in 0..<5 { await scene.onMain { _ in } }
        #expect(scene.controller.visibleMap.texts == [["a", "b", "c"]])
        #expect(scene.outcomes.values.isEmpty)
        await scene.onMain { _ in scene.view.finishNext() }
        await scene.settle()
        #expect(
            scene.outcomes.values.map(\.description) == ["b: deployed", "c: deployedByReload"]
        )
        await scene.close()
    }

    /// The view ends what it showed before, or loses it, while the reload is on its way.
    @Test(arguments: Substrate.allCases, [true, false])
    func whatWasShownBeforeCompletesWhileTheReloadIsOnItsWay(
        _ substrate: Substrate,
        _ isFinished: Bool
    ) async throws {
        let scene = try await refusedScene(substrate) { view in
            if isFinished { view.finishNext() } else { view.dropAll() }
        }
        await scene.onMain { _ in scene.view.deployNext(finishing: true) }
        await scene.settle()
        #expect(
            scene.outcomes.values.map(\.description) == ["b: deployed", "c: deployedByReload"]
        )
        await scene.close()
    }

    /// A view that refused to load shows nothing that could be edited.
    @Test(arguments: Substrate.allCases)
    func theSetAfterARefusedLoadComesAsAReload(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        await scene.onMain { _ in
            scene.view.onApply = { _ in throw TestFailure("no room") }
        }
        await #expect(throws: UpdateError.self) { try await scene.controller.reloadData() }
        await scene.onMain { _ in scene.view.onApply = { _ in } }
        for text in ["b", "c"] { try await scene.append(text) }
        await scene.settle()
        #expect(scene.view.received.values.map(\.changeSet.isReloadData) == [true, true, false])
        #expect(scene.view.received.values.map(\.newMap.texts).last == [["a", "b", "c"]])
        #expect(scene.outcomes.values.map(\.description) == ["b: deployedByReload", "c: deployed"])
        await scene.close()
    }

    /// Those behind a refused load are shown by one reload; the load ends as refused.
    @Test(arguments: Substrate.allCases)
    func whatWaitsBehindARefusedLoadIsShownByAReload(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: scene.completion("a"))
        }
        for text in ["b", "c"] { try await scene.append(text) }
        await scene.view.received.values(count: 3)
        await scene.onMain { _ in
            scene.view.onApply = { _ in throw TestFailure("no room") }
            scene.view.deployNext()
            scene.view.onApply = { _ in }
        }
        await scene.view.received.values(count: 4)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.view.deployed.values.map(\.rawValue) == [4])
        #expect(scene.view.received.values.last?.changeSet.isReloadData == true)
        #expect(
            scene.outcomes.values.map(\.description)
                == ["a: refused(viewRefused)", "b: superseded(#4)", "c: superseded(#4)"]
        )
        await scene.close()
    }

    private final class Submitting: LayoutDelegate, @unchecked Sendable {  // main-lane confined
        var onContext: (ElementMap) -> Void = { _ in }

        func layoutContext(for map: ElementMap) -> any Sendable {
            onContext(map)
            return 0
        }

        func layout(_ map: ElementMap, in context: any Sendable, measurer: LayoutMeasurer)
            -> any Sendable
        { 0 }
    }

    /// The delegate is asked for a context of the reload's own map, and may not submit meanwhile.
    @Test(arguments: Substrate.allCases)
    func aDelegateThatSubmitsWhileTheReloadIsPreparedIsRejected(
        _ substrate: Substrate
    ) async throws {
        let delegate = Submitting()
        let scene = Scene(substrate, [["a"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.append("b")
        await scene.view.received.values(count: 2)
        let codes = await scene.onMain { controller -> [UpdateError.Code?] in
            var codes: [UpdateError.Code?] = []
            delegate.onContext = { [unowned controller] map in
                #expect(map.generation == 3)
                do throws(UpdateError) {
                    try controller.assumeIsolated().performBatchUpdates(completion: nil)
                    codes.append(nil)
                } catch {
                    codes.append(error.code)
                }
            }
            scene.view.onApply = { _ in throw TestFailure("refused") }
            scene.view.deployNext(finishing: false)
            scene.view.onApply = { _ in }
            delegate.onContext = { _ in }
            return codes
        }
        #expect(codes == [.submissionDuringLatch])
        // Afterwards it may.
        try await scene.append("c")
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.controller.visibleMap.texts == [["a", "b", "c"]])
        await scene.close()
    }

    /// The list of lost updates does not grow.
    @Test(arguments: Substrate.allCases)
    func whatWasDroppedAndIsOverIsForgotten(_ substrate: Substrate) async throws {
        for mode in [RecordingView.Mode.atOnce, .dropping] {
            let scene = Scene(substrate, [["a"]], view: RecordingView(mode))
            for _ in 0..<5 { try await scene.controller.reloadData() }
            for _ in 0..<3 { await scene.onMain { _ in } }
            #expect(await scene.onMain { $0.core.hasForgottenLosses })
            await scene.close()
        }
        let stage = substrate.makeStage()
        let controller = stage.makeController(TextDataSource([["a"]]))
        for _ in 0..<5 { try await controller.reloadData() }
        #expect(await onMain(controller) { $0.core.hasForgottenLosses })
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func measuringAgainTellsNoNodeAModel(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        try await scene.controller.reloadData()
        try await scene.controller.relayoutItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        #expect(scene.nodes.updates.count == 0)
        #expect(scene.nodes.measurements.count == 4)
        await scene.close()
    }
}

extension PipelineCore {
    fileprivate var hasForgottenLosses: Bool {
        lost.withLock { $0.isEmpty } && delivery.losses.isEmpty
    }
}
