import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("What measuring again, clearing and new traits leave alone", .endsHangs)
struct RelayoutPromiseTests {
    private final class Nothing: LayoutDelegate {
        let contexts = Journal<Int>()

        func layoutContext(for map: ElementMap) -> any Sendable {
            contexts.append(map.generation)
            return 0
        }

        func layout(_ map: ElementMap, in context: any Sendable, measurer: LayoutMeasurer)
            -> any Sendable
        { 0 }
    }

    private let sections: [TextDataSource.Section] = [
        .init(["a", "b"], headers: ["h0", "h1"], footers: ["f"]), .init(["c"], headers: ["h2"]),
    ]

    @Test(arguments: Substrate.allCases)
    func whereNothingHasChangedNothingIsMeasuredAndNoProviderAskedFor(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, sections)
        try await scene.controller.reloadData()
        #expect(scene.nodes.measurements.count == 7)
        scene.calls.removeAll()
        try await scene.controller.relayoutAllNodes()
        #expect(scene.nodes.measurements.count == 7)
        #expect(scene.view.received.values.last?.remeasured == [])
        try await scene.controller.relayoutItems(at: [ItemPath(0, 1), ItemPath(0, 0)])
        #expect(scene.nodes.measurements.count == 9)
        let asked = scene.calls.values.map(\.description)
        #expect(!asked.contains { $0.hasPrefix("node") }, "\(asked)")
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatWasMeasuredIsNamedItemsFirstEachAscending(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, sections)
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.elementSizeRange = .width(3) }
        try await scene.controller.relayoutAllNodes()
        let places = try #require(scene.view.received.values.last?.remeasured)
        let items = [(0, 0), (0, 1), (1, 0)].map { ElementPlace(path: ItemPath($0.0, $0.1)) }
        let others: [(SupplementaryKind, ItemPath)] = [
            (.footer, ItemPath(0, 0)), (.header, ItemPath(0, 0)), (.header, ItemPath(0, 1)),
            (.header, ItemPath(1, 0)),
        ]
        #expect(places == items + others.map { ElementPlace(path: $0.1, kind: $0.0) })
        await scene.close()
    }

    /// Nothing is loaded, so it loads, whatever its paths are.
    @Test(arguments: Substrate.allCases)
    func theFirstRelayoutIsALoad(_ substrate: Substrate) async throws {
        for isOfAll in [true, false] {
            let scene = Scene(substrate, [["a"]])
            if isOfAll {
                try await scene.controller.relayoutAllNodes()
            } else {
                try await scene.controller.relayoutItems(at: [ItemPath(7, 7)])
            }
            #expect(scene.controller.visibleMap.texts == [["a"]])
            #expect(scene.view.received.values.last?.changeSet.isReloadData == true)
            await scene.close()
        }
    }

    @Test(arguments: Substrate.allCases)
    func clearingEndsADivergence(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { $1.deleteSections([3]) }
        }
        #expect(scene.controller.divergence?.countsSince != nil)
        try await scene.controller.clear()
        #expect(scene.controller.divergence?.countsSince == nil)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func withALayoutDelegateARelayoutMeasuresNothingOfItsOwn(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], layoutDelegate: Nothing())
        try await scene.controller.reloadData()
        try await scene.controller.relayoutItems(at: [ItemPath(0, 0)])
        #expect(scene.events.events(.accepted).map(\.elementCount) == [0, 0])
        #expect(scene.nodes.measurements.count == 0)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aDelegateIsNotAskedAboutASetThatIsRejected(_ substrate: Substrate) async throws {
        let delegate = Nothing()
        let scene = Scene(substrate, [["a"]], layoutDelegate: delegate)
        let controller = scene.controller
        try await controller.reloadData()
        await scene.withModel { source in
            source.onCall = { [weak controller, unowned source] _ in
                source.onCall = nil
                _ = try? controller?.assumeIsolated().reloadData(completion: nil)
            }
        }
        await #expect(throws: UpdateError.self) { try await controller.reloadData() }
        #expect(delegate.contexts.values == [1])
        await scene.close()
    }

    /// With nothing on its way, what goes may still be asked for its node, as the view shows it.
    @Test(arguments: Substrate.allCases)
    func whatTheViewStillShowsGivesItsNodeThoughItsRemovalIsAccepted(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, sections, layoutDelegate: Nothing())
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        let map = scene.controller.visibleMap
        try await scene.onMain { controller in
            let source = controller.assumeIsolated().dataSource
            source.sections = [.init(["b"], headers: ["h0"])]
            try controller.assumeIsolated().performBatchUpdates(
                { _, changes in
                    changes.deleteItems(at: [ItemPath(0, 0)])
                    changes.deleteSections([1])
                },
                completion: nil
            )
        }
        #expect(scene.nodes.made.count == 0)
        let header = map.supplementary(ofKind: .header, at: ItemPath(0, 1))
        let gone = [map.element(at: ItemPath(0, 0)), map.element(at: ItemPath(1, 0)), header]
        for element in gone { _ = try await element?.node }
        #expect(Set(scene.nodes.made.values.map(\.text)) == ["a", "c", "h1"])
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    /// Shown and removed already, and accepted and not shown yet.
    @Test(arguments: Substrate.allCases)
    func newTraitsReachTheNodesOfBothMapsAtOnce(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["old", "both"]])
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        let old = scene.controller.visibleMap
        try await scene.controller.lane.run { [controller = scene.controller] in
            controller.assumeIsolated().dataSource.sections[0].items = ["both", "new"]
            try controller.assumeIsolated().performBatchUpdates(
                { _, changes in
                    changes.deleteItems(at: [ItemPath(0, 0)])
                    changes.insertItems(at: [ItemPath(0, 1)])
                },
                completion: nil
            )
        }
        await scene.view.received.values(count: 2)
        let traits = Traits(textScale: 3)
        let told = await scene.onMain { controller -> [Traits?] in
            controller.assumeIsolated().environmentDidChange(traits)
            let elements =
                old.items.map { $0.element } + controller.pendingMap.items.map { $0.element }
            return elements.map { ($0.nodeIfAllocated as? TextNode)?.traits }
        }
        #expect(told == Array(repeating: traits, count: 4))
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    enum Call: String, CaseIterable, Codable, Sendable {
        case relayoutItems, relayoutAllNodes, clear
    }

    @Test(arguments: Call.allCases)
    func measuringAnewOrClearingOnceItIsClosedStopsTheProcess(_ call: Call) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [call = call as Call] in
            let controller = DataController(dataSource: TextDataSource([["a"]]))
            try await controller.reloadData()
            await controller.close()
            await onMain(controller) { controller in
                switch call {
                case .relayoutItems: _ = try? controller.assumeIsolated().relayoutItems(at: [])
                case .relayoutAllNodes: _ = try? controller.assumeIsolated().relayoutAllNodes()
                case .clear: _ = try? controller.assumeIsolated().clear()
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("before the controller is closed, but 'collection' is"))
    }
}
