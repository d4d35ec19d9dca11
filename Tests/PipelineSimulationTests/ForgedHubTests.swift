import CollectionChanges
import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import CollectionPublishing
@testable import PipelineSimulation

/// The hub of a run that publishes the updates of a list, for tests that forge its state.
final class HubScene: @unchecked Sendable {  // one thread
    private final class NumberNode: PublishedNode {
        let payload: PublishedPayload?
        init(_ id: Int) { payload = PublishedPayload(utf8: "\(id)") }
        func measure(in range: SizeRange) -> Size { .zero }
    }

    final class Rows: CollectionDataSource {
        var sections: [[Int]]

        init(_ sections: [[Int]]) { self.sections = sections }

        func numberOfSections() -> Int { sections.count }
        func numberOfItems(inSection section: Int) -> Int { sections[section].count }
        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            let id = sections[path.section][path.item]
            return { NumberNode(id) }
        }
    }

    let run: SimulatedRun
    let hub: SimulatedHub
    private let view = RecordingView()
    private let lane: any Lane
    private let controller: DataController<Rows>
    /// Whether shown updates are also published.
    var publishes = true

    /// - Parameter keepsAll: Whether the hub never forgets anything.
    init(keepsAll: Bool = true) {
        func isWanted(_ configuration: HubConfiguration) -> Bool {
            configuration.resumableUpdateLimit == (keepsAll ? 1000 : 0)
                && configuration.resumableEditLimit > 8
                && configuration.retainedVersionLimit == 1000
                && configuration.retainedEditLimit > 4 && configuration.digestInterval == 1
                && configuration.minimumInterval == .zero
        }
        var (run, hub) = Self.drawn(0)
        for seed: UInt64 in 1..<10_000 where !isWanted(hub.configuration) {
            (run, hub) = Self.drawn(seed)
        }
        (self.run, self.hub) = (run, hub)
        lane = run.simulation.makeLane(label: "scene")
        nonisolated(unsafe) let rows = Rows([[1, 2, 3]])
        controller = DataController(
            dataSource: rows,
            view: view,
            lane: lane,
            environment: run.simulation.environment
        )
        view.onApply = { [unowned self] update in
            self.hub.shown(update)
            if self.publishes { self.hub.hub.publish(RenderedUpdate(of: update)) }
        }
        update { _, _ in }
    }

    private static func drawn(_ seed: UInt64) -> (SimulatedRun, SimulatedHub) {
        var plan = RunScene.plan
        plan.seed = seed
        let run = SimulatedRun(plan, keepsTrace: false)
        return (run, SimulatedHub(run))
    }

    func update(_ body: @escaping @Sendable (Rows, inout BatchRecorder) -> Void) {
        controller.enqueueBatchUpdates(body) { _ in }
        run.simulation.run()
    }

    /// Shows an update that changes only the version.
    func showNextVersion() {
        update { _, changes in changes.reconfigureItems(at: [ItemPath(0, 0)]) }
    }

    var newest: SimulatedHub.Shown { hub.shown[hub.newestShown]! }

    /// Returns a version of the hub's history.
    func version(_ number: Int) -> PublishedVersion {
        PublishedVersion(handle: hub.configuration.handle, number: number)
    }

    /// Returns a reader that has joined and received everything.
    func reader(
        from version: PublishedVersion? = nil,
        isWindowed: Bool = false,
        seed: UInt64 = 0
    ) -> SimulatedReader {
        let reader = SimulatedReader(
            hub,
            from: version,
            policy: .coalesced,
            isWindowed: isWindowed,
            lane: lane,
            SeededGenerator(seed: seed)
        )
        join(reader)
        settle([reader])
        return reader
    }

    /// Returns a reader of an existing window.
    func reader(of window: PublishedWindow) throws -> SimulatedReader {
        let seed = try #require(
            (UInt64(0)..<20_000).first { seed in
                var random = SeededGenerator(seed: seed)
                return SimulatedWindow(&random, at: nil).window == window
            }
        )
        return reader(isWindowed: true, seed: seed)
    }

    func join(_ reader: SimulatedReader) {
        lane.enqueue { reader.join() }
        run.simulation.run()
    }

    /// Resumes readers until they have received everything.
    func settle(_ readers: [SimulatedReader]) {
        for _ in 0..<5 {
            for reader in readers { reader.resume() }
            run.simulation.run()
        }
    }

    /// Publishes a forged state and update.
    func publish(
        leadingTo state: PublishedState,
        showsNextVersion: Bool = true,
        _ record: (inout HierarchyChangeSet) -> Void
    ) throws {
        var changes = HierarchyChangeSet()
        record(&changes)
        publishes = false
        if showsNextVersion { showNextVersion() }
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
        hub.hub.publish(update, leadingTo: StateWithDigest(state)) {}
        run.simulation.run()
    }

    /// Publishes the current state under another version without an update, so that no reader can
    /// resume.
    func jump(to version: PublishedVersion) {
        hub.hub.jump(to: StateWithDigest(hub.hub.snapshot.state), at: version)
        run.simulation.run()
    }

    /// Returns a state of one section of items by their numbers; each shows its number unless
    /// `texts` has another text.
    static func state(_ numbers: [UInt64], texts: [UInt64: String] = [:]) -> PublishedState {
        let items = numbers.map {
            PublishedItem(number: $0, payload: PublishedPayload(utf8: texts[$0] ?? "\($0)"))
        }
        let section = PublishedSection(number: 1, payload: nil)
        return PublishedState(
            [PublishedContents.InsertedSection(section: section, items: items)],
            shape: HierarchyShape([items.count])
        )
    }
}

