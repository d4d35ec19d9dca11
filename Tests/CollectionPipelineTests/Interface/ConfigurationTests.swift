import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Configurations", .endsHangs)
struct ConfigurationTests {
    @Test func theDefaultsAreThoseOfTheDocumentation() {
        let configuration = PipelineConfiguration()
        #expect(configuration.profile == .standard)
        #expect(configuration.limits == ShapeLimits(sections: 1 << 24, items: 1 << 24))
        #expect(!configuration.decomposesMoves)
        #expect(configuration.backlogLimit == 64)
        #expect(configuration.backlogPolicy == .suspend)
        #expect(configuration.rejectionPolicy == .report)
        #expect(configuration.traits == Traits())
        #expect(configuration.stallTimeout == .seconds(10))
        #expect(configuration.contentCheck == .never)
        #expect(configuration.relayoutsWhenSizeRangeChanges)
    }

    @Test(arguments: Substrate.allCases)
    func sixtyFourSetsMayWaitForTheViewUnlessConfigured(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], view: RecordingView(.onDemand))
        let accepted = await scene.onMain { controller in
            (0..<100).prefix { _ in
                (try? controller.assumeIsolated().performBatchUpdates(completion: nil)) != nil
            }.count
        }
        #expect(accepted == 64)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func nodesStartWithTheTraitsOfTheConfiguration(_ substrate: Substrate) async throws {
        let traits = Traits(textScale: 3, isRightToLeft: true)
        let scene = Scene(substrate, [["a"]]) { $0.traits = traits }
        try await scene.controller.reloadData()
        #expect(scene.nodes.measurements.values.map(\.traits) == [traits])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func verdictsAreThoseOfTheProfile(_ substrate: Substrate) async throws {
        let codes: [(ValidationProfile, moveOut: String?, twice: String?)] = [
            (.standard, nil, "duplicateDeleteItem"),
            (.strict, "moveOutOfDeletedSection", "duplicateDeleteItem"),
            (.texture, nil, nil),
        ]
        for (profile, moveOut, twice) in codes {
            let scene = Scene(substrate, [["a", "b", "c"], ["d"]]) { $0.profile = profile }
            try await scene.controller.reloadData()
            let second = await refusal(scene) { source, changes in
                source.sections[0].items = ["b", "c"]
                changes.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 0)])
            }
            #expect(second == twice, "\(profile)")
            try await scene.controller.reloadData()
            let first = await refusal(scene) { source, changes in
                let moved = source.sections[0].items[0]
                source.sections = [.init([moved, "d"])]
                changes.deleteSections([0])
                changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 0))
            }
            #expect(first == moveOut, "\(profile)")
            await scene.close()
        }
    }

    private func refusal(
        _ scene: Scene,
        _ updates: @escaping @Sendable (TextDataSource, inout BatchRecorder) -> Void
    ) async -> String? {
        do {
            try await scene.controller.performBatchUpdates(updates)
            return nil
        } catch {
            return error.hierarchyError?.code.rawValue ?? error.code.rawValue
        }
    }

    @Test func lanesAreNamedAfterTheirController() async throws {
        let environment = NotingEnvironment(DispatchEnvironment(workerCount: 1))
        var configuration = PipelineConfiguration()
        configuration.name = "feed"
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            configuration: configuration,
            environment: environment
        )
        try await controller.reloadData()
        #expect(environment.lanes.values == ["feed.editing"])
        await controller.close()
    }
}
