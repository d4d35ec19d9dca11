import Foundation
import PipelineTestSupport
import SimulatedView
import Testing

@testable import git_timelapse

/// Replays of which only what is near to the viewport gets a node.
@Suite(.serialized, .endsHangs) struct RangeReplayTests {
    /// Sixty files, from `f10` to `f69`.
    private static let files = (10..<70).map { FileName("f\($0)".utf8) }

    /// A replay in ten rows, through commits that scroll a row each.
    private func makeReplay(_ show: LiveScreen? = nil, columns: Double = 35) -> Replay {
        let walk = RangeWalk(commits: 4, hasHeaders: true)
        return Replay(size: Size(width: columns, height: 10), show: show, walk: walk)
    }

    private func isKnown(_ replay: Replay) -> [Bool] {
        replay.controller.visibleMap.items.map { $0.element.nodeIfAllocated != nil }
    }

    private func end(_ replay: Replay) throws -> RangeTally {
        var summary = Summary()
        replay.finish(&summary)
        return try #require(summary.ranges)
    }

    @Test func onlyWhatIsNearGetsANode() throws {
        let replay = makeReplay()
        try replay.show(.test("x", Self.files.map { .add($0) })) {}
        // Below the line of the directory, one row further down: the viewport, and two screenfuls and a half.
        #expect(isKnown(replay) == (0..<60).map { $0 < 35 })
        try replay.show(.test("y", [])) {}
        #expect(isKnown(replay) == (0..<60).map { $0 < 36 })
        // What a commit changes far away is measured, and keeps no node.
        try replay.show(.test("z", [.modify("f65")])) {}
        #expect(isKnown(replay) == (0..<60).map { $0 < 37 })
        let tally = try end(replay)
        #expect(tally.mode == .full && tally.items == 60 && tally.nodes == 37)
        #expect(tally.visible == 10 && tally.display == 22 && tally.preload == 37)
    }

    @Test func rangesTurnWithTheDirection() throws {
        let walk = RangeWalk(commits: 4, hasHeaders: true)
        let replay = Replay(size: Size(width: 35, height: 4), show: nil, walk: walk)
        try replay.show(.test("x", Self.files.prefix(11).map { .add($0) })) {}
        for _ in 0..<8 { try replay.show(.test("y", [])) {} }
        // Twelve rows: down by eight, to the end, and up again by one.
        let tally = try end(replay)
        #expect(tally.mode == .full && tally.visible == 4 && tally.display == 9)
    }

    @Test func whatFitsIsAllVisibleAndNobodyScrolls() throws {
        let replay = makeReplay()
        try replay.show(.test("x", Self.files.prefix(3).map { .add($0) })) {}
        let tally = try end(replay)
        #expect(tally.mode == .minimum)
        #expect(tally.visible == 3 && tally.preload == 3 && tally.nodes == 3)
    }

    @Test func withoutAWalkThereAreNoRanges() throws {
        let replay = Replay(size: Size(width: 35, height: 10), show: nil)
        try replay.show(.test("x", Self.files.map { .add($0) })) {}
        try replay.waitUntilShown()
        #expect(isKnown(replay).allSatisfy { $0 })
        var summary = Summary()
        replay.finish(&summary)
        #expect(summary.ranges == nil)
    }

