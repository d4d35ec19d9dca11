import CollectionPipeline
import PipelineTestSupport
import PipelineTesting
import SimulatedView
import Testing

@testable import git_timelapse

/// Trees without edits, and what is found between them.
@Suite(.endsHangs) struct ListedTreeTests {
    private static func listing(_ files: [(path: FileName, content: Character)]) -> TreeListing {
        let sections = Dictionary(grouping: files) {
            $0.path.splitIntoDirectoryAndName().directory
        }
        return TreeListing(
            sections.map { directory, files in
                let files = files.map {
                    TreeListing.File(
                        name: $0.path.splitIntoDirectoryAndName().name,
                        content: .test($0.content)
                    )
                }
                return TreeListing.Section(
                    path: directory,
                    files: files.sorted { $0.name < $1.name }
                )
            }.sorted { $0.path < $1.path }
        )
    }

    private func changes(
        _ old: [(path: FileName, content: Character)],
        _ new: [(path: FileName, content: Character)]
    ) throws -> ValidatedChangeSet {
        var numbering = FileNumbering()
        let before = numbering.tree(of: Self.listing(old), subject: "old")
        let after = numbering.tree(of: Self.listing(new), subject: "new")
        return try after.changes(from: before, options: DifferenceOptions()) { false }
    }

    @Test func whatHasNeitherNewNameNorNewContentIsUntouched() throws {
        let files: [(path: FileName, content: Character)] = [("a", "1"), ("d/b", "2")]
        let update = try changes(files, files)
        #expect(update.edits.isEmpty && update.reconfigurations.isEmpty)
    }

    @Test func newContentIsAReconfiguration() throws {
        let update = try changes([("a", "1"), ("b", "1")], [("a", "1"), ("b", "2")])
        #expect(update.edits.isEmpty)
        #expect(update.reconfigurations.map(\.oldPath) == [ItemPath(section: 0, item: 1)])
    }

    @Test func aFileUnderAnotherPathMovesAndShowsIt() throws {
        let update = try changes([("a", "1"), ("b", "2")], [("a", "1"), ("d/c", "2")])
        #expect(update.itemInsertions.map(\.role) == [.move])
        #expect(update.itemRemovals.map(\.path) == [ItemPath(section: 0, item: 1)])
        #expect(update.reconfigurations.map(\.newPath) == [ItemPath(section: 1, item: 0)])
        #expect(update.sectionInsertions.map(\.section) == [1])
    }

    @Test func filesOfOneContentAreTakenFirstToFirst() throws {
        let update = try changes(
            [("a", "1"), ("b", "1"), ("k", "0")],
            [("k", "0"), ("x", "1"), ("y", "1"), ("z", "1")]
        )
        // One could stay before `k` only if what is new stood there.
        let moves = update.itemRemovals.filter { $0.role == .move }
        #expect(
            Set(moves.map { [$0.path.item, $0.associatedWith!.item] }) == [[0, 1], [1, 2]]
                || moves.map { [$0.path.item, $0.associatedWith!.item] } == [[2, 0]]
        )
        #expect(update.itemInsertions.count { $0.role == .insert } == 1)
        #expect(update.itemRemovals.allSatisfy { $0.role == .move })
    }

    @Test func aModeIsContentToo() throws {
        var numbering = FileNumbering()
        let plain = FileContent.test("1")
        let executable = FileContent(mode: FileMode(rawValue: 0o100755), object: plain.object)
        let trees = [("a", plain), ("b", executable)].map { name, content in
            numbering.tree(
                of: TreeListing([
                    .init(path: .root, files: [.init(name: FileName(name.utf8), content: content)])
                ]),
                subject: ""
            )
        }
        let update = try trees[1].changes(from: trees[0], options: DifferenceOptions()) { false }
        #expect(update.itemRemovals.map(\.role) == [.delete])
    }

    private static let places: [FileName] = [
        "a", "b", "c", "d/a", "d/b", "d/d/a", "d/d/z", "e/a", "e/b", "f/a",
    ]

    @Test(arguments: 0..<Effort.number(40, usually: 6))
    func whatIsShownIsWhatIsListed(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let current = Guarded(TreeListing([]))
        let replay = Replay(size: Size(width: 20, height: 10), show: nil) { _ in current.value }
        var subjects: [FileName: String] = [:]
        var before: [FileName: FileContent] = [:]
        for number in 0..<12 {
            let files = Self.places.shuffled(using: &random)
                .prefix(Int.random(in: 0...8, using: &random))
                .map { (path: $0, content: "1234".randomElement(using: &random)!) }
            current.value = Self.listing(files)
            try replay.submit(.test("\(number)", [])) {}
            try replay.waitUntilShown()
            #expect(replay.shownListing == current.value)

            // Whatever is shown of a file is from the last commit that changed it.
            let after = Dictionary(
                uniqueKeysWithValues: files.map { ($0.path, FileContent.test($0.content)) }
            )
            for (path, content) in after where before[path] != content {
                subjects[path] = "\(number)"
            }
            before = after
            for item in replay.controller.visibleMap.items {
                let shown = try #require(item.element.nodeIfAllocated as? FileNode).shown
                #expect(shown.subject == subjects[shown.name], "\(shown.name)")
            }
        }
        var summary = Summary()
        replay.finish(&summary)
        #expect(summary.changeSets == 12)
        #expect(summary.items == before.count)
    }

    @Test func whatCannotBeListedIsNotSubmitted() throws {
        struct Unreadable: Error {}
        let replay = Replay(size: Size(width: 20, height: 10), show: nil) { _ in
            throw Unreadable()
        }
        #expect(throws: Unreadable.self) { try replay.submit(.test("", [])) {} }
        try replay.waitUntilShown()
        var summary = Summary()
        replay.finish(&summary)
        #expect(summary.changeSets == 0)
    }

    @Test func everyTreeIsShownHoweverFastTheyCome() throws {
        let number = Guarded(0)
        let replay = Replay(size: Size(width: 20, height: 10), show: nil) { _ in
            number.update { number in
                number += 1
                return Self.listing([("f", Character("\(number % 8)"))])
            }
        }
        let shown = Guarded(0)
        for _ in 0..<50 { try replay.submit(.test("", [])) { shown.update { $0 += 1 } } }
        try replay.waitUntilShown()
        #expect(shown.value == 50)
        var summary = Summary()
        replay.finish(&summary)
        // The first is a load; each of the others reconfigures the file.
        #expect(summary.changeSets == 50 && summary.edits == 50)
    }

    @Test func filesOfTwoDirectoriesInOneSectionAreADifference() throws {
        let replay = Replay(size: Size(width: 20, height: 10), show: nil) { _ in
            TreeListing([
                .init(
                    path: .root,
                    files: [
                        .init(name: "d/x", content: .test("1")),
                        .init(name: "e", content: .test("2")),
                    ]
                ),
                .init(path: "empty", files: []),
            ])
        }
        try replay.submit(.test("", [])) {}
        try replay.waitUntilShown()
        let shown = replay.shownListing
        #expect(shown.sections.map(\.path) == ["d", .root, ""])
        let listed = Self.listing([("d/x", "1"), ("e", "2")])
        #expect(TreeComparison(of: shown, with: listed).differences > 0)
        var summary = Summary()
        replay.finish(&summary)
    }
}
