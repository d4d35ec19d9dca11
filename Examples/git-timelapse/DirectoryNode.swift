import SimulatedView

/// The header of a directory: its path, on one line.
final class DirectoryNode: CollectionNode {
    let path: FileName

    init(_ path: FileName) { self.path = path }

    func measure(in range: SizeRange) -> Size {
        Size(width: DisplayText.width(within: range), height: 1)
    }
}

/// What a section remembers of its directory, wherever the section goes.
final class DirectoryContext: SectionContext {
    let path: FileName

    init(_ path: FileName) { self.path = path }

    var debugName: String { path.description }
}
