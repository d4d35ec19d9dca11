import SimulatedView

/// The repository's tree as a data source, confined to the main lane.
final class RepositorySource: CollectionDataSource {
    private(set) var model = RepositoryModel()
    private let measurements: LockedValue<Int>

    init(measurements: LockedValue<Int>) { self.measurements = measurements }

    /// Applies the next commit, and records its changes.
    func apply(_ commit: GitCommit, recordingInto changes: inout BatchRecorder) throws {
        for operation in try model.apply(commit).operations { changes.record(operation) }
    }

    func numberOfSections() -> Int { model.sections.count }

    func numberOfItems(inSection section: Int) -> Int { model.sections[section].files.count }

    func model(forItemAt path: ItemPath) -> (any Sendable)? { model.file(at: path) }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let file = model.file(at: path)
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
    /// Lists the files that the nodes of a map show, in the order of the map.
    ///
    /// A file without a node, or with a node of another type, is omitted and is therefore reported
    /// as missing.
    ///
    /// - Parameter isComplete: whether files that have no node because they were never near the
    ///   viewport are listed by their models.
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
    /// Returns the file that the item's node shows, or `nil` if it has no node.
    ///
    /// - Parameter isComplete: whether the model represents an item that has no node yet.
    func shownFile(isComplete: Bool) -> RepositoryFile? {
        guard isComplete, element.nodeIfAllocated == nil else {
            return (element.nodeIfAllocated as? FileNode)?.shown
        }
        return content.model as? RepositoryFile
    }
}

/// The node of a file: its name and its last subject, wrapped to the width.
///
/// A commit that changes the file reconfigures the node. A worker measures the new text while the
/// old one is visible; the new text appears when its change set is deployed.
final class FileNode: ReconfigurableNode {
    // Written on the main lane by `update(to:)`. Read there and by the verification.
    private let file: LockedValue<RepositoryFile>
    private let measurements: LockedValue<Int>

    init(_ file: RepositoryFile, _ measurements: LockedValue<Int>) {
        self.file = LockedValue(file)
        self.measurements = measurements
    }

    /// The file that the node shows.
    var shown: RepositoryFile { file.value }

    func measure(in range: SizeRange) -> Size { measure(shown, in: range) }

    func measure(_ model: RepositoryFile, in range: SizeRange) -> Size {
        measurements.update { $0 += 1 }
        let width = DisplayText.width(within: range)
        let lines = DisplayText.lines(of: model.text, width: Int(width))
        return Size(width: width, height: Double(lines.count))
    }

    func update(to model: RepositoryFile) { file.value = model }
}

/// The header of a directory: its path on one line.
final class DirectoryNode: CollectionNode {
    let path: FileName

    init(_ path: FileName) { self.path = path }

    func measure(in range: SizeRange) -> Size {
        Size(width: DisplayText.width(within: range), height: 1)
    }
}

/// The context of a section: its directory, wherever the section moves.
final class DirectoryContext: SectionContext {
    let path: FileName

    init(_ path: FileName) { self.path = path }

    var debugName: String { path.description }
}
