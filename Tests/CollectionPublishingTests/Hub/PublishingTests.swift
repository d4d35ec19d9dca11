import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport
import Testing

@Suite("Publishing", .endsHangs)
struct PublishingTests {
    @Test(arguments: Substrate.allCases)
    func readersHaveWhatTheControllerDeployed(_ substrate: Substrate) async throws {
        let scene = PublishedScene(substrate)
        let reader = ReplicaReader()
        let token = try reader.read(scene.hub)
        let loaded = try await scene.controller.reloadData()
        #expect(scene.hub.snapshot.version.number == loaded.generation)
        let result = try await scene.edit { board, changes in
            board.sections[1].items.append(board.sections[0].items.removeFirst())
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(2, 1))
            board.sections[1].items[0] = "C"
            changes.reconfigureItems(at: [ItemPath(1, 0)])
            board.sections.insert(["x", "y"], at: 0)
            changes.insertSections([0])
        }
        // By this time the deployed update is announced.
        let snapshot = scene.hub.snapshot
        #expect(snapshot.version == scene.version(try #require(result.generation)))
        #expect(snapshot.state.texts == [["x", "y"], ["b"], ["C", "a"]])
        #expect(snapshot.digest == snapshot.state.digest)
        await scene.close()
        let messages = await reader.messages.values(count: 4)
        #expect(
            messages.map(\.words) == ["reset 0 joined", "update 0 1", "update 1 2", "closed 2"]
        )
        #expect(reader.texts == [["x", "y"], ["b"], ["C", "a"]])
        #expect(reader.errors == [] && reader.replica.isClosed)
        #expect(await scene.hub.report().readers == 0)
        withExtendedLifetime(token) {}
    }

    @Test(arguments: Substrate.allCases, [false, true])
    func headersArePublishedWhenInsertedReloadedAndRemoved(
        _ substrate: Substrate,
        isProgressive: Bool
    ) async throws {
        let scene = PublishedScene(
            substrate,
            [TextBoard.Section(header: "A", items: ["a"]), []],
            pipeline: { if isProgressive { $0.measuringPolicy = .progressive(initialCount: 1) } }
        )
        let reader = ReplicaReader()
        let token = try reader.read(scene.hub)
        try await scene.controller.reloadData()
        #expect(scene.hub.snapshot.state.headers == ["A", nil])
        try await scene.edit { board, changes in
            board.sections[0].header = nil
            board.sections[1].header = "B"
            changes.reloadSupplementaries(ofKind: .header, in: [0, 1])
            board.sections.append(TextBoard.Section(header: "C", items: []))
            changes.insertSections([2])
        }
        try await scene.edit { board, changes in
            board.sections[0] = TextBoard.Section(header: "D", items: [])
            board.sections[1] = ["b"]
            changes.deleteItems(at: [ItemPath(0, 0)])
            changes.insertItems(at: [ItemPath(0, 0)])
            board.sections.swapAt(0, 1)
            changes.moveSection(0, toSection: 1)
        }
        await scene.controller.settle()
        #expect(scene.hub.snapshot.state.headers == [nil, "D", "C"])
        await scene.close()
        while !reader.replica.isClosed {
            _ = await reader.messages.values(count: reader.messages.count + 1)
        }
        #expect(reader.replica.state.headers == [nil, "D", "C"] && reader.errors == [])
        #expect(reader.replica.digest == reader.replica.state.digest)
        withExtendedLifetime(token) {}
    }

    @Test(arguments: Substrate.allCases)
    func unrenderableItemsHaveNoPayloadOrKeepTheirs(_ substrate: Substrate) async throws {
        let scene = PublishedScene(substrate, [["a", "!b"]])
        try await scene.controller.reloadData()
        #expect(scene.hub.snapshot.state.texts == [["a", nil]])
        try await scene.edit { board, changes in
            board.sections[0].items = ["!a", "b"]
            changes.reconfigureItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        }
        #expect(scene.hub.snapshot.state.texts == [["a", "b"]])
        await scene.close()
    }

    @Test(arguments: Substrate.threaded)
    func releasedHubsEndTheirReaders(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        var hub: UpdateHub? = UpdateHub(environment: stage.environment)
        let reader = ReplicaReader()
        let token = try reader.read(try #require(hub))
        _ = await reader.messages.values(count: 1)
        hub = nil
        let messages = await reader.messages.values(count: 2)
        #expect(messages.map(\.words) == ["reset 0 joined", "closed 0"])
        token.leave()
        withExtendedLifetime(token) {}
    }

    @Test func hubsHaveOneController() async {
        await #expect(processExitsWith: .failure) {
            let hub = UpdateHub()
            let controllers = (0..<2).map { _ in
                DataController(dataSource: TextBoard([]), view: hub)
            }
            withExtendedLifetime(controllers) {}
        }
    }
}
