/// Every file of a tree, section by section: what a replay ended with, or what git lists.
struct TreeListing: Hashable, Sendable {
    /// One file of a section.
    struct File: Hashable, Sendable {
        var name: FileName
        var content: FileContent
    }

    /// One directory with the files directly in it.
    struct Section: Hashable, Sendable {
        var path: FileName
        var files: [File]
    }

    /// In the order in which they are shown; ``TreeComparison`` checks it.
    var sections: [Section]

    /// Makes a listing of `sections`, in the order given.
    init(_ sections: [Section]) { self.sections = sections }

    /// Reads what `git ls-tree -r -z --full-tree` answers, and brings it into the model's order.
    ///
    /// It knows nothing of the model's way to do so, being what the model is checked against.
    init(gitOutput reader: NULTerminatedReader) throws(GitError) {
        var reader = reader
        var files: [FileName: [File]] = [:]
        while let record = try reader.next() {
            // "mode type object", a tab, then the path as it is.
            let parts = record.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            let words = parts.first?.split(separator: UInt8(ascii: " ")) ?? []
            let path = FileName(parts.count == 2 ? parts[1] : [])
            guard path.isFilePath, words.count == 3, let mode = FileMode(octal: words[0]),
                let object = ObjectID(hexadecimal: words[2])
            else {
                throw GitError(
                    .unexpectedOutput,
                    "git lists a file as '\(FileName(record.prefix(80)))'"
                )
            }
            let (directory, name) = path.splitIntoDirectoryAndName()
            let content = FileContent(mode: mode, object: object)
            files[directory, default: []].append(File(name: name, content: content))
        }
        sections = files.map { directory, files in
            Section(path: directory, files: files.sorted { $0.name < $1.name })
        }
        sections.sort { $0.path < $1.path }
    }
}

extension RepositoryModel {
    /// The model as a listing, in its own order.
    var listing: TreeListing {
        TreeListing(
            sections.map { section in
                TreeListing.Section(
                    path: section.path,
                    files: section.files.map {
                        TreeListing.File(name: $0.name, content: $0.content)
                    }
                )
            }
        )
    }
}
