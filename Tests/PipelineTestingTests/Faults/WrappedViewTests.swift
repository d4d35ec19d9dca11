import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

/// When a wrapped view is looked at, what follows from what is found, and what a faulty view forgets.
@Suite("What a faulty view looks at and forgets", .endsHangs)
struct WrappedViewTests {
    /// What happens is what a test says.
    private final class Fates: WorkloadFates, @unchecked Sendable {  // one thread
        var due: Set<FaultPoint> = []
        func happens(_ fault: FaultPoint) -> Bool { due.contains(fault) }
        func pause() {}
    }

    /// In place of the pipeline.
    private final class Destination: ViewUpdateDestination, @unchecked Sendable {  // one thread
        let lane: any Lane
        init(_ lane: any Lane) { self.lane = lane }
        func deploy(_ update: ViewUpdate, _ apply: (ViewUpdate) throws -> Void) -> Bool {
            // Who refuses has deployed too.
            try? apply(update)
            return true
        }
        func finish(_ generation: Int) {}
        func viewDropped(_ generation: Int) {}
        func misused(_ update: ViewUpdate, _ problem: String) { Issue.record("\(problem)") }
    }

    /// How a view differs from what it should show.
    private final class Shown: @unchecked Sendable {  // one thread
        var difference: String?
    }

    /// A view by itself, with a load and two updates of edits that follow from it.
    private final class Scene: @unchecked Sendable {  // one thread
        let fates = Fates()
        let shown = Shown()
        let view: FaultyView
        private let originals: [ViewUpdate]
        private let destination: Destination
        private(set) var reports: [String] = []
        private(set) var applied: [Int] = []

        init(_ updates: [ViewUpdate], _ lane: any Lane) {
            (originals, destination) = (updates, Destination(lane))
            view = FaultyView(fates: fates) { [shown] _ in shown.difference }
            view.attach(to: lane)
            view.report = { [unowned self] message, guarantee in
                reports.append("\(guarantee): \(message)")
            }
        }

        /// An update of that number, which was not deployed yet.
        func update(_ number: Int) -> ViewUpdate {
            ViewUpdate(standingFor: originals[number], destination: destination)
        }

        /// Has the wrapped view deploy an update, which makes it differ so.
        func deploy(_ number: Int, _ difference: String? = nil) -> Bool {
            view.deployWrapped(update(number)) {
                applied.append(number)
                shown.difference = difference
            }
        }
    }

    /// The first with two updates of edits that follow from it.
    private static func firstLoad(of updates: [ViewUpdate]) -> Int? {
        updates.indices.dropLast(2).first { index in
            updates[index].changeSet.isReloadData
                && (index + 1...index + 2).allSatisfy { next in
                    !updates[next].changeSet.isReloadData
                        && updates[next].oldMap.generation == updates[next - 1].newMap.generation
                }
        }
    }

    /// On the main lane of a run; `last` once that has nothing left to do.
    private static func withScene(
        _ body: @escaping (Scene) -> Void,
        last: @escaping (Scene) -> Void = { _ in }
    ) throws {
        let shown = ShownBoard()
        var start: Int?
        for seed: UInt64 in 0..<100 where start == nil {
            shown.apply(seed)
            start = firstLoad(of: shown.updates)
        }
        let updates = try #require(start.map { shown.updates[$0...$0 + 2] })
        let scene = Scene(Array(updates), shown.run.lane)
        shown.onMain { _ in body(scene) }
        shown.onMain { _ in last(scene) }
        shown.finish()
    }

    private static func changed(_ text: String) -> ViewMistake {
        ViewMistake(.changedOutsideDeploy, "between two updates \(text)")
    }

    // MARK: The wrapped view

