import SimulatedView

/// Which files of a listing are those of the listing before.
///
/// A file is the same where its path is. Of what has gone, what has come with the same mode and object is
/// the same too, first to first: a rename, as far as listings alone can tell.
struct FileNumbering {
    private var files: [FileName: (number: Int, content: FileContent)] = [:]
    private var nextNumber = 0

    /// The next tree of a history. Complexity: O(files).
    ///
    /// - Parameter subject: that of the commit, for the files that it has changed.
    mutating func tree(of listing: TreeListing, subject: String) -> ListedTree {
        var numbered: [FileName: (number: Int, content: FileContent)] = [:]
        var come: [(path: FileName, content: FileContent)] = []
        for section in listing.sections {
            for file in section.files {
                let path = section.path.appending(file.name)
                if let former = files.removeValue(forKey: path) {
                    numbered[path] = (former.number, file.content)
                } else {
                    come.append((path, file.content))
                }
            }
        }
        // Last first, so that they are taken from the end.
        var gone = Dictionary(grouping: files.sorted { $0.key > $1.key }, by: \.value.content)
        for (path, content) in come {
            if let former = gone[content]?.popLast() {
                numbered[path] = (former.value.number, content)
            } else {
                numbered[path] = (nextNumber, content)
                nextNumber += 1
            }
        }
        files = numbered
        return ListedTree(
            SectionedRows(
                listing.sections.map { section in
                    (
                        section.path,
                        section.files.map { file in
                            let path = section.path.appending(file.name)
                            return ListedTree.Row(
                                id: numbered[path]?.number ?? -1,
                                file: RepositoryFile(
                                    name: path,
                                    content: file.content,
                                    subject: subject
                                )
                            )
                        }
                    )
                }
            )
        )
    }
}
