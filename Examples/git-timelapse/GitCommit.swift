/// One commit: its subject, and what it changed against its first parent.
struct GitCommit: Hashable, Sendable {
    var id: ObjectID

    /// The first paragraph of the message in one line, as git gives it; any characters but a
    /// newline and NUL.
    var subject: String

    /// In git's order; no path is named twice on the same side.
    var changes: [FileChange]
}

/// What happened to one file in a commit; paths are from the root.
enum FileChange: Hashable, Sendable {
    /// There is a file that was not there before; a copy is one too.
    case add(FileName, FileContent)
    /// The file is gone.
    case delete(FileName)
    /// The file has other content, another mode or another type.
    case modify(FileName, FileContent)
    /// The file has another path, and perhaps other content.
    case rename(from: FileName, to: FileName, FileContent)
}
