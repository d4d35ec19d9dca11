import CollectionPipeline
import PipelineTesting

/// The content of an item: its identity and its revision.
package struct ModelItem: Hashable, Sendable {
    package var id: Int
    package var revision = 0

    /// Whether it is a later revision of the same item.
    package func isNewer(than other: ModelItem) -> Bool {
        id == other.id && revision > other.revision
    }
}

/// The model of a run: sections of numbered items, with the history of the latched states.
///
/// Main lane.
package class ReferenceModel: CollectionDataSource {
    package struct Section: Hashable, Sendable {
        package var id: Int
        package var items: [ModelItem]
    }

    package var sections: [Section] = []
    private var nextID = 0
    /// Returns the generation of the newest accepted map; set by the run.
    package var acceptedGeneration: () -> Int = { 0 }
    /// Returns whether a rejection has left the model ahead of the accepted state; set by the run.
    package var isDiverged: () -> Bool = { false }
    /// The state of the model at each generation whose map was latched.
    private var history: [Int: [Section]] = [:]
    package let nodes: WatchedNodes

    package required init(nodes: WatchedNodes, sections: Int, items: Int) {
        self.nodes = nodes
        for _ in 0..<sections { self.sections.append(makeSection(items)) }
    }

    /// Returns what the map of `generation` must show: an update without a latch repeats the
    /// previous state.
    package func expected(at generation: Int) -> [Section] {
        var generation = generation
        while generation > 0 {
            if let sections = history[generation] { return sections }
            generation -= 1
        }
        return []
    }

    /// The generations that were accepted while the controller reported that their content may be
    /// older.
    private var olderGenerations: Set<Int> = []

    /// Records that the map of `generation` may show earlier revisions of items.
    package func noteDivergence(at generation: Int) { olderGenerations.insert(generation) }

    /// Returns whether the map of `generation` may show earlier revisions of items; `nil` stands
    /// for any map.
    package func mayBeOlder(at generation: Int?) -> Bool {
        generation.map(olderGenerations.contains) ?? !olderGenerations.isEmpty
    }

    /// Returns whether the map of `generation` may show `shown` although the model had `value`.
    package func mayShow(_ shown: ModelItem?, for value: ModelItem, at generation: Int) -> Bool {
        guard let shown, shown != value else { return shown == value }
        return mayBeOlder(at: generation) && value.isNewer(than: shown)
    }

    /// Forgets the last latched state, which was rejected.
    package func forgetLatch() { history[acceptedGeneration() + 1] = nil }

    /// Records that an empty collection was accepted without calls of the data source.
    package func noteCleared(at generation: Int) { history[generation] = [] }

    package func makeItem() -> ModelItem {
        defer { nextID += 1 }
        return ModelItem(id: nextID)
    }

    package func makeSection(_ count: Int) -> Section {
        defer { nextID += 1 }
        return Section(id: nextID, items: (0..<count).map { _ in makeItem() })
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

    /// Makes the sections match `lists`; undoing a reload can change their number.
    func replaceItems(_ lists: [[ModelItem]]) {
        sections.removeLast(max(0, sections.count - lists.count))
        for (section, items) in lists.enumerated() {
            if section == sections.count { sections.append(makeSection(0)) }
            replaceItems(of: section) { $0 = items }
        }
    }
}

extension ReferenceModel {
    /// Applies random edits of all kinds to the model and records exactly these.
    ///
    /// The old state is taken apart and reassembled element by element, which is slow and obviously
    /// correct.
    package func edit(_ random: inout SeededGenerator, _ changes: inout BatchRecorder) {
        let old = sections
        var movedItems: [(from: ItemPath, item: ModelItem)] = []
        var deletedSections = SectionSet()
        var movedSections: [(from: Int, section: Section)] = []
        var survivors: [(from: Int, section: Section)] = []
        for (index, section) in old.enumerated() {
            let dice = random.next(below: 20)
            let isDeleted = dice == 0 && old.count > 2
            var kept: [ModelItem] = []
            for (item, value) in section.items.enumerated() {
                let path = ItemPath(section: index, item: item)
                switch random.next(below: 24) {
                case 0:
                    if !isDeleted { changes.deleteItems(at: [path]) }
                case 1:
                    movedItems.append((path, value))
                case 2 where !isDeleted:
                    changes.reloadItems(at: [path])
                    kept.append(makeItem())
                case 3 where !isDeleted:
                    changes.reconfigureItems(at: [path])
                    kept.append(ModelItem(id: value.id, revision: value.revision + 1))
                default:
                    kept.append(value)
                }
            }
            let remaining = Section(id: section.id, items: kept)
            if isDeleted {
                deletedSections.insert(index)
            } else if dice == 1 {
                movedSections.append((index, remaining))
            } else {
                survivors.append((index, remaining))
            }
        }
        changes.deleteSections(deletedSections)
        sections = survivors.map(\.section)
        insertSections(movedSections, &random, &changes)
        insertItems(movedItems, &random, &changes)
        // A record refers to the accepted state, so a model that is ahead of it must reload.
        if isDiverged() { changes.reloadData() }
    }

    /// Inserts moved and new sections at random places and records their final indexes.
    private func insertSections(
        _ moved: [(from: Int, section: Section)],
        _ random: inout SeededGenerator,
        _ changes: inout BatchRecorder
    ) {
        var inserted: Set<Int> = []
        for _ in 0..<random.next(below: 2) where sections.count + moved.count < 12 {
            let section = makeSection(random.next(below: 6))
            inserted.insert(section.id)
            sections.insert(section, at: random.next(below: sections.count + 1))
        }
        var sources: [Int: Int] = [:]
        for (from, section) in moved {
            sources[section.id] = from
            sections.insert(section, at: random.next(below: sections.count + 1))
        }
        for (index, section) in sections.enumerated() {
            if inserted.contains(section.id) { changes.insertSections([index]) }
            if let from = sources[section.id] { changes.moveSection(from, toSection: index) }
        }
    }

    /// Inserts moved and new items at random places and records their final paths.
    private func insertItems(
        _ moved: [(from: ItemPath, item: ModelItem)],
        _ random: inout SeededGenerator,
        _ changes: inout BatchRecorder
    ) {
        if sections.isEmpty {
            // Without sections the moved items are deleted.
            for (from, _) in moved { changes.deleteItems(at: [from]) }
            return
        }
        var inserted: Set<Int> = []
        for _ in 0..<random.next(below: 5) {
            let item = makeItem()
            inserted.insert(item.id)
            put(item, &random)
        }
        var sources: [Int: ItemPath] = [:]
        for (from, item) in moved {
            sources[item.id] = from
            put(item, &random)
        }
        for (section, value) in sections.enumerated() {
            for (item, value) in value.items.enumerated() {
                let path = ItemPath(section: section, item: item)
                if inserted.contains(value.id) { changes.insertItems(at: [path]) }
                if let from = sources[value.id] { changes.moveItem(at: from, to: path) }
            }
        }
    }

    private func put(_ item: ModelItem, _ random: inout SeededGenerator) {
        let section = random.next(below: sections.count)
        replaceItems(of: section) { items in
            items.insert(item, at: random.next(below: items.count + 1))
        }
    }

    /// Changes the model and records different edits.
    package func lie(_ random: inout SeededGenerator, _ changes: inout BatchRecorder) {
        if !sections.isEmpty {
            let item = makeItem()
            replaceItems(of: 0) { $0.append(item) }
        }
        changes.deleteItems(at: [ItemPath(section: random.next(below: 3), item: 0)])
        changes.insertItems(at: [ItemPath(section: 99, item: -1)])
    }

    /// Replaces a section by one with new items.
    ///
    /// - Returns: The index of the section; `nil` if there is none.
    package func replaceSection(_ random: inout SeededGenerator) -> Int? {
        guard !sections.isEmpty else { return nil }
        let section = random.next(below: sections.count)
        sections[section] = makeSection(random.next(below: 6))
        return section
    }

    /// Changes the content of some items and records the reconfigurations.
    package func reconfigureSome(
        _ random: inout SeededGenerator,
        _ changes: inout BatchRecorder
    ) {
        for (section, value) in sections.enumerated() {
            for item in value.items.indices where random.isTrue(oneIn: 3) {
                changes.reconfigureItems(at: [ItemPath(section: section, item: item)])
                replaceItems(of: section) { $0[item].revision += 1 }
            }
        }
    }

    package func insertAtTop() -> ItemPath? {
        guard !sections.isEmpty else { return nil }
        let item = makeItem()
        replaceItems(of: 0) { $0.insert(item, at: 0) }
        return ItemPath(section: 0, item: 0)
    }
}

/// A model that provides its items by ranges.
package final class RangedModel: ReferenceModel, ModelDataSource {
    package var makeNode: @Sendable (ModelItem) throws -> any CollectionNode {
        { [nodes] in try nodes.make($0) }
    }

    package func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<ModelItem> {
        sections[section].items[items]
    }
}
