import Foundation
import PipelineTestSupport
import SimulatedView
import Testing

@testable import git_timelapse

@Suite(.serialized, .endsHangs) struct LiveScreenTests {
    /// A replay that is looked at after every commit.
    private struct Show {
        let replay: Replay
        let live: LiveScreen
        let terminal: Guarded<Terminal.Size>
        let screen: TerminalScreen

        init(columns: Int, rows: Int, commits: Int = 4, on descriptor: Int32 = -1) {
            screen = TerminalScreen(OutputChannel(descriptor: descriptor))
            let size = Terminal.Size(columns: columns, rows: rows)
            terminal = Guarded(size)
            live = LiveScreen(screen, commits: commits) { [terminal] in terminal.value }
            replay = Replay(size: LiveScreen.viewSize(size), show: live)
        }

        /// Shows a commit, and gives the newest frame: another one than before where one is due.
        @discardableResult
        func show(
            _ commit: GitCommit,
            at milliseconds: UInt64 = 0,
            isLast: Bool = false
        ) throws -> [String] {
            let now = DispatchTime(uptimeNanoseconds: milliseconds * 1_000_000)
            try replay.submit(commit) { [live, replay] in
                live.didShow(commit, on: replay.view, isLast: isLast, at: now)
            }
            try replay.waitUntilShown()
            return live.lastRows.map(\.text)
        }

        /// Scrolls to the very top.
        func scrollUp() {
            let done = DispatchSemaphore(value: 0)
            replay.controller.lane.enqueue { [replay] in
                replay.view.scroll(by: -10_000)
                replay.view.layoutIfNeeded()
                done.signal()
            }
            done.wait()
        }
    }

    @Test func marginAndFurnitureNeedRoom() {
        #expect((1...30).map(LiveScreen.margin) == (1...30).map { $0 < 12 ? 0 : 2 })
        #expect((1...30).map(LiveScreen.furniture) == (1...30).map { $0 < 6 ? 0 : $0 < 10 ? 2 : 3 })
        #expect((1...30).map(LiveScreen.rangeMargin) == (1...30).map { $0 < 16 ? 0 : 3 })
        #expect((1...30).map(LiveScreen.rangeFurniture) == (1...30).map { $0 < 6 ? 0 : 1 })
    }

