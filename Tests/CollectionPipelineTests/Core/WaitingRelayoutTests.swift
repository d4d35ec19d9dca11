import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What happens meanwhile, and what is not to be done at all.
@Suite("Relayouts that wait", .endsHangs)
struct WaitingRelayoutTests {
    @Test(arguments: Substrate.allCases)
    func beforeTheFirstLoadNothingIsToBeDone(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems)
        await scene.offer(3)
        #expect(scene.calls.values == [] && scene.view.received.count == 0)
        try await scene.controller.reloadData()
        #expect(scene.widths == [3, 3, 3])
        try await scene.controller.clear()
        scene.calls.removeAll()
        await scene.offer(4)
        #expect(scene.view.received.count == 2 && scene.nodes.measurements.count == 4)
        #expect(scene.calls.values == [], "what is cleared is not there to be asked about")
        try await scene.controller.reloadData()
        #expect(scene.widths == [4, 4, 4])
        await scene.close()
    }

    /// Nobody can be asked about a path that may be another's; the set that accounts for it all is followed.
    @Test(arguments: Substrate.allCases, [true, false])
    func whereCountsDifferItWaitsForTheNextSet(
        _ substrate: Substrate,
        _ isKnown: Bool
    ) async throws {
        let scene = Scene(substrate, .threeItems)
        try await scene.controller.reloadData()
        await scene.withModel { $0.sections[0].items.append("new") }
        if isKnown {
            await #expect(throws: UpdateError.self) {
                try await scene.controller.performBatchUpdates { _, _ in }
            }
        }
        scene.calls.removeAll()
        for _ in 0..<2 { await scene.offer(3) }
        #expect(!isKnown || scene.calls.values == [])
        #expect(scene.view.received.count == 1 && scene.nodes.measurements.count == 4)
        #expect((scene.controller.divergence != nil) == isKnown, "asking tells nothing of itself")
        // Who asks for something else in the same turn gets it all the same.
        await scene.onMain { controller in
            controller.visibleMap.setNeedsRelayout()
            controller.visibleMap.element(at: ItemPath(1, 0))?.setNeedsLayout()
        }
        await scene.settleAfterTurn()
        #expect(scene.view.received.values.last?.remeasured.map(\.description) == ["1 - 0"])
        #expect(scene.widths == [10, 10, 10])
        try await scene.controller.performBatchUpdates { $1.insertItems(at: [ItemPath(0, 2)]) }
        await scene.settleAfterTurn()
        #expect(scene.widths == [3, 3, 3, 3])
        #expect(scene.view.received.count == 4 && scene.nodes.measurements.count == 10)
        await scene.close()
    }

    /// The reload has measured everything for what is offered by now.
    @Test(arguments: Substrate.allCases)
    func afterAReloadItIsNotNeededAnyMore(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems)
        try await scene.controller.reloadData()
        await scene.withModel { $0.sections[0].items.append("new") }
        await scene.offer(3)
        try await scene.controller.reloadData()
        await scene.settleAfterTurn()
        #expect(scene.widths == [3, 3, 3, 3] && scene.view.received.count == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aDataSourceThatSubmitsMeanwhileIsAskedAgainAfterTheNextSet(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, .threeItems)
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            controller.assumeIsolated().dataSource.onCall = { [weak controller] call in
                guard let list = controller?.assumeIsolated(), case .sizeRange = call else {
                    return
                }
                list.dataSource.onCall = nil
                _ = try? list.performBatchUpdates { _, _ in }
            }
        }
        await scene.offer(3)
        #expect(scene.nodes.measurements.count == 4 && scene.view.received.count == 1)
        try await scene.controller.performBatchUpdates { _, _ in }
        await scene.settleAfterTurn()
        #expect(scene.widths == [3, 3, 3])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whileABatchIsOpenItWaitsForTheEnd(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems)
        try await scene.controller.reloadData()
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            controller.visibleMap.setNeedsRelayout()
        }
        await scene.onMain { #expect($0.pendingMap.generation == 1) }
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            list.dataSource.sections[0].items.remove(at: 0)
            try list.deleteItems(at: [ItemPath(0, 0)])
            try list.endUpdates()
        }
        await scene.settle()
        #expect(scene.widths == [3, 3] && scene.nodes.measurements.count == 7)
        await scene.close()
    }

    @Test(
        arguments: Substrate.allCases,
        [PipelineConfiguration.BacklogPolicy.suspend, .reject, .merge]
    )
    func whereTheBacklogIsFullItWaitsForRoomUnlessThatIsMerged(
        _ substrate: Substrate,
        _ policy: PipelineConfiguration.BacklogPolicy
    ) async throws {
        let scene = Scene(substrate, .threeItems, view: RecordingView(.onDemand)) {
            ($0.backlogLimit, $0.backlogPolicy) = (1, policy)
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData() }
        await scene.view.received.values(count: 1)
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            controller.pendingMap.setNeedsRelayout()
        }
        let generation = await scene.onMain { $0.pendingMap.generation }
        #expect(generation == (policy == .merge ? 2 : 1))
        await scene.onMain { _ in scene.view.deployNext() }
        await scene.view.received.values(count: 2)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        #expect(scene.widths == [3, 3, 3] && scene.nodes.measurements.count == 8)
        await scene.close()
    }

    /// A view that is resized at every frame has none measured for sizes that are no longer offered, but the first.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func oneRelayoutIsMeasuredAfterTheOther(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems, workerCount: 1)
        try await scene.controller.reloadData()
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMeasure { _, range in
            if range == .width(3) { gate.pass() }
            return nil
        }
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            controller.visibleMap.setNeedsRelayout()
        }
        await gate.reached()
        for width in [4.0, 5, 6] {
            await scene.onMain { controller in
                scene.view.elementSizeRange = .width(width)
                controller.visibleMap.setNeedsRelayout()
            }
            await scene.onMain { #expect($0.pendingMap.generation == 2) }
        }
        gate.open()
        await scene.view.received.values(count: 3)
        await scene.settle()
        #expect(scene.widths == [6, 6, 6])
        #expect(scene.view.received.count == 3 && scene.nodes.measurements.count == 12)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func afterTheEndOrWithoutItsControllerNothingIsDone(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems)
        try await scene.controller.reloadData()
        let map = scene.controller.visibleMap
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        await scene.onMain { _ in
            scene.view.elementSizeRange = .width(3)
            map.setNeedsRelayout()
        }
        await scene.close()
        map.setNeedsRelayout()
        await scene.onMain { _ in }
        #expect(scene.view.received.count == 1 && scene.nodes.measurements.count == 4)
        ElementMap.empty(generation: 0).setNeedsRelayout()
    }

    @Test(arguments: Substrate.allCases)
    func whoSwitchesItOffRelayoutsItself(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems) { $0.relayoutsWhenSizeRangeChanges = false }
        try await scene.controller.reloadData()
        await scene.offer(3)
        #expect(scene.widths == [10, 10, 10] && scene.view.received.count == 1)
        try await scene.controller.relayoutAllNodes()
        #expect(scene.widths == [3, 3, 3])
        await scene.close()
    }

    /// Any map of the controller will do, an empty one too, from any thread.
    @Test(arguments: Substrate.allCases)
    func everyMapReachesItsController(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [])
        try await scene.controller.reloadData()
        let empty = scene.controller.visibleMap
        #expect(empty.numberOfSections == 0)
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["a"]]
            changes.insertSections([0])
        }
        await scene.onMain { _ in scene.view.elementSizeRange = .width(4) }
        empty.setNeedsRelayout()
        await scene.settleAfterTurn()
        #expect(scene.widths == [4])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func withoutItsViewNothingIsMeasuredForNobody(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let nodes = NodeBook(stage)
        var view: RecordingView? = RecordingView()
        let controller = stage.makeController(TextDataSource(.threeItems, nodes: nodes), view: view)
        try await controller.reloadData()
        view = nil
        try await controller.performBatchUpdates { $0.append("new", &$1) }
        controller.visibleMap.setNeedsRelayout()
        await onMain(controller) { _ in }
        await controller.settle()
        #expect(nodes.measurements.count == 5 && controller.pendingMap.generation == 2)
        _ = view
        await controller.close()
    }
}
