import Foundation

@testable import git_timelapse

/// A program in git's place, which answers as a test says.
struct PlayedGit {
    let directory: URL

    /// One program for all: a file that was written a moment ago cannot be started while a child of
    /// another test still has it open.
    private static let program = Result {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("git-timelapse-played-\(getpid())")
        try Data("#!/bin/sh\n. \"${0%/*}/answers\"\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file.path
    }

    /// - Parameter script: what a shell is to do, which finds git's arguments as its own, and the
    ///   `files` in the folder `$here`.
    init(_ script: String, files: [String: [UInt8]] = [:]) throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("git-timelapse-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: directory.appendingPathComponent("git").path,
            withDestinationPath: Self.program.get()
        )
        let answers = "here=${0%/*}\n\(script)\n"
        try Data(answers.utf8).write(to: directory.appendingPathComponent("answers"))
        for (name, bytes) in files {
            try Data(bytes).write(to: directory.appendingPathComponent(name))
        }
    }

    func remove() { try? FileManager.default.removeItem(at: directory) }

    /// In which nothing but this is found.
    var environment: [String: String] { ["PATH": directory.path] }

    /// The same with all else that the tests' own has, such as what turns a deliberate bug on.
    var inheritedEnvironment: [String: String] {
        ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }

    func executable() throws -> GitExecutable { try GitExecutable.find(in: environment) }
}
