import CollectionChanges
import PipelineTestSupport
import Testing

@testable import git_timelapse

@Suite struct RepositoryModelTests {
    private static let regular = FileMode(rawValue: 0o100644)

    private static func content(_ digit: Character) -> FileContent {
        FileContent(mode: regular, object: ObjectID(String(repeating: digit, count: 40))!)
    }

    private static func commit(_ subject: String, _ changes: [FileChange]) -> GitCommit {
        GitCommit(
            id: ObjectID(String(repeating: "c", count: 40))!,
            subject: subject,
            changes: changes
        )
    }

    private let a = content("a")
    private let b = content("b")

    @Test func filesAreOrderedByBytesNotByLetters() throws {
        var model = RepositoryModel()
        let paths: [FileName] = ["z", "B", "a", "é", "a.b/x", "a/x", "a-b/x", "!/x", "a/b/x", "-x"]
        _ = try model.apply(Self.commit("s", paths.map { .add($0, a) }))
        #expect(model.sections.map(\.path) == ["!", ".", "a", "a-b", "a.b", "a/b"])
        #expect(model.sections[1].files.map(\.name) == ["-x", "B", "a", "z", "é"])
    }

    @Test func wholeDirectoryRenamedIsMovesFromADeletedSectionIntoAnInsertedOne() throws {
        var model = RepositoryModel()
        _ = try model.apply(Self.commit("1", [.add("m/x", a), .add("m/y", b), .add("q", a)]))
        let changes = try model.apply(
            Self.commit(
                "2",
                [.rename(from: "m/x", to: "z/x", a), .rename(from: "m/y", to: "z/y", a)]
            )
        )
        #expect(
            changes.operations == [
                .deleteSections([1], .automatic),
                .insertSections([1], .automatic),
                .moveItem(
                    at: ItemPath(section: 1, item: 0),
                    to: ItemPath(section: 1, item: 0),
                    .automatic
                ),
                .moveItem(
                    at: ItemPath(section: 1, item: 1),
                    to: ItemPath(section: 1, item: 1),
                    .automatic
                ),
                .reconfigureItems(
                    [ItemPath(section: 1, item: 0), ItemPath(section: 1, item: 1)],
                    .automatic
                ),
            ]
        )
        #expect(model.file(at: ItemPath(section: 1, item: 1))?.text == "y: 2")
    }

    @Test func swappedFilesAreTwoMoves() throws {
        var check = ReplayCheck()
        try check.apply(Self.commit("1", [.add("x", a), .add("d/y", b)]))
        try check.apply(
            Self.commit(
                "2",
                [.rename(from: "x", to: "d/y", a), .rename(from: "d/y", to: "x", b)]
            )
        )
        #expect(check.model.file(at: ItemPath(section: 0, item: 0))?.content == b)
    }

    @Test func chainOfRenamesLeavesEveryFileInItsPlace() throws {
        var check = ReplayCheck()
        try check.apply(Self.commit("1", [.add("p", a), .add("q", b), .add("r", a)]))
        try check.apply(
            Self.commit(
                "2",
                [
                    .rename(from: "p", to: "q", a), .rename(from: "q", to: "r", b),
                    .rename(from: "r", to: "s", a), .add("p", b),
                ]
            )
        )
    }

    @Test func commitWithoutChangesRecordsNothing() throws {
        var model = RepositoryModel()
        _ = try model.apply(Self.commit("1", [.add("x", a)]))
        let before = model
        #expect(try model.apply(Self.commit("2", [])).isEmpty)
        #expect(model == before)
    }

    @Test func commitThatDoesNotFitLeavesTheModelAlone() throws {
        var model = RepositoryModel()
        _ = try model.apply(Self.commit("1", [.add("x", a), .add("y", a)]))
        let before = model
        let misfits: [[FileChange]] = [
            [.add("z", a), .delete("nowhere")],
            [.add("z", a), .modify("nowhere", a)],
            [.rename(from: "nowhere", to: "z", a)],
            [.add("x", b)],
            [.add("z", a), .add("z", b)],
            [.add("./z", a), .add("p", a), .add("z", b)],
            [.delete("x"), .delete("x")],
            [.delete("x"), .modify("x", b)],
            [.modify("x", a), .modify("x", b)],
            [.rename(from: "x", to: "y", a)],
            [.rename(from: "x", to: "p", a), .rename(from: "x", to: "q", a)],
        ]
        for changes in misfits {
            #expect(throws: CommitMismatch.self) { try model.apply(Self.commit("2", changes)) }
            #expect(model == before)
        }
    }

    @Test(arguments: 0..<60)
    func randomCommitsKeepModelMapAndChangeSetEqual(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // Few paths, so that emptied directories, swaps and chains come up all the time.
        let directories = ["", "a/", "a/b/", "a-/", "b/", "c/d/"]
        let universe = directories.flatMap { directory in
            ["a", "k", "p", "z"].map { FileName(stringLiteral: directory + $0) }
        }
        var check = ReplayCheck()
        var present: Set<FileName> = []
        for number in 0..<60 {
            let changes = Self.randomChanges(universe, &present, &random)
            try check.apply(Self.commit("\(number)", changes))
        }
    }

    private static func randomChanges(
        _ universe: [FileName],
        _ present: inout Set<FileName>,
        _ random: inout SeededGenerator
    ) -> [FileChange] {
        let eagerness = Int.random(in: 1...12, using: &random)
        func randomContent() -> FileContent {
            content("0123456789abcdef".randomElement(using: &random)!)
        }
        var leaving = universe.filter {
            present.contains($0) && random.isTrue(oneIn: eagerness)
        }
        let staying = present.subtracting(leaving)
        var changes = universe.filter { staying.contains($0) && random.isTrue(oneIn: eagerness) }
            .map { FileChange.modify($0, randomContent()) }
        let coming = universe.filter { !staying.contains($0) && random.isTrue(oneIn: eagerness) }
        leaving.shuffle(using: &random)
        present = staying.union(coming)
        for target in coming {
            if let source = leaving.last, source != target, !random.isTrue(oneIn: 3) {
                leaving.removeLast()
                changes.append(.rename(from: source, to: target, randomContent()))
            } else {
                changes.append(.add(target, randomContent()))
            }
        }
        changes += leaving.map { .delete($0) }
        changes.shuffle(using: &random)
        return changes
    }
}
