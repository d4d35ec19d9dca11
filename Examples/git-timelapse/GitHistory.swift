import ProgramSupport

/// The commits of a history, read one at a time from a running `git log -z --raw` with the format
/// `%H%x00%s`.
///
/// A commit is its identifier and its subject, each ended by NUL, and its changes. A change is a
/// line that begins with a colon (the first one after a newline), and one path, or two for renames
/// and copies. An identifier never begins with a colon, which distinguishes the next commit from a
/// change.
///
/// Only the current commit is in memory. Releasing a history before its end ends git.
struct GitHistory {
    private let command: GitCommand
    private var lookahead: [UInt8]?

    init(_ command: GitCommand) { self.command = command }

    /// Ends git. There are no more commits.
    func stop() { command.stop() }

    /// Returns the arguments of the single `git log` that lists the whole history.
    ///
    /// Options that only repeat a default are there because a setting could change it.
    static func arguments(through commit: ObjectID, namingChanges: Bool = true) -> [String] {
        let changes = [
            "--diff-merges=first-parent", "--root", "--raw", "--no-abbrev",
            // This is git's own limit since 2.34. Without a limit, git would compare the files of a
            // large import pair by pair for hours. Above the limit git finds only renames without
            // changes.
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

    /// Returns the next commit, or `nil` after the last one.
    mutating func next() throws(GitError) -> GitCommit? {
        var token = lookahead.take()
        if token == nil { token = try command.nextField() }
        guard let header = token else { return nil }
        guard let id = ObjectID(header) else {
            throw Self.unexpected("a commit's identifier", header)
        }
        let subject = String(decoding: try field("a subject"), as: UTF8.self)
        var changes: [FileChange] = []
        while let token = try command.nextField() {
            guard let line = Self.changeLine(token) else {
                lookahead = token
                break
            }
            try changes.append(change(line))
        }
        return GitCommit(id: id, subject: subject, changes: changes)
    }

    /// Returns the token as `oldMode newMode oldObject newObject status`, or `nil` if it is an
    /// identifier.
    private static func changeLine(_ token: [UInt8]) -> ArraySlice<UInt8>? {
        let line = token.first == UInt8(ascii: "\n") ? token[1...] : token[...]
        return line.first == UInt8(ascii: ":") ? line.dropFirst() : nil
    }

    private mutating func change(_ line: ArraySlice<UInt8>) throws(GitError) -> FileChange {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 5, let mode = FileMode(octal: words[1]),
            let object = ObjectID(words[3])
        else { throw Self.unexpected("a change", line) }
        let path = try self.path("a path")
        let content = FileContent(mode: mode, object: object)
        switch words[4].first {
        case UInt8(ascii: "A"):
            return .add(path, content)
        case UInt8(ascii: "D"):
            return .delete(path)
        case UInt8(ascii: "M"), UInt8(ascii: "T"):
            return .modify(path, content)
        case UInt8(ascii: "R"):
            return .rename(from: path, to: try self.path("a new path"), content)
        case UInt8(ascii: "C"):
            return .add(try self.path("a copy's path"), content)
        default:
            throw Self.unexpected("a change", line)
        }
    }

    private mutating func path(_ what: String) throws(GitError) -> FileName {
        let bytes = try field(what)
        let path = FileName(bytes)
        guard path.isFilePath else { throw Self.unexpected(what, bytes) }
        return path
    }

    private mutating func field(_ what: String) throws(GitError) -> [UInt8] {
        guard let bytes = try command.nextField() else {
            throw GitError("git's output ends where \(what) should be")
        }
        return bytes
    }

    private static func unexpected(_ what: String, _ found: some Sequence<UInt8>) -> GitError {
        let text = String(decoding: Array(found.prefix(80)), as: UTF8.self)
        return GitError(
            "expected \(what) from git, but found '\(text.escapedForTerminal)'"
        )
    }
}
