import Foundation
import PipelineTestSupport
import SimulatedView
import Testing

@testable import git_timelapse

/// Whole runs in this process, with a program in git's place and files or terminals for output.
@Suite(.serialized, .endsHangs) struct TimelapseCommandTests {
    private static let id = String(repeating: "1a", count: 20)
    private static let blob = String(repeating: "b2", count: 20)
    private static let none = String(repeating: "0", count: 40)

    /// Three commits: `a` comes; `a` goes to `d/b`, and `a` comes again; nothing.
    private static let log = [
        "\(id)", "one", "\n:000000 100644 \(none) \(blob) A", "a",
        "\(id)", "two", "\n:100644 100644 \(blob) \(blob) R100", "a", "d/b",
        ":000000 100644 \(none) \(blob) A", "a", "\(id)", "three", "",
    ].joined(separator: "\0")

    private static func listing(_ paths: [String]) -> String {
        paths.map { "100644 blob \(blob)\t\($0)\0" }.joined()
    }

    private static func git(
        listing: String = listing(["a", "d/b"]),
        isShallow: Bool = false
    ) throws -> PlayedGit {
        try PlayedGit(
            """
            case "$*" in
            *--git-dir*) echo .git; echo \(isShallow);;
            *--verify*) echo \(id);;
            *--count*) echo 3;;
            *ls-tree*) exec /bin/cat "$here/listing";;
            *) exec /bin/cat "$here/log";;
            esac
            """,
            files: ["log": Array(log.utf8), "listing": Array(listing.utf8)]
        )
    }

    private struct Outcome {
        var code: TimelapseCommand.ExitCode
        var output: String
        var errors: String
    }

    /// A run whose output goes to files.
    private func run(_ words: [String], _ git: PlayedGit) throws -> Outcome {
        defer { git.remove() }
        let files = ["output", "errors"].map { git.directory.appendingPathComponent($0) }
        let descriptors = files.map { open($0.path, O_CREAT | O_RDWR, 0o600) }
        defer { for descriptor in descriptors { close(descriptor) } }
        let command = TimelapseCommand(
            arguments: try Arguments(parsing: ["/"] + words),
            output: OutputChannel(descriptor: descriptors[0]),
            errors: OutputChannel(descriptor: descriptors[1]),
            environment: git.environment
        )
        let code = try command.run()
        let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
        return Outcome(code: code, output: texts[0], errors: texts[1])
    }

