import CollectionPipeline

/// What one item shows: who it is, and which revision of it.
package struct ModelItem: Hashable, Sendable {
    package var id: Int
    package var revision = 0

    /// Whether it is the same item, changed since.
    package func isNewer(than other: ModelItem) -> Bool {
        id == other.id && revision > other.revision
    }
}

/// The model of a run: sections of numbered items, with a history of what was latched.
///
/// It lives on the main lane.
package class ReferenceModel: CollectionDataSource {
    package struct Section: Hashable, Sendable {
        package var id: Int
        package var items: [ModelItem]
    }

    package var sections: [Section] = []
    private var nextID = 0
    /// The generation of the newest accepted map; set by the run.
    package var acceptedGeneration: () -> Int = { 0 }
    /// Whether a rejection has left the model ahead of what was accepted; set by the run.
    package var isDiverged: () -> Bool = { false }
    /// What the model was when the map of a generation was latched, for generations that were.
    private var history: [Int: [Section]] = [:]
    package let nodes: WatchedNodes

    package required init(nodes: WatchedNodes, sections: Int, items: Int) {
        self.nodes = nodes
        for _ in 0..<sections { self.sections.append(freshSection(items)) }
    }

    /// What the map of `generation` must show: updates without a latch repeat the one before.
    package func expected(at generation: Int) -> [Section] {
        var generation = generation
        while generation > 0 {
            if let sections = history[generation] { return sections }
            generation -= 1
        }
        return []
    }

    /// Generations that were accepted while the controller said that their content may be older.
    private var olderGenerations: Set<Int> = []

    /// The map of `generation` may show items as they were before.
    package func noteDivergence(at generation: Int) { olderGenerations.insert(generation) }

    /// Whether the map of `generation`, or that of any, may show items as they were before.
    package func mayBeOlder(at generation: Int?) -> Bool {
        generation.map(olderGenerations.contains) ?? !olderGenerations.isEmpty
    }

    /// Whether the map of `generation` may show `shown` where the model had `value` by then.
    package func mayShow(_ shown: ModelItem?, for value: ModelItem, at generation: Int) -> Bool {
        guard let shown, shown != value else { return shown == value }
        return mayBeOlder(at: generation) && value.isNewer(than: shown)
    }

    /// What was latched last was rejected.
    package func forgetLatch() { history[acceptedGeneration() + 1] = nil }

    /// An empty collection was accepted, without a question.
    package func noteCleared(at generation: Int) { history[generation] = [] }

    package func freshItem() -> ModelItem {
        defer { nextID += 1 }
        return ModelItem(id: nextID)
    }

    package func freshSection(_ count: Int) -> Section {
        defer { nextID += 1 }
        return Section(id: nextID, items: (0..<count).map { _ in freshItem() })
    }

    // MARK: CollectionDataSource

    package func numberOfSections() -> Int {
        history[acceptedGeneration() + 1] = sections
        nodes.fates.pause()
        return sections.count
    }

    package func numberOfItems(inSection section: Int) -> Int { sections[section].items.count }

    package func model(forItemAt path: ItemPath) -> (any Sendable)? {
        sections[path.section].items[path.item]
    }

    package func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let item = sections[path.section].items[path.item]
        return { [nodes] in try nodes.make(item) }
    }

    package func context(forSection section: Int) -> (any SectionContext)? {
        nodes.fates.pause()
        return ModelContext(sections[section].id)
    }

    package func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [.header] }

    package func supplementaryNodeProvider(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> NodeProvider
    {
        let item = ModelItem(id: -1 - sections[path.section].id)
        return { [nodes] in try nodes.make(item) }
    }
}

package final class ModelContext: SectionContext {
    package let id: Int
    package init(_ id: Int) { self.id = id }
}

extension ReferenceModel {
    package func replaceItems(of section: Int, _ body: (inout [ModelItem]) -> Void) {
        body(&sections[section].items)
    }

    /// Has a section for each of `lists`; there are fewer or more than before where a reload is undone.
    func replaceItems(_ lists: [[ModelItem]]) {
        sections.removeLast(max(0, sections.count - lists.count))
        for (section, items) in lists.enumerated() {
            if section == sections.count { sections.append(freshSection(0)) }
            replaceItems(of: section) { $0 = items }
        }
    }
}