@Suite("Every check of a hub and its readers can fail", .endsHangs) struct ForgedHubTests {
    private static func makeForger() -> Forger<HubScene> {
        Forger({ HubScene() }) { scene, forge in
            try forge(scene)
            scene.run.simulation.run()
            return scene.run.violations.map(\.description)
        }
    }

    @Test func contents() throws {
        let forger = Self.makeForger()
        /// The expected report, the published state, and the edits that should lead to it.
        typealias Row = (String, PublishedState, (inout HierarchyChangeSet) -> Void)
        let (second, third) = (ItemPath(0, 1), ItemPath(0, 2))
        let rows: [Row] = [
            (
                "Resume Costs The Difference: reader 1 is given item 2 again",
                HubScene.state([1, 2, 3]),
                {
                    $0.deleteItems(at: [second, third])
                    $0.insertItems(at: [second, third])
                }
            ),
            (
                "Resume Costs The Difference: is told a change of what it lacks",
                HubScene.state([1, 20, 3], texts: [20: "2"]),
                { $0.reconfigureItems(at: [ItemPath(0, 0), second]) }
            ),
            // The third item changes without an edit.
            (
                "Converges: hub: reader 1: the state at ",
                HubScene.state([1, 2, 3], texts: [3: "three"]),
                {
                    $0.deleteItems(at: [ItemPath(0, 0)])
                    $0.insertItems(at: [ItemPath(0, 0)])
                }
            ),
            (
                "Converges: gives number 3 to another item", HubScene.state([3, 1, 2]),
                { $0.moveItem(at: third, to: ItemPath(0, 0)) }
            ),
            (
                "Converges: leads to ", HubScene.state([1, 2, 3, 4]),
                { $0.insertItems(at: [ItemPath(0, 3)]) }
            ),
        ]
        for (expected, state, record) in rows {
            forger.forge(expected) { scene in
                let reader = scene.reader()
                try scene.publish(leadingTo: state, record)
                scene.settle([reader])
            }
        }
        forger.forge(
            "Converges: leads to another payload of item 20",
            alsoBreaking: "Resume Costs The Difference"
        ) { scene in
            let reader = scene.reader()
            try scene.publish(leadingTo: HubScene.state([1, 20, 3])) { $0.reloadSections([0]) }
            scene.settle([reader])
        }
        forger.forge(
            "Converges: leads to a version that was never shown",
            alsoBreaking: "Resume Costs The Difference"
        ) { scene in
            let reader = scene.reader()
            scene.jump(to: scene.version(99))
            scene.settle([reader])
        }
        forger.forge("Converges: at rest has what is not shown any more") { scene in
            let reader = try scene.reader(of: .rows(0, count: 3))
            scene.publishes = false
            scene.update { rows, changes in
                rows.sections[0] = [1]
                changes.deleteItems(at: [ItemPath(0, 1), ItemPath(0, 2)])
            }
            reader.checkAtRest(newest: 2, scene.newest)
        }
        forger.forge("Converges: who asked for 1 rows, 0 of them before row 1, sees ") { scene in
            let reader = try scene.reader(of: .around(row: 1, before: 0, after: 0))
            scene.publishes = false
            scene.update { rows, changes in
                rows.sections[0].insert(4, at: 0)
                changes.insertItems(at: [ItemPath(0, 0)])
            }
            let state = HubScene.state([1, 2, 3, 4])
            try scene.publish(leadingTo: state, showsNextVersion: false) {
                $0.insertItems(at: [ItemPath(0, 3)])
            }
            scene.hub.hub.sendHeartbeat()
            scene.settle([reader])
        }
        #expect(forger.faults == [])
    }

