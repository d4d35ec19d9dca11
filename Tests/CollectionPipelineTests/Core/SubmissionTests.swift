import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Submissions", .endsHangs)
struct SubmissionTests {
    private func submission(_ number: Int, _ latched: Latched, from map: ElementMap) -> Submission {
        let id = SubmissionID(rawValue: number)
        return Submission(
            id: id,
            latched: latched,
            oldMap: map,
            request: SubmissionRequest(id: id),
            traitsGeneration: 0
        )
    }

    /// A set that a full view holds has its turn twice.
    @Test func whatIsPutOffIsTakenOnce() async throws {
        let scene = Scene(.dispatch, [["a"]], workerCount: 1)
        try await scene.controller.reloadData()
        let map = scene.controller.visibleMap
        let latched = Latched(update: .unchanged(map.shape), map: map, nextSectionID: 0)
        let submission = submission(1, latched, from: map)
        #expect(submission.takePutOff() == nil)
        submission.putOff(PreparationPlan(PreparationWork(), grain: 1))
        #expect(submission.takePutOff() != nil)
        #expect(submission.takePutOff() == nil)
        await scene.close()
    }

    /// Every content that a map has, from the last to the first.
    private func contents(of map: ElementMap) -> [ElementContent] {
        var contents = map.items.map { $0.content }
        for section in 0..<map.numberOfSections {
            for run in map.supplementaries(inSection: section) {
                contents.append(contentsOf: run.contents)
            }
        }
        return contents.reversed()
    }

    @Test func ofMergedSetsWhatTheViewHasAlreadyIsToldItemsFirstEachAscending() async throws {
        let items = (0..<11).map { "item \($0)" }
        let others = (1...8).map { _ in
            TextDataSource.Section([], headers: ["header"], footers: ["footer"])
        }
        let scene = Scene(.dispatch, [.init(items)] + others, workerCount: 1)
        try await scene.controller.reloadData()
        let old = scene.controller.visibleMap
        try await scene.append("new")
        await scene.settle()
        let new = scene.controller.visibleMap
        let changeSet = try #require(scene.view.received.values.last?.changeSet)
        // One is told of all of them, the other of half of them, and of what it inserts.
        let first = Latched(
            update: .unchanged(old.shape),
            map: old,
            remeasured: contents(of: old),
            nextSectionID: 0
        )
        let last = Latched(
            update: changeSet,
            map: new,
            remeasured: [try #require(new.content(at: ItemPath(0, 11)))],
            asked: Set(contents(of: old).prefix(8)),
            nextSectionID: 0
        )
        let submission = submission(2, last, from: old)
        submission.merge([self.submission(1, first, from: old)])
        #expect(
            submission.delivered.remeasuredPlaces.map(\.description)
                == (0..<11).map { "0 - \($0)" }
                + (1...8).flatMap { ["footer \($0) - 0", "header \($0) - 0"] }
        )
        await scene.close()
    }
}