    @Test func whatIsRightIsDeployedUpdateByUpdate() throws {
        try Self.withScene { scene in
            for number in 0..<3 { #expect(scene.deploy(number)) }
            #expect(scene.applied == [0, 1, 2] && scene.view.mistakes == [])
        }
    }

    /// Edits of what is not shown are refused in the view's place.
    @Test func editsOfWhatIsNotShownAreNotDeployed() throws {
        try Self.withScene { scene in
            #expect(!scene.deploy(1))
            #expect(scene.deploy(0) && !scene.deploy(2))
            #expect(scene.deploy(1) && scene.deploy(2))
            #expect(scene.applied == [0, 1, 2] && scene.view.mistakes == [])
        }
    }

    /// It is found before the next update, even where a load mends it.
    @Test func aChangeBetweenTwoUpdatesIsFoundBeforeTheSecond() throws {
        try Self.withScene { scene in
            #expect(scene.deploy(0))
            scene.shown.difference = "is wrong"
            #expect(scene.deploy(0))
            #expect(scene.view.mistakes == [Self.changed("is wrong")])
            #expect(scene.deploy(1) && scene.view.mistakes.count == 1)
        }
    }

    /// There is nothing that they could be edits of.
    @Test func editsAfterAChangeThatWasFoundAreNotDeployed() throws {
        try Self.withScene { scene in
            #expect(scene.deploy(0))
            scene.shown.difference = "is wrong"
            #expect(!scene.deploy(1) && !scene.deploy(2))
            #expect(scene.applied == [0])
            scene.view.checkAtRest()
            #expect(scene.view.mistakes == [Self.changed("is wrong")])
        }
    }

    @Test func wrongContentIsToldOnceAndThenNothingUntilTheNextLoad() throws {
        try Self.withScene { scene in
            #expect(scene.deploy(0, "is wrong"))
            let id = scene.update(0).submission
            let mistake = ViewMistake(.wrongContent, "after update \(id) is wrong")
            #expect(scene.view.mistakes == [mistake])
            scene.view.checkAtRest()
            #expect(!scene.deploy(1))
            #expect(scene.view.mistakes == [mistake] && scene.applied == [0])
            #expect(scene.deploy(0) && scene.deploy(1))
            #expect(scene.view.mistakes == [mistake])
            scene.shown.difference = "is wrong again"
            scene.view.checkAtRest()
            #expect(scene.view.mistakes == [mistake, Self.changed("is wrong again")])
        }
    }

    // MARK: What is lost

    /// A load that was refused may have been what is lost: so edits may come then.
    @Test(arguments: [nil, FaultPoint.viewDropsLater, .viewDropsUpdate])
    func aLostUpdateMayHaveBeenTheLoadThatWasRefused(_ fault: FaultPoint?) throws {
        try Self.withScene { scene in
            scene.fates.due = [.viewRefuses]
            #expect(!scene.view.show(scene.update(0), {}))
            scene.fates.due = Set([fault].compactMap { $0 })
            scene.view.perform(scene.update(1))
            scene.view.perform(scene.update(2))
        } last: { scene in
            scene.fates.due = []
            #expect(scene.view.show(scene.update(2), {}))
            let text = "Consistent Snapshot: edits came after a refused load"
            #expect(scene.reports == (fault == nil ? [text] : []))
        }
    }

    // MARK: At rest

    /// Shows updates in their order, and keeps those of no edits until the end.
    private final class KeepingView: CollectionView, @unchecked Sendable {  // one thread
        private let deploys: Bool
        private var texts: [[String]] = []
        private var kept: [ViewUpdate] = []
        private var lane: (any Lane)?

        init(deploys: Bool) { self.deploys = deploys }

        func attach(to lane: any Lane) { self.lane = lane }
        var elementSizeRange: SizeRange { .width(40) }
        var firstVisiblePath: ItemPath? { nil }

        func perform(_ update: ViewUpdate) {
            lane?.enqueue { [self] in
                if update.changeSet.isEmpty {
                    kept.append(update)
                    if !deploys { return }
                }
                guard update.deploy({ texts = ListView.texts(of: $0.newMap) }) else { return }
                if !update.changeSet.isEmpty { update.finish() }
            }
        }

        func controllerDidClose() {
            for update in kept { update.finish() }
            kept = []
        }

        func shownTexts() -> [[String]] { texts }
    }

    /// The last update that comes has no edits, and the close is not to hide what becomes of it.
    @Test(arguments: [(true, "is deployed, not finished"), (false, "waits in the view")])
    func anUpdateOfNoEditsThatIsKeptIsFoundBeforeTheClose(_ deploys: Bool, _ text: String) {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let list = KeepingView(deploys: deploys)
        let view = FaultyView(wrapping: list, in: simulation, expecting: ListView.texts) {
            list.shownTexts()
        }
        let models = ModelList([["a", "b"]])
        let controller = DataController(dataSource: models, view: view, in: simulation)
        controller.enqueueBatchUpdates { list, changes in
            list[0].insert("c", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        } completion: { _ in
        }
        let mistake = #expect(throws: ViewMistake.self) {
            try simulation.settle(controller, view)
        }
        #expect(mistake?.code == (deploys ? .neverFinished : .neverDeployed))
        #expect(mistake?.summary.hasPrefix("at rest update ") == true)
        #expect(mistake?.summary.hasSuffix(text) == true)
    }
}
