import CollectionPipeline
import PipelineTestSupport
import Testing

/// Two dozen beginner's mistakes, and the whole text that each leads to.
@Suite("Beginner's mistakes", .endsHangs)
struct BeginnersMistakeTests {
    @Test(arguments: BeginnersMistake.allCases)
    func aMistakeLeadsToATextThatSaysWhatToDo(_ mistake: BeginnersMistake) async throws {
        let scene = Scene(.dispatch, [["a", "b", "c"], ["d"]]) { $0.backlogLimit = 1 }
        try await scene.controller.reloadData()
        var error: UpdateError?
        do { try await mistake.make(in: scene) } catch let thrown as UpdateError { error = thrown }
        let text = try #require(error).description
        #expect(text == mistake.text)
        #expect(error?.hint != nil)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }
}
