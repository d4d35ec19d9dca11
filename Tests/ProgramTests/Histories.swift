import Foundation
import PipelineTestSupport
import Testing

/// A path as git stores it: bytes without NUL.
struct GitPath: Hashable, ExpressibleByStringLiteral {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    init(stringLiteral text: String) { bytes = Array(text.utf8) }

    /// The bytes before the last slash; `nil` in the root.
    var directory: GitPath? {
        bytes.lastIndex(of: UInt8(ascii: "/")).map { GitPath(bytes[..<$0]) }
    }

    func appending(_ name: GitPath) -> GitPath { GitPath(bytes + [UInt8(ascii: "/")] + name.bytes) }

    func isInside(_ directory: GitPath) -> Bool {
        bytes.starts(with: directory.bytes + [UInt8(ascii: "/")])
    }
}

/// The input of `git fast-import`, with fixed authors and dates.
struct History {
    private(set) var bytes: [UInt8] = []
    private var commitCount = 0

    /// Starts a commit on `branch`, based on the branch's last commit, and returns its mark.
    @discardableResult
    mutating func commit(
        _ message: [UInt8],
        branch: String = "main",
        from parent: Int? = nil,
        merging merged: Int? = nil
    ) -> Int {
        commitCount += 1
        line("commit refs/heads/\(branch)")
        line("mark :\(commitCount)")
        line("author A <a@example.org> \(1_000_000_000 + commitCount) +0000")
        line("committer C <c@example.org> \(1_000_000_000 + commitCount) +0000")
        data(message)
        if let parent { line("from :\(parent)") }
        if let merged { line("merge :\(merged)") }
        return commitCount
    }

    @discardableResult
    mutating func commit(
        _ message: String,
        branch: String = "main",
        from parent: Int? = nil,
        merging merged: Int? = nil
    ) -> Int {
        commit(Array(message.utf8), branch: branch, from: parent, merging: merged)
    }

    mutating func write(_ path: GitPath, _ text: String, mode: String = "100644") {
        line("M \(mode) inline \(quoted(path))")
        data(Array(text.utf8))
    }

    mutating func writeSubmodule(_ path: GitPath, commit digit: Character) {
        line("M 160000 \(String(repeating: digit, count: 40)) \(quoted(path))")
    }

    mutating func delete(_ path: GitPath) { line("D \(quoted(path))") }

    mutating func rename(_ source: GitPath, _ target: GitPath) {
        line("R \(quoted(source)) \(quoted(target))")
    }

    mutating func copy(_ source: GitPath, _ target: GitPath) {
        line("C \(quoted(source)) \(quoted(target))")
    }

    private mutating func line(_ text: String) { bytes += Array((text + "\n").utf8) }

    private mutating func data(_ content: [UInt8]) {
        line("data \(content.count)")
        bytes += content
        line("")
    }

    private func quoted(_ path: GitPath) -> String {
        let escaped = path.bytes.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
        return "\"" + escaped.joined() + "\""
    }
}

/// A bare repository that git creates from a history, isolated from the machine's configuration.
struct Repository {
    let url: URL
    var path: String { url.path }

    static let environment = [
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent",
    ]

    /// Creates the repository in `folder`; without a history it is empty.
    init(_ history: History? = nil, in folder: URL, _ name: String = "repository") throws {
        url = folder.appending(path: name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try git(["init", "--quiet", "--bare", "--initial-branch=main"])
        if let history { try git(["fast-import", "--quiet"], input: history.bytes) }
    }

    /// Runs git in the repository, and returns its output.
    @discardableResult
    func git(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "--no-replace-objects", "-C", path] + arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(Self.environment) { $1 }
        // Input comes from a file, since nothing writes to a pipe while the output is read.
        let file = url.appending(path: "test-input")
        try Data(input).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "git \(arguments)")
        return bytes
    }

    /// Returns the NUL-terminated fields of git's output.
    func fields(_ arguments: [String]) throws -> [GitPath] {
        try git(arguments).split(separator: 0).map { GitPath($0) }
    }

    /// Returns the commits up to `HEAD` by first parent, oldest first.
    func commits() throws -> [String] {
        let output = try git(["rev-list", "--first-parent", "--reverse", "HEAD"])
        return String(decoding: output, as: UTF8.self).lines
    }

    /// Replays the history with the program.
    func timelapse(_ arguments: [String]) throws -> BuiltProgram.Result {
        try run("git-timelapse", arguments + [path], environment: Self.environment)
    }
}

/// A fake git that returns the output that a test specifies.
struct FakeGit {
    /// The environment in which only this git is found.
    let environment: [String: String]
    private let folder: URL

    /// One executable for all tests: a file that was just written cannot be started while a child
    /// of another test still has it open.
    private static let program = Result {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "programs-played-git-\(getpid())")
        try Data("#!/bin/sh\n. \"${0%/*}/answers\"\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file.path
    }

    static let id = String(repeating: "1a", count: 20)
    static let blob = String(repeating: "b2", count: 20)
    static let none = String(repeating: "0", count: 40)

    /// - Parameters:
    ///   - cases: Clauses of a shell's `case` over git's arguments; other arguments return good
    ///     output for three commits, by default from the file `log`. The clauses find the `files` in
    ///     the folder `$here`.
    init(_ cases: String, files: [String: String] = [:], in folder: URL) throws {
        let bin = folder.appending(path: "played-\(UUID())")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: bin.appending(path: "git").path,
            withDestinationPath: Self.program.get()
        )
        let script = """
            here=${0%/*}
            case "$*" in
            \(cases)
            *--git-dir*) echo .git; echo false;;
            *--verify*) echo \(Self.id);;
            *--count*) echo 3;;
            *ls-tree*) exec /bin/cat "$here/listing";;
            *) exec /bin/cat "$here/log";;
            esac

            """
        _ = try bin.write(script, to: "answers")
        for (name, text) in files { _ = try bin.write(text, to: name) }
        environment = ["PATH": bin.path]
        self.folder = bin
    }

    func make(_ name: String) throws { _ = try folder.write("", to: name) }

    func timelapse(_ arguments: [String], at path: String = "/") throws -> BuiltProgram.Result {
        try run("git-timelapse", arguments + [path], environment: environment)
    }

    /// Three commits: the first adds `a`, the second moves it to `d/b` and adds `a` again, the
    /// third is empty.
    static let log = [
        id, "one", "\n:000000 100644 \(none) \(blob) A", "a",
        id, "two", "\n:100644 100644 \(blob) \(blob) R100", "a", "d/b",
        ":000000 100644 \(none) \(blob) A", "a", id, "three", "",
    ].joined(separator: "\0")

    static func listing(_ paths: [String]) -> String {
        paths.map { "100644 blob \(blob)\t\($0)\0" }.joined()
    }
}
