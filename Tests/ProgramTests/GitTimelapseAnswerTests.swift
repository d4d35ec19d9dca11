import Foundation
import PipelineTestSupport
import Testing

/// `git-timelapse` with a fake git that returns unusual output.
@Suite(.serialized, .endsHangs) struct GitTimelapseAnswerTests {
    private static let (id, blob) = (FakeGit.id, FakeGit.blob)
    private static let long = String(repeating: "0123456789", count: 9)

    private static let logs: [(log: String, message: String)] = [
        ("\(long)\0", "expected a commit's identifier from git, but found '\(long.prefix(80))'"),
        ("\(id)\0", "git's output ends where a subject should be"),
        ("\(id)\0s\0\n:x\u{1B}\0", "expected a change from git, but found 'x\\u{1b}'"),
        (
            "\(id)\0s\0\n:1 1 \(id) \(id) X\0p\0",
            "expected a change from git, but found '\("1 1 \(id) \(id) X".prefix(80))'"
        ),
        ("\(id)\0s\0\n:1 1 \(id) \(id) M\0", "git's output ends where a path should be"),
        ("\(id)\0s\0\n:1 1 \(id) \(id) M\0d/\0", "expected a path from git, but found 'd/'"),
        ("\(id)\0s\0\n:1 1 \(id) \(id) R1\0p\0", "git's output ends where a new path should be"),
        ("\(id)\0s\0\n:1 1 \(id) \(id) A\0p", "git's output ends in mid-record"),
    ]

    private static let responses: [(cases: String, arguments: [String], message: String)] = [
        (
            "*--git-dir*) echo 'fatal: not a git repository' >&2; exit 128;;", [],
            "/ is not in a git repository"
        ),
        (
            "*--git-dir*) echo 'warning: x' >&2; echo 'fatal: dubious ownership' >&2; exit 128;;",
            [], "git: fatal: dubious ownership"
        ),
        ("*--count*) echo x;;", [], "expected a number of commits from git, but found 'x'"),
        (
            "*--verify*) echo \(id); echo \(id);;", ["--until", "v\t1"],
            "'v\\t1' names no commit of /"
        ),
        ("*--verify*) kill -9 $$;;", [], "git was terminated by signal 9"),
        ("*--verify*) kill -TERM $$;;", [], "git was terminated by signal 15"),
        ("*--reverse*) exit 3;;", [], "git ended with status 3"),
        // More error output than fits into a pipe does not block git.
        (
            "*--reverse*) i=0; while [ $i -lt 3000 ]; do echo 'error: \(long)' >&2; i=$((i+1)); done; exit 1;;",
            [], "git: error: \(long)"
        ),
        (
            "*ls-tree*) printf 'x\\0';;", ["--verify"], "expected a file from git, but found 'x'"
        ),
    ]

    @Test func unexpectedGitOutputIsReportedInOneLine() throws {
        try inFolder { folder in
            var faults = Faults()
            for row in Self.logs {
                let git = try FakeGit("", files: ["log": row.log], in: folder)
                faults.checkRefusal(try git.timelapse([]), by: "git-timelapse", row.message)
            }
            for row in Self.responses {
                let git = try FakeGit(row.cases, files: ["log": FakeGit.log], in: folder)
                let result = try git.timelapse(row.arguments)
                faults.checkRefusal(result, by: "git-timelapse", row.message)
            }
            // Changes that do not match the existing files.
            for change in ["D\0a", "M\0a", "R100\0a\0b", "A\0b\0:1 1 \(Self.id) \(Self.id) A\0b"] {
                let log = "\(Self.id)\0s\0\n:1 1 \(Self.id) \(Self.id) \(change)\0"
                let git = try FakeGit("", files: ["log": log], in: folder)
                let result = try git.timelapse([])
                faults.check(
                    result.code == 2 && result.errors.lines.count == 1 && result.output.isEmpty,
                    "\(change): \(result)"
                )
            }
            #expect(faults.isEmpty, "\(faults.text)")
        }
    }

    @Test(arguments: [0, 1, 5, 6, 9])
    func differencesFromGitsListingFailTheCheck(count: Int) throws {
        try inFolder { folder in
            let missing = (0..<count).map { "x\($0)" }
            let files = [
                "log": FakeGit.log, "listing": FakeGit.listing(missing + ["a", "d/b"]),
            ]
            let git = try FakeGit("", files: files, in: folder)
            let result = try git.timelapse(["--verify"])
            #expect(result.code == (count == 0 ? 0 : 1))
            var messages = missing.prefix(5).map { "\($0) is missing" }
            if count > 5 { messages.append("and \(count - 5) more differences") }
            #expect(result.errors.lines == messages.map { "git-timelapse: \($0)" })
            #expect(result.output.hasSuffix("\ndifferences     \(count)\n"))
            let json = try git.timelapse(["--verify", "--json"])
            #expect(json.output.hasSuffix(",\"differences\":\(count)}\n"))
        }
    }

