import CollectionPipeline
import PipelineTestSupport
import Testing

/// Measures the items of the first section, and notes where it is called.
private final class FirstSectionLayout: LayoutDelegate {
    let places = Journal<(String, CallPlace)>()
    let currentPlace = Journal<@Sendable () -> CallPlace>()
    let error = Journal<TestFailure>()

    private func note(_ call: String) {
        places.append((call, currentPlace.values.first?() ?? .elsewhere))
    }

    func layoutContext(for map: ElementMap) -> any Sendable {
        note("context")
        return "context of \(map.generation)"
    }

    func layout(
        _ map: ElementMap,
        in context: any Sendable,
        measurer: LayoutMeasurer
    ) throws -> any Sendable {
        note("layout")
        if let failure = error.values.last { throw failure }
        var heights: [Double] = []
        for item in 0..<(map.numberOfItems(inSection: 0) ?? 0) {
            heights.append(try measurer.size(ofItemAt: ItemPath(0, item), in: .width(3)).height)
            // Asked again with the same range it answers from memory.
            _ = try measurer.size(ofItemAt: ItemPath(0, item), in: .width(3))
        }
        return "\(context): \(heights)"
    }
}

@Suite("Layout delegates", .endsHangs)
struct LayoutDelegateTests {
    private func scene(
        _ substrate: Substrate,
        _ delegate: FirstSectionLayout,
        _ sections: [TextDataSource.Section] = [["one", "three"], ["never"]]
    ) -> Scene {
        let scene = Scene(substrate, sections, layoutDelegate: delegate)
        let stage = scene.stage
        delegate.currentPlace.append { stage.currentPlace }
        return scene
    }

    @Test(arguments: Substrate.allCases)
    func theContextIsTakenOnTheMainLaneAndTheLayoutMadeOnAWorker(
        _ substrate: Substrate
    ) async throws {
        let delegate = FirstSectionLayout()
        let scene = scene(substrate, delegate)
        try await scene.controller.reloadData()
        #expect(delegate.places.values.map(\.0) == ["context", "layout"])
        #expect(delegate.places.values.map(\.1) == [.mainLane, .worker])
        let layouts = scene.view.received.values.map { $0.layout as? String }
        #expect(layouts == ["context of 1: [1.0, 2.0]"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func onlyWhatTheDelegateMeasuresIsMadeAndMeasuredOnce(_ substrate: Substrate) async throws {
        let delegate = FirstSectionLayout()
        let scene = scene(substrate, delegate)
        try await scene.controller.reloadData()
        #expect(scene.nodes.measurements.values.map(\.text) == ["one", "three"])
        #expect(scene.controller.visibleMap.nodeTexts == [["one", "three"], ["-"]])
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items.append("more")
            changes.insertItems(at: [ItemPath(0, 2)])
        }
        #expect(scene.nodes.measurements.values.map(\.text) == ["one", "three", "more"])
        #expect(!scene.calls.values.contains { if case .sizeRange = $0 { true } else { false } })
        // Another may still ask for the node of what was not measured.
        let element = try #require(scene.controller.visibleMap.element(at: ItemPath(1, 0)))
        let node = try await element.node as? TextNode
        #expect(node?.text == "never")
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func anEmptyBatchLaysOutAgain(_ substrate: Substrate) async throws {
        let delegate = FirstSectionLayout()
        let scene = scene(substrate, delegate)
        try await scene.controller.reloadData()
        try await scene.controller.performBatchUpdates { _, _ in }
        let layouts = scene.view.received.values.map { $0.layout as? String }
        #expect(layouts == ["context of 1: [1.0, 2.0]", "context of 2: [1.0, 2.0]"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aLayoutThatThrowsIsReportedAndTheUpdateDeploysWithoutOne(
        _ substrate: Substrate
    ) async throws {
        let delegate = FirstSectionLayout()
        delegate.error.append(TestFailure("layout"))
        let scene = scene(substrate, delegate)
        let outcome = try await scene.controller.reloadData()
        #expect(outcome.text == "deployed")
        let hasLayout = scene.view.received.values.map { $0.layout != nil }
        #expect(hasLayout == [false])
        let failures = scene.events.events(.layoutFailed).map { $0.error as? TestFailure }
        #expect(failures == [TestFailure("layout")])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutOfWhatWasNeverMeasuredLeavesItsNodeToBeMade(
        _ substrate: Substrate
    ) async throws {
        let delegate = FirstSectionLayout()
        let scene = scene(substrate, delegate)
        try await scene.controller.reloadData()
        try await scene.onMain {
            try $0.assumeIsolated().relayoutItems(at: [ItemPath(0, 0), ItemPath(1, 0)])
        }
        await scene.settle()
        #expect(scene.nodes.measurementCount(of: "one") == 2)
        #expect(scene.nodes.made.values.count { $0.text == "one" } == 1)
        let element = try #require(scene.controller.visibleMap.element(at: ItemPath(1, 0)))
        let node = try await element.node as? TextNode
        #expect(node?.text == "never")
        await scene.close()
    }
}
