import Foundation
import Testing

@testable import git_timelapse

/// A bare repository in a temporary directory, made by git from a `fast-import` stream. No
/// configuration of the machine reaches it.
final class ScratchRepository {
    let directory: URL
    var path: String { directory.path }

    static let git = Result {
        try GitExecutable.find(
            in: ProcessInfo.processInfo.environment.merging(
                [
                    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
                    "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent",
                ],
                uniquingKeysWith: { $1 }
            )
        )
    }

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("git-timelapse-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try run(["init", "--quiet", "--bare", "--initial-branch=main"])
    }

    convenience init(_ stream: ImportStream) throws {
        try self.init()
        try run(["fast-import", "--quiet", "--force"], input: stream.bytes)
    }

    /// For a `defer`: left to a `deinit`, it might happen before the last use of the path.
    func remove() { try? FileManager.default.removeItem(at: directory) }

    func open() throws -> GitRepository {
        try GitRepository(at: path, git: ScratchRepository.git.get())
    }

    /// Runs git to its end.
    ///
    /// The input comes from a file: a pipe's end could leak into a child that another test starts,
    /// and this one would then wait for that one.
    func run(_ arguments: [String], input: [UInt8] = []) throws {
        let git = try ScratchRepository.git.get()
        let inputFile = directory.appendingPathComponent("test-input")
        try Data(input).write(to: inputFile)
        defer { try? FileManager.default.removeItem(at: inputFile) }
        let handle = try FileHandle(forReadingFrom: inputFile)
        let child = try ChildProcess(
            git.path,
            ["-C", path] + arguments,
            environment: git.environment,
            input: handle.fileDescriptor
        )
        try #require(child.wait() == .status(0), "git \(arguments)")
    }
}

extension GitRepository {
    /// The whole history at once, which only a test may want.
    func allCommits() throws -> [GitCommit] {
        var history = try history(through: commit())
        var commits: [GitCommit] = []
        while let commit = try history.next() { commits.append(commit) }
        return commits
    }
}
