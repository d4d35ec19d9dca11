import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport
import Testing

@Suite("Resume Costs The Difference", .endsHangs)
struct ResumeCostsTheDifferenceTests {
    @Test(arguments: Substrate.allCases)
    func resumedReadersReceiveTheDifference(_ substrate: Substrate) async throws {
        let scene = PublishedScene(substrate, configure: { $0.resumableUpdateLimit = 1 })
        let slow = ReplicaReader(room: 1)
        let fast = ReplicaReader()
        let tokens = [try slow.read(scene.hub), try fast.read(scene.hub)]
        _ = await slow.messages.values(count: 1)
        try await scene.controller.reloadData()
        for number in 0..<20 { try await scene.append("\(number)") }
        try await scene.edit { board, changes in
            board.sections[0].items.removeAll()
            changes.deleteItems(at: (0..<22).map { ItemPath(0, $0) })
        }
        _ = await fast.messages.values(count: 23)
        #expect(slow.messages.count == 1, "a paused reader receives nothing")
        slow.makeRoom(9)
        tokens[0].resume()
        let messages = await slow.messages.values(count: 3)
        #expect(messages.map(\.words) == ["reset 0 joined", "update 0 22", "upToDate 22"])
        #expect(slow.texts == [[], ["c"]] && slow.texts == fast.texts && slow.errors == [])
        withExtendedLifetime(tokens) {}
        await scene.close()
    }
}