    @Test func theSameHistoryComesToTheSame() throws {
        func run() throws -> [RangeTally] {
            // Names of one, two and three lines.
            let replay = makeReplay(columns: 7)
            var tallies: [RangeTally] = []
            for number in 0..<30 {
                let subject = String(repeating: "words ", count: number % 3)
                let files = (0..<4).map {
                    FileName("\(($0 * 37 + number * 11) % 97)-\(number)".utf8)
                }
                let tally = Guarded<RangeTally?>(nil)
                try replay.show(.test(subject, files.map { .add($0) })) {
                    tally.value = RangeTally(of: replay.view)
                }
                tallies.append(try #require(tally.value))
            }
            #expect(try end(replay) == tallies.last)
            return tallies
        }
        let first = try run()
        for _ in 0..<3 { #expect(try run() == first) }
        #expect(first.last!.nodes < first.last!.items)
    }

    @Test func whatHasNoNodeIsListedAllTheSame() throws {
        var model = RepositoryModel()
        let replay = makeReplay()
        let commits: [GitCommit] = [
            .test("x", Self.files.map { .add($0) }),
            .test("y", [.rename(from: "f60", to: "d/f60"), .modify("f65"), .delete("f69")]),
        ]
        for commit in commits {
            _ = try model.apply(commit)
            try replay.show(commit) {}
            #expect(replay.shownListing == model.listing)
        }
        #expect(TreeListing(shownBy: replay.controller.visibleMap) != model.listing)
    }

    @Test func treesThatAreComparedHaveRangesToo() throws {
        var model = RepositoryModel()
        let commits: [GitCommit] = [
            .test("x", Self.files.map { .add($0) }), .test("y", [.modify("f65")]),
        ]
        var listings = try commits.map { commit in
            _ = try model.apply(commit)
            return model.listing
        }[...]
        let replay = Replay(
            size: Size(width: 35, height: 10),
            show: nil,
            walk: RangeWalk(commits: 4, hasHeaders: false)
        ) { _ in listings.removeFirst() }
        for commit in commits { try replay.show(commit) {} }
        #expect(replay.shownListing == model.listing)
        // Without headers, two rows further down.
        #expect(isKnown(replay) == (0..<60).map { $0 < 37 })
    }

    @Test func aCommitThatDoesNotFitIsAnErrorAtOnce() throws {
        let replay = makeReplay()
        #expect(throws: CommitMismatch.self) { try replay.show(.test("", [.delete("x")])) {} }
    }

    // MARK: On the screen

    /// The frames of commits on a screen.
    private func frames(columns: Int, rows: Int, _ commits: [GitCommit]) throws -> [[String]] {
        let size = Terminal.Size(columns: columns, rows: rows)
        let screen = TerminalScreen(OutputChannel(descriptor: -1))
        let live = LiveScreen(screen, commits: 4, hasRanges: true) { size }
        let replay = Replay(
            size: LiveScreen.viewSize(size, hasRanges: true),
            show: live,
            walk: RangeWalk(commits: 4, hasHeaders: true)
        )
        return try commits.map { commit in
            try replay.show(commit) { live.didShow(commit, on: replay.view, isLast: true) }
            return live.lastRows.map(\.text)
        }
    }

    @Test func frameShowsWhereRangesAreAndWhatTheyComeTo() throws {
        let frame = try frames(columns: 70, rows: 14, [.test("x", Self.files.map { .add($0) })])[0]
        #expect(frame.count == 14 && frame.allSatisfy { DisplayText.width(of: $0) <= 70 })
        #expect(frame[1].hasPrefix("+ f10: x") && frame[10].hasPrefix("+ f19: x"))
        // Forty rows above the viewport and below it, nine to a row.
        #expect(
            frame[1...10].map { $0.suffix(3) } == [
                ": x", ": x", ": x", ": x", " #o", " #o", " =o", " -o", "  :", "  .",
            ]
        )
        #expect(
            frame[11] == "full: # 10 visible, = 20 display, - 35 preload; o 35 of 60 have nodes"
        )
        #expect(frame[12].hasPrefix("+ added") && frame[13].hasSuffix(" 25 % 1/4 commits"))
    }

    @Test func theViewScrollsByItselfAndNotToWhatChanged() throws {
        let added = GitCommit.test("x", Self.files.map { .add($0) })
        let frames = try frames(columns: 70, rows: 14, [added, .test("y", [.modify("f65")])])
        #expect(frames[1][1].hasPrefix("  f11: x"))
        #expect(frames[1].allSatisfy { !$0.contains("f65") })
    }

    @Test func marksAreThoseOfTheCommitWhateverIsMeasuredForIt() throws {
        let commits: [GitCommit] = [
            .test("x", Self.files.map { .add($0) }), .test("y", [.modify("f15")]), .test("z", []),
        ]
        let frames = try frames(columns: 70, rows: 14, commits)
        let marks = frames.map { frame in frame[1...10].map { $0.prefix(1) }.joined() }
        #expect(marks == ["++++++++++", "    ~     ", "          "])
    }

    @Test func smallFramesHaveWhatThereIsRoomFor() throws {
        let commit = GitCommit.test("x", Self.files.map { .add($0) })
        let low = try frames(columns: 16, rows: 5, [commit])[0]
        #expect(low.count == 5)
        #expect(low[2] == "+ f12: x      #o")
        let narrow = try frames(columns: 15, rows: 9, [commit])[0]
        #expect(narrow.count == 9 && narrow[6] == "+ f15: x")
        #expect(narrow[1...6].allSatisfy { !$0.contains("#") })
        #expect(narrow[7].hasPrefix("full: # "))
        let short = try frames(columns: 16, rows: 5, [.test("x", [.add("a")])])[0]
        #expect(short.count == 5 && short[0].hasPrefix("./"))
    }
}
