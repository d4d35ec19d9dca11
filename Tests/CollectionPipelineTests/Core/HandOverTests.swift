import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// The last part of a set's way: what is told, and what becomes possible, when the view has it and shows it.
@Suite("Handing over and deploying", .endsHangs)
struct HandOverTests {
    @Test(arguments: Substrate.allCases)
    func aSetThatTheViewKeepsIsToldAsHandedOver(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        try await scene.append("b")
        await scene.view.received.values(count: 2)
        await scene.onMain { _ in }
        #expect(scene.events.events(.handedOver).compactMap(\.submission?.rawValue) == [1, 2])
        #expect(scene.events.events(.deployingStarted).isEmpty)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    /// Shows an update when the next one comes.
    private final class LateView: CollectionView, @unchecked Sendable {  // main-lane confined
        var kept: ViewUpdate?

        var elementSizeRange: SizeRange { .width(10) }
        var firstVisiblePath: ItemPath? { nil }

        func attach(to lane: any Lane) {}

        func perform(_ update: ViewUpdate) {
            let earlier = kept
            kept = update
            if let earlier, earlier.deploy({ _ in }) { earlier.finish() }
        }
    }

    @Test(arguments: Substrate.allCases)
    func aSetIsHandedOverWhenTheViewHasReturnedThoughItShowsAnEarlierOneMeanwhile(
        _ substrate: Substrate
    ) async throws {
        let (stage, view, events) = (substrate.makeStage(), LateView(), EventRecorder())
        let controller = stage.makeController(
            TextDataSource([["a"]]),
            view: view,
            observer: events
        )
        try await onMain(controller) { controller in
            for _ in 0..<2 { try controller.assumeIsolated().reloadData(completion: nil) }
        }
        await events.wait(for: .deployed)
        await onMain(controller) { _ in }
        let kinds: [PipelineEvent.Kind] = [.handingOverStarted, .handedOver, .deployingStarted]
        let told = events.events.filter { kinds.contains($0.kind) }
        #expect(
            told.map { "\($0.kind.rawValue) \($0.submission?.rawValue ?? 0)" } == [
                "handingOverStarted 1", "handedOver 1",
                "handingOverStarted 2", "deployingStarted 1", "handedOver 2",
            ]
        )
        await onMain(controller) { _ in view.kept = nil }
        await controller.close()
    }

    /// Over one item, with a clock that never shows the same time twice.
    private func timed(_ view: RecordingView, _ events: EventRecorder) async throws
        -> DataController<TextDataSource>
    {
        let stage = Substrate.dispatch.makeStage(workerCount: 1)
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            view: view,
            configuration: .unwatched,
            lane: stage.lane,
            environment: SteppedEnvironment(stage.environment, step: .seconds(1)),
            observer: events
        )
        try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
        await view.received.values(count: 1)
        return controller
    }

    @Test func theViewIsWaitedForSinceTheStepBefore() async throws {
        let (view, events) = (RecordingView(.onDemand), EventRecorder())
        let controller = try await timed(view, events)
        var waits = await onMain(controller) { $0.core.waits }
        #expect(waits.map(\.wait) == [.deploying])
        #expect(waits.map(\.since) == events.events(.handedOver).map(\.timestamp))
        await onMain(controller) { _ in view.deployNext(finishing: false) }
        waits = await onMain(controller) { $0.core.waits }
        #expect(waits.map(\.wait) == [.finishing])
        #expect(waits.map(\.since) == events.events(.deployed).map(\.timestamp))
        await onMain(controller) { _ in view.finishNext() }
        await controller.close()
    }

    @Test func aViewThatRefusesToLoadIsWaitedForSinceItHas() async throws {
        let (view, events) = (RecordingView(.onDemand), EventRecorder())
        let controller = try await timed(view, events)
        await onMain(controller) { _ in
            view.onApply = { _ in throw TestFailure("no room") }
            view.deployNext(finishing: false)
            view.onApply = { _ in }
        }
        let waits = await onMain(controller) { $0.core.waits }
        let refusal = try #require(events.events(.viewRefused).first)
        #expect(waits.map(\.wait) == [.finishing])
        #expect(waits.allSatisfy { $0.since > refusal.timestamp })
        await onMain(controller) { _ in view.finishNext() }
        await controller.close()
    }

    /// It completes nothing, because the one before it is still shown.
    @Test func whereTheViewDropsAnUpdateSomebodyComesInForIt() async throws {
        let scene = Scene(.dispatch, [["a"]], view: RecordingView(.onDemand)) {
            $0.backlogLimit = 1
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await scene.view.received.values(count: 1)
        await scene.onMain { _ in scene.view.deployNext(finishing: false) }
        try await scene.append("b")
        await scene.view.received.values(count: 2)
        scene.controller.enqueueBatchUpdates({ _, _ in }) { _ in }
        await scene.events.wait(for: .suspended)
        await scene.onMain { _ in scene.view.dropLast() }
        // One turn is for what was dropped, and one for who comes in.
        for _ in 0..<4 { await scene.onMain { _ in } }
        #expect(scene.events.events(.resumed).count == 1)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    /// The close begins while the set is in step 3, and drains it.
    @Test(arguments: Substrate.allCases)
    func whatIsPutOffByASetThatAClosingControllerHandsOverIsNotKept(
        _ substrate: Substrate
    ) async throws {
        let texts = (0..<8).map { "item \($0)" }
        let scene = Scene(substrate, [.init(texts)]) { $0.measuringPolicy = .nearestFirst(1) }
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: nil)
            controller.core.close(draining: true, timeout: nil, nil)
        }
        await scene.close()
        #expect(scene.view.received.count == 1 && scene.nodes.measurements.count == 1)
        #expect(await scene.onMain { $0.core.putOffWork.isEmpty })
    }
}
