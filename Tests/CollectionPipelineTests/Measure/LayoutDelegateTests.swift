import CollectionElements
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionPipeline

/// A layout delegate that runs a test's closure, with a context that names the map.
final class ScriptedLayout: LayoutDelegate {
    typealias Body = @Sendable (ElementMap, String, LayoutMeasurer) throws -> Int

    private let onContext: @Sendable () -> Void
    private let body: Body

    init(onContext: @escaping @Sendable () -> Void = {}, _ body: @escaping Body) {
        (self.onContext, self.body) = (onContext, body)
    }

    func layoutContext(for map: ElementMap) -> String {
        onContext()
        return "context of \(map.generation)"
    }

    func layout(_ map: ElementMap, in context: String, measurer: LayoutMeasurer) throws -> Int {
        try body(map, context, measurer)
    }
}

@Suite("Layout delegates", .endsHangs)
struct LayoutDelegateTests {
    private func layouts(_ scene: Scene) -> [Int?] {
        scene.view.received.values.map { $0.layout as? Int }
    }

    private func names(_ scene: Scene) -> [String] { scene.outcomes.values.map(\.description) }

    /// The layout returns or throws after the close; the second set is never laid out.
    @Test(.holdsWorker, arguments: Substrate.threaded, [false, true])
    func layoutsThatEndAfterACloseAreIgnored(
        _ substrate: Substrate,
        _ isThrown: Bool
    ) async throws {
        let gate = Gate()
        defer { gate.open() }
        let codes = Journal<UpdateError.Code?>()
        let delegate = ScriptedLayout { map, _, measurer in
            gate.pass()
            let error = #expect(throws: UpdateError.self) {
                try measurer.size(ofItemAt: ItemPath(0, 0), in: .width(3))
            }
            codes.append(error?.code)
            if isThrown { throw TestFailure("late") }
            return map.generation
        }
        let scene = Scene(substrate, [["a"]], layoutDelegate: delegate, workerCount: 1)
        try await scene.onMain { controller in
            try controller.assumeIsolated().reloadData(completion: scene.completion("load"))
        }
        await gate.reached()
        try await scene.append("b")
        await scene.close(draining: false)
        #expect(names(scene) == ["load: cancelled", "b: cancelled"])
        gate.open()
        await scene.stage.workersAreDone()
        #expect(codes.values == [.closed])
        #expect(layouts(scene) == [] && scene.nodes.made.count == 0)
        #expect(scene.events.events(.layoutFailed).isEmpty)
        #expect(names(scene).count == 2)
    }

    @Test(arguments: Substrate.allCases)
    func measuringAMissingItemThrowsAnErrorWithItsPath(_ substrate: Substrate) async throws {
        let numbers = [Int.min, -1, 1, Int.max]
        let paths = numbers.flatMap { [ItemPath($0, 0), ItemPath(0, $0), ItemPath($0, $0)] }
        let delegate = ScriptedLayout { map, _, measurer in
            for path in paths {
                let error = #expect(throws: UpdateError.self) {
                    try measurer.size(ofItemAt: path, in: .width(3))
                }
                #expect(error?.code == .unknownElement)
                #expect(error?.message.contains("item \(path), but the map has") == true)
            }
            return Int(try measurer.size(ofItemAt: ItemPath(0, 0), in: .width(3)).height)
        }
        let scene = Scene(substrate, [["four"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        #expect(layouts(scene) == [2])
        await scene.close()
    }

    /// The context is made on the main lane and the layout on a worker. If the layout throws, this
    /// is reported, and the update deploys without a layout.
    @Test(arguments: Substrate.allCases)
    func onlyElementsThatTheDelegateMeasuresAreMeasuredOnce(_ substrate: Substrate) async throws {
        let stage = Lock<Stage?>(nil)
        let calls = Journal<(String, CallPlace?)>()
        @Sendable func note(_ call: String) {
            calls.append((call, stage.withLock { $0?.currentPlace }))
        }
        let delegate = ScriptedLayout(onContext: { note("requested") }) { map, context, measurer in
            note(context)
            if map.generation == 3 { throw TestFailure("layout") }
            // A second request with the same range returns the stored size.
            let paths = map.items.map(\.path).filter { $0.section == 0 }
            let heights = try (paths + paths).map {
                try measurer.size(ofItemAt: $0, in: .width(3)).height
            }
            return Int(heights.reduce(0, +))
        }
        let scene = Scene(substrate, [["one", "three"], ["never"]], layoutDelegate: delegate)
        stage.withLock { $0 = scene.stage }
        try await scene.controller.reloadData()
        #expect(calls.values.map(\.0) == ["requested", "context of 1"])
        #expect(calls.values.map(\.1) == [.mainLane, .worker])
        #expect(scene.nodes.measurements.values.map(\.text) == ["one", "three"])
        #expect(scene.controller.visibleMap.nodeTexts == [["one", "three"], ["-"]])
        try await scene.controller.performBatchUpdates { $0.append("more", &$1) }
        #expect(scene.nodes.measurements.values.map(\.text) == ["one", "three", "more"])
        #expect(!scene.calls.values.contains { if case .sizeRange = $0 { true } else { false } })
        let failed = try await scene.controller.performBatchUpdates { $0.append("last", &$1) }
        #expect(failed.text == "deployed" && layouts(scene) == [6, 10, nil])
        let failures = scene.events.events(.layoutFailed).map { $0.error as? TestFailure }
        #expect(failures == [TestFailure("layout")])
        // A node that was not measured can still be requested.
        let element = try #require(scene.controller.visibleMap.element(at: ItemPath(1, 0)))
        let node = try await element.node as? TextNode
        #expect(node?.text == "never")
        await scene.close()
    }

    /// Measures wanted elements, except in the first section.
    private final class OnDemand: LayoutDelegate {
        let measuresOnDemand: Bool
        let wanted = Journal<[String]>()

        init(measuresOnDemand: Bool = true) { self.measuresOnDemand = measuresOnDemand }

        func layoutContext(for map: ElementMap) {}

        func layout(_ map: ElementMap, in context: (), measurer: LayoutMeasurer) -> Int {
            wanted.append(measurer.wantedPlaces.map(\.description))
            for place in measurer.wantedPlaces where place.path.section > 0 && place.kind == nil {
                _ = try? measurer.size(ofItemAt: place.path, in: .width(10))
            }
            return map.generation
        }
    }

    private func ask(_ scene: Scene, _ paths: [ItemPath]) async {
        let map = scene.controller.visibleMap
        await scene.onMain { _ in
            map.supplementary(ofKind: .header, at: ItemPath(1, 0))?.setNeedsMeasuring()
            for path in paths { map.element(at: path)?.setNeedsMeasuring() }
        }
        await scene.settleAfterTurn()
    }

    @Test(arguments: Substrate.allCases)
    func wantedElementsArePassedToTheDelegateOnce(_ substrate: Substrate) async throws {
        let delegate = OnDemand()
        let scene = Scene(
            substrate,
            [["a", "b"], .init(["c", "d"], headers: ["h"])],
            layoutDelegate: delegate
        )
        try await scene.controller.reloadData()
        #expect(delegate.wanted.values == [[]] && scene.nodes.made.count == 0)
        await ask(scene, [ItemPath(1, 1), ItemPath(0, 0), ItemPath(1, 0)])
        #expect(delegate.wanted.values == [[], ["0 - 0", "1 - 0", "1 - 1", "header 1 - 0"]])
        #expect(Set(scene.nodes.measurements.values.map(\.text)) == ["c", "d"])
        let update = try #require(scene.view.received.values.last)
        #expect(update.layout as? Int == 2 && update.changeSet.edits.isEmpty)
        await ask(scene, [ItemPath(1, 1), ItemPath(0, 0), ItemPath(0, 1)])
        #expect(delegate.wanted.values.last == ["0 - 1"], "the others were requested before")
        // The delegate decides which items are measured again.
        try await scene.controller.relayoutItems(at: [ItemPath(1, 0)])
        #expect(delegate.wanted.values.last == [])
        await scene.close()
    }

    /// Otherwise the delegate would not measure the new node of a released element.
    @Test func nodesAreReleasedOnlyIfTheyCanBeMeasuredOnDemand() async {
        let delegates = [nil, OnDemand(), OnDemand(measuresOnDemand: false)]
        for (delegate, releases) in zip(delegates, [true, true, false]) {
            for isConfigured in [true, false] {
                let scene = Scene(.dispatch, [], layoutDelegate: delegate) {
                    $0.releasesNodes = isConfigured
                }
                let elementEnvironment = scene.controller.core.elementEnvironment
                #expect(elementEnvironment.releasesNodes == (releases && isConfigured))
                await scene.close()
            }
        }
    }
}
