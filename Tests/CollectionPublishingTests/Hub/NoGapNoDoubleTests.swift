import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport
import Testing

@Suite("No Gap No Double", .endsHangs)
struct NoGapNoDoubleTests {
    @Test func unknownVersionsReceiveAReset() async throws {
        let scene = PublishedScene(.simulated, configure: { $0.resumableUpdateLimit = 2 })
        try await scene.controller.reloadData()
        for number in 0..<4 { try await scene.append("\(number)") }
        let other = PublishedVersion(handle: HistoryID(rawValue: 8), number: 4)
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
}
