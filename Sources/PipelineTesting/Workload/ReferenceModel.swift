import CollectionElements
import CollectionPipeline
import Foundation
import PipelineTestSupport

/// What one item shows: who it is, and which revision of it.
struct StressItem: Hashable, Sendable {
    var id: Int
    var revision = 0
}

/// The model of a stress run: sections of numbered items, with a history of what was latched.
///
/// It lives on the main lane.
final class StressModel: CollectionDataSource {
    struct Section: Hashable, Sendable {
        var id: Int
        var items: [StressItem]
    }

    var sections: [Section] = []
    private var nextID = 0
    /// The generation of the newest accepted map; set by the run.
    var acceptedGeneration: () -> Int = { 0 }
    /// Whether a refusal has left the model ahead of what was accepted; set by the run.
    var isDiverged: () -> Bool = { false }
    /// What the model was when the map of a generation was latched, for generations that were.
    private var history: [Int: [Section]] = [:]
    let nodes: StressNodes

    init(nodes: StressNodes, sections: Int, items: Int) {
        self.nodes = nodes
        for _ in 0..<sections { self.sections.append(freshSection(items)) }
    }

    /// What the map of `generation` must show: updates without a latch repeat the one before.
    func expected(at generation: Int) -> [Section] {
        var generation = generation
        while generation > 0 {
            if let sections = history[generation] { return sections }
            generation -= 1
        }
        return []
    }

    /// What was latched last was refused.
    func forgetLatch() { history[acceptedGeneration() + 1] = nil }

    func freshItem() -> StressItem {
        defer { nextID += 1 }
        return StressItem(id: nextID)
    }

    func freshSection(_ count: Int) -> Section {
        defer { nextID += 1 }
        return Section(id: nextID, items: (0..<count).map { _ in freshItem() })
    }

    // MARK: CollectionDataSource

    func numberOfSections() -> Int {
        history[acceptedGeneration() + 1] = sections
        return sections.count
    }

    func numberOfItems(inSection section: Int) -> Int { sections[section].items.count }

    func model(forItemAt path: ItemPath) -> (any Sendable)? {
        sections[path.section].items[path.item]
    }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let item = sections[path.section].items[path.item]
        return { [nodes] in try nodes.make(item) }
    }

    func context(forSection section: Int) -> (any SectionContext)? {
        StressContext(sections[section].id)
    }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [.header] }

    func supplementaryNodeProvider(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> NodeProvider
    {
        let item = StressItem(id: -1 - sections[path.section].id)
        return { [nodes] in try nodes.make(item) }
    }
}

final class StressContext: SectionContext {
    let id: Int
    init(_ id: Int) { self.id = id }
}

/// Makes the nodes of a run, some of which fail, and watches who uses them.
final class StressNodes: Sendable {
    private let jitter: Jitter
    private let faults: Lock<[String]>
    let measured = Counter()

    init(jitter: Jitter) {
        self.jitter = jitter
        faults = Lock([])
    }

    func make(_ item: StressItem) throws -> StressNode {
        jitter.sleep()
        if item.id >= 0, item.id % 37 == 5 { throw StressFailure() }
        return StressNode(item, self)
    }

    func report(_ fault: String) { faults.withLock { $0.append(fault) } }

    var reported: [String] { faults.withLock { $0.map { $0 } } }

    func pause() { jitter.sleep() }
}

struct StressFailure: Error {}

/// A node that notices two threads measuring it at once, and the same revision measured twice for one
/// range.
final class StressNode: ReconfigurableNode {
    private let state: Lock<State>
    private let nodes: StressNodes

    private struct State {
        var shown: StressItem
        var isMeasuring = false
        var traits = Traits()
    }

    init(_ item: StressItem, _ nodes: StressNodes) {
        state = Lock(State(shown: item))
        self.nodes = nodes
    }

    var shown: StressItem { state.withLock { $0.shown } }

    func accepts(_ model: StressItem) -> Bool { model.revision % 5 != 4 }

    func measure(in range: SizeRange) throws -> Size { try measure(shown, in: range) }

    func measure(_ model: StressItem, in range: SizeRange) throws -> Size {
        let isFirst = state.withLock { state in
            defer { state.isMeasuring = true }
            return !state.isMeasuring
        }
        if !isFirst { nodes.report("item \(model.id) is measured by two threads at once") }
        nodes.pause()
        nodes.measured.add()
        state.withLock { $0.isMeasuring = false }
        if model.id % 41 == 7 { throw StressFailure() }
        return Size(width: range.maximum.width, height: Double(1 + abs(model.id) % 3))
    }

    func update(to model: StressItem) { state.withLock { $0.shown = model } }

    func traitsDidChange(_ traits: Traits) { state.withLock { $0.traits = traits } }
}

/// Counts from any thread.
final class Counter: Sendable {
    private let value = Lock(0)
    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
}

extension StressModel {
    func replaceItems(of section: Int, _ body: (inout [StressItem]) -> Void) {
        body(&sections[section].items)
    }
}
