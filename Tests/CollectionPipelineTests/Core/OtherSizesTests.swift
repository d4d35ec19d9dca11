import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

extension Scene {
    /// Has the view offer another width, and say so.
    func offer(_ width: Double) async {
        await onMain { [view] controller in
            view.elementSizeRange = .width(width)
            controller.visibleMap.setNeedsRelayout()
        }
        await settleAfterTurn()
    }

    /// Of the items, as far as they have a size.
    var widths: [Double?] { controller.visibleMap.items.map { $0.content.size?.width } }
}

extension [TextDataSource.Section] {
    /// Three items and a header.
    static var threeItems: Self { [.init(["aaaa", "b"], headers: ["head"]), .init(["cccccc"])] }
}

@Suite("A view that offers other sizes than before", .endsHangs)
struct OtherSizesTests {
    @Test(arguments: Substrate.allCases)
    func everythingIsMeasuredForThemByOneUpdateOnWorkers(_ substrate: Substrate) async throws {
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
        #expect(scene.widths == [3, 3, 3])
        #expect(scene.controller.visibleMap.elements == before.elements)
        #expect(before.items.map { $0.content.size?.width } == [10, 10, 10])
        #expect(scene.nodes.made.count == 4 && scene.nodes.measurements.count == 8)
        #expect(scene.nodes.measurements.values.allSatisfy { $0.place == .worker })
        let next = try await scene.onMain { try $0.assumeIsolated().performBatchUpdates() }
        #expect(next.rawValue == 3, "one turn, and one number, for all who asked")
        await scene.settle()
        await scene.close()
    }

