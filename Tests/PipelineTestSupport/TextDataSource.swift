import CollectionElements
import CollectionPipeline

/// Sections of texts, with a log of every call by the controller.
package final class TextDataSource: CollectionDataSource {
    package struct Section: Hashable, Sendable, ExpressibleByArrayLiteral {
        package var items: [String]
        /// The texts of the headers; empty by default.
        package var headers: [String]
        package var footers: [String]

        package init(_ items: [String], headers: [String] = [], footers: [String] = []) {
            self.items = items
            self.headers = headers
            self.footers = footers
        }

        package init(arrayLiteral items: String...) { self.init(items) }
    }

    package var sections: [Section]
    /// The generation given to new section contexts, so that a test can tell them apart.
    package var generation = 1
    package var givesModels = true
    package var sizeRange: (String) -> SizeRange? = { _ in nil }
    /// Returned instead of the real count if not `nil`.
    package var falseSectionCount: Int?
    package var falseItemCounts: [Int: Int] = [:]
    /// Called for every call, after it is logged.
    package var onCall: ((DataSourceCall) -> Void)?

    package let calls: Journal<DataSourceCall>
    package let nodes: NodeBook

    package init(
        _ sections: [Section],
        nodes: NodeBook = NodeBook(),
        calls: Journal<DataSourceCall> = Journal()
    ) {
        self.sections = sections
        self.nodes = nodes
        self.calls = calls
    }

    /// Appends an item to the first section and records the insertion.
    package func append(_ text: String, _ changes: inout BatchRecorder) {
        changes.insertItems(at: [ItemPath(0, sections[0].items.count)])
        sections[0].items.append(text)
    }

    private func note(_ call: DataSourceCall) {
        calls.append(call)
        onCall?(call)
    }

    private func provider(_ text: String) -> NodeProvider {
        { [nodes] in try nodes.makeNode(text) }
    }

    private func supplementaries(_ kind: SupplementaryKind, _ section: Int) -> [String] {
        kind == .header ? sections[section].headers : sections[section].footers
    }

    // MARK: CollectionDataSource

    package func numberOfSections() -> Int {
        note(.numberOfSections)
        return falseSectionCount ?? sections.count
    }

    package func numberOfItems(inSection section: Int) -> Int {
        note(.numberOfItems(section))
        return falseItemCounts[section] ?? sections[section].items.count
    }

    package func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        note(.nodeProvider(path))
        return provider(sections[path.section].items[path.item])
    }

    package func model(forItemAt path: ItemPath) -> (any Sendable)? {
        note(.model(path))
        return givesModels ? sections[path.section].items[path.item] : nil
    }

    package func sizeRange(forItemAt path: ItemPath) -> SizeRange? {
        note(.sizeRange(path))
        return sizeRange(sections[path.section].items[path.item])
    }

    package func context(forSection section: Int) -> (any SectionContext)? {
        note(.context(section))
        return NumberedContext(generation: generation, index: section)
    }

    package func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] {
        note(.supplementaryKinds(section))
        var kinds: [SupplementaryKind] = []
        if !sections[section].headers.isEmpty { kinds.append(.header) }
        if !sections[section].footers.isEmpty { kinds.append(.footer) }
        return kinds
    }

    package func numberOfSupplementaries(
        ofKind kind: SupplementaryKind,
        inSection section: Int
    ) -> Int {
        note(.numberOfSupplementaries(kind, section))
        return supplementaries(kind, section).count
    }

    package func supplementaryNodeProvider(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> NodeProvider {
        note(.supplementaryNodeProvider(kind, path))
        return provider(supplementaries(kind, path.section)[path.item])
    }

    package func sizeRange(
        forSupplementaryOfKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> SizeRange? {
        note(.supplementarySizeRange(kind, path))
        return sizeRange(supplementaries(kind, path.section)[path.item])
    }
}

package enum DataSourceCall: Hashable, Sendable, CustomStringConvertible {
    case numberOfSections
    case numberOfItems(Int)
    case nodeProvider(ItemPath)
    case model(ItemPath)
    case sizeRange(ItemPath)
    case context(Int)
    case supplementaryKinds(Int)
    case numberOfSupplementaries(SupplementaryKind, Int)
    case supplementaryNodeProvider(SupplementaryKind, ItemPath)
    case supplementarySizeRange(SupplementaryKind, ItemPath)

    /// Whether the call requests a number of sections or items.
    package var isCount: Bool {
        switch self {
        case .numberOfSections, .numberOfItems: true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .numberOfSections: "sections"
        case .numberOfItems(let section): "items \(section)"
        case .nodeProvider(let path): "node \(path)"
        case .model(let path): "model \(path)"
        case .sizeRange(let path): "range \(path)"
        case .context(let section): "context \(section)"
        case .supplementaryKinds(let section): "kinds \(section)"
        case .numberOfSupplementaries(let kind, let section): "\(kind)s \(section)"
        case .supplementaryNodeProvider(let kind, let path): "node of \(kind) \(path)"
        case .supplementarySizeRange(let kind, let path): "range of \(kind) \(path)"
        }
    }
}

/// A section context that records the generation and section of its request.
package final class NumberedContext: SectionContext {
    package let generation: Int
    package let index: Int

    package init(generation: Int, index: Int) {
        self.generation = generation
        self.index = index
    }
}
