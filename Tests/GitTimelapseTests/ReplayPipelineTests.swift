import CollectionPipeline
import Foundation
import PipelineTestSupport
import SimulatedView
import Testing

@testable import git_timelapse

/// What a replay does to its pipeline besides sending commits through it.
@Suite(.serialized, .endsHangs) struct ReplayPipelineTests {
    @Test func aCommitThatIsCancelledIsAnError() throws {
        let replay = Replay(size: Size(width: 20, height: 10), show: nil)
        let controller = try #require(replay.controller as? DataController<RepositorySource>)
        let gate = Gate()
        replay.controller.lane.enqueue { gate.pass() }
        let shown = Guarded(0)
        try replay.submit(.test("", [.add("a")])) { shown.update { $0 += 1 } }
        // Behind the commit, and before the view can get it.
        controller.close(draining: false) {}
        gate.open()
        let error = #expect(throws: ReplayError.self) { try replay.waitUntilShown() }
        #expect(error?.description == "the replay was cancelled")
        #expect(shown.value == 1)
    }

    @Test func ofWhatComesFarAwayOneIsMeasuredAtOnce() throws {
        func measured(_ paths: [FileName]) throws -> Int {
            let replay = Replay(
                size: Size(width: 35, height: 10),
                show: nil,
                walk: RangeWalk(commits: 4, hasHeaders: true)
            )
            let near = (10..<70).map { FileName("f\($0)".utf8) }
            try replay.show(.test("x", near.map { .add($0) })) {}
            try replay.show(.test("y", paths.map { .add($0) })) {}
            var summary = Summary()
            replay.finish(&summary)
            return summary.nodesMeasured
        }
        let before = try measured([])
        for count in 1...4 {
            let paths = (0..<count).map { FileName("z\($0)".utf8) }
            #expect(try measured(paths) == before + 1, "\(count)")
        }
    }

    // MARK: What is listed

    /// A node that shows no file.
    private final class StrangeNode: CollectionNode {
        func measure(in range: SizeRange) -> Size { Size(width: 5, height: 1) }
    }

    /// The files that are listed of a map in which a node says what is shown of a file; without one, its model does.
    private func listed(
        isComplete: Bool,
        _ node: @escaping @Sendable (RepositoryFile) -> any CollectionNode
    ) async throws -> [TreeListing.File] {
        let lane = EmulatedMainLane(label: "main")
        let view = SimulatedCollectionView(size: Size(width: 20, height: 10))
        let controller = DataController(
            dataSource: SnapshotDataSource<ListedTree> { node($0) },
            view: view,
            lane: lane
        )
        var numbering = FileNumbering()
        let file = TreeListing.File(name: "a", content: .test("1"))
        let listing = TreeListing([.init(path: .root, files: [file])])
        _ = try await controller.apply(numbering.tree(of: listing, subject: "s"))
        return TreeListing(pathsShownBy: controller.visibleMap, isComplete: isComplete)
            .sections.flatMap(\.files)
    }

    @Test(arguments: [false, true])
    func whatANodeShowsIsListedWhateverTheModelSays(isComplete: Bool) async throws {
        let other = RepositoryFile(name: "a", content: .test("2"), subject: "")
        let files = try await listed(isComplete: isComplete) { _ in FileNode(other, Guarded(0)) }
        #expect(files == [.init(name: "a", content: .test("2"))])
    }

    @Test(arguments: [false, true])
    func aNodeOfAnotherKindShowsNoFile(isComplete: Bool) async throws {
        #expect(try await listed(isComplete: isComplete) { _ in StrangeNode() } == [])
    }

    // MARK: On the screen

    @Test func aScreenWithoutRangesShowsNoneWhateverTheViewHas() throws {
        let size = Terminal.Size(columns: 70, rows: 14)
        let live = LiveScreen(TerminalScreen(OutputChannel(descriptor: -1)), commits: 4) { size }
        let replay = Replay(
            size: LiveScreen.viewSize(size),
            show: live,
            walk: RangeWalk(commits: 4, hasHeaders: true)
        )
        let commit = GitCommit.test("x", (10..<70).map { .add(FileName("f\($0)".utf8)) })
        try replay.show(commit) { live.didShow(commit, on: replay.view, isLast: true) }
        let frame = live.lastRows.map(\.text)
        #expect(frame.count == 14)
        #expect(frame[1...11].allSatisfy { $0.hasSuffix(": x") })
        #expect(frame[12].hasPrefix("+ added") && frame[13].hasSuffix(" 25 % 1/4 commits"))
    }
}