    /// Neither is the data source asked, nor a number used up twice.
    @Test(arguments: Substrate.allCases)
    func whereTheyAreTheSameNothingHappens(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems)
        try await scene.controller.reloadData()
        await scene.offer(3)
        scene.calls.removeAll()
        for _ in 0..<3 { await scene.offer(3) }
        #expect(scene.view.received.count == 2 && scene.calls.values == [])
        #expect(scene.controller.pendingMap.generation == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatTheDataSourceSaysOtherwiseOfStays(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems)
        await scene.withModel { $0.sizeRange = { $0 == "b" ? nil : .width(7) } }
        try await scene.controller.reloadData()
        await scene.offer(3)
        #expect(scene.widths == [7, 3, 7] && scene.nodes.measurements.count == 5)
        #expect(scene.view.received.values.last?.remeasured.map(\.description) == ["0 - 1"])
        // Where it says something of everything there is no update at all, and the question is settled.
        await scene.withModel { $0.sizeRange = { $0 == "b" ? .width(3) : .width(7) } }
        await scene.offer(4)
        scene.calls.removeAll()
        await scene.offer(4)
        #expect(scene.view.received.count == 2 && scene.calls.values == [])
        await scene.close()
    }

    /// Others are asked for in the same turn.
    @Test(arguments: Substrate.allCases)
    func whoAsksInTheSameTurnIsPartOfTheUpdate(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems)
        await scene.withModel { $0.sizeRange = { $0 == "b" || $0 == "head" ? .width(7) : nil } }
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            let map = controller.visibleMap
            map.element(at: ItemPath(0, 1))?.setNeedsLayout()
            scene.view.elementSizeRange = .width(3)
            map.setNeedsRelayout()
            map.element(at: ItemPath(0, 0))?.setNeedsLayout()
        }
        await scene.settleAfterTurn()
        #expect(scene.view.received.count == 2)
        #expect(
            scene.view.received.values.last?.remeasured.map(\.description)
                == ["0 - 0", "0 - 1", "1 - 0"]
        )
        #expect(scene.widths == [3, 7, 3] && scene.nodes.measurements.count == 7)
        // Where nothing else is to be done, who asks gets the update alone.
        await scene.onMain { controller in
            controller.visibleMap.setNeedsRelayout()
            controller.visibleMap.element(at: ItemPath(0, 1))?.setNeedsLayout()
        }
        await scene.settleAfterTurn()
        #expect(scene.view.received.values.last?.remeasured.map(\.description) == ["0 - 1"])
        await scene.close()
    }

    /// Who asks for another size gets any first, which comes in its turn.
    @Test(arguments: Substrate.allCases)
    func whatIsYetToBeMeasuredStaysPutOff(_ substrate: Substrate) async throws {
        let texts = (0..<4).map { "item \($0)" }
        let scene = Scene(substrate, [.init(texts)]) { $0.measuringPolicy = .onDemand(1) }
        await scene.withModel { $0.sizeRange = { $0 == "item 3" ? .width(7) : nil } }
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            controller.visibleMap.setNeedsRelayout()
            controller.visibleMap.element(at: ItemPath(0, 3))?.setNeedsLayout()
        }
        await scene.settleAfterTurn()
        #expect(
            scene.widths == [3, nil, nil, nil]
        )
        #expect(scene.view.received.values.last?.remeasured.map(\.path.item) == [0, 1, 2])
        await scene.close()
    }

    /// However often the room changes: what was put off keeps its node, or needs none.
    @Test(arguments: Substrate.allCases, [true, false])
    func asMuchIsPutOffEachTime(_ substrate: Substrate, _ givesModels: Bool) async throws {
        let texts = (0..<6).map { "item \($0)" }
        let scene = Scene(substrate, [.init(texts)]) { $0.measuringPolicy = .onDemand(2) }
        await scene.withModel { $0.givesModels = givesModels }
        try await scene.controller.reloadData()
        for (count, width) in [3.0, 4, 5, 6].enumerated() {
            await scene.offer(width)
            #expect(
                scene.widths
                    == [width, width, nil, nil, nil, nil]
            )
            #expect(scene.nodes.measurements.count == 2 * (count + 2))
        }
        #expect(scene.nodes.made.count == 2)
        await scene.close()
    }

    /// Who asked before is part of an earlier update.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func whatIsAboutToBeMeasuredForTheSameIsNoPartOfIt(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b", "own"]]) { $0.measuringPolicy = .onDemand(1) }
        await scene.withModel { $0.sizeRange = { $0 == "own" ? .width(7) : nil } }
        try await scene.controller.reloadData()
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMeasure { text, _ in
            if text == "a" { gate.pass() }
            return nil
        }
        try await scene.onMain { try $0.assumeIsolated().relayoutItems(at: [ItemPath(0, 0)]) }
        await gate.reached()
        await scene.onMain { $0.pendingMap.element(at: ItemPath(0, 2))?.setNeedsMeasuring() }
        await scene.onMain { #expect($0.pendingMap.generation == 3) }
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            controller.pendingMap.setNeedsRelayout()
        }
        await scene.onMain { #expect($0.pendingMap.generation == 4) }
        gate.open()
        await scene.view.received.values(count: 4)
        await scene.settle()
        #expect(scene.view.received.values.last?.remeasured.map(\.path.item) == [0, 1])
        #expect(scene.nodes.measurements.values.filter { $0.text == "own" }.count == 1)
        await scene.close()
    }

    /// Of the rest as much is put off as of what is new.
    @Test(arguments: Substrate.allCases)
    func whatIsPutOffIsNotWhatSomebodyAskedFor(_ substrate: Substrate) async throws {
        let view = RecordingView()
        view.firstVisiblePath = ItemPath(0, 3)
        let texts = (0..<8).map { "item \($0)" }
        let scene = Scene(substrate, [.init(texts)], view: view) {
            $0.measuringPolicy = .onDemand(2)
        }
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            let map = controller.visibleMap
            map.element(at: ItemPath(0, 6))?.setNeedsMeasuring()
            scene.view.elementSizeRange = .width(3)
            map.setNeedsRelayout()
            map.element(at: ItemPath(0, 3))?.setNeedsLayout()
        }
        await scene.settleAfterTurn()
        let sizes = scene.widths
        #expect(sizes == [nil, nil, 3, 3, 3, nil, 3, nil])
        #expect(scene.view.received.count == 2)
        #expect(scene.view.received.values.last?.remeasured.map(\.path.item) == Array(0..<8))
        // What is put off follows, where it does by itself.
        let other = Scene(substrate, [.init(texts)]) { $0.measuringPolicy = .nearestFirst(2) }
        try await other.controller.reloadData()
        await other.settle()
        await other.offer(3)
        while other.widths != Array(repeating: 3, count: 8) { await other.onMain { _ in } }
        await other.settle()
        #expect(other.nodes.measurements.count == 16)
        await other.close()
        await scene.close()
    }

    /// What came for one size while another was offered in between is measured for it, and nothing else again.
    @Test(arguments: Substrate.allCases)
    func whatCameInBetweenIsMeasuredToo(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems)
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.elementSizeRange = .width(3) }
        try await scene.append("new")
        await scene.settle()
        #expect(scene.widths == [10, 10, 3, 10])
        await scene.offer(10)
        #expect(scene.widths == [10, 10, 10, 10])
        #expect(scene.view.received.values.last?.remeasured.map(\.description) == ["0 - 2"])
        #expect(scene.nodes.measurements.count == 6)
        await scene.onMain { _ in scene.view.elementSizeRange = .width(3) }
        try await scene.controller.relayoutItems(at: [ItemPath(0, 0)])
        await scene.offer(3)
        #expect(scene.widths == [3, 3, 3, 3] && scene.nodes.measurements.count == 11)
        await scene.close()
    }

    /// What counts is what it was measured for, whatever the view offered before and after.
    @Test(arguments: Substrate.allCases)
    func whatCameWhileAnotherSizeWasOfferedIsMeasuredToo(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems)
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            controller.assumeIsolated().dataSource.onCall = { call in
                if case .sizeRange = call { scene.view.elementSizeRange = .width(10) }
            }
        }
        try await scene.append("new")
        await scene.settle()
        #expect(scene.widths == [10, 10, 3, 10])
        await scene.withModel { $0.onCall = nil }
        await scene.offer(10)
        #expect(scene.widths == [10, 10, 10, 10] && scene.nodes.measurements.count == 6)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func modelsAloneHaveNothingToMeasure(_ substrate: Substrate) async throws {
        final class Rows: ModelSource {
            func numberOfItems(inSection section: Int) -> Int { 2 }
            func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<String> {
                ["a", "b"][items]
            }
        }
        let (stage, view) = (substrate.makeStage(), RecordingView())
        let controller = stage.makeController(Rows(), view: view)
        try await controller.reloadData()
        await onMain(controller) { controller in
            view.elementSizeRange = .width(3)
            controller.visibleMap.setNeedsRelayout()
        }
        await onMain(controller) { _ in }
        await controller.settle()
        #expect(view.received.count == 1 && controller.pendingMap.generation == 1)
        await controller.close()
    }
}
