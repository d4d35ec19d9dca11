import Foundation
import Testing

@testable import git_timelapse

/// A repository in which git answers as it seldom does.
@Suite(.serialized) struct GitAnswerTests {
    private static let id = String(repeating: "1a", count: 20)

    private func withRepository(
        _ cases: String,
        _ body: (GitRepository) throws -> Void
    ) throws {
        let script = "case \"$*\" in *--git-dir*) echo .git; echo false;;\n\(cases)\nesac"
        let played = try PlayedGit(script)
        defer { played.remove() }
        try body(GitRepository(at: "/", git: played.executable()))
    }

    @Test(arguments: [
        (
            "fatal: not a git repository", GitError.Code.notARepository,
            " is not in a git repository"
        ),
        ("fatal: detected dubious ownership", .gitFailed, "git: fatal: detected dubious ownership"),
    ])
    func placesThatGitRejectsAreToldInItsWordsOrOurs(
        complaint: String,
        code: GitError.Code,
        ending: String
    ) throws {
        let played = try PlayedGit("echo '\(complaint)' >&2; exit 128")
        defer { played.remove() }
        let git = try played.executable()
        for (path, shown) in [(".", "the current directory"), ("/", "/")] {
            let message = (code == .notARepository ? shown : "") + ending
            #expect(throws: GitError(code, message)) { try GitRepository(at: path, git: git) }
        }
    }

    @Test func placesThatAreNoDirectoryAreNamed() throws {
        let git = GitExecutable(path: "/nonexistent", environment: [:])
        #expect(throws: GitError(.pathNotFound, "/none\\u{1b} does not exist")) {
            try GitRepository(at: "/none\u{1B}", git: git)
        }
        #expect(throws: GitError(.notADirectory, "/dev/null is not a directory")) {
            try GitRepository(at: "/dev/null", git: git)
        }
    }

    @Test(arguments: ["", "x", "3\n4"])
    func numberThatIsNoneIsUnexpected(answer: String) throws {
        try withRepository("*--count*) printf '\(answer)\\n';;") { repository in
            let shown = DisplayText.escaping(answer)
            #expect(throws: GitError(.unexpectedOutput, "git counted '\(shown)'")) {
                try repository.commitCount(through: ObjectID(Self.id)!)
            }
        }
        try withRepository("*--count*) echo 12;;") { repository in
            let count = try repository.commitCount(through: ObjectID(Self.id)!)
            #expect(count == 12)
        }
    }

    @Test(arguments: ["", "main", "\(id)\n\(id)"])
    func revisionThatIsResolvedOddlyNamesNoCommit(answer: String) throws {
        try withRepository("*--verify*) printf '\(answer)';;") { repository in
            #expect(throws: GitError(.badRevision, "'v\\t1' names no commit of /")) {
                try repository.commit(named: "v\t1")
            }
        }
    }

    @Test func whatInterruptsGitIsToldAsItIs() throws {
        try withRepository("*--verify*) kill -9 $$;;") { repository in
            let error = GitError(.gitInterrupted(signal: 9), "git was ended by signal 9")
            #expect(throws: error) { try repository.commit() }
            #expect(throws: error) { try repository.commit(named: "main") }
        }
    }

    @Test func headWithoutCommitsIsToldFromARepositoryWithout() throws {
        try withRepository("*--verify*) exit 1;;") { repository in
            #expect(throws: GitError(.noCommits, "/ has no commits")) { try repository.commit() }
        }
        try withRepository("*--verify*) exit 1;; *rev-list*) echo \(Self.id);;") { repository in
            let message = "HEAD of / has no commits; name a revision with --until"
            #expect(throws: GitError(.noCommits, message)) { try repository.commit() }
        }
    }
}
