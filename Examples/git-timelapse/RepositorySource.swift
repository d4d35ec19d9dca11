import SimulatedView

/// The repository's tree as a data source. It lives on the main lane.
final class RepositorySource: CollectionDataSource {
    private(set) var model = RepositoryModel()
    private let measurements: Guarded<Int>

    init(measurements: Guarded<Int>) { self.measurements = measurements }

    /// Goes one commit on, and records what that changes.
    func apply(_ commit: GitCommit, recordingInto changes: inout BatchRecorder) throws {
        for operation in try model.apply(commit).operations { changes.record(operation) }
    }

    func numberOfSections() -> Int { model.sections.count }

    func numberOfItems(inSection section: Int) -> Int { model.sections[section].files.count }

    func model(forItemAt path: ItemPath) -> (any Sendable)? { model.file(at: path) }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let file = model.sections[path.section].files[path.item]
        return { [measurements] in FileNode(file, measurements) }
    }

    func context(forSection section: Int) -> (any SectionContext)? {
        DirectoryContext(model.sections[section].path)
    }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [.header] }

    func supplementaryNodeProvider(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> NodeProvider {
        let directory = model.sections[path.section].path
        return { DirectoryNode(directory) }
    }
}

extension TreeListing {
    /// What the nodes of a map show, in the order in which it is shown.
    ///
    /// A file without a node, or with one of another kind, is left out, and so comes out as missing.
    ///
    /// - Parameter isComplete: whether files that nobody came near to, and that have no node, are listed as they would
    ///   be shown.
    init(shownBy map: ElementMap, isComplete: Bool = false) {
        var sections: [Section] = []
        for index in 0..<map.numberOfSections {
            let context = map.context(forSection: index) as? DirectoryContext
            sections.append(Section(path: context?.path ?? FileName([]), files: []))
        }
        for item in map.items {
            guard let file = item.shownFile(isComplete: isComplete) else { continue }
            sections[item.path.section].files.append(File(name: file.name, content: file.content))
        }
        self.init(sections)
    }
}

extension ElementMap.Items.Element {
    /// The file that the item's node shows; nil where it has none.
    ///
    /// - Parameter isComplete: whether what has no node yet is told by its model.
    func shownFile(isComplete: Bool) -> RepositoryFile? {
        guard isComplete, element.nodeIfAllocated == nil else {
            return (element.nodeIfAllocated as? FileNode)?.shown
        }
        return content.model as? RepositoryFile
    }
}
