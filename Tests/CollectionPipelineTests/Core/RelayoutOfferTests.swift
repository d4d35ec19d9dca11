import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// What a relayout of some items says of the size that everything is measured for.
@Suite("Relayouts of some items while another size is offered", .endsHangs)
struct RelayoutOfferTests {
    private func loaded() async throws -> Scene {
        let scene = Scene(.dispatch, .threeItems, workerCount: 1)
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.elementSizeRange = .width(3) }
        return scene
    }

    @Test func whatWasMeasuredAloneForAnotherSizeIsMeasuredAgainForTheFirst() async throws {
        let scene = try await loaded()
        try await scene.controller.relayoutItems(at: [ItemPath(0, 0)])
        #expect(scene.widths == [3, 10, 10])
        await scene.offer(10)
        #expect(scene.widths == [10, 10, 10] && scene.nodes.measurements.count == 6)
        await scene.close()
    }

    @Test func aRelayoutOfNoItemLeavesNothingToBeMeasuredOrAsked() async throws {
        let scene = try await loaded()
        try await scene.controller.relayoutItems(at: [])
        scene.calls.removeAll()
        await scene.offer(10)
        #expect(scene.calls.values == [] && scene.controller.pendingMap.generation == 2)
        await scene.close()
    }

    /// The set before it leaves step 3 first, and nothing is to be concluded from that.
    @Test(.holdsWorker)
    func aRelayoutIsUnderWayUntilItLeavesStepThreeItself() async throws {
        let scene = try await loaded()
        let (first, second) = (Gate(), Gate())
        defer {
            first.open()
            second.open()
        }
        scene.nodes.onMeasure { _, range in
            if range == .width(7) { first.pass() }
            if range == .width(3) { second.pass() }
            return nil
        }
        await scene.withModel { $0.sizeRange = { $0 == "new" ? .width(7) : nil } }
        try await scene.append("new")
        await first.reached()
        await scene.onMain { $0.visibleMap.setNeedsRelayout() }
        await scene.onMain { #expect($0.pendingMap.generation == 3) }
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(4)
            controller.visibleMap.setNeedsRelayout()
        }
        await scene.onMain { _ in }
        first.open()
        await scene.view.received.values(count: 2)
        await scene.onMain { #expect($0.pendingMap.generation == 3, "one after the other") }
        second.open()
        await scene.view.received.values(count: 4)
        await scene.settle()
        #expect(scene.widths == [4, 4, 7, 4])
        await scene.close()
    }
}
