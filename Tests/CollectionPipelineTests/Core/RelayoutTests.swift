import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Measuring again", .endsHangs)
struct RelayoutTests {
    @Test(arguments: Substrate.allCases)
    func aRelayoutOfSomeItemsMeasuresThoseAndNoOthers(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        scene.nodes.onMeasure { _, _ in Size(width: 10, height: 7) }
        try await scene.onMain { controller in
            // Twice the same, and in no order.
            try controller.assumeIsolated().relayoutItems(
                at: [ItemPath(1, 0), ItemPath(0, 1), ItemPath(1, 0)],
                completion: scene.completion("relayout")
            )
        }
        await scene.settle()
        let after = scene.controller.visibleMap
        #expect(after.elements == before.elements)
        #expect(after.items.map { $0.content.size?.height } == [1, 7, 7])
        #expect(before.items.map { $0.content.size?.height } == [1, 1, 1])
        #expect(
            scene.view.received.values.last?.remeasured
                == [ElementPlace(path: ItemPath(0, 1)), ElementPlace(path: ItemPath(1, 0))]
        )
        #expect(scene.view.received.values.last?.changeSet.edits.isEmpty == true)
        #expect(scene.nodes.made.count == 3)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutOfAllMeasuresWhatHasAnotherRange(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["aaaa", "b"]])
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sizeRange = { $0 == "aaaa" ? .width(2) : nil }
            try controller.assumeIsolated().relayoutAllNodes()
        }
        await scene.settle()
        #expect(scene.controller.visibleMap.items.map { $0.content.size?.height } == [2, 1])
        #expect(scene.nodes.measurements.count == 3)
        // The view's own range counts where the data source gives none.
        try await scene.onMain { controller in
            scene.view.elementSizeRange = .width(1)
            try controller.assumeIsolated().relayoutAllNodes()
        }
        await scene.settle()
        #expect(scene.nodes.measurements.count == 4)
        #expect(scene.controller.visibleMap.items.map { $0.content.size?.width } == [2, 1])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutMeasuresHeadersToo(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [.init(["a"], headers: ["header"])])
        try await scene.controller.reloadData()
        let header = scene.controller.visibleMap.supplementary(
            ofKind: .header,
            at: ItemPath(0, 0)
        )
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sizeRange = { _ in .width(2) }
            try controller.assumeIsolated().relayoutAllNodes()
        }
        await scene.settle()
        let map = scene.controller.visibleMap
        #expect(map.supplementary(ofKind: .header, at: ItemPath(0, 0)) === header)
        let content = map.supplementaryContent(ofKind: .header, at: ItemPath(0, 0))
        #expect(content?.size?.height == 3)
        #expect(scene.nodes.measurementCount(of: "a") == 2)
        let remeasured = scene.view.received.values.last?.remeasured.map(\.description)
        #expect(remeasured == ["0 - 0", "header 0 - 0"])
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func traitsThatChangeInMidFlightReachEveryNode(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [.init(["a", "b"], headers: ["header"])])
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMeasure { text, _ in
            if text == "a" { gate.pass() }
            return nil
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        let traits = Traits(textScale: 2, values: ["theme": "dark"])
        await scene.onMain { $0.assumeIsolated().environmentDidChange(traits) }
        gate.open()
        await scene.settle()
        let map = scene.controller.visibleMap
        var nodes = map.items.map { $0.element.nodeIfAllocated as? TextNode }
        let header = map.supplementary(ofKind: .header, at: ItemPath(0, 0))
        nodes.append(header?.nodeIfAllocated as? TextNode)
        #expect(nodes.map { $0?.traits } == [traits, traits, traits])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutAfterAChangeOfTraitsMeasuresEverythingOnce(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            controller.assumeIsolated().environmentDidChange(Traits(textScale: 3))
            try controller.assumeIsolated().relayoutAllNodes()
            try controller.assumeIsolated().relayoutAllNodes()
        }
        await scene.settle()
        #expect(scene.nodes.measurementCount(of: "a") == 2)
        #expect(scene.nodes.measurementCount(of: "b") == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theSameTraitsAgainChangeNothing(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            controller.assumeIsolated().environmentDidChange(Traits())
            try controller.assumeIsolated().relayoutAllNodes()
        }
        await scene.settle()
        #expect(scene.nodes.measurements.count == 1)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func clearingShowsNothingAndTheNextSubmissionLoads(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        scene.calls.removeAll()
        try await scene.onMain {
            try $0.assumeIsolated().clear(completion: scene.completion("clear"))
        }
        await scene.settle()
        #expect(scene.controller.visibleMap.numberOfSections == 0)
        #expect(scene.calls.count == 0, "the data source is not asked")
        #expect(scene.view.received.count == 2, "the view is told")
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections.append(["b"])
            changes.insertSections([5])
        }
        #expect(scene.controller.visibleMap.texts == [["a"], ["b"]])
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func aRelayoutOfAnItemInFlightKeepsItsNode(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        await scene.withModel { $0.givesModels = false }
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMake { _ in gate.pass() }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        try await scene.onMain { try $0.assumeIsolated().relayoutItems(at: [ItemPath(0, 0)]) }
        gate.open()
        await scene.settle()
        #expect(scene.nodes.made.count == 1)
        #expect(Set(scene.nodes.measurements.values.map(\.node)).count == 1)
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded, [0, 1])
    func aRelayoutOfAllMeasuresAgainWhatWasMeasuredWhileTraitsChanged(
        _ substrate: Substrate,
        _ told: Int
    ) async throws {
        let encounter = Encounter()
        let stage = substrate.makeStage(workerCount: 1)
        let controller = stage.makeController(ScalingSource(encounter, told))
        try await controller.reloadData()
        encounter.worker.close()
        encounter.main.close()
        try await onMain(controller) { controller in
            try controller.assumeIsolated().relayoutItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        }
        await encounter.worker.reached(by: 2)
        // While one node is told, both are measured: the worker has begun with the first.
        await onMain(controller) { $0.assumeIsolated().environmentDidChange(Traits(textScale: 2)) }
        try await onMain(controller) { try $0.assumeIsolated().relayoutAllNodes() }
        await controller.settle()
        #expect(controller.visibleMap.items.map { $0.content.size?.height } == [2, 2])
        await controller.close()
    }
}

/// Lets the measuring of two nodes meet the handing over of new traits.
private final class Encounter: Sendable {
    /// Where the worker waits before it measures the first node.
    let worker = Gate(isOpen: true)
    /// Where the main lane waits until the second node is measured.
    let main = Gate(isOpen: true)
}

/// Two items as high as the text scale that their nodes know of.
private final class ScalingSource: CollectionDataSource {
    private final class Node: CollectionNode {
        private let item: Int
        private let told: Int
        private let encounter: Encounter
        private let scale = Lock(1.0)

        init(_ item: Int, told: Int, _ encounter: Encounter) {
            self.item = item
            self.told = told
            self.encounter = encounter
        }

        func traitsDidChange(_ traits: Traits) {
            if item == told {
                encounter.worker.open()
                encounter.main.pass()
            }
            scale.withLock { $0 = traits.textScale }
        }

        func measure(in range: SizeRange) -> Size {
            if item == 0 { encounter.worker.pass() }
            defer { if item == 1 { encounter.main.open() } }
            return Size(width: 1, height: scale.withLock { $0 })
        }
    }

    private let encounter: Encounter
    private let told: Int

    init(_ encounter: Encounter, _ told: Int) {
        self.encounter = encounter
        self.told = told
    }

    func numberOfItems(inSection section: Int) -> Int { 2 }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [encounter, told] in Node(path.item, told: told, encounter) }
    }
}
