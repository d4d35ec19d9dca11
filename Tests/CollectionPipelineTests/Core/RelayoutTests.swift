import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import PipelineTesting
import Testing

extension [TextDataSource.Section] {
    /// Three items and a header.
    fileprivate static var threeItems: Self {
        [.init(["aaaa", "b"], headers: ["head"]), .init(["cccccc"])]
    }
}

/// What relayouts promise beside sizes, which ``MeasuringModelTests`` checks.
@Suite("Measuring again", .endsHangs)
struct RelayoutTests {
    private func widths(_ scene: Scene) -> [Double?] {
        scene.controller.visibleMap.items.map { $0.content.size?.width }
    }

    @Test(arguments: Substrate.allCases)
    func everythingIsMeasuredForOtherSizesByOneUpdateOnWorkers(_ substrate: Substrate) async throws
    {
        let scene = Scene(substrate, .threeItems)
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            for _ in 0..<3 { controller.visibleMap.setNeedsRelayout() }
        }
        await scene.settleAfterTurn()
        let updates = scene.view.received.values
        #expect(updates.count == 2 && updates.last?.changeSet.edits.isEmpty == true)
        #expect(
            updates.last?.remeasured.map(\.description)
                == ["0 - 0", "0 - 1", "1 - 0", "header 0 - 0"]
        )
        #expect(widths(scene) == [3, 3, 3])
        #expect(scene.controller.visibleMap.elements == before.elements)
        #expect(before.items.map { $0.content.size?.width } == [10, 10, 10])
        #expect(scene.nodes.made.count == 4 && scene.nodes.measurements.count == 8)
        #expect(scene.nodes.measurements.values.allSatisfy { $0.place == .worker })
        // The same for some of them, which say so themselves; the data source has nothing to do with it.
        scene.calls.removeAll()
        scene.nodes.onMeasure { _, _ in Size(width: 3, height: 7) }
        await scene.onMain { controller in
            let map = controller.pendingMap
            map.supplementary(ofKind: .header, at: ItemPath(0, 0))?.setNeedsLayout()
            for item in [1, 0, 1] { map.element(at: ItemPath(item, 0))?.setNeedsLayout() }
        }
        await scene.settleAfterTurn()
        let last = try #require(scene.view.received.values.last)
        #expect(last.remeasured.map(\.description) == ["0 - 0", "1 - 0", "header 0 - 0"])
        #expect(scene.controller.visibleMap.items.map { $0.content.size?.height } == [7, 1, 7])
        #expect(scene.nodes.measurements.count == 11 && scene.calls.values == [])
        let next = try await scene.onMain { try $0.assumeIsolated().performBatchUpdates() }
        #expect(next.rawValue == 4, "one turn, and one number, for all who asked")
        await scene.settle()
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
        #expect(widths(scene) == [6, 6, 6])
        #expect(scene.view.received.count == 3 && scene.nodes.measurements.count == 12)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whoSwitchesItOffRelayoutsItself(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems) { $0.relayoutsWhenSizeRangeChanges = false }
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            controller.visibleMap.setNeedsRelayout()
        }
        await scene.settleAfterTurn()
        #expect(widths(scene) == [10, 10, 10] && scene.view.received.count == 1)
        try await scene.controller.relayoutAllNodes()
        #expect(widths(scene) == [3, 3, 3])
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
