import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

/// A faulty view by itself: what it does with single updates, and what it says of the pipeline and of its view.
@Suite("What a faulty view does with updates", .endsHangs)
struct FaultyViewUpdateTests {
    /// What happens is what a test says.
    private final class Fates: WorkloadFates, @unchecked Sendable {  // one thread
        var due: Set<FaultPoint> = []
        func happens(_ fault: FaultPoint) -> Bool { due.contains(fault) }
        func pause() {}
    }

    /// In place of the pipeline.
    private final class Destination: ViewUpdateDestination, @unchecked Sendable {  // one thread
        let lane: any Lane
        var finished: [Int] = []
        init(_ lane: any Lane) { self.lane = lane }
        func deploy(_ update: ViewUpdate, _ apply: (ViewUpdate) throws -> Void) -> Bool {
            // Who refuses has deployed too.
            try? apply(update)
            return true
        }
        func finish(_ generation: Int) { finished.append(generation) }
        func viewDropped(_ generation: Int) {}
        func misused(_ update: ViewUpdate, _ problem: String) { Issue.record("\(problem)") }
    }

    /// A view by itself, with updates of which the first is a load and the others are edits.
    private final class Scene: @unchecked Sendable {  // one thread
        let fates = Fates()
        let destination: Destination
        let view: FaultyView
        let updates: [ViewUpdate]
        private(set) var reports: [String] = []

        init(_ updates: [ViewUpdate], _ lane: any Lane) {
            let destination = Destination(lane)
            self.destination = destination
            self.updates = updates.map { ViewUpdate(standingFor: $0, destination: destination) }
            view = FaultyView(fates: fates)
            view.report = { [unowned self] message, guarantee in
                reports.append("\(guarantee): \(message)")
            }
        }

        /// Shows an update, which may be refused.
        func show(_ number: Int, isRefused: Bool = false) {
            fates.due = isRefused ? [.viewRefuses] : []
            #expect(view.show(updates[number], {}) == !isRefused)
        }
    }

    /// On the main lane of a run, whose board has shown a load and edits.
    private static func withScene(_ body: @escaping (Scene) -> Void) {
        let shown = ShownBoard()
        for seed: UInt64 in 0..<40 { shown.apply(seed) }
        let updates = Array(shown.updates.drop { !$0.changeSet.isReloadData })
        let edits = updates.filter { !$0.changeSet.isReloadData }.prefix(3)
        #expect(edits.count == 3)
        shown.onMain { body(Scene(Array(updates.prefix(1)) + edits, $0.run.lane)) }
        shown.finish()
    }

    // MARK: The pipeline

    @Test func withoutAViewItHasASizeAndAFirstItem() {
        let view = FaultyView(fates: Fates())
        #expect(view.elementSizeRange == .width(40))
        #expect(view.firstVisiblePath == ItemPath(1, 1))
    }

    @Test func anUpdateThatComesWhileOneIsDeployedIsReported() {
        Self.withScene { scene in
            scene.view.perform(scene.updates[1])
            #expect(scene.reports == [])
            scene.view.willShow = { [unowned scene] _ in scene.view.perform(scene.updates[2]) }
            scene.show(0)
            #expect(
                scene.reports == ["Never Re-entrant: an update came while one was deployed"]
            )
            scene.view.perform(scene.updates[3])
            #expect(scene.reports.count == 1)
        }
    }

    /// What was not loaded cannot be edited, however many edits are refused, until it is loaded.
    @Test func editsAfterARefusedLoadAreReported() {
        let text = "Consistent Snapshot: edits came after a refused load"
        Self.withScene { scene in
            scene.show(0, isRefused: true)
            #expect(scene.reports == [])
            scene.show(1, isRefused: true)
            #expect(scene.reports == [text])
            scene.show(2)
            #expect(scene.reports == [text, text])
            scene.show(3)
            #expect(scene.reports == [text, text])
        }
    }

    @Test func editsAfterRefusedEditsOrALoadAreRight() {
        Self.withScene { scene in
            scene.show(0)
            scene.show(1, isRefused: true)
            scene.show(2, isRefused: true)
            scene.show(3)
            #expect(scene.reports == [])
        }
    }

    @Test func aGenerationThatIsVisibleBeforeItIsDeployedIsReported() {
        for ahead in -1...1 {
            Self.withScene { scene in
                let visible = scene.updates[1].newMap.generation + ahead
                scene.view.visibleGeneration = { visible }
                scene.show(1)
                let text =
                    "Consistent Snapshot: generation \(visible) was visible before the view deployed it"
                #expect(scene.reports == (ahead < 0 ? [] : [text]))
            }
        }
    }

    @Test func whatAStallKeptIsFinishedInItsOrder() {
        Self.withScene { scene in
            for number in 0..<4 { scene.show(number) }
            scene.fates.due = [.viewStalls]
            for update in scene.updates { scene.view.finish(update) }
            #expect(scene.destination.finished == [])
            scene.fates.due = []
            scene.view.goOn()
            let generations = scene.updates.map(\.newMap.generation)
            #expect(scene.destination.finished == generations)
            scene.view.goOn()
            #expect(scene.destination.finished == generations)
        }
    }

    // MARK: The wrapped view

    @Test func theFirst64MistakesAreKeptInTheirOrder() {
        let view = FaultyView(fates: Fates())
        for number in 0..<70 { view.note(ViewMistake(.wrongCall, "\(number)")) }
        #expect(view.mistakes.map(\.summary) == (0..<64).map { "\($0)" })
    }

    @Test func whatIsShownIsLookedAtWhenTheViewIsAtRest() {
        let view = FaultyView(fates: Fates()) { "is not \($0.generation)" }
        view.checkAtRest()
        #expect(view.mistakes == [])
        view.wrappedState.shownMap = .empty(generation: 3)
        for _ in 0..<2 { view.checkAtRest() }
        // What follows from it is not told.
        #expect(
            view.mistakes == [ViewMistake(.changedOutsideDeploy, "between two updates is not 3")]
        )
    }

    @Test func anUpdateThatNobodyKnowsOrAwaitsIsNotDeployed() {
        Self.withScene { scene in
            let relay = UpdateRelay(lane: scene.destination.lane, view: scene.view)
            var applied: [Int] = []
            func deploy(_ update: ViewUpdate) -> Bool {
                relay.deploy(update) { applied.append($0.newMap.generation) }
            }
            #expect(!deploy(scene.updates[0]))
            let standIns = scene.updates.prefix(2).map { relay.standIn(for: $0) }
            #expect(scene.view.mistakes == [])
            #expect(!deploy(standIns[1]))
            #expect(scene.view.mistakes.map(\.code) == [.wrongCall])
            #expect(scene.view.mistakes.first?.summary.hasSuffix("which came first") == true)
            #expect(applied == [])
            #expect(deploy(standIns[0]))
            #expect(applied == [scene.updates[0].newMap.generation])
        }
    }
}
