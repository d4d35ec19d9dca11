/// A file as an item: what git records of it, and the last commit's subject that touched it.
struct RepositoryFile: Hashable, Sendable {
    var name: FileName
    var content: FileContent
    var subject: String

    /// What the item's node shows, before it is wrapped: the name, a colon, and the last subject.
    var text: String {
        subject.isEmpty ? name.description : "\(name): \(DisplayText.escaping(subject))"
    }
}

/// A directory as a section: the files directly in it, of which there is at least one.
struct RepositorySection: Hashable, Sendable {
    /// The directory's path from the root, which itself is `.`.
    var path: FileName

    /// Ascending by name.
    var files: [RepositoryFile]
}
