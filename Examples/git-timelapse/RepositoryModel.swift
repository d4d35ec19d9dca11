import CollectionChanges
import ProgramSupport

/// The tree of one commit as sections and items: directories, and the files directly in them.
///
/// Sections ascend by the bytes of their paths, items by the bytes of their names. It is a value: a
/// copy is a snapshot that later commits do not change.
struct RepositoryModel: Hashable, Sendable {
    /// The directories that contain files directly.
    private(set) var sections: [RepositorySection] = []

    /// Returns the file at a path of this model, or `nil` if there is none.
    func file(at path: ItemPath) -> RepositoryFile? {
        guard sections.indices.contains(path.section),
            sections[path.section].files.indices.contains(path.item)
        else { return nil }
        return sections[path.section].files[path.item]
    }

    /// Returns the index of the directory that contains the file at `path` (from the root), or
    /// `nil` if there is none. Complexity: O(log n).
    fileprivate func section(of path: FileName) -> Int? {
        sections.sortedIndex(of: path.splitIntoDirectoryAndName().directory, by: \.path)
    }

    /// Returns the index path of the file at `path` (from the root), or `nil` if there is none.
    /// Complexity: O(log n).
    fileprivate func itemPath(of path: FileName) -> ItemPath? {
        guard let section = section(of: path) else { return nil }
        let (_, name) = path.splitIntoDirectoryAndName()
        return sections[section].files.sortedIndex(of: name, by: \.name).map {
            ItemPath(section: section, item: $0)
        }
    }

    /// Applies `commit` to the model, and returns exactly the changes that it makes.
    ///
    /// A modified file is a reconfiguration. A rename is a move and a reconfiguration of the old
    /// path, because name and subject are visible. Items that are inserted or deleted with their
    /// whole section are not recorded, except for moves into or out of it. A commit without changes
    /// gives an empty change set.
    ///
    /// - Throws: ``CommitMismatch`` if the commit does not fit this model, which is then unchanged.
    mutating func apply(_ commit: GitCommit) throws(CommitMismatch) -> HierarchyChangeSet {
        var new = self
        // Files leave before others arrive, because two files can swap their paths.
        for change in commit.changes {
            switch change {
            case .delete(let path), .rename(from: let path, to: _, _):
                try new.remove(path, commit)
            case .modify(let path, let content): try new.modify(path, content, commit)
            case .add: break
            }
        }
        for change in commit.changes {
            switch change {
            case .add(let path, let content), .rename(from: _, to: let path, let content):
                try new.insert(path, content, commit)
            case .delete, .modify: break
            }
        }
        new.sections.removeAll { $0.files.isEmpty }
        let changes = HierarchyChangeSet(commit, from: self, to: new)
        self = new
        return changes
    }

    /// Removes a file. Its section remains, even if it is now empty.
    private mutating func remove(_ path: FileName, _ commit: GitCommit) throws(CommitMismatch) {
        guard let place = itemPath(of: path) else {
            throw CommitMismatch(commit, path, "does not exist")
        }
        sections[place.section].files.remove(at: place.item)
    }

    private mutating func modify(
        _ path: FileName,
        _ content: FileContent,
        _ commit: GitCommit
    ) throws(CommitMismatch) {
        guard let place = itemPath(of: path) else {
            throw CommitMismatch(commit, path, "does not exist")
        }
        sections[place.section].files[place.item].content = content
        sections[place.section].files[place.item].subject = commit.subject
    }

    private mutating func insert(
        _ path: FileName,
        _ content: FileContent,
        _ commit: GitCommit
    ) throws(CommitMismatch) {
        let (directory, name) = path.splitIntoDirectoryAndName()
        let section = sections.partitioningIndex { $0.path >= directory }
        if section == sections.count || sections[section].path != directory {
            sections.insert(RepositorySection(path: directory, files: []), at: section)
        }
        let item = sections[section].files.partitioningIndex { $0.name >= name }
        if item < sections[section].files.count, sections[section].files[item].name == name {
            throw CommitMismatch(commit, path, "already exists")
        }
        let file = RepositoryFile(name: name, content: content, subject: commit.subject)
        sections[section].files.insert(file, at: item)
    }
}

extension HierarchyChangeSet {
    /// Records the changes of a commit, which turn one model into another.
    fileprivate init(_ commit: GitCommit, from old: RepositoryModel, to new: RepositoryModel) {
        var (deletes, inserts, reconfigurations) = ([ItemPath](), [ItemPath](), Set<ItemPath>())
        var moves: [(from: ItemPath, to: ItemPath)] = []
        var (deletedSections, insertedSections) = (SectionSet(), SectionSet())
        // The item paths exist, because the model has applied the commit.
        func leave(_ path: FileName) -> ItemPath? {
            let oldPath = old.itemPath(of: path)
            if let oldPath, new.section(of: path) == nil { deletedSections.insert(oldPath.section) }
            return oldPath
        }
        func arrive(_ path: FileName) -> ItemPath? {
            let newPath = new.itemPath(of: path)
            if let newPath, old.section(of: path) == nil {
                insertedSections.insert(newPath.section)
            }
            return newPath
        }
        for change in commit.changes {
            switch change {
            case .add(let path, _):
                if let newPath = arrive(path) { inserts.append(newPath) }
            case .delete(let path):
                if let oldPath = leave(path) { deletes.append(oldPath) }
            case .modify(let path, _):
                if let oldPath = old.itemPath(of: path) { reconfigurations.insert(oldPath) }
            case .rename(let source, let target, _):
                if let oldPath = leave(source), let newPath = arrive(target) {
                    moves.append((oldPath, newPath))
                    reconfigurations.insert(oldPath)
                }
            }
        }
        self.init()
        deletes.removeAll { deletedSections.contains($0.section) }
        inserts.removeAll { insertedSections.contains($0.section) }
        if !deletes.isEmpty { deleteItems(at: deletes) }
        if !deletedSections.isEmpty { deleteSections(deletedSections) }
        if !insertedSections.isEmpty { insertSections(insertedSections) }
        if !inserts.isEmpty { insertItems(at: inserts) }
        for move in moves { moveItem(at: move.from, to: move.to) }
        if !reconfigurations.isEmpty { reconfigureItems(at: reconfigurations.sorted()) }
    }
}

/// The reason why a commit does not fit the current model.
struct CommitMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line for people.
    var description: String

    init(_ commit: GitCommit, _ path: FileName, _ fault: String) {
        description = "commit \(commit.id.abbreviated) does not fit its parent: \(path) \(fault)"
    }
}

/// A file as an item: the data that git records for it, and the subject of the last commit that
/// changed it.
struct RepositoryFile: Hashable, Sendable {
    var name: FileName
    var content: FileContent
    var subject: String

    /// The text of the item's node before wrapping: the name, a colon, and the last subject.
    var text: String {
        subject.isEmpty ? name.description : "\(name): \(subject.escapedForTerminal)"
    }
}

/// A directory as a section: the files directly in it, at least one.
struct RepositorySection: Hashable, Sendable {
    /// The path of the directory from the root. The path of the root is `.`.
    var path: FileName

    /// The files, ascending by name.
    var files: [RepositoryFile]
}

extension RandomAccessCollection where Index == Int {
    /// Returns the first index from which on `predicate` holds for all elements, or the end index.
    fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the index of the element with this key, in a collection that ascends by that key.
    fileprivate func sortedIndex<Key: Comparable>(of key: Key, by keyOf: (Element) -> Key) -> Int? {
        let index = partitioningIndex { keyOf($0) >= key }
        return index < endIndex && keyOf(self[index]) == key ? index : nil
    }
}
