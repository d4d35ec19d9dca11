import SimulatedView

/// The complete tree of one commit. The pipeline finds the changes from the previous tree.
struct ListedTree: CollectionState {
    /// A file. Rows with equal numbers are the same file.
    struct Row: Identifiable, Equatable, Sendable {
        let id: Int

        /// The file, named by its path from the root, because sections of states have no headers
        /// for the directory.
        let file: RepositoryFile

        /// Returns whether number, name and content are equal. An unchanged file keeps the subject
        /// that is shown.
        static func == (left: Row, right: Row) -> Bool {
            left.id == right.id && left.file.name == right.file.name
                && left.file.content == right.file.content
        }
    }

    fileprivate var rows = SectionedRows<FileName, Row>()

    var shape: HierarchyShape { rows.shape }

    func models(at items: Range<Int>, inSection section: Int) -> [RepositoryFile] {
        rows.models(at: items, inSection: section).map(\.file)
    }

    func changes(
        from old: ListedTree,
        options: DifferenceOptions,
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> ValidatedChangeSet {
        try rows.changes(from: old.rows, options: options, isCancelled: isCancelled)
    }
}

extension TreeListing {
    /// Lists the files that the nodes of a map of ``ListedTree`` show, in the order of the map.
    ///
    /// A file without a node, or with a node of another type, is omitted and is therefore reported
    /// as missing. Files of two directories in one section become two sections.
    ///
    /// - Parameter isComplete: whether files that have no node because they were never near the
    ///   viewport are listed by their models.
    init(pathsShownBy map: ElementMap, isComplete: Bool = false) {
        var listed: [[Section]] = Array(repeating: [], count: map.numberOfSections)
        for item in map.items {
            guard let file = item.shownFile(isComplete: isComplete) else { continue }
            let (directory, name) = file.name.splitIntoDirectoryAndName()
            let section = item.path.section
            if listed[section].last?.path != directory {
                listed[section].append(Section(path: directory, files: []))
            }
            listed[section][listed[section].count - 1].files
                .append(File(name: name, content: file.content))
        }
        let none = Section(path: FileName([]), files: [])
        self.init(listed.flatMap { $0.isEmpty ? [none] : $0 })
    }
}

/// Numbers the files of a history, so that equal numbers mean the same file.
///
/// A file with the same path is the same file. A removed file and a new one with the same mode and
/// object are also the same file, in the order of their paths: this is a rename, as far as listings
/// alone can show.
struct FileNumbering {
    private var files: [FileName: (number: Int, content: FileContent)] = [:]
    private var nextNumber = 0

    /// Returns the next tree of a history. Complexity: O(files).
    ///
    /// - Parameter subject: the subject of the commit, for the files that it changes.
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
        // Descending, because files are removed from the end.
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
            rows: SectionedRows(
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
