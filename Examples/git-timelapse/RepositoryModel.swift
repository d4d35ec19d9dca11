import CollectionChanges
import ProgramSupport

/// The tree of one commit as sections and items: directories, and the files directly in them.
///
/// Sections ascend by the bytes of their paths, items by the bytes of their names. It is a value: a
/// copy is a snapshot that later commits do not change.
struct RepositoryModel: Hashable, Sendable {
    /// The directories that contain files directly.
    private(set) var sections: [RepositorySection] = []

    /// Returns the file at a path of this model.
    func file(at path: ItemPath) -> RepositoryFile { sections[path.section].files[path.item] }

    /// Returns the index path of the file at `path` (from the root), or `nil` if there is none.
    ///
    /// Complexity: O(log n).
    func itemPath(of path: FileName) -> ItemPath? {
        let (directory, name) = path.splitIntoDirectoryAndName()
        guard let section = sections.sortedIndex(of: directory, by: \.path),
            let item = sections[section].files.sortedIndex(of: name, by: \.name)
        else { return nil }
        return ItemPath(section: section, item: item)
    }

    /// Applies `commit` to the model, and returns exactly the changes that it makes.
    ///
    /// A modified file is a reconfiguration. A rename is a move and a reconfiguration of the old
    /// path, because name and subject are visible. Items that are inserted or deleted with their
    /// whole section are not recorded, except for moves into or out of it. A commit without changes
    /// gives an empty change set.
    ///
    /// Complexity: O(k log n) for k changes among n files, and one block move in each section that
    /// files leave or join.
    ///
    /// - Throws: ``CommitMismatch`` if the commit does not fit this model, which is then unchanged.
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
        return plan.changeSet
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
    func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the index of the element with this key, in a collection that ascends by that key.
    func sortedIndex<Key: Comparable>(of key: Key, by keyOf: (Element) -> Key) -> Int? {
        let index = partitioningIndex { keyOf($0) >= key }
        return index < endIndex && keyOf(self[index]) == key ? index : nil
    }
}

extension Array {
    /// Removes the elements at `removed` (old indexes, ascending), then inserts `inserted` (new
    /// indexes, ascending). Each edit moves the rest of the array as one block.
    mutating func edit(
        removing removed: [Int],
        inserting inserted: [(index: Int, element: Element)]
    ) {
        for index in removed.reversed() { remove(at: index) }
        for (index, element) in inserted { insert(element, at: index) }
    }
}
