import CollectionElements
import PipelineTestSupport

@testable import CollectionPipeline
@testable import CollectionPublishing
@testable import PipelineTesting

/// The hub of a run that is told what a list shows and publishes it, to tamper with.
final class HubScene: @unchecked Sendable {  // one thread
    /// What items show that do not show their number.
    final class Texts: @unchecked Sendable {  // one thread
        var now: [Int: String] = [:]
    }

    private final class TextNode: PublishedNode {
        private let id: Int
        private let texts: Texts

        init(_ id: Int, _ texts: Texts) { (self.id, self.texts) = (id, texts) }

        var payload: PublishedPayload? { PublishedPayload(texts.now[id] ?? "\(id)") }
        func measure(in range: SizeRange) -> Size { .zero }
    }

    final class Rows: CollectionDataSource {
        var sections: [[Int]]
        private let texts: Texts

        init(_ sections: [[Int]], _ texts: Texts) {
            (self.sections, self.texts) = (sections, texts)
        }

        func numberOfSections() -> Int { sections.count }
        func numberOfItems(inSection section: Int) -> Int { sections[section].count }
        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            let id = sections[path.section][path.item]
            return { [texts] in TextNode(id, texts) }
        }
    }

    /// Shows every update at once.
    private final class View: CollectionView, @unchecked Sendable {  // one thread
        var show: (ViewUpdate) -> Void = { _ in }
        func attach(to lane: any Lane) {}
        var elementSizeRange: SizeRange { .width(10) }
        var firstVisiblePath: ItemPath? { nil }
        func perform(_ update: ViewUpdate) {
            if update.deploy({ show($0) }) { update.finish() }
        }
    }

    let run: SimulatedRun
    let hub: SimulatedHub
    let texts = Texts()
    private let view = View()
    private let lane: any Lane
    private let controller: DataController<Rows>
    /// What is published in place of an update; nil for nothing.
    var published: (ViewUpdate) -> ViewUpdate? = { $0 }
    /// What the hub of the run is told in place of an update.
    var told: (ViewUpdate) -> ViewUpdate = { $0 }

    /// - Parameter isWanted: how the hub is to behave.
    init(_ sections: [[Int]], where isWanted: (HubConfiguration) -> Bool = { _ in true }) {
        var (run, hub) = Self.drawn(0)
        for seed: UInt64 in 1..<10_000 where !isWanted(hub.configuration) {
            (run, hub) = Self.drawn(seed)
        }
        (self.run, self.hub) = (run, hub)
        lane = run.simulation.makeLane(label: "scene")
        nonisolated(unsafe) let rows = Rows(sections, texts)
        controller = DataController(
            dataSource: rows,
            view: view,
            lane: lane,
            environment: run.simulation.environment
        )
        view.show = { [unowned self] in show($0) }
        update { _, _ in }
    }

    private static func drawn(_ seed: UInt64) -> (SimulatedRun, SimulatedHub) {
        var plan = RunPlan(seed: 1)
        (plan.seed, plan.strategy, plan.faults) = (seed, .inOrder, [])
        let run = SimulatedRun(plan, keepsTrace: false)
        return (run, SimulatedHub(run))
    }

    private func show(_ update: ViewUpdate) {
        hub.shown(told(update))
        if let update = published(update) { hub.hub.publish(RenderedUpdate(of: update)) }
    }

    func update(_ body: @escaping @Sendable (Rows, inout BatchRecorder) -> Void) {
        controller.enqueueBatchUpdates(body) { _ in }
        run.simulation.run()
    }

    /// Inserts items at the front of the first section.
    func insert(_ ids: [Int]) {
        update { rows, changes in
            rows.sections[0].insert(contentsOf: ids, at: 0)
            changes.insertItems(at: ids.indices.map { ItemPath(0, $0) })
        }
    }

    /// Shows an update that changes nothing but the version.
    func goOn() { update { _, changes in changes.reconfigureItems(at: [ItemPath(0, 0)]) } }

    func reload() { update { _, changes in changes.reloadData() } }

    /// The same update, as if it replaced everything, though every item is the one that it was.
    func reloading(_ update: ViewUpdate) -> ViewUpdate {
        let changeSet = ValidatedChangeSet.reloadingData(
            from: update.changeSet.oldShape,
            to: update.changeSet.newShape
        )
        let submission = Submission(
            id: update.submission,
            latched: Latched(update: changeSet, map: update.newMap, nextSectionID: 0),
            oldMap: update.oldMap,
            request: SubmissionRequest(id: update.submission),
            traitsGeneration: 0
        )
        return ViewUpdate(submission, core: controller.core)
    }

    var newest: SimulatedHub.Shown { hub.shown[hub.newestShown]! }

    /// The version of the hub's history that has a number.
    func version(_ number: Int) -> PublishedVersion {
        PublishedVersion(handle: hub.configuration.handle, number: number)
    }

    /// Has a reader join.
    func reader(
        from version: PublishedVersion? = nil,
        policy: ReaderPolicy = .merged,
        isWindowed: Bool = false,
        seed: UInt64 = 0
    ) -> SimulatedReader {
        let reader = SimulatedReader(
            hub,
            from: version,
            policy: policy,
            isWindowed: isWindowed,
            lane: lane,
            SeededGenerator(seed: seed)
        )
        lane.enqueue { reader.join() }
        run.simulation.run()
        return reader
    }

    /// Has a reader join once more, as if it had said nothing yet.
    func joinAgain(_ reader: SimulatedReader) {
        lane.enqueue { reader.join() }
        run.simulation.run()
    }

    /// Has readers go on until everybody has everything.
    func settle(_ readers: [SimulatedReader]) {
        for _ in 0..<5 {
            for reader in readers { reader.resume() }
            run.simulation.run()
        }
    }

    /// What was noted since it was asked last.
    var noted: [String] {
        defer { run.violations = [] }
        return run.violations.map(\.description)
    }

    func marks(_ name: String) -> Int { run.marks["hub \(name)", default: 0] }

    /// Publishes another state and what leads to it, as if somebody else had published them.
    func publish(_ changes: HierarchyChangeSet, leadingTo state: PublishedState) throws {
        let snapshot = hub.hub.snapshot
        let changeSet = try changes.validated(
            from: snapshot.state.shape,
            to: state.shape,
            limits: ShapeLimits()
        )
        let update = PublishedUpdate(
            from: snapshot.version,
            to: version(hub.newestShown),
            changeSet: changeSet,
            contents: PublishedContents(of: changeSet, in: state)
        )
        hub.hub.publish(update, leadingTo: KeptState(state)) {}
        run.simulation.run()
    }

    /// Publishes what there is from nothing, so that nobody can come back to it.
    func jump(to version: PublishedVersion) {
        hub.hub.jump(to: KeptState(hub.hub.snapshot.state), at: version)
        run.simulation.run()
    }

    /// A state of one section of items by their numbers, each of which shows its number unless
    /// `texts` has another.
    static func state(_ numbers: [UInt64], texts: [UInt64: String] = [:]) -> PublishedState {
        let items = numbers.map {
            PublishedItem(number: $0, payload: PublishedPayload(texts[$0] ?? "\($0)"))
        }
        let section = PublishedSection(number: 1, payload: nil)
        return PublishedState(
            [PublishedContents.FreshSection(section: section, items: items)],
            shape: HierarchyShape([items.count])
        )
    }
}
