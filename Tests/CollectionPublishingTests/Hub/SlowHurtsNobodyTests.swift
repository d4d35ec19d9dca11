import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport
import Testing

@Suite("Slow Hurts Nobody", .endsHangs)
struct SlowHurtsNobodyTests {
    @Test func pausedReadersCostAVersionAndNoUpdates() async throws {
        let scene = PublishedScene(
            .simulated,
            configure: {
                $0.resumableUpdateLimit = 4
                $0.recentUpdateLimit = 1
            }
        )
        try await scene.controller.reloadData()
        let readers = (0..<50).map { _ in ReplicaReader(room: 1) }
        let tokens = try readers.map { try $0.read(scene.hub) }
        for reader in readers { _ = await reader.messages.values(count: 1) }
        for number in 0..<300 {
            try await scene.edit { board, changes in
                board.sections[1].items[0] = "\(number)"
                changes.reconfigureItems(at: [ItemPath(1, 0)])
            }
        }
        let report = await scene.hub.report()
        #expect(report.knownVersions == 6 && report.keptChangeSets < 30, "\(report)")
        #expect(report.readers == 50 && report.waitingReaders == 0)
        withExtendedLifetime(tokens) {}
        await scene.close()
    }

    @Test func readersBeyondTheLimitAreRejected() async throws {
        let scene = PublishedScene(.simulated, configure: { $0.readerLimit = 2 })
        var tokens = [try ReplicaReader().read(scene.hub), try ReplicaReader().read(scene.hub)]
        let error = try #require(throws: HubError.self) { _ = try ReplicaReader().read(scene.hub) }
        #expect(error.code == .tooManyReaders && "\(error)".contains("maximum of 2 readers"))
        tokens.removeLast()
        _ = await scene.hub.report()
        tokens.append(try ReplicaReader().read(scene.hub))
        #expect(throws: HubError.self) { _ = try scene.hub.messages() }
        await scene.close()
    }

    @Test func slowHubsDelayOnlyDeploying() async throws {
        for limit in [0, 1, 2] {
            let scene = PublishedScene(.dispatch, configure: { $0.unpublishedUpdateLimit = limit })
            try await scene.controller.reloadData()
            let gate = Gate()
            let token = try scene.hub.addReader { _ in
                gate.pass()
                return .more
            }
            let results = Journal<UpdateResult>()
            for number in 0..<5 {
                scene.controller.enqueueBatchUpdates { board, changes in
                    changes.insertItems(at: [ItemPath(0, 0)])
                    board.sections[0].items.insert("\(number)", at: 0)
                } completion: {
                    results.append($0)
                }
            }
            await scene.controller.whenReached(.deliveredToView)
            #expect(scene.controller.pendingMap.generation == 6)
            #expect(scene.controller.visibleMap.generation == 1 + max(1, limit))
            #expect(results.count == 0, "unpublished updates are not reported as deployed")
            gate.open()
            let outcomes = await results.values(count: 5).map(\.text)
            #expect(outcomes == Array(repeating: "deployed", count: 5))
            #expect(scene.hub.snapshot.version.number == 6)
            withExtendedLifetime(token) {}
            await scene.close()
        }
    }
}