    @Test func frameShowsTheCommitWhatItChangedAndHowFarItHasCome() throws {
        let show = Show(columns: 30, rows: 9)
        #expect(
            try show.show(.test("one", [.add("a"), .add("b"), .add("d/x")]), isLast: true) == [
                "0123456 one", "./", "+ a: one", "+ b: one", "d/", "+ x: one", "", "",
                "[##........] 25 % 1/4 commits",
            ]
        )
        let changes: [FileChange] = [.modify("a"), .rename(from: "b", to: "d/w"), .add("d/z")]
        #expect(
            try show.show(.test("two\u{1B}", changes), isLast: true) == [
                "0123456 two\\u{1b}", "./", "~ a: two\\u{1b}", "d/", "> w: two\\u{1b}", "  x: one",
                "+ z: two\\u{1b}", "", "[#####.....] 50 % 2/4 commits",
            ]
        )
        // What has moved into a new directory is not new, wherever it stands there.
        let moves: [FileChange] = [.rename(from: "a", to: "e/a"), .add("e/n"), .delete("d/x")]
        #expect(
            try show.show(.test("three", moves), isLast: true) == [
                "0123456 three", "d/", "  w: two\\u{1b}", "  z: two\\u{1b}", "e/", "> a: three",
                "+ n: three", "", "[#######...] 75 % 3/4 commits",
            ]
        )
        #expect(
            try show.show(.test(String(repeating: "long ", count: 6), []), isLast: true) == [
                "0123456 long long long long l…", "d/", "  w: two\\u{1b}", "  z: two\\u{1b}", "e/",
                "  a: three", "  n: three", "", "[#########] 100 % 4/4 commits",
            ]
        )
    }

    @Test func narrowAndLowFramesAreTheViewAlone() throws {
        let narrow = Show(columns: 11, rows: 7)
        #expect(
            try narrow.show(.test("some words", [.add("a"), .add("b")]), isLast: true) == [
                "0123456 so…", "./", "a: some", "words", "b: some", "words", "25 % 1/4 …",
            ]
        )
        let low = Show(columns: 12, rows: 5)
        #expect(
            try low.show(.test("some words", [.add("a"), .add("b"), .add("c")]), isLast: true) == [
                "./", "+ a: some", "  words", "+ b: some", "  words",
            ]
        )
    }

    @Test func viewGoesToTheFirstChangeUnlessItIsVisible() throws {
        // Ten files of two lines each below the line of their directory, of which six are visible.
        let show = Show(columns: 14, rows: 8)
        let paths = (0..<10).map { FileName("f\($0)".utf8) }
        func lines(_ frame: [String]) -> [String] { Array(frame.dropFirst().dropLast()) }
        #expect(
            try lines(show.show(.test("some words", paths.map { .add($0) }), isLast: true)) == [
                "./", "+ f0: some", "  words", "+ f1: some", "  words", "+ f2: some",
            ]
        )
        // Two lines above the change are left: of two changes, above the first.
        #expect(
            try lines(show.show(.test("x", [.modify("f7"), .modify("f5")]), isLast: true)) == [
                "  f4: some", "  words", "~ f5: x", "  f6: some", "  words", "~ f7: x",
            ]
        )
        #expect(
            try lines(show.show(.test("y", [.modify("f6")]), isLast: true)) == [
                "  f4: some", "  words", "  f5: x", "~ f6: y", "  f7: x", "  f8: some",
            ]
        )
        // At the end there is more above it.
        #expect(
            try lines(show.show(.test("w", [.modify("f9")]), isLast: true)) == [
                "  f5: x", "  f6: y", "  f7: x", "  f8: some", "  words", "~ f9: w",
            ]
        )
        // What comes above the view moves nothing before the view goes there.
        #expect(
            try lines(show.show(.test("z z z z z z", [.modify("f1")]), isLast: true)) == [
                "  f0: some", "  words", "~ f1: z z z z", "  z z", "  f2: some", "  words",
            ]
        )
        show.scrollUp()
        #expect(
            try lines(show.show(.test("", []), isLast: true)) == [
                "./", "  f0: some", "  words", "  f1: z z z z", "  z z", "  f2: some",
            ]
        )
    }

    @Test func ofAnElementThatIsCutOffTheRestIsShown() throws {
        let show = Show(columns: 14, rows: 8)
        let text = "one three five seven nine eleven"
        let paths: [FileName] = ["a", "b", "c", "d", "e"]
        let first = try show.show(.test(text, paths.map { .add($0) }), isLast: true)
        #expect(
            first.dropFirst().dropLast() == [
                "./", "+ a: one three", "  five seven", "  nine eleven", "+ b: one three",
                "  five seven",
            ]
        )
        // Two rows above `c` is in the midst of `b`, whose first line is hidden with its mark.
        let changes: [FileChange] = [.modify("c"), .modify("d")]
        let second = try show.show(.test("x", changes), isLast: true)
        #expect(
            second.dropFirst().dropLast() == [
                "  five seven", "  nine eleven", "~ c: x", "~ d: x", "  e: one three",
                "  five seven",
            ]
        )
    }

    @Test func aLegendStandsWhereThereIsRoomForIt() throws {
        let show = Show(columns: 60, rows: 10)
        let frame = try show.show(.test("one", [.add("a")]), isLast: true)
        #expect(frame.count == 10)
        #expect(frame[8] == "+ added  ~ changed  > moved  file: its last commit")
        #expect(frame[9].hasPrefix("[##########"))
    }

    @Test func nameMarkAndSubjectHaveInksOfTheirOwn() throws {
        let show = Show(columns: 14, rows: 8)
        try show.show(.test("some words", [.add("a name"), .add("b")]), isLast: true)
        #expect(
            show.live.lastRows.prefix(6) == [
                ScreenRow(("0123456", .changed), (" some …", .strong)),
                ScreenRow("./", .strong),
                ScreenRow(("+ ", .added), ("a name", .strong), (": some", .faint)),
                ScreenRow(("  ", .added), ("", .strong), ("words", .faint)),
                ScreenRow(("+ ", .added), ("b", .strong), (": some", .faint)),
                ScreenRow(("  ", .added), ("", .strong), ("words", .faint)),
            ]
        )
    }

    @Test func frameFollowsAResize() throws {
        let show = Show(columns: 60, rows: 12)
        let subject = "five words and some more"
        #expect(try show.show(.test(subject, [.add("a")]), isLast: true).count == 12)
        for (columns, rows) in [(20, 9), (11, 5), (80, 24)] {
            show.terminal.value = Terminal.Size(columns: columns, rows: rows)
            var isResized = false
            let commit = GitCommit.test(subject, [])
            // The texts are measured again behind the next commits.
            for _ in 0..<100 where !isResized {
                let frame = try show.show(commit, isLast: true)
                #expect(frame.allSatisfy { DisplayText.width(of: $0) <= columns })
                #expect(frame.count <= rows)
                let width = columns - LiveScreen.margin(columns: columns)
                let lines = DisplayText.lines(of: "a: \(subject)", width: width)
                isResized = lines.allSatisfy { line in frame.contains { $0.hasSuffix(line) } }
            }
            #expect(isResized || rows < 6, "\(columns) × \(rows)")
        }
    }

    @Test func framesComeTwentyFiveTimesASecondAndAtTheEnd() throws {
        let show = Show(columns: 30, rows: 8, commits: 9)
        func isDrawn(_ subject: String, _ milliseconds: UInt64, isLast: Bool = false) throws -> Bool
        {
            let commit = GitCommit.test(subject, [])
            let frame = try show.show(commit, at: milliseconds, isLast: isLast)
            show.live.finish()
            return frame.first == "0123456 \(subject)"
        }
        #expect(try !isDrawn("a", 39))
        #expect(try isDrawn("b", 40))
        #expect(try !isDrawn("c", 79))
        #expect(try isDrawn("d", 80))
        #expect(try isDrawn("e", 81, isLast: true))
        #expect(try !isDrawn("f", 120))
        #expect(try isDrawn("g", 121))
    }

    @Test func whileAFrameIsDrawnNoOtherIsComposed() throws {
        let pipe = Pipe()
        let writing = pipe.fileHandleForWriting.fileDescriptor
        let show = Show(columns: 30, rows: 8, on: writing)
        try show.screen.open()
        defer { show.screen.close() }
        // The pipe is full, until somebody reads.
        #expect(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
        let page = [UInt8](repeating: 0, count: 1 << 12)
        while write(writing, page, page.count) > 0 {}
        #expect(try show.show(.test("one", []), at: 1_000).first == "0123456 one")
        #expect(try show.show(.test("two", []), at: 2_000).first == "0123456 one")
        let isFinished = Guarded(false)
        Thread.detachNewThread {
            show.live.finish()
            isFinished.value = true
        }
        usleep(20_000)
        #expect(!isFinished.value)
        let reading = pipe.fileHandleForReading.fileDescriptor
        #expect(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
        var bytes: [UInt8] = []
        func takeWhatIsThere() {
            var piece = page
            while true {
                let count = read(reading, &piece, piece.count)
                guard count > 0 else { break }
                bytes += piece[..<count]
            }
        }
        while !isFinished.value {
            takeWhatIsThere()
            usleep(1_000)
        }
        #expect(try show.show(.test("three", []), at: 3_000).first == "0123456 three")
        show.live.finish()
        takeWhatIsThere()
        let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
        let one = try #require(text.range(of: "0123456 one"))
        #expect(text[one.upperBound...].contains("0123456 three"))
        #expect(!text.contains("0123456 two"))
    }
}
