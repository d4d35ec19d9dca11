import CollectionPipeline
import PipelineTestSupport
import Testing

/// A view that notes which of its members are called where.
private final class PlacedView: CollectionView, @unchecked Sendable {  // constants and a journal
    let calls = Journal<(name: String, place: CallPlace)>()
    private let stage: Stage

    init(_ stage: Stage) { self.stage = stage }

    private func note(_ name: String) { calls.append((name, stage.currentPlace)) }

    func attach(to lane: any Lane) { note(lane === stage.lane ? "attach" : "wrong lane") }

    var elementSizeRange: SizeRange {
        note("size range")
        return .width(10)
    }

    var firstVisiblePath: ItemPath? {
        note("first path")
        return nil
    }

    func perform(_ update: ViewUpdate) {
        note("perform")
        update.deploy { _ in note("apply") }
        update.finish()
    }
}

private final class PlacedObserver: PipelineObserver, UpdateFacilitator {
    let calls = Journal<(name: String, submission: Int, place: CallPlace)>()
    private let stage: Stage

    init(_ stage: Stage) { self.stage = stage }

    func observe(_ event: PipelineEvent) {
        let number = event.submission?.rawValue ?? 0
        calls.append((event.kind.rawValue, number, stage.currentPlace))
    }

    func willDeploy(_ update: ViewUpdate) {
        calls.append(("will deploy", update.submission.rawValue, stage.currentPlace))
    }
}

@Suite("Where callbacks run", .endsHangs)
struct CallbackPlaceTests {
    @Test(arguments: Substrate.allCases)
    func aViewIsAttachedOnceByTheMakerAndThenCalledOnTheMainLaneAlone(
        _ substrate: Substrate
    ) async throws {
        let stage = substrate.makeStage()
        let view = PlacedView(stage)
        let controller = stage.makeController(TextDataSource([["a"]]), view: view)
        #expect(view.calls.values.map(\.name) == ["attach"])
        #expect(view.calls.values.map(\.place) == [.elsewhere])
        try await controller.reloadData()
        try await controller.performBatchUpdates { $0.append("b", &$1) }
        try await controller.performBatchUpdates { _, _ in }
        try await controller.relayoutAllNodes()
        let calls = view.calls.values.dropFirst()
        #expect(Set(calls.map(\.name)) == ["size range", "first path", "perform", "apply"])
        #expect(Set(calls.map(\.place)) == [.mainLane])
        await controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func eventsAreToldWhereTheyHappenAndFacilitatorsOnTheMainLane(
        _ substrate: Substrate
    ) async throws {
        let stage = substrate.makeStage()
        let (observer, nodes) = (PlacedObserver(stage), NodeBook(stage))
        nodes.onMake { if $0 == "bad" { throw TestFailure() } }
        let view = RecordingView()
        let controller = stage.makeController(
            TextDataSource([["a", "bad"]], nodes: nodes),
            view: view,
            facilitators: [observer],
            observer: observer
        )
        try await controller.reloadData()
        await #expect(throws: UpdateError.self) {
            try await controller.performBatchUpdates { $1.deleteSections([7]) }
        }
        await onMain(controller) { _ in
            view.onApply = { if !$0.changeSet.isReloadData { throw TestFailure() } }
        }
        try await controller.performBatchUpdates { $0.append("c", &$1) }
        await controller.close()
        let calls = observer.calls.values
        let onWorkers = calls.filter { $0.name == "elementFailed" }
        #expect(onWorkers.map(\.place) == [.worker])
        // On the editing lane, for there was something to measure.
        let measuring = calls.filter { $0.name.hasPrefix("measuring") && $0.submission != 4 }
        #expect(measuring.map(\.place) == Array(repeating: .elsewhere, count: 4))
        let rest = calls.filter { $0.name != "elementFailed" && !$0.name.hasPrefix("measuring") }
        #expect(
            Set(rest.map(\.name)) == [
                "recordingStarted", "recordingFinished", "accepted", "rejected",
                "handingOverStarted", "will deploy", "handedOver", "deployingStarted", "deployed",
                "viewRefused", "completed", "closing", "closed",
            ]
        )
        #expect(Set(rest.map(\.place)) == [.mainLane])
    }

    @Test(arguments: Substrate.allCases)
    func closuresAndCallbacksRunOnTheMainLaneWhoeverGaveThem(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        let (stage, controller) = (scene.stage, scene.controller)
        let places = Journal<(name: String, place: CallPlace)>()
        @Sendable func note(_ name: String) { places.append((name, stage.currentPlace)) }
        controller.enqueueBatchUpdates({ _, _ in note("updates") }) { _ in note("completion") }
        try await controller.performBatchUpdates { _, _ in note("asynchronous updates") }
        try await controller.submit(
            HierarchyChangeSet(),
            recordedAgainst: controller.pendingMap
        ) { _ in note("model") }
        await controller.withDataSource { _ in note("reading") }
        await scene.onMain { controller in
            controller.whenReached(.handedOver) { note("processed") }
            controller.whenReached(.completed) { note("synchronized") }
        }
        await places.values(count: 7)
        controller.close { note("closed") }
        let values = await places.values(count: 8)
        #expect(Set(values.map(\.name)).count == 8 && values.count == 8)
        #expect(Set(values.map(\.place)) == [.mainLane])
    }

    @Test(arguments: Substrate.allCases)
    func whateverIsMeasuredIsMeasuredOnWorkers(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [.init(["a"], headers: ["header"])])
        try await scene.controller.reloadData()
        try await scene.reconfigure(to: "b")
        try await scene.onMain { controller in
            try controller.assumeIsolated().relayoutItems(at: [ItemPath(0, 0)])
            controller.assumeIsolated().environmentDidChange(Traits(textScale: 2))
            try controller.assumeIsolated().relayoutAllNodes()
        }
        await scene.settle()
        #expect(scene.nodes.measurements.count >= 5)
        #expect(Set(scene.nodes.measurements.values.map(\.place)) == [.worker])
        #expect(Set(scene.nodes.made.values.map(\.place)) == [.worker])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func newTraitsMeasureNothingByThemselves(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        try await scene.controller.reloadData()
        await scene.onMain { $0.assumeIsolated().environmentDidChange(Traits(textScale: 2)) }
        await scene.settle()
        #expect(scene.nodes.measurements.count == 2)
        #expect(scene.view.received.count == 1)
        let nodes = scene.controller.visibleMap.items.map {
            $0.element.nodeIfAllocated as? TextNode
        }
        #expect(nodes.map { $0?.traits.textScale } == [2, 2])
        await scene.close()
    }
}
