import Foundation
import Testing

@testable import git_timelapse

/// What becomes of whatever git may answer, also what no git would.
@Suite(.serialized) struct GitCommandTests {
    /// What a command comes to: all of its output, or the error.
    private func outcome(_ script: String) throws -> Result<String, GitError> {
        let played = try PlayedGit(script)
        defer { played.remove() }
        let git = try played.executable()
        return Result { () throws(GitError) in
            let command = try GitCommand(["sub", "command"], in: "/there", git: git)
            return String(decoding: try command.readAll(), as: UTF8.self)
        }
    }

    @Test func argumentsComeAfterThoseThatEveryCommandHas() throws {
        let words = [
            "--no-pager", "--no-replace-objects", "-c", "core.quotepath=off", "-c",
            "log.showSignature=false", "-C", "/there", "sub", "command",
        ]
        #expect(try outcome("printf '%s\\n' \"$@\"").get() == words.joined(separator: "\n") + "\n")
        #expect(try outcome("echo warning: x >&2; echo out").get() == "out\n")
    }

    @Test(arguments: [
        ("exit 3", GitError(.gitFailed, "git ended with status 3")),
        ("echo out; echo 'hint: a\nwarning: b' >&2; exit 1", GitError(.gitFailed, "git: hint: a")),
        (
            "echo 'warning: a\nfatal: b\nerror: c\nother' >&2; exit 128",
            GitError(.gitFailed, "git: fatal: b")
        ),
        (
            "echo 'warning: a\nerror: b\nfatal: c' >&2; exit 1",
            GitError(.gitFailed, "git: error: b")
        ),
        ("printf 'fatal: \\033[2J' >&2; exit 1", GitError(.gitFailed, "git: fatal: \\u{1b}[2J")),
        (
            "echo 'fatal: x' >&2; kill -9 $$",
            GitError(.gitInterrupted(signal: 9), "git was ended by signal 9")
        ),
    ])
    func anotherEndIsAnErrorInOneLine(script: String, error: GitError) throws {
        #expect(try outcome(script) == .failure(error))
    }

    @Test func gitThatCannotBeStartedIsToldWithThePath() {
        let git = GitExecutable(path: "/nonexistent/git", environment: [:])
        let message = "cannot start /nonexistent/git: No such file or directory"
        #expect(throws: GitError(.gitNotFound, message)) {
            try GitCommand([], in: ".", git: git)
        }
    }

    @Test func nothingIsReadOnceItIsStopped() throws {
        let played = try PlayedGit("echo out; exec /bin/sleep 100")
        defer { played.remove() }
        let git = try played.executable()
        let command = try GitCommand([], in: "/", git: git)
        #expect(try command.readChunk() == Array("out\n".utf8))
        command.stop()
        #expect(try command.readChunk() == nil)
        var history = GitHistory(try GitCommand([], in: "/", git: git))
        history.stop()
        #expect(try history.next() == nil)
    }

    @Test func onlyCtrlCIsAnInterruption() {
        for signal in 1...15 as ClosedRange<Int32> {
            let error = GitError(.gitInterrupted(signal: signal), "")
            #expect(error.isInterruption == (signal == SIGINT))
        }
        #expect(!GitError(.gitFailed, "").isInterruption)
    }

    @Test func gitIsTheFirstProgramOfThatNameInADirectoryOfThePath() throws {
        let (first, second) = (try PlayedGit(""), try PlayedGit(""))
        let others = try (0..<2).map { _ in try PlayedGit("") }
        defer { for played in [first, second] + others { played.remove() } }
        // A directory, and a file that is no program.
        for (index, other) in others.enumerated() {
            let git = other.directory.appendingPathComponent("git")
            try FileManager.default.removeItem(at: git)
            if index == 0 {
                try FileManager.default.createDirectory(at: git, withIntermediateDirectories: true)
            } else {
                try Data().write(to: git)
            }
        }
        let steps = FileManager.default.currentDirectoryPath.split(separator: "/").count
        let relative = String(repeating: "../", count: steps) + first.directory.path.dropFirst()
        #expect(FileManager.default.fileExists(atPath: relative + "/git"))
        let path = ([relative] + (others + [second, first]).map(\.directory.path))
            .joined(separator: ":")
        let found = try GitExecutable.find(in: ["PATH": path, "GIT_EXEC_PATH": "/x", "GIT_X": "y"])
        #expect(found.path == second.directory.path + "/git")
        #expect(found.environment["GIT_EXEC_PATH"] == "/x")
        #expect(found.environment["GIT_X"] == nil)
        #expect(
            throws: GitError(.gitNotFound, "git is not installed, or not in PATH")
        ) { try GitExecutable.find(in: ["PATH": relative]) }
    }
}
