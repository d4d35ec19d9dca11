/// The commits of a history, read from a running `git log` one at a time.
///
/// Only the commit that is being read is in memory. Dropping a history before its end ends git.
struct GitHistory {
    private let command: GitCommand
    private var parser: GitLogParser

    init(_ command: GitCommand) {
        self.command = command
        parser = GitLogParser(NULTerminatedReader(command))
    }

    /// The next commit, or nil after the last.
    mutating func next() throws(GitError) -> GitCommit? { try parser.next() }

    /// Ends git; there are no more commits.
    func stop() { command.stop() }

    /// The arguments of the one `git log` that gives the whole history.
    ///
    /// Each option that merely repeats a default is there because a setting could change it.
    static func arguments(through commit: ObjectID, namingChanges: Bool = true) -> [String] {
        let changes = [
            "--diff-merges=first-parent", "--root", "--raw", "--no-abbrev",
            // Git's own limit since 2.34; without one, an import of many files would be compared
            // pair by pair for hours. Beyond it only renames without changes are found.
            "-M50%", "-l1000",
            "--ignore-submodules=none", "--no-relative", "-O/dev/null",
            "--no-ext-diff", "--no-textconv",
        ]
        return [
            "log", "--first-parent", "--reverse", "-z", "--format=tformat:%H%x00%s",
            "--encoding=UTF-8",
        ] + (namingChanges ? changes : ["--no-patch"]) + [
            "--no-color", "--no-show-signature", "--no-notes", "--no-mailmap", "\(commit)", "--",
        ]
    }
}