    @Test func versionsAndReaders() {
        let forger = Self.makeForger()
        forger.forge("No Gap No Double: version 1 is announced, and 2 was shown") { scene in
            scene.publishes = false
            scene.showNextVersion()
            scene.hub.checkAtRest()
        }
        forger.forge(
            "No Gap No Double: the first message must bring a state",
            alsoBreaking: "Slow Hurts Nobody"
        ) { scene in
            scene.showNextVersion()
            // The reader claims this version, although no reader left with it.
            _ = scene.reader(from: scene.version(1))
        }
        forger.forge("Resume Costs The Difference: is given everything: joined") { scene in
            let reader = scene.reader()
            scene.join(reader)
        }
        forger.forge("Resume Costs The Difference: is given everything: forgotten") { scene in
            scene.showNextVersion()
            scene.jump(to: scene.version(2))
            _ = scene.reader(from: scene.version(1))
        }
        forger.forge("Resume Costs The Difference: is given everything: otherHistory") { scene in
            let other = PublishedVersion(handle: HistoryID(rawValue: 99), number: 1)
            scene.jump(to: other)
            _ = scene.reader(from: scene.version(1))
        }
        forger.forge("Resume Costs The Difference: is given everything: unknownVersion") { scene in
            scene.publishes = false
            scene.showNextVersion()
            _ = scene.reader(from: scene.version(2))
        }
        forger.forge("Slow Hurts Nobody: reader 1 has version 1 of 2 at rest") { scene in
            scene.reader().checkAtRest(newest: 2, scene.newest)
        }
        var readers: [HubReader] = []
        for (text, closes) in [
            ("readers are kept of 0", false), ("versions are kept of 1", false),
            ("readers are kept after the close", true), ("versions are kept for nobody", true),
        ] {
            let scene = HubScene(keepsAll: false)
            forger.forge("Slow Hurts Nobody: \(text)", in: scene) { scene in
                for _ in 0..<3 {
                    readers.append(try scene.hub.hub.addReader { _ in .pause })
                    scene.showNextVersion()
                }
                if !closes { return scene.hub.checkAtRest() }
                scene.hub.hub.controllerDidClose()
                scene.run.simulation.run()
                scene.hub.checkClosed()
            }
        }
        withExtendedLifetime(readers) {}
        #expect(forger.faults == [])
    }
}
