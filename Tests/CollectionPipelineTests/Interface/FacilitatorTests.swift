import CollectionPipeline
import PipelineTestSupport
import Testing

private final class NotingFacilitator: UpdateFacilitator {
    let name: String
    let journal: Journal<String>

    init(_ name: String, _ journal: Journal<String>) {
        self.name = name
        self.journal = journal
    }

    func willDeploy(_ update: ViewUpdate) { journal.append("\(name) \(update.submission)") }
}

@Suite("Facilitators", .endsHangs)
struct FacilitatorTests {
    @Test(arguments: Substrate.allCases)
    func facilitatorsAreToldInOrderAndBeforeTheView(_ substrate: Substrate) async throws {
        let journal = Journal<String>()
        let view = RecordingView()
        let scene = Scene(
            substrate,
            [["a"]],
            view: view,
            facilitators: [NotingFacilitator("one", journal), NotingFacilitator("two", journal)]
        )
        await scene.onMain { _ in
            view.onApply = { journal.append("view \($0.submission)") }
        }
        try await scene.controller.reloadData()
        try await scene.controller.performBatchUpdates { _, _ in }
        #expect(
            journal.values == ["one #1", "two #1", "view #1", "one #2", "two #2", "view #2"]
        )
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatAFacilitatorSeesIsNotVisibleYet(_ substrate: Substrate) async throws {
        final class Looking: UpdateFacilitator {
            let generations = Journal<(Int, Int)>()
            func willDeploy(_ update: ViewUpdate) {
                generations.append((update.oldMap.generation, update.newMap.generation))
            }
        }
        let facilitator = Looking()
        let scene = Scene(substrate, [["a"]], facilitators: [facilitator])
        try await scene.controller.reloadData()
        #expect(facilitator.generations.values.map(\.0) == [0])
        #expect(facilitator.generations.values.map(\.1) == [1])
        await scene.close()
    }
}
