import CollectionChanges

/// The tree of one commit as sections of items: directories and the files directly in them.
///
/// Sections ascend by the bytes of their path, items by the bytes of their name. A value: a copy is
/// a snapshot, which the model's next commit does not change.
struct RepositoryModel: Hashable, Sendable {
    /// The directories that have files directly in them.
    private(set) var sections: [RepositorySection] = []

    /// How many files there are in all sections.
    private(set) var fileCount = 0

    /// Makes the model of an empty tree.
    init() {}

    /// The item counts, for validation. Complexity: O(sections).
    var shape: HierarchyShape { HierarchyShape(sections.map { $0.files.count }) }

    /// The file at a path of this model, or nil if there is none.
    func file(at path: ItemPath) -> RepositoryFile? {
        guard sections.indices.contains(path.section),
            sections[path.section].files.indices.contains(path.item)
        else { return nil }
        return sections[path.section].files[path.item]
    }

    /// Where the file at `path` (from the root) is, or nil if there is none.
    ///
    /// Complexity: O(log n).
    func itemPath(of path: FileName) -> ItemPath? {
        let (directory, name) = path.splitIntoDirectoryAndName()
        guard let section = sections.sortedIndex(of: directory, by: \.path),
            let item = sections[section].files.sortedIndex(of: name, by: \.name)
        else { return nil }
        return ItemPath(section: section, item: item)
    }

    /// Changes the model to what it is after `commit`, and records exactly that change.
    ///
    /// A rename is a move and, because name and subject show, a reconfigure of its old path; a
    /// modified file is a reconfigure. What goes or comes with its whole section is not recorded,
    /// save for moves across its border. A commit without changes gives an empty record.
    ///
    /// Complexity: O(k log n) for k changes among n files, and one block move in each section that
    /// files leave or join.
    ///
    /// - Throws: where the commit does not fit this model; the model is then as it was.
    mutating func apply(_ commit: GitCommit) throws(CommitMismatch) -> HierarchyChangeSet {
        let plan = try CommitPlan(commit, on: self)
        for (oldPath, content) in plan.updates {
            sections[oldPath.section].files[oldPath.item].content = content
            sections[oldPath.section].files[oldPath.item].subject = commit.subject
        }
        for edit in plan.sectionEdits {
            sections[edit.oldSection].files.edit(removing: edit.removed, inserting: edit.inserted)
        }
        sections.edit(removing: plan.deletedSections, inserting: plan.insertedSections)
        fileCount += plan.arrivals.count - plan.departures.count
        return plan.changeSet
    }
}

/// A commit that cannot be applied: what it changes is not what is there.
struct CommitMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line for people.
    var description: String

    init(_ commit: GitCommit, _ path: FileName, _ fault: String) {
        description = "commit \(commit.id.abbreviated) does not fit its parent: \(path) \(fault)"
    }
}
