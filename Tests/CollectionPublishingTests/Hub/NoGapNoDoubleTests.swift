import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport
import Testing

@Suite("No Gap No Double", .endsHangs)
struct NoGapNoDoubleTests {
    @Test func whatIsNotKnownIsAnsweredByEverything() async throws {
        let scene = PublishedScene(.simulated, configure: { $0.resumableUpdates = 2 })
        try await scene.controller.reloadData()
        for number in 0..<4 { try await scene.append("\(number)") }
        let other = PublishedVersion(handle: HistoryHandle(rawValue: 8), number: 4)
        for (version, expected) in [
            (nil, "reset 5 joined"), (other, "reset 5 otherHistory"),
            (scene.version(6), "reset 5 unknownVersion"),
            (scene.version(.max), "reset 5 unknownVersion"),
            (scene.version(-1), "reset 5 unknownVersion"),
            (scene.version(.min), "reset 5 unknownVersion"),
            (scene.version(2), "reset 5 forgotten"), (scene.version(3), "update 3 5"),
        ] as [(PublishedVersion?, String)] {
            let reader = ReplicaReader()
            let token = try reader.read(scene.hub, from: version)
            #expect(await reader.messages.values(count: 1).map(\.words).first == expected)
            withExtendedLifetime(token) {}
        }
        await scene.close()
    }

    @Test func aVersionThatTooManyArePausedAtIsForgotten() async throws {
        let scene = PublishedScene(
            .simulated,
            configure: {
                $0.resumableUpdates = 0
                $0.retainedVersions = 1
            }
        )
        try await scene.controller.reloadData()
        var readers: [(ReplicaReader, HubReader)] = []
        for number in 0..<3 {
            let reader = ReplicaReader(room: 1)
            readers.append((reader, try reader.read(scene.hub)))
            _ = await reader.messages.values(count: 1)
            try await scene.append("\(number)")
        }
        for (index, expected) in [
            "reset 4 forgotten", "reset 4 forgotten", "update 3 4",
        ].enumerated() {
            readers[index].0.makeRoom()
            readers[index].1.resume()
            let messages = await readers[index].0.messages.values(count: 2)
            #expect(messages[1].words == expected)
            #expect(readers[index].0.texts == scene.hub.snapshot.state.texts)
        }
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whoMissedNothingIsToldThatItHasEverything(_ substrate: Substrate) async throws {
        let scene = PublishedScene(substrate)
        try await scene.controller.reloadData()
        let reader = ReplicaReader()
        try reader.adopt(scene.hub.snapshot)
        let token = try reader.read(scene.hub, from: scene.hub.snapshot.version)
        _ = await reader.messages.values(count: 1)
        scene.hub.sendUpToDate()
        let messages = await reader.messages.values(count: 2)
        #expect(messages.map(\.words) == ["upToDate 1", "upToDate 1"] && reader.errors == [])
        withExtendedLifetime(token) {}
        await scene.close()
    }
}