    @Test func replayIsSummedUpForPeopleOrAsJSON() throws {
        let outcome = try run([], Self.git())
        #expect(outcome.code == .success)
        #expect(outcome.errors.isEmpty)
        let counts = [
            "commits         3", "change sets     3", "edits           6", "sections        2",
            "items           2", "nodes measured  3, on workers",
        ]
        #expect(outcome.output.hasPrefix(counts.joined(separator: "\n") + "\ntime  "))
        // What does not fit goes on further in.
        #expect(outcome.output.split(separator: "\n").count { !$0.hasPrefix(" ") } == 11)
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })

        let json = try run(["--json", "--verify"], Self.git())
        #expect(json.code == .success)
        #expect(json.errors.isEmpty)
        #expect(json.output.hasPrefix(#"{"commits":3,"changeSets":3,"edits":6,"#))
        #expect(json.output.hasSuffix(",\"differences\":0}\n"))
        let seconds = try #require(
            json.output.split(separator: ",").first { $0.hasPrefix("\"seconds\"") }
        )
        #expect(0 < Double(seconds.dropFirst(10))! && Double(seconds.dropFirst(10))! < 60)
    }

    @Test func rangesAreSummedUpWhereTheyAreAskedFor() throws {
        let outcome = try run(["--range", "--verify"], Self.git())
        #expect(outcome.code == .success && outcome.errors.isEmpty)
        let lines = [
            "ranges          2 items visible, 2 in the display range, 2 in the preload range;",
            "                mode minimum, at the end",
            "nodes           2 of 2 items have one, at the end", "differences     0",
        ]
        #expect(outcome.output.hasSuffix("\n" + lines.joined(separator: "\n") + "\n"))
        let json = try run(["--range", "--json", "--height=1", "--verify"], Self.git())
        #expect(json.code == .success)
        #expect(json.output.contains(#","ranges":{"mode":"full","visible":"#))
        #expect(json.output.hasSuffix(#","nodesAllocated":2,"differences":0}"# + "\n"))
        #expect(try !run(["--json"], Self.git()).output.contains("ranges"))
    }

    @Test(arguments: [
        (["a", "d/b"], []), (["a", "b", "d/b"], ["b is missing"]),
        (
            (0..<5).map { "x\($0)" } + ["a", "d/b"], (0..<5).map { "x\($0) is missing" }
        ),
        (
            (0..<6).map { "x\($0)" } + ["a", "d/b"],
            (0..<5).map { "x\($0) is missing" } + ["and 1 more differences"]
        ),
        (
            (0..<9).map { "x\($0)" } + ["a", "d/b"],
            (0..<5).map { "x\($0) is missing" } + ["and 4 more differences"]
        ),
    ])
    func differencesFromGitsListingAreAFailedCheck(listed: [String], said: [String]) throws {
        let outcome = try run(["--verify"], Self.git(listing: Self.listing(listed)))
        #expect(outcome.code == (said.isEmpty ? .success : .failedCheck))
        #expect(outcome.errors == said.map { "git-timelapse: \($0)\n" }.joined())
        #expect(outcome.output.hasSuffix("\ndifferences     \(listed.count - 2)\n"))
    }

    @Test func shallowRepositorySaysSoUnlessItIsToBeQuiet() throws {
        let warning = "the repository is shallow; what was cut off appears in its first commit"
        for (words, said) in [([], "git-timelapse: \(warning)\n"), (["--quiet"], "")] {
            let outcome = try run(words, Self.git(isShallow: true))
            #expect(outcome.code == .success)
            #expect(outcome.errors == said)
        }
    }

    /// A run on a terminal, whose output and errors are one or the other.
    private func runOnATerminal(
        _ words: [String],
        outputIsTerminal: Bool
    ) throws -> (shown: String, written: String, seconds: Double) {
        let git = try Self.git()
        defer { git.remove() }
        let pseudoTerminal = try PseudoTerminal(columns: 30, rows: 8)
        defer { pseudoTerminal.close() }
        let file = git.directory.appendingPathComponent("output")
        let descriptor = open(file.path, O_CREAT | O_RDWR, 0o600)
        defer { close(descriptor) }
        let channels = [pseudoTerminal.program, descriptor].map { OutputChannel(descriptor: $0) }
        let command = TimelapseCommand(
            arguments: try Arguments(parsing: ["/"] + words),
            output: channels[outputIsTerminal ? 0 : 1],
            errors: channels[outputIsTerminal ? 1 : 0],
            environment: git.environment.merging(
                ["TERM": "xterm", "NO_COLOR": "1"],
                uniquingKeysWith: { $1 }
            )
        )
        let start = ContinuousClock.now
        #expect(try command.run() == .success)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return (
            pseudoTerminal.writtenSoFar(), try String(contentsOf: file, encoding: .utf8), seconds
        )
    }

    @Test func terminalSeesEveryCommitAndKeepsTheLast() throws {
        let (shown, written, seconds) = try runOnATerminal([], outputIsTerminal: true)
        #expect(written.isEmpty)
        let opening = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
        let closing = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
        let parts = shown.components(separatedBy: closing)
        try #require(parts.count == 2)
        #expect(shown.hasPrefix(opening + "\u{1B}[H"))
        let frames = parts[0].components(separatedBy: "\u{1B}[H").dropFirst()
        #expect(
            frames.map { $0.prefix(14).split(separator: "\u{1B}").first } == [
                "1a1a1a1 one", "1a1a1a1 two", "1a1a1a1 three",
            ]
        )
        let lines = parts[1].components(separatedBy: "\r\n")
        #expect(
            lines.prefix(9) == [
                "1a1a1a1 three", "./", "  a: two", "d/", "  b: two", "", "",
                "[#########] 100 % 3/3 commits", "commits         3",
            ]
        )
        // Of the time that it took, what it stood still for does not count.
        let time = try #require(lines.first { $0.hasPrefix("time") })
        let active = try #require(Double(time.split(separator: " ")[1]))
        #expect(0 <= active && active <= seconds - 3 * 0.04 + 0.000_5)
    }

    @Test func rangesStandBesideTheListAndBelowIt() throws {
        let (shown, _, _) = try runOnATerminal(["--range"], outputIsTerminal: true)
        let lines = shown.components(separatedBy: "\u{1B}[?1049l").last!
            .components(separatedBy: "\r\n")
        #expect(
            lines.prefix(9) == [
                "1a1a1a1 three", "./", "  a: two", "d/                          #o", "  b: two", "",
                "minimum: # 2 visible, = 2 dis…", "[#########] 100 % 3/3 commits",
                "commits         3",
            ]
        )
    }

    @Test func progressIsShownWhereOnlyErrorsGoToATerminal() throws {
        let (shown, written, _) = try runOnATerminal([], outputIsTerminal: false)
        #expect(shown.hasPrefix("\r[###.......] 33 % 1/3 commits\u{1B}[K"))
        #expect(shown.hasSuffix("\r\u{1B}[K"))
        #expect(written.hasPrefix("commits         3\n"))
    }

    @Test(arguments: ["--quiet", "--json"], [true, false])
    func nothingMovesWhereItIsNotWanted(option: String, outputIsTerminal: Bool) throws {
        let (shown, written, _) = try runOnATerminal([option], outputIsTerminal: outputIsTerminal)
        let summary = outputIsTerminal ? shown : written
        #expect(summary.hasPrefix(option == "--json" ? "{\"commits\":3," : "commits         3"))
        #expect(!summary.contains("\u{1B}"))
        if outputIsTerminal || option == "--quiet" {
            #expect((outputIsTerminal ? written : shown).isEmpty)
        }
    }

    @Test func framesAreAsLargeAsAskedForOrAsTheTerminal() throws {
        let pseudoTerminal = try PseudoTerminal(columns: 1, rows: 9)
        defer { pseudoTerminal.close() }
        func size(_ words: [String], _ descriptor: Int32) throws -> [Int] {
            let command = TimelapseCommand(
                arguments: try Arguments(parsing: words),
                output: OutputChannel(descriptor: descriptor)
            )
            return [command.frameSize.columns, command.frameSize.rows]
        }
        #expect(try size([], -1) == [80, 24])
        #expect(try size([], pseudoTerminal.program) == [2, 9])
        #expect(try size(["--width=40", "--height=7"], pseudoTerminal.program) == [40, 7])
        let command = TimelapseCommand(arguments: Arguments())
        let frame = Terminal.Size(columns: 30, rows: 10)
        #expect(command.viewSize(frame, isLive: false) == Size(width: 30, height: 10))
        #expect(command.viewSize(frame, isLive: true) == Size(width: 28, height: 7))
        let ranging = TimelapseCommand(arguments: try Arguments(parsing: ["--range"]))
        #expect(ranging.viewSize(frame, isLive: false) == Size(width: 30, height: 10))
        #expect(ranging.viewSize(frame, isLive: true) == Size(width: 25, height: 6))
    }

    @Test func shortHistoriesAreShownSlowlyAndLongOnesAtOnce() {
        let pauses = [0, 1, 100, 101, 200, 4_000, 4_001, .max].map {
            TimelapseCommand.pauseMicroseconds(commits: $0)
        }
        #expect(pauses == [40_000, 40_000, 40_000, 39_603, 20_000, 1_000, nil, nil])
    }
}
