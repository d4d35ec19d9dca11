import CollectionChanges
import ProgramSupport

/// The changes that one commit makes to a model, computed before anything changes.
///
/// Old paths and old section indexes are those of the model before the commit, new ones those after
/// it. A plan keeps no part of the model, so the model can then be changed in place.
struct CommitPlan {
    /// A file that leaves its path: it is deleted or renamed.
    struct FileRemoval {
        var oldPath: ItemPath
        /// The new path of a rename, set when all additions have their places.
        var newPath: ItemPath?
        var path: FileName
    }

    /// A file that arrives at a path: it is added or renamed.
    struct FileAddition {
        var directory: FileName
        var file: RepositoryFile
        /// The old path of a rename.
        var oldPath: ItemPath?
        /// The new path, set when all additions have their places.
        var newPath = ItemPath(section: -1, item: -1)
        var path: FileName
    }

    /// The files that leave and join a section that exists before and after the commit.
    struct SectionEdit {
        var oldSection: Int
        /// The old items, ascending.
        var removed: [Int] = []
        /// The new items, ascending.
        var inserted: [(index: Int, element: RepositoryFile)] = []
    }

    /// The removals, ascending by old path.
    var removals: [FileRemoval] = []
    /// The additions, ascending by directory and name, which is the order of their new paths.
    var additions: [FileAddition] = []
    /// Files that keep their paths and have new content, ascending.
    var updates: [(oldPath: ItemPath, content: FileContent)] = []
    /// The old indexes of deleted sections, ascending.
    var deletedSections: [Int] = []
    /// The inserted sections, ascending by new index.
    var insertedSections: [(index: Int, element: RepositorySection)] = []
    /// The edits of surviving sections: first those with removals, ascending by old section, then
    /// the others, ascending.
    var sectionEdits: [SectionEdit] = []

    /// Plans `commit` for `model`.
    init(_ commit: GitCommit, on model: RepositoryModel) throws(CommitMismatch) {
        try collect(commit, model)
        try checkConflicts(commit, model)
        place(in: model.sections)
    }

    private mutating func collect(
        _ commit: GitCommit,
        _ model: RepositoryModel
    ) throws(CommitMismatch) {
        func existing(_ path: FileName) throws(CommitMismatch) -> ItemPath {
            guard let found = model.itemPath(of: path) else {
                throw CommitMismatch(commit, path, "does not exist")
            }
            return found
        }
        func addition(_ path: FileName, _ content: FileContent, from oldPath: ItemPath?)
            -> FileAddition
        {
            let (directory, name) = path.splitIntoDirectoryAndName()
            let file = RepositoryFile(name: name, content: content, subject: commit.subject)
            return FileAddition(directory: directory, file: file, oldPath: oldPath, path: path)
        }
        for change in commit.changes {
            switch change {
            case .add(let path, let content):
                additions.append(addition(path, content, from: nil))
            case .delete(let path):
                removals.append(FileRemoval(oldPath: try existing(path), path: path))
            case .modify(let path, let content):
                updates.append((try existing(path), content))
            case .rename(let source, let target, let content):
                let oldPath = try existing(source)
                removals.append(FileRemoval(oldPath: oldPath, path: source))
                additions.append(addition(target, content, from: oldPath))
            }
        }
        removals.sort { $0.oldPath < $1.oldPath }
        additions.sort { ($0.directory, $0.file.name) < ($1.directory, $1.file.name) }
        updates.sort { $0.oldPath < $1.oldPath }
    }

    /// Throws if a file leaves twice, arrives twice, arrives at an occupied path, changes twice, or
    /// changes and leaves.
    private func checkConflicts(
        _ commit: GitCommit,
        _ model: RepositoryModel
    ) throws(CommitMismatch) {
        for index in removals.indices.dropFirst()
        where removals[index].oldPath == removals[index - 1].oldPath {
            throw CommitMismatch(commit, removals[index].path, "is removed twice")
        }
        // Paths are not compared: in a malformed tree `./a` and `a` are two paths to one place.
        for index in additions.indices.dropFirst()
        where additions[index].directory == additions[index - 1].directory
            && additions[index].file.name == additions[index - 1].file.name
        {
            throw CommitMismatch(commit, additions[index].path, "is added twice")
        }
        for (index, update) in updates.enumerated() {
            let isRepeated = index > 0 && updates[index - 1].oldPath == update.oldPath
            if isRepeated || removes(update.oldPath) {
                let section = model.sections[update.oldPath.section]
                let path = section.path.appending(model.file(at: update.oldPath).name)
                throw CommitMismatch(commit, path, "changes twice")
            }
        }
        for addition in additions {
            if let occupied = model.itemPath(of: addition.path), !removes(occupied) {
                throw CommitMismatch(commit, addition.path, "already exists")
            }
        }
    }

    private func removes(_ oldPath: ItemPath) -> Bool {
        removals.sortedIndex(of: oldPath, by: \.oldPath) != nil
    }
}

