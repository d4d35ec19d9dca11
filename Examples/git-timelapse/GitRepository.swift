import Foundation
import ProgramSupport

/// A repository: bare or not, shallow or not.
struct GitRepository: Sendable {
    /// The repository, or a directory in it.
    let path: String

    /// Whether the history is truncated. Git shows the oldest available commits as roots.
    let isShallow: Bool

    private let git: GitExecutable

    /// Opens the repository at `path`, or the one that contains `path`.
    init(at path: String, git: GitExecutable) throws(GitError) {
        let shown = Self.shown(path)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw GitError("\(shown) does not exist")
        }
        guard isDirectory.boolValue else {
            throw GitError("\(shown) is not a directory")
        }
        do {
            let answer = try GitCommand(
                ["rev-parse", "--git-dir", "--is-shallow-repository"],
                in: path,
                git: git
            ).readAll()
            isShallow = answer.hasSuffix("true\n")
        } catch {
            // Any other error, such as one about the directory's owner, keeps git's own message.
            guard error.description.contains("not a git repository") else { throw error }
            throw GitError("\(shown) is not in a git repository")
        }
        self.path = path
        self.git = git
    }

    /// Returns the commit that `revision` names, or `HEAD`.
    func commit(named revision: String?) throws(GitError) -> ObjectID {
        do {
            // This takes two steps, because `:/text^{commit}` would search messages for that whole
            // text.
            let object = try resolve(revision ?? "HEAD")
            return try resolve("\(object)^{commit}")
        } catch {
            guard error.code == .gitFailed else { throw error }
            if let revision {
                throw GitError(
                    "'\(revision.escapedForTerminal)' names no commit of \(Self.shown(path))"
                )
            }
            // The HEAD of a bare clone may name a branch that the clone does not have.
            let isEmpty = try run(["rev-list", "--max-count=1", "--all"]).isEmpty
            throw GitError(
                isEmpty
                    ? "\(Self.shown(path)) has no commits"
                    : "HEAD of \(Self.shown(path)) has no commits;"
                        + " name a revision with --until"
            )
        }
    }

    /// Returns the number of commits of a replay up to `commit`.
    func commitCount(through commit: ObjectID) throws(GitError) -> Int {
        let answer = try run(["rev-list", "--count", "--first-parent", "\(commit)", "--"])
        let digits = answer.trimmingCharacters(in: .newlines)
        guard let count = Int(digits) else {
            throw GitError(
                "expected a number of commits from git, but found '\(digits.escapedForTerminal)'"
            )
        }
        return count
    }

    /// Returns the commits from the root to `commit`, along first parents, oldest first.
    ///
    /// - Parameter namingChanges: whether commits contain their changes; otherwise these are empty.
    func history(
        through commit: ObjectID,
        namingChanges: Bool
    ) throws(GitError) -> GitHistory {
        let arguments = GitHistory.arguments(through: commit, namingChanges: namingChanges)
        return GitHistory(try GitCommand(arguments, in: path, git: git))
    }

    /// Returns every file of `commit`, as git itself lists it.
    func listing(of commit: ObjectID) throws(GitError) -> TreeListing {
        let command = try GitCommand(
            ["ls-tree", "-r", "-z", "--full-tree", "\(commit)"],
            in: path,
            git: git
        )
        return try TreeListing(command)
    }

    /// Returns the path as messages show it.
    private static func shown(_ path: String) -> String {
        path == "." ? "the current directory" : path.escapedForTerminal
    }

    private func resolve(_ revision: String) throws(GitError) -> ObjectID {
        let answer = try run(["rev-parse", "--verify", "--quiet", "--end-of-options", revision])
        let lines = answer.split(separator: "\n")
        guard lines.count == 1, let object = ObjectID(lines[0].utf8) else {
            throw GitError(
                "expected one object from git for '\(revision.escapedForTerminal)'",
                .gitFailed
            )
        }
        return object
    }

    private func run(_ arguments: [String]) throws(GitError) -> String {
        try GitCommand(arguments, in: path, git: git).readAll()
    }
}
