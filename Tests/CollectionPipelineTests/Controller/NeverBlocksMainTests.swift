import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Never Blocks Main", .endsHangs)
struct NeverBlocksMainTests {
    /// Every call on the main lane, except those whose name says that they wait, returns while a
    /// measurement is held. If a call waited, this test would run into its time limit.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func everyCallReturnsWhileAMeasurementIsHeld(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"], ["b"]])
        let gate = Gate()
        defer { gate.open() }
        try await scene.controller.reloadData()
        scene.nodes.onMeasure { text, _ in
            if text == "held" { gate.pass() }
            return nil
        }
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            list.dataSource.sections[0].items.append("held")
            try list.insertItems(at: [ItemPath(0, 1)])
        }
        await gate.reached()
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            let source = list.dataSource
            try list.performBatchUpdates(
                completion: scene.completion("batch")
            )
            try list.beginUpdates()
            try list.endUpdates()
            try list.reloadItems(at: [ItemPath(0, 0)])
            // The element whose node is being measured.
            try list.reconfigureItems(at: [ItemPath(0, 1)])
            source.sections[0].items.swapAt(0, 1)
            try list.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
            source.sections.swapAt(0, 1)
            try list.moveSection(0, toSection: 1)
            try list.reconfigureSections([0])
            try list.reloadSections([0])
            try list.reloadSupplementaries(ofKind: .header, in: [0])
            source.sections.append(["c"])
            try list.insertSections([2])
            source.sections.removeLast()
            try list.deleteSections([2])
            source.sections[1].items.removeAll { $0 == "held" }
            try list.deleteItems(at: [ItemPath(1, 0)])
            try list.relayoutItems(at: [ItemPath(0, 0)])
            try list.relayoutAllNodes()
            list.environmentDidChange(Traits(textScale: 2))
            try list.reloadData(completion: nil)
            _ = (
                list.isProcessingUpdates,
                list.isSynchronized, list.backlog
            )
            _ = (controller.pendingMap.texts, controller.visibleMap.texts)
            _ = controller.viewPath(for: ItemPath(0, 0))
            _ = controller.dataSourcePath(for: ItemPath(0, 0))
            controller.whenReached(.deliveredToView) {}
            controller.whenReached(.completed) {}
            try list.clear()
            controller.close {}
        }
        #expect(scene.outcomes.count == 0)
        gate.open()
        await scene.close()
        #expect(scene.outcomes.count == 1)
        #expect(scene.controller.visibleMap.numberOfSections == 0)
    }

    /// Calls on other threads return while the main lane is held.
    @Test(arguments: Substrate.threaded)
    func callsFromOtherThreadsReturnWhileTheMainLaneIsHeld(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.backlogLimit = 1 }
        let controller = scene.controller
        try await controller.reloadData()
        let gate = Gate()
        defer { gate.open() }
        scene.stage.lane.enqueue { gate.pass() }
        await gate.reached()
        for number in 0..<100 {
            controller.enqueueBatchUpdates(
                { $0.append("\(number)", &$1) },
                completion: scene.completion("\(number)")
            )
        }
        _ = (controller.pendingMap.texts, controller.visibleMap.texts, controller.lane.label)
        #expect(controller.viewPath(for: ItemPath(0, 0)) == ItemPath(0, 0))
        #expect(controller.dataSourcePath(for: ItemPath(0, 0)) == ItemPath(0, 0))
        #expect(controller.divergence?.countsSince == nil)
        #expect(scene.outcomes.count == 0)
        gate.open()
        await scene.outcomes.values(count: 100)
        let second = scene.stage.makeController(TextDataSource([["b"]]))
        second.close {}
        await scene.close()
        #expect(controller.visibleMap.numberOfItems == 101)
    }
}
