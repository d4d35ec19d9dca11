import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Measuring policies", .endsHangs)
struct MeasuringPolicyTests {
    private func texts(_ range: Range<Int>) -> [String] { range.map { "item \($0)" } }

    private func scene(
        _ substrate: Substrate,
        _ policy: PipelineConfiguration.MeasuringPolicy,
        _ sections: [TextDataSource.Section],
        from first: ItemPath? = nil
    ) -> Scene {
        let view = RecordingView()
        view.firstVisiblePath = first
        return Scene(substrate, sections, view: view) { $0.measuringPolicy = policy }
    }

    private func sizes(_ map: ElementMap) -> [Bool] { map.items.map { $0.content.size != nil } }

    @Test(arguments: Substrate.allCases)
    func nearElementsAreMeasuredFirstAndTheRestInSmallUpdates(_ substrate: Substrate) async throws {
        let count = 1000
        let scene = scene(
            substrate,
            .progressive(initialCount: 3),
            [.init(texts(0..<count), headers: ["header"])],
            from: ItemPath(0, 500)
        )
        try await scene.controller.reloadData()
        await scene.view.received.values(count: 3)
        await scene.settle()
        let updates = scene.view.received.values
        #expect(updates.count == 3 && updates[0].remeasured.isEmpty)
        #expect(updates.dropFirst().allSatisfy { $0.changeSet.edits.isEmpty })
        #expect(updates.dropFirst().map(\.remeasured.count).reduce(0, +) == count + 1 - 3)
        #expect(updates[1].remeasured.count < 600)
        #expect(updates[1].remeasured.contains(ElementPlace(path: ItemPath(0, 502))))
        #expect(
            updates[1].remeasured.dropLast().map(\.path)
                == updates[1].remeasured.dropLast().map(\.path).sorted()
        )
        let measured = scene.nodes.measurements.values.map(\.text)
        #expect(Set(measured.prefix(3)) == ["item 500", "item 501", "item 499"])
        #expect(measured.count == count + 1 && Set(measured).count == count + 1)
        #expect(sizes(scene.controller.visibleMap).allSatisfy { $0 })
        await scene.close()
    }

    /// After a change of the size range, only as many elements are measured as in a new set.
    @Test(arguments: Substrate.allCases)
    func aRelayoutOfEverythingPostponesWorkToo(_ substrate: Substrate) async throws {
        let scene = scene(
            substrate,
            .onDemand(initialCount: 2),
            [.init(texts(0..<6))],
            from: ItemPath(0, 3)
        )
        try await scene.controller.reloadData()
        await scene.settle()
        #expect(sizes(scene.controller.visibleMap) == [false, false, false, true, true, false])
        await scene.onMain { _ in
            scene.view.elementSizeRange = .width(3)
            scene.view.firstVisiblePath = ItemPath(0, 4)
        }
        try await scene.controller.relayoutAllNodes()
        await scene.settle()
        let map = scene.controller.visibleMap
        #expect(sizes(map) == [false, false, false, false, true, true])
        let known = map.items.map { $0.content.knownSize?.height }
        #expect(known == [nil, nil, nil, 1, 2, 2], "until then, items keep their height")
        // Requests by path measure everything.
        try await scene.onMain {
            try $0.assumeIsolated().relayoutItems(at: (0..<6).map { ItemPath(0, $0) })
        }
        await scene.settle()
        #expect(sizes(scene.controller.visibleMap).allSatisfy { $0 })
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func nodesReleasedBeforeTheirTurnAreNotMeasuredAgain(_ substrate: Substrate)
        async throws
    {
        let texts = (0..<8).map { "item \($0)" }
        let scene = Scene(substrate, [.init(texts)]) {
            ($0.measuringPolicy, $0.releasesNodes) = (.progressive(initialCount: 2), true)
        }
        let released = Journal<Bool>()
        await scene.onMain { _ in
            // The turn for the postponed elements is not even enqueued yet.
            scene.view.onApply = { update in
                let path = ItemPath(0, 7)
                guard released.count == 0, let content = update.newMap.content(at: path) else {
                    return
                }
                _ = content.element.prepare(content)
                released.append(content.element.releaseNode(showing: content))
            }
        }
        try await scene.controller.reloadData()
        while sizes(scene.controller.visibleMap).contains(false) { await scene.onMain { _ in } }
        await scene.settle()
        #expect(released.values == [true])
        #expect(texts.allSatisfy { scene.nodes.measurementCount(of: $0) == 1 })
        #expect(scene.nodes.made.count == 8)
        await scene.close()
    }
}