extension CommitPlan {
    /// Finds the deleted and inserted sections, and from them every new index.
    mutating func place(in sections: [RepositorySection]) {
        let destinations = destinations(in: sections)
        placeRemovals(in: sections, refilled: destinations.filter { !$0.isNew }.map(\.position))
        let editsWithRemovals = sectionEdits.count
        for destination in destinations {
            // The sections inserted so far are exactly those before this one.
            let newSection =
                destination.position - rank(of: destination.position, in: deletedSections)
                + insertedSections.count
            if destination.isNew {
                insertSection(at: newSection, with: destination.additions)
            } else {
                fillSection(
                    sections[destination.position].files,
                    oldSection: destination.position,
                    newSection: newSection,
                    with: destination.additions,
                    knownEdits: sectionEdits[..<editsWithRemovals]
                )
            }
        }
        for addition in additions {
            if let oldPath = addition.oldPath,
                let removal = removals.sortedIndex(of: oldPath, by: \.oldPath)
            {
                removals[removal].newPath = addition.newPath
            }
        }
    }

    /// A directory at which files arrive.
    private struct Destination {
        /// The positions in `additions`.
        var additions: Range<Int>
        /// The old index of the section, or of the section before which it is inserted.
        var position: Int
        var isNew: Bool
    }

    private func destinations(in sections: [RepositorySection]) -> [Destination] {
        runs(of: additions, by: \.directory).map { range in
            let directory = additions[range.lowerBound].directory
            let position = sections.partitioningIndex { $0.path >= directory }
            let isNew = position == sections.count || sections[position].path != directory
            return Destination(additions: range, position: position, isNew: isNew)
        }
    }

    private mutating func placeRemovals(in sections: [RepositorySection], refilled: [Int]) {
        for range in runs(of: removals, by: { $0.oldPath.section }) {
            let section = removals[range.lowerBound].oldPath.section
            let isEmptied = range.count == sections[section].files.count
            if isEmptied, refilled.sortedIndex(of: section, by: \.self) == nil {
                deletedSections.append(section)
            } else {
                let removed = removals[range].map { $0.oldPath.item }
                sectionEdits.append(SectionEdit(oldSection: section, removed: removed))
            }
        }
    }

    private mutating func insertSection(at newSection: Int, with range: Range<Int>) {
        for (item, index) in range.enumerated() {
            additions[index].newPath = ItemPath(section: newSection, item: item)
        }
        let section = RepositorySection(
            path: additions[range.lowerBound].directory,
            files: additions[range].map(\.file)
        )
        insertedSections.append((newSection, section))
    }

    private mutating func fillSection(
        _ files: [RepositoryFile],
        oldSection: Int,
        newSection: Int,
        with range: Range<Int>,
        knownEdits: ArraySlice<SectionEdit>
    ) {
        let known = knownEdits.sortedIndex(of: oldSection, by: \.oldSection)
        var edit = known.map { knownEdits[$0] } ?? SectionEdit(oldSection: oldSection)
        for (additionsBefore, index) in range.enumerated() {
            let name = additions[index].file.name
            let filesBefore = files.partitioningIndex { $0.name >= name }
            let item = filesBefore - rank(of: filesBefore, in: edit.removed) + additionsBefore
            additions[index].newPath = ItemPath(section: newSection, item: item)
            edit.inserted.append((item, additions[index].file))
        }
        if let known { sectionEdits[known] = edit } else { sectionEdits.append(edit) }
    }

    /// Returns the maximal ranges of adjacent elements with equal keys.
    private func runs<Element, Key: Equatable>(
        of elements: [Element],
        by key: (Element) -> Key
    ) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        for position in elements.indices
        where position + 1 == elements.count
            || key(elements[position + 1]) != key(elements[position])
        {
            runs.append(start..<(position + 1))
            start = position + 1
        }
        return runs
    }

    private func rank(of value: Int, in ascending: [Int]) -> Int {
        ascending.partitioningIndex { $0 >= value }
    }
}

extension CommitPlan {
    /// The change set of the plan. Items that are inserted or deleted with their whole section are
    /// not recorded.
    var changeSet: HierarchyChangeSet {
        var changes = HierarchyChangeSet()
        let deletes = removals.lazy.filter { $0.newPath == nil }.map(\.oldPath)
            .filter { deletedSections.sortedIndex(of: $0.section, by: \.self) == nil }
        let inserts = additions.lazy.filter { $0.oldPath == nil }.map(\.newPath)
            .filter { insertedSections.sortedIndex(of: $0.section, by: \.index) == nil }
        let renames = removals.filter { $0.newPath != nil }
        let reconfigurations = (updates.map(\.oldPath) + renames.map(\.oldPath)).sorted()

        if !deletes.isEmpty { changes.deleteItems(at: Array(deletes)) }
        if !deletedSections.isEmpty { changes.deleteSections(SectionSet(deletedSections)) }
        if !insertedSections.isEmpty {
            changes.insertSections(SectionSet(insertedSections.map(\.index)))
        }
        if !inserts.isEmpty { changes.insertItems(at: Array(inserts)) }
        for rename in renames {
            if let newPath = rename.newPath { changes.moveItem(at: rename.oldPath, to: newPath) }
        }
        if !reconfigurations.isEmpty { changes.reconfigureItems(at: reconfigurations) }
        return changes
    }
}