    @Test func everyKindOfDifferenceIsDescribed() throws {
        try inFolder { folder in
            let other = String(repeating: "c3", count: 20)
            let listing =
                "100755 blob \(Self.blob)\ta\0100644 blob \(other)\td/b\0"
                + "100644 blob \(other)\td/c\0"
            let git = try FakeGit(
                "",
                files: ["log": FakeGit.log, "listing": listing],
                in: folder
            )
            let result = try git.timelapse(["--verify", "--json"])
            #expect(result.code == 1)
            #expect(
                result.errors.lines == [
                    "git-timelapse: a has mode 100644, but git lists 100755",
                    "git-timelapse: d/b is b2b2b2b, but git lists c3c3c3c",
                    "git-timelapse: d/c is missing",
                ]
            )
            let none = try FakeGit("", files: ["log": FakeGit.log, "listing": ""], in: folder)
            #expect(
                try none.timelapse(["--verify"]).errors.lines == [
                    "git-timelapse: a is shown, but git does not list it",
                    "git-timelapse: d/b is shown, but git does not list it",
                ]
            )
        }
    }

    /// After three rows of scrolling, only items near the viewport have nodes. Directories have a
    /// header, except when trees are compared.
    @Test(arguments: [([], 37), (["--diff"], 38)])
    func withRangesOnlyNearItemsHaveNodes(words: [String], nodes: Int) throws {
        try inFolder { folder in
            let paths = (10..<70).map { "f\($0)" }
            let (id, blob, none) = (FakeGit.id, FakeGit.blob, FakeGit.none)
            let changes = paths.map { ":000000 100644 \(none) \(blob) A\0\($0)\0" }.joined()
            let rest = "\(id)\0two\0\(id)\0three\0"
            let git = try FakeGit(
                "*--no-patch*) exec /bin/cat \"$here/subjects\";;",
                files: [
                    "log": "\(id)\0one\0\n\(changes)\(rest)", "subjects": "\(id)\0one\0\(rest)",
                    "listing": FakeGit.listing(paths),
                ],
                in: folder
            )
            let options = ["--range", "--verify", "--width=35", "--height=10"] + words
            let json = try git.timelapse(options + ["--json"])
            #expect(json.code == 0 && json.errors.isEmpty)
            let summary = try json.output.object()
            #expect(summary["items"] as? Int == 60 && summary["nodesAllocated"] as? Int == nodes)
            let ranges = try #require(summary["ranges"] as? [String: Any])
            #expect(ranges["mode"] as? String == "full" && ranges["visible"] as? Int == 10)
            let text = try git.timelapse(options)
            #expect(text.output.contains("\nranges          10 items visible, "))
            #expect(
                text.output.hasSuffix(
                    "\nnodes           \(nodes) of 60 items have one, at the end\ndifferences     0\n"
                )
            )
        }
    }

    // MARK: Signals

    /// Starts a process from a thread that blocks all signals or none, since a child inherits the
    /// blocked signals.
    private func start(_ process: Process, blockingSignals: Bool = false) {
        let isStarted = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var signals = sigset_t()
            sigemptyset(&signals)
            if blockingSignals { sigfillset(&signals) }
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            // A shell's background processes ignore some signals.
            let numbers = [SIGINT, SIGTERM, SIGHUP]
            let handlers = numbers.map { signal($0, SIG_DFL) }
            try? process.run()
            for (number, handler) in zip(numbers, handlers) { signal(number, handler) }
            isStarted.signal()
        }
        isStarted.wait()
    }

    @Test func aSignalThatEndsGitEndsTheProgramToo() throws {
        try inFolder { folder in
            let git = try FakeGit("*) kill -INT $$;;", in: folder)
            let path = try #require(program("git-timelapse").makeProcess([]).executableURL).path
            // Also if the parent process made the program ignore the signal.
            for script in ["exec \"$0\" /", "trap '' INT; exec \"$0\" /"] {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/bin/sh")
                process.arguments = ["-c", script, path]
                process.environment = git.environment
                process.standardError = FileHandle.nullDevice
                start(process)
                process.waitUntilExit()
                #expect(process.terminationReason == .uncaughtSignal)
                #expect(process.terminationStatus == SIGINT)
            }
        }
    }

    /// Returns a git that lists one commit and then runs a script.
    private func git(andThen script: String, in folder: URL) throws -> FakeGit {
        let change = ":000000 100644 \(FakeGit.none) \(FakeGit.blob) A"
        let log = [FakeGit.id, "one", "\n\(change)", "a", FakeGit.id, "two", ""]
        return try FakeGit(
            "*--reverse*) /bin/cat \"$here/log\"; \(script);;",
            files: ["log": log.joined(separator: "\0")],
            in: folder
        )
    }

    /// Makes git wait until the test creates this file.
    private func wait(for name: String) -> String {
        "until [ -e \"$here/\(name)\" ]; do /bin/sleep 0.02; done"
    }

    /// Sends a signal that must end the process while git still waits.
    private func end(_ process: Process, by number: Int32, _ git: FakeGit) throws {
        kill(process.processIdentifier, number)
        wait(for: process, toBe: "Z")
        try git.make("over")
    }

    /// Waits for up to ten seconds until the process is in a state of `proc(5)` or has ended.
    private func wait(for process: Process, toBe state: Character) {
        let file = "/proc/\(process.processIdentifier)/stat"
        for _ in 0..<2_000 {
            guard let stat = try? String(contentsOfFile: file, encoding: .utf8) else { break }
            if stat.contains(") \(state) ") { break }
            usleep(5_000)
        }
    }

    /// The process ends by the signal, or with its exit code if it is blocked or the machine is
    /// very busy.
    private func hasEnded(_ process: Process, by number: Int32) -> Bool {
        let isSignal = process.terminationReason == .uncaughtSignal
        return process.terminationStatus == (isSignal ? number : 128 + number)
    }

    private func expectTrace(at path: String) throws {
        // The progress of the pipeline by then depends on timing.
        let trace = try StrictTrace(Array(Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(trace.spans.count <= 2)
    }

    @Test func aFailedRunStillHasAWholeTrace() throws {
        try inFolder { folder in
            let file = folder.path + "/trace.json"
            let git = try git(andThen: "exit 3", in: folder)
            let result = try git.timelapse(["--quiet", "--trace", file])
            #expect(result.code == 2)
            try expectTrace(at: file)
        }
    }

    // MARK: On a terminal

    private static let files = ["log": FakeGit.log, "listing": FakeGit.listing(["a", "d/b"])]

    @Test func aTerminalShowsEveryCommitAndKeepsTheLast() throws {
        try inFolder { folder in
            let git = try FakeGit("", files: Self.files, in: folder)
            let environment = git.environment.merging(["NO_COLOR": "1"]) { $1 }
            for isRanging in [false, true] {
                let (code, shown, piped) = try PseudoTerminal.run(
                    "git-timelapse",
                    isRanging ? ["--range", "/"] : ["/"],
                    .output,
                    columns: 30,
                    rows: 8,
                    environment: environment
                )
                #expect(code == 0 && piped.isEmpty)
                let parts = shown.components(separatedBy: PseudoTerminal.closing)
                try #require(parts.count == 2 && shown.hasPrefix(PseudoTerminal.opening))
                let frames = parts[0].components(separatedBy: "\u{1B}[H").dropFirst()
                let headings = frames.map { String($0.prefix { $0 != "\u{1B}" && $0 != "\n" }) }
                #expect(headings == ["1a1a1a1 one", "1a1a1a1 two", "1a1a1a1 three"])
                // The second frame has its marks, and the last one remains.
                let second = try #require(frames.dropFirst().first)
                #expect(second.contains("+ a: two") && second.contains("> b: two"))
                let ranges = isRanging
                #expect(
                    parts[1].components(separatedBy: "\n").prefix(9) == [
                        "1a1a1a1 three", "./", "  a: two",
                        ranges ? "d/                          #o" : "d/", "  b: two", "",
                        ranges ? "minimum: # 2 visible, = 2 dis…" : "",
                        "[#########] 100 % 3/3 commits", "commits         3",
                    ]
                )
            }
        }
    }

    /// The live view appears only on a capable terminal and without options against it, and with
    /// colors only if they are wanted.
    @Test func theLiveViewAppearsOnlyIfWanted() throws {
        try inFolder { folder in
            let git = try FakeGit("", files: Self.files, in: folder)
            func run(
                _ option: String?,
                _ streams: PseudoTerminal.Streams,
                _ environment: [String: String] = [:]
            ) throws -> (shown: String, piped: String) {
                let (code, shown, piped) = try PseudoTerminal.run(
                    "git-timelapse",
                    (option.map { [$0] } ?? []) + ["/"],
                    streams,
                    columns: 30,
                    rows: 8,
                    environment: git.environment.merging(environment) { $1 }
                )
                #expect(code == 0)
                return (shown, piped)
            }
            for option in ["--quiet", "--json"] {
                let start = option == "--json" ? "{\"commits\":3," : "commits         3\n"
                let shown = try run(option, .output).shown
                #expect(shown.hasPrefix(start) && !shown.contains("\u{1B}"))
            }
            #expect(try run("--quiet", .errors).shown.isEmpty)
            let (bar, summary) = try run(nil, .errors)
            #expect(bar.hasPrefix("\(PseudoTerminal.clearing)[###.......] 33 % 1/3 commits"))
            #expect(
                bar.hasSuffix(PseudoTerminal.clearing) && summary.hasPrefix("commits         3\n")
            )
            #expect(try !run(nil, .output, ["TERM": "dumb"]).shown.contains("\u{1B}["))
            let (plain, coloured) = try (
                run(nil, .output, ["NO_COLOR": "1"]).shown,
                run(nil, .output, ["NO_COLOR": ""]).shown
            )
            #expect(!plain.contains(/\u{1B}\[[0-9]*m/) && coloured.contains(/\u{1B}\[[0-9]+m/))
        }
    }

    @Test func namesCannotMoveTheCursor() throws {
        try inFolder { folder in
            let repository = try Repository(GitTimelapseTests.handmade(), in: folder)
            let (code, shown, _) = try PseudoTerminal.run(
                "git-timelapse",
                [repository.path],
                .both,
                columns: 40,
                rows: 60,
                environment: Repository.environment.merging(["NO_COLOR": "1"]) { $1 }
            )
            #expect(code == 0)
            let frames = try #require(shown.components(separatedBy: PseudoTerminal.closing).first)
                .dropFirst(PseudoTerminal.opening.count)
                .replacing(/\u{1B}\[[HKJ]/, with: "").replacing("\r", with: "")
            let controls = frames.unicodeScalars.filter {
                $0.properties.generalCategory == .control && $0 != "\n"
            }
            #expect(controls.isEmpty)
            #expect(frames.contains("\\u{1b}[2J") && frames.contains("new\\nline"))
        }
    }

    @Test func theListFollowsAResize() throws {
        try inFolder { folder in
            let last = "printf '\(FakeGit.id)\\0three\\0'"
            let git = try git(andThen: "\(wait(for: "go")); \(last)", in: folder)
            let terminal = try PseudoTerminal(columns: 30, rows: 8)
            let process = try BuiltProgram.process("git-timelapse", ["/"], git.environment)
            process.standardOutput = terminal.handle
            process.standardError = FileHandle.nullDevice
            try process.run()
            try terminal.read(until: "\u{1B}[H")
            terminal.resize(columns: 50, rows: 14)
            try git.make("go")
            terminal.read(untilEndOf: process)
            let shown = terminal.text.components(separatedBy: PseudoTerminal.closing)[0]
            let frames = shown.components(separatedBy: "\u{1B}[H").dropFirst()
            func rows(_ frame: String) -> Int { frame.components(separatedBy: "\n").count }
            #expect(frames.first.map(rows) == 8, "\(shown.debugDescription)")
            #expect(frames.last.map(rows) == 14, "\(shown.debugDescription)")
        }
    }

    /// Also if the program inherits blocked signals, as children of Dispatch's threads do.
    @Test(arguments: [(false, SIGINT), (true, SIGTERM), (false, SIGHUP)])
    func aSignalRestoresTheScreenAndCompletesTheTrace(isBlocked: Bool, number: Int32) throws {
        try inFolder { folder in
            let git = try git(andThen: wait(for: "over"), in: folder)
            let file = folder.path + "/trace.json"
            let terminal = try PseudoTerminal(columns: 30, rows: 8)
            let process = try BuiltProgram.process(
                "git-timelapse",
                ["--trace", file, "/"],
                git.environment
            )
            process.standardOutput = terminal.handle
            process.standardError = FileHandle.nullDevice
            start(process, blockingSignals: isBlocked)
            try terminal.read(until: PseudoTerminal.opening)
            // Stops the process as from the keyboard, and continues it.
            if !isBlocked {
                kill(process.processIdentifier, SIGTSTP)
                try terminal.read(until: PseudoTerminal.closing)
                // The process can only continue after it has stopped.
                wait(for: process, toBe: "T")
                kill(process.processIdentifier, SIGCONT)
                try terminal.read(until: PseudoTerminal.closing + PseudoTerminal.opening)
            }
            try end(process, by: number, git)
            terminal.read(untilEndOf: process)
            #expect(hasEnded(process, by: number))
            #expect(terminal.text.hasSuffix(PseudoTerminal.closing))
            try expectTrace(at: file)
        }
    }
}
