import Foundation
import PipelineTestSupport
import Testing

@testable import git_timelapse

/// What only the program as a whole does: how it ends.
@Suite(.serialized, .endsHangs) struct ProgramTests {
    /// The built program beside the tests.
    private let path = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("git-timelapse").path

    /// Has a shell do `script`, in which `$0` is the program.
    private func run(
        _ script: String,
        _ environment: [String: String] = [:]
    ) throws -> (exit: ChildProcess.Exit, errors: String) {
        let child = try ChildProcess(
            "/bin/sh",
            ["-c", script, path],
            environment: ProcessInfo.processInfo.environment
                .merging(environment, uniquingKeysWith: { $1 })
        )
        let errors = FileHandle(fileDescriptor: child.errors).readDataToEndOfFile()
        return (child.wait(), String(decoding: errors, as: UTF8.self))
    }

    @Test func outputThatCannotBeWrittenIsAnErrorUnlessNobodyReads() throws {
        let full = try run("exec \"$0\" --help >/dev/full")
        #expect(full.exit == .status(2))
        #expect(full.errors == "git-timelapse: cannot write: No space left on device\n")
        let process = try #require(BuiltProgram("git-timelapse")).runUnread(["--help"])
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    @Test func whatInterruptsGitEndsTheProgramTheSameWay() throws {
        let git = try PlayedGit("kill -INT $$")
        defer { git.remove() }
        // Also where whoever started it has it ignore that.
        for script in ["exec \"$0\" /", "trap '' INT; exec \"$0\" /"] {
            #expect(try run(script, git.environment).exit == .signal(SIGINT))
        }
        let other = try PlayedGit("kill -TERM $$")
        defer { other.remove() }
        let ended = try run("exec \"$0\" /", other.environment)
        #expect(ended.exit == .status(2))
        #expect(ended.errors == "git-timelapse: git was ended by signal 15\n")
    }

    @Test func programThatBlocksSignalsIsEndedByThemAllTheSame() throws {
        let git = try PlayedGit(
            """
            case "$*" in
            *--git-dir*) echo .git; echo false;;
            *--verify*) echo \(String(repeating: "1a", count: 20));;
            *--count*) echo 1;;
            *) exec /bin/sleep 2;;
            esac
            """
        )
        defer { git.remove() }
        let pseudoTerminal = try PseudoTerminal(columns: 30, rows: 8)
        defer { pseudoTerminal.close() }
        let process = try #require(BuiltProgram("git-timelapse")).makeProcess(["/"])
        process.standardOutput = FileHandle(fileDescriptor: pseudoTerminal.program)
        process.standardError = FileHandle.nullDevice
        process.environment = git.inheritedEnvironment.merging(
            ["TERM": "xterm"],
            uniquingKeysWith: { $1 }
        )
        // The child blocks what the thread does that starts it.
        let isStarted = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, nil)
            try? process.run()
            isStarted.signal()
        }
        isStarted.wait()
        let opening = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
        // A first frame may have come with it.
        #expect(pseudoTerminal.written(opening).hasPrefix(opening))
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 128 + SIGTERM)
        #expect(pseudoTerminal.writtenSoFar() == "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    }
}
