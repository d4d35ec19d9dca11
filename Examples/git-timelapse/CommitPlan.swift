import CollectionChanges

/// What one commit does to a model, worked out before anything changes.
///
/// Old paths and old section indexes are those of the model before the commit, new ones those after.
/// A plan keeps nothing of the model, which can therefore be changed in place afterwards.
struct CommitPlan {
    /// A file that leaves its place, deleted or renamed.
    struct Departure {
        var oldPath: ItemPath
        /// Only for renames, and known once all arrivals are placed.
        var newPath: ItemPath?
        var path: FileName
    }

    /// A file that comes to a place, added or renamed.
    struct Arrival {
        var directory: FileName
        var file: RepositoryFile
        /// Only for renames.
        var oldPath: ItemPath?
        /// Known once all arrivals are placed.
        var newPath = ItemPath(section: -1, item: -1)
        var path: FileName
    }

    /// Files leaving and joining a section that is there before and after.
    struct SectionEdit {
        var oldSection: Int
        /// Old items, ascending.
        var removed: [Int] = []
        /// At new items, ascending.
        var inserted: [(index: Int, element: RepositoryFile)] = []
    }

    /// Ascending by old path.
    var departures: [Departure] = []
    /// Ascending by directory, then by name: by new path.
    var arrivals: [Arrival] = []
    /// Files that stay where they are, with other content; ascending.
    var updates: [(oldPath: ItemPath, content: FileContent)] = []
    /// Ascending.
    var deletedSections: [Int] = []
    /// Ascending by new index.
    var insertedSections: [(index: Int, element: RepositorySection)] = []
    /// Ascending by old section, those with departures first.
    var sectionEdits: [SectionEdit] = []

    /// Plans `commit` on top of `model`.
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
                throw CommitMismatch(commit, path, "is not there")
            }
            return found
        }
        func arrival(_ path: FileName, _ content: FileContent, from oldPath: ItemPath?) -> Arrival {
            let (directory, name) = path.splitIntoDirectoryAndName()
            let file = RepositoryFile(name: name, content: content, subject: commit.subject)
            return Arrival(directory: directory, file: file, oldPath: oldPath, path: path)
        }
        for change in commit.changes {
            switch change {
            case .add(let path, let content):
                arrivals.append(arrival(path, content, from: nil))
            case .delete(let path):
                departures.append(Departure(oldPath: try existing(path), path: path))
            case .modify(let path, let content):
                updates.append((try existing(path), content))
            case .rename(let source, let target, let content):
                let oldPath = try existing(source)
                departures.append(Departure(oldPath: oldPath, path: source))
                arrivals.append(arrival(target, content, from: oldPath))
            }
        }
        departures.sort { $0.oldPath < $1.oldPath }
        arrivals.sort { ($0.directory, $0.file.name) < ($1.directory, $1.file.name) }
        updates.sort { $0.oldPath < $1.oldPath }
    }

    /// No file may leave twice, come twice, come where one stays, or change and leave.
    private func checkConflicts(
        _ commit: GitCommit,
        _ model: RepositoryModel
    ) throws(CommitMismatch) {
        for index in departures.indices.dropFirst()
        where departures[index].oldPath == departures[index - 1].oldPath {
            throw CommitMismatch(commit, departures[index].path, "goes twice")
        }
        // Not by path: in a malformed tree `./a` and `a` are two paths to one place.
        for index in arrivals.indices.dropFirst()
        where arrivals[index].directory == arrivals[index - 1].directory
            && arrivals[index].file.name == arrivals[index - 1].file.name
        {
            throw CommitMismatch(commit, arrivals[index].path, "comes twice")
        }
        for (index, update) in updates.enumerated() {
            let isRepeated = index > 0 && updates[index - 1].oldPath == update.oldPath
            if isRepeated || departs(update.oldPath) {
                let section = model.sections[update.oldPath.section]
                let path = section.path.appending(section.files[update.oldPath.item].name)
                throw CommitMismatch(commit, path, "changes twice")
            }
        }
        for arrival in arrivals {
            if let occupied = model.itemPath(of: arrival.path), !departs(occupied) {
                throw CommitMismatch(commit, arrival.path, "is there already")
            }
        }
    }

    private func departs(_ oldPath: ItemPath) -> Bool {
        departures.sortedIndex(of: oldPath, by: \.oldPath) != nil
    }
}
