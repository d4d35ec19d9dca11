import CollectionChanges
import Testing

@testable import git_timelapse

@Suite struct CommitPlanTests {
    private func model() throws -> RepositoryModel {
        var model = RepositoryModel()
        let paths: [FileName] = ["a", "b", "c", "d/p", "d/q", "e/x"]
        _ = try model.apply(.test("1", paths.map { .add($0) }))
        return model
    }

    private func path(_ section: Int, _ item: Int) -> ItemPath {
        ItemPath(section: section, item: item)
    }

    @Test func partsOfAPlanAscendInWhateverOrderGitTellsThem() throws {
        let model = try model()
        let changes: [FileChange] = [
            .modify("d/q"), .delete("b"), .modify("a"), .add("z"), .rename(from: "d/p", to: "f/p"),
            .add("f/a"), .modify("e/x"), .delete("c"), .add("aa"),
        ]
        for changes in [changes, changes.reversed()] {
            let plan = try CommitPlan(.test("2", changes), on: model)
            #expect(plan.updates.map(\.oldPath) == [path(0, 0), path(1, 1), path(2, 0)])
            #expect(plan.departures.map(\.oldPath) == [path(0, 1), path(0, 2), path(1, 0)])
            #expect(plan.arrivals.map(\.path) == ["aa", "z", "f/a", "f/p"])
            #expect(
                plan.arrivals.map(\.newPath) == [path(0, 1), path(0, 2), path(3, 0), path(3, 1)]
            )
            #expect(
                plan.changeSet.operations == [
                    .deleteItems([path(0, 1), path(0, 2)], .automatic),
                    .insertSections([3], .automatic),
                    .insertItems([path(0, 1), path(0, 2)], .automatic),
                    .moveItem(at: path(1, 0), to: path(3, 1), .automatic),
                    .reconfigureItems(
                        [path(0, 0), path(1, 0), path(1, 1), path(2, 0)],
                        .automatic
                    ),
                ]
            )
        }
    }

    @Test(
        arguments: [
            ([.delete("none")], "none is not there"),
            ([.modify("d/none")], "d/none is not there"),
            ([.rename(from: "none", to: "z")], "none is not there"),
            ([.add("a")], "a is there already"),
            ([.delete("b"), .add("d/p")], "d/p is there already"),
            ([.add("z"), .add("y"), .add("z")], "z comes twice"),
            ([.rename(from: "a", to: "f/z"), .add("f/a"), .add("f/z")], "f/z comes twice"),
            ([.delete("b"), .delete("d/q"), .delete("b")], "b goes twice"),
            ([.delete("d/q"), .delete("a"), .modify("d/q")], "d/q changes twice"),
            ([.modify("d/q"), .modify("a"), .modify("d/q")], "d/q changes twice"),
        ] as [([FileChange], String)]
    )
    func misfitSaysWhichFileAndWhy(changes: [FileChange], fault: String) throws {
        let model = try model()
        let error = #expect(throws: CommitMismatch.self) {
            try CommitPlan(.test("2", changes), on: model)
        }
        #expect(error?.description == "commit 0123456 does not fit its parent: \(fault)")
    }
}
