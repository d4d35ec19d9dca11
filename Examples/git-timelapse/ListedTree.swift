import SimulatedView

/// The tree of one commit, told whole: the pipeline finds what has changed since the one before.
struct ListedTree: CollectionState {
    /// A file that is the same as before where its number is.
    struct Row: Identifiable, Equatable, Sendable {
        let id: Int

        /// Under its path from the root: sections of states have no headers to say the rest.
        let file: RepositoryFile

        /// Whether name and content are equal. What has neither has not changed, and is shown with the
        /// subject that it has.
        static func == (left: Row, right: Row) -> Bool {
            left.id == right.id && left.file.name == right.file.name
                && left.file.content == right.file.content
        }
    }

    private let rows: SectionedRows<FileName, Row>

    /// Makes the empty tree.
    init() { self.init(SectionedRows()) }

    init(_ rows: SectionedRows<FileName, Row>) { self.rows = rows }

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
    /// What the nodes of a map of ``ListedTree`` show, in the order in which it is shown.
    ///
    /// A file without a node, or with one of another kind, is left out, and so comes out as missing; files
    /// of two directories in one section come out as two.
    ///
    /// - Parameter isComplete: whether files that nobody came near to, and that have no node, are listed as they would
    ///   be shown.
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
