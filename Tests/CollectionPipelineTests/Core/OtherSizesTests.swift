import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("A view that offers other sizes than before", .endsHangs)
struct OtherSizesTests {
    private let sections: [TextDataSource.Section] = [
        .init(["aaaa", "b"], headers: ["head"]), .init(["cccccc"]),
    ]

    /// Has the view offer another width, and say so.
    private func offer(_ scene: Scene, _ width: Double) async {
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(width)
            controller.visibleMap.setNeedsRelayout()
        }
        // What the main lane does after the turn that was asked for.
        await scene.onMain { _ in }
        await scene.settle()
    }

    private func widths(_ scene: Scene) -> [Double?] {
        scene.controller.visibleMap.items.map { $0.content.size?.width }
    }

    @Test(arguments: Substrate.allCases)
    func everythingIsMeasuredForThemByOneUpdateOnWorkers(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections)
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            for _ in 0..<3 { controller.visibleMap.setNeedsRelayout() }
        }
        await scene.onMain { _ in }
        await scene.settle()
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
        let next = try await scene.onMain { try $0.assumeIsolated().performBatchUpdates() }
        #expect(next.rawValue == 3, "one turn, and one number, for all who asked")
        await scene.settle()
        await scene.close()
    }

    /// Neither is the data source asked, nor a number used up twice.
    @Test(arguments: Substrate.allCases)
    func whereTheyAreTheSameNothingHappens(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections)
        try await scene.controller.reloadData()
        await offer(scene, 3)
        scene.calls.removeAll()
        for _ in 0..<3 { await offer(scene, 3) }
        #expect(scene.view.received.count == 2 && scene.calls.values == [])
        #expect(scene.controller.pendingMap.generation == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatTheDataSourceSaysOtherwiseOfStays(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections)
        await scene.withModel { $0.sizeRange = { $0 == "b" ? nil : .width(7) } }
        try await scene.controller.reloadData()
        await offer(scene, 3)
        #expect(widths(scene) == [7, 3, 7] && scene.nodes.measurements.count == 5)
        #expect(scene.view.received.values.last?.remeasured.map(\.description) == ["0 - 1"])
        // Where it says something of everything there is no update at all, and the question is settled.
        await scene.withModel { $0.sizeRange = { $0 == "b" ? .width(3) : .width(7) } }
        await offer(scene, 4)
        scene.calls.removeAll()
        await offer(scene, 4)
        #expect(scene.view.received.count == 2 && scene.calls.values == [])
        await scene.close()
    }

    /// Others are asked for in the same turn.
    @Test(arguments: Substrate.allCases)
    func whoAsksInTheSameTurnIsPartOfTheUpdate(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections)
        await scene.withModel { $0.sizeRange = { $0 == "b" || $0 == "head" ? .width(7) : nil } }
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            let map = controller.visibleMap
            map.element(at: ItemPath(0, 1))?.setNeedsLayout()
            scene.view.elementSizeRange = .width(3)
            map.setNeedsRelayout()
            map.element(at: ItemPath(0, 0))?.setNeedsLayout()
        }
        await scene.onMain { _ in }
        await scene.settle()
        #expect(scene.view.received.count == 2)
        #expect(
            scene.view.received.values.last?.remeasured.map(\.description)
                == ["0 - 0", "0 - 1", "1 - 0"]
        )
        #expect(widths(scene) == [3, 7, 3] && scene.nodes.measurements.count == 7)
        // Where nothing else is to be done, who asks gets the update alone.
        await scene.onMain { controller in
            controller.visibleMap.setNeedsRelayout()
            controller.visibleMap.element(at: ItemPath(0, 1))?.setNeedsLayout()
        }
        await scene.onMain { _ in }
        await scene.settle()
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
        await scene.onMain { _ in }
        await scene.settle()
        #expect(
            scene.controller.visibleMap.items.map { $0.content.size?.width } == [3, nil, nil, nil]
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
            await offer(scene, width)
            #expect(
                scene.controller.visibleMap.items.map { $0.content.size?.width }
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
        await scene.onMain { _ in }
        await scene.settle()
        let sizes = scene.controller.visibleMap.items.map { $0.content.size?.width }
        #expect(sizes == [nil, nil, 3, 3, 3, nil, 3, nil])
        #expect(scene.view.received.count == 2)
        #expect(scene.view.received.values.last?.remeasured.map(\.path.item) == Array(0..<8))
        // What is put off follows, where it does by itself.
        let other = Scene(substrate, [.init(texts)]) { $0.measuringPolicy = .nearestFirst(2) }
        try await other.controller.reloadData()
        await other.settle()
        await offer(other, 3)
        while widths(other) != Array(repeating: 3, count: 8) { await other.onMain { _ in } }
        await other.settle()
        #expect(other.nodes.measurements.count == 16)
        await other.close()
        await scene.close()
    }

    /// What came for one size while another was offered in between is measured for it, and nothing else again.
    @Test(arguments: Substrate.allCases)
    func whatCameInBetweenIsMeasuredToo(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections)
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.elementSizeRange = .width(3) }
        try await scene.append("new")
        await scene.settle()
        #expect(widths(scene) == [10, 10, 3, 10])
        await offer(scene, 10)
        #expect(widths(scene) == [10, 10, 10, 10])
        #expect(scene.view.received.values.last?.remeasured.map(\.description) == ["0 - 2"])
        #expect(scene.nodes.measurements.count == 6)
        await scene.onMain { _ in scene.view.elementSizeRange = .width(3) }
        try await scene.controller.relayoutItems(at: [ItemPath(0, 0)])
        await offer(scene, 3)
        #expect(widths(scene) == [3, 3, 3, 3] && scene.nodes.measurements.count == 11)
        await scene.close()
    }

    /// What counts is what it was measured for, whatever the view offered before and after.
    @Test(arguments: Substrate.allCases)
    func whatCameWhileAnotherSizeWasOfferedIsMeasuredToo(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections)
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            controller.assumeIsolated().dataSource.onCall = { call in
                if case .sizeRange = call { scene.view.elementSizeRange = .width(10) }
            }
        }
        try await scene.append("new")
        await scene.settle()
        #expect(widths(scene) == [10, 10, 3, 10])
        await scene.withModel { $0.onCall = nil }
        await offer(scene, 10)
        #expect(widths(scene) == [10, 10, 10, 10] && scene.nodes.measurements.count == 6)
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

    // MARK: What cannot be done at the moment

    @Test(arguments: Substrate.allCases)
    func beforeTheFirstLoadNothingIsToBeDone(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections)
        await offer(scene, 3)
        #expect(scene.calls.values == [] && scene.view.received.count == 0)
        try await scene.controller.reloadData()
        #expect(widths(scene) == [3, 3, 3])
        try await scene.controller.clear()
        scene.calls.removeAll()
        await offer(scene, 4)
        #expect(scene.view.received.count == 2 && scene.nodes.measurements.count == 4)
        #expect(scene.calls.values == [], "what is cleared is not there to be asked about")
        try await scene.controller.reloadData()
        #expect(widths(scene) == [4, 4, 4])
        await scene.close()
    }

    /// Nobody can be asked about a path that may be another's; the set that accounts for it all is followed.
    @Test(arguments: Substrate.allCases, [true, false])
    func whereCountsDifferItWaitsForTheNextSet(
        _ substrate: Substrate,
        _ isKnown: Bool
    ) async throws {
        let scene = Scene(substrate, sections)
        try await scene.controller.reloadData()
        await scene.withModel { $0.sections[0].items.append("new") }
        if isKnown {
            await #expect(throws: UpdateError.self) {
                try await scene.controller.performBatchUpdates { _, _ in }
            }
        }
        scene.calls.removeAll()
        for _ in 0..<2 { await offer(scene, 3) }
        #expect(!isKnown || scene.calls.values == [])
        #expect(scene.view.received.count == 1 && scene.nodes.measurements.count == 4)
        #expect((scene.controller.divergence != nil) == isKnown, "asking tells nothing of itself")
        // Who asks for something else in the same turn gets it all the same.
        await scene.onMain { controller in
            controller.visibleMap.setNeedsRelayout()
            controller.visibleMap.element(at: ItemPath(1, 0))?.setNeedsLayout()
        }
        await scene.onMain { _ in }
        await scene.settle()
        #expect(scene.view.received.values.last?.remeasured.map(\.description) == ["1 - 0"])
        #expect(widths(scene) == [10, 10, 10])
        try await scene.controller.performBatchUpdates { $1.insertItems(at: [ItemPath(0, 2)]) }
        await scene.onMain { _ in }
        await scene.settle()
        #expect(widths(scene) == [3, 3, 3, 3])
        #expect(scene.view.received.count == 4 && scene.nodes.measurements.count == 10)
        await scene.close()
    }

    /// The reload has measured everything for what is offered by now.
    @Test(arguments: Substrate.allCases)
    func afterAReloadItIsNotNeededAnyMore(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections)
        try await scene.controller.reloadData()
        await scene.withModel { $0.sections[0].items.append("new") }
        await offer(scene, 3)
        try await scene.controller.reloadData()
        await scene.onMain { _ in }
        await scene.settle()
        #expect(widths(scene) == [3, 3, 3, 3] && scene.view.received.count == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aDataSourceThatSubmitsMeanwhileIsAskedAgainAfterTheNextSet(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, sections)
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
        await offer(scene, 3)
        #expect(scene.nodes.measurements.count == 4 && scene.view.received.count == 1)
        try await scene.controller.performBatchUpdates { _, _ in }
        await scene.onMain { _ in }
        await scene.settle()
        #expect(widths(scene) == [3, 3, 3])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whileABatchIsOpenItWaitsForTheEnd(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections)
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
        #expect(widths(scene) == [3, 3] && scene.nodes.measurements.count == 7)
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
        let scene = Scene(substrate, sections, view: RecordingView(.onDemand)) {
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
        #expect(widths(scene) == [3, 3, 3] && scene.nodes.measurements.count == 8)
        await scene.close()
    }

    /// A view that is resized at every frame has none measured for sizes that are no longer offered, but the first.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func oneRelayoutIsMeasuredAfterTheOther(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections, workerCount: 1)
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
    func afterTheEndOrWithoutItsControllerNothingIsDone(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections)
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
        let scene = Scene(substrate, sections) { $0.relayoutsWhenSizeRangeChanges = false }
        try await scene.controller.reloadData()
        await offer(scene, 3)
        #expect(widths(scene) == [10, 10, 10] && scene.view.received.count == 1)
        try await scene.controller.relayoutAllNodes()
        #expect(widths(scene) == [3, 3, 3])
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
        await scene.onMain { _ in }
        await scene.settle()
        #expect(widths(scene) == [4])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func withoutItsViewNothingIsMeasuredForNobody(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let nodes = NodeBook(stage)
        var view: RecordingView? = RecordingView()
        let controller = stage.makeController(TextDataSource(sections, nodes: nodes), view: view)
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
