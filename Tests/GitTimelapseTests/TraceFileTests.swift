import Foundation
import PipelineTestSupport
import Testing

@testable import git_timelapse

/// What `--trace` leaves behind, however a run ends.
@Suite(.serialized, .endsHangs) struct TraceFileTests {
    private let program = BuiltProgram("git-timelapse")

    private func scratchRepository(commits: Int) throws -> ScratchRepository {
        var stream = ImportStream()
        for number in 0..<commits {
            stream.commit("commit \(number)")
            stream.write("file", "\(number)")
            if number > 0 { stream.rename("file", "other") }
            stream.write("file", "\(number + 1)")
        }
        return try ScratchRepository(stream)
    }

    private func trace(_ file: URL) throws -> StrictTrace {
        try StrictTrace(Array(Data(contentsOf: file)))
    }

    private func places(_ directory: URL) -> URL { directory.appendingPathComponent("trace.json") }

    @Test(arguments: [[], ["--diff"], ["--range", "--width", "20"]])
    func everyChangeSetOfAReplayIsInIt(_ words: [String]) throws {
        let repository = try scratchRepository(commits: 40)
        defer { repository.remove() }
        let file = places(repository.directory)
        let outcome = try #require(program).run(
            words + ["--verify", "--quiet", "--trace", file.path, repository.path]
        )
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        let trace = try trace(file)
        #expect(trace.processNames == [1: "git-timelapse"])
        let shown = trace.spans.filter { $0.arguments["end"] == "deployed" }
        #expect(shown.count >= 40 && trace.flows.count == shown.count)
        #expect(trace.spans.allSatisfy { $0.arguments["end"] != "unfinished" })
        #expect(trace.threadNames.values.contains("worker 1"))
        #expect(trace.counters["git-timelapse: backlog"] != nil)
        let hasRanges = trace.counters["git-timelapse: items in ranges"] != nil
        #expect(hasRanges == words.contains("--range"))
    }

    @Test(arguments: ["/nowhere/trace.json", "/"])
    func aFileThatCannotBeOpenedIsAnErrorInOneLine(_ path: String) throws {
        let repository = try scratchRepository(commits: 1)
        defer { repository.remove() }
        let outcome = try #require(program).run(["--trace", path, repository.path])
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty)
        let start = "git-timelapse: cannot write the trace to \(path): "
        #expect(outcome.errors.hasPrefix(start))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func aFileThatHasNoRoomIsAnErrorOfARunThatEndedWell() throws {
        let repository = try scratchRepository(commits: 3)
        defer { repository.remove() }
        let outcome = try #require(program)
            .run(["--quiet", "--trace=/dev/full", repository.path])
        #expect(outcome.code == 2)
        #expect(
            outcome.errors
                == "git-timelapse: cannot write the trace to /dev/full: No space left on device\n"
        )
    }

    private static let id = String(repeating: "1a", count: 20)
    private static let blob = String(repeating: "b2", count: 20)
    private static let none = String(repeating: "0", count: 40)

    /// One commit, and then what a test says.
    private func git(andThen script: String) throws -> PlayedGit {
        let log = [
            Self.id, "one", "\n:000000 100644 \(Self.none) \(Self.blob) A", "a", Self.id, "two", "",
        ].joined(separator: "\0")
        return try PlayedGit(
            """
            case "$*" in
            *--git-dir*) echo .git; echo false;;
            *--verify*) echo \(Self.id);;
            *--count*) echo 3;;
            *) /bin/cat "$here/log"; \(script);;
            esac
            """,
            files: ["log": Array(log.utf8)]
        )
    }

    @Test func whereTheRunFailsTheTraceIsWholeAllTheSame() throws {
        let git = try git(andThen: "exit 3")
        defer { git.remove() }
        let file = places(git.directory)
        let process = try #require(program).makeProcess(["--quiet", "--trace", file.path, "/"])
        process.environment = git.inheritedEnvironment
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        // How far the pipeline has come by then is chance.
        #expect(try trace(file).spans.count <= 2)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func whereASignalEndsTheRunTheTraceIsWholeAllTheSame(_ number: Int32) throws {
        let git = try git(andThen: ": >\"$here/begun\"; exec /bin/sleep 2")
        defer { git.remove() }
        let file = places(git.directory)
        let process = try #require(program).makeProcess(["--quiet", "--trace", file.path, "/"])
        process.environment = git.inheritedEnvironment
        // What a shell starts in the background ignores some, and so does what that starts.
        let handler = signal(number, SIG_DFL)
        defer { signal(number, handler) }
        try process.run()
        // Signals are watched before git is asked for the history.
        let begun = git.directory.appendingPathComponent("begun").path
        while process.isRunning, !FileManager.default.fileExists(atPath: begun) { usleep(10_000) }
        try #require(process.isRunning)
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        expect(process, endedBy: number)
        #expect(try trace(file).spans.count <= 1)
    }

    /// By it, or as if: where whoever started the tests has it blocked.
    private func expect(_ process: Process, endedBy number: Int32) {
        let blocked = process.terminationReason == .exit
        #expect(process.terminationStatus == (blocked ? 128 + number : number))
    }

    @Test func onATerminalASignalLeavesScreenAndTraceWhole() throws {
        let git = try git(andThen: "exec /bin/sleep 2")
        defer { git.remove() }
        let file = places(git.directory)
        let pseudoTerminal = try PseudoTerminal(columns: 30, rows: 8)
        defer { pseudoTerminal.close() }
        let process = try #require(program).makeProcess(["--trace", file.path, "/"])
        process.standardOutput = FileHandle(fileDescriptor: pseudoTerminal.program)
        process.standardError = FileHandle.nullDevice
        process.environment = git.inheritedEnvironment.merging(
            ["TERM": "xterm"],
            uniquingKeysWith: { $1 }
        )
        try process.run()
        let opening = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
        // A first frame may have come with it.
        #expect(pseudoTerminal.written(opening).hasPrefix(opening))
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        expect(process, endedBy: SIGTERM)
        #expect(pseudoTerminal.writtenSoFar().hasSuffix("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"))
        _ = try trace(file)
    }
}
