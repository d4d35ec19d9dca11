import Foundation

/// A repository that can be read: bare or not, shallow or not.
struct GitRepository: Sendable {
    /// A directory in or of the repository.
    let path: String

    /// Whether history is cut off; git shows the commits at the cut as if they were roots.
    let isShallow: Bool

    private let git: GitExecutable

    /// Opens the repository that `path` is, or stands in.
    init(at path: String = ".", git: GitExecutable? = nil) throws(GitError) {
        let git = if let git { git } else { try GitExecutable.find() }
        let shown = Self.shown(path)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw GitError(.pathNotFound, "\(shown) does not exist")
        }
        guard isDirectory.boolValue else {
            throw GitError(.notADirectory, "\(shown) is not a directory")
        }
        do {
            let answer = try GitCommand(
                ["rev-parse", "--git-dir", "--is-shallow-repository"],
                in: path,
                git: git
            ).readAll()
            isShallow = String(decoding: answer, as: UTF8.self).hasSuffix("true\n")
        } catch {
            // Any other complaint, such as one about the directory's owner, is git's to word.
            guard error.message.contains("not a git repository") else { throw error }
            throw GitError(.notARepository, "\(shown) is not in a git repository")
        }
        self.path = path
        self.git = git
    }

    /// The commit that `revision` names; `HEAD` by default.
    func commit(named revision: String? = nil) throws(GitError) -> ObjectID {
        do {
            // In two steps, because `:/text^{commit}` would look for all of that in messages.
            let object = try resolve(revision ?? "HEAD")
            return try resolve("\(object)^{commit}")
        } catch {
            guard error.code == .gitFailed else { throw error }
            if let revision {
                throw GitError(
                    .badRevision,
                    "'\(DisplayText.escaping(revision))' names no commit of \(Self.shown(path))"
                )
            }
            // A bare clone may have a HEAD that names a branch which it does not have.
            let isEmpty = try run(["rev-list", "--max-count=1", "--all"]).isEmpty
            throw GitError(
                .noCommits,
                isEmpty
                    ? "\(Self.shown(path)) has no commits"
                    : "HEAD of \(Self.shown(path)) has no commits;"
                        + " name a revision with --until"
            )
        }
    }

    /// How many commits a replay up to `commit` has.
    func commitCount(through commit: ObjectID) throws(GitError) -> Int {
        let answer = try run(["rev-list", "--count", "--first-parent", "\(commit)", "--"])
        let digits = String(decoding: answer, as: UTF8.self)
            .trimmingCharacters(in: .newlines)
        guard let count = Int(digits) else {
            throw GitError(.unexpectedOutput, "git counted '\(DisplayText.escaping(digits))'")
        }
        return count
    }

    /// The commits from the root up to `commit`, by first parent, oldest first.
    ///
    /// - Parameter namingChanges: whether commits say what they changed; otherwise they have no changes.
    func history(
        through commit: ObjectID,
        namingChanges: Bool = true
    ) throws(GitError) -> GitHistory {
        let arguments = GitHistory.arguments(through: commit, namingChanges: namingChanges)
        return GitHistory(try GitCommand(arguments, in: path, git: git))
    }

    /// Every file of `commit`, as git itself lists it.
    func listing(of commit: ObjectID) throws(GitError) -> TreeListing {
        let command = try GitCommand(
            ["ls-tree", "-r", "-z", "--full-tree", "\(commit)"],
            in: path,
            git: git
        )
        return try TreeListing(gitOutput: NULTerminatedReader(command))
    }

    /// The path as messages name it.
    private static func shown(_ path: String) -> String {
        path == "." ? "the current directory" : DisplayText.escaping(path)
    }

    private func resolve(_ revision: String) throws(GitError) -> ObjectID {
        let answer = try run(["rev-parse", "--verify", "--quiet", "--end-of-options", revision])
        let lines = String(decoding: answer, as: UTF8.self).split(separator: "\n")
        guard lines.count == 1, let object = ObjectID(lines[0]) else {
            throw GitError(.gitFailed, "git resolved '\(DisplayText.escaping(revision))' oddly")
        }
        return object
    }

    private func run(_ arguments: [String]) throws(GitError) -> [UInt8] {
        try GitCommand(arguments, in: path, git: git).readAll()
    }
}
