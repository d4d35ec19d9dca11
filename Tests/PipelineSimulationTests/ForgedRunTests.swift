import CollectionLayouts
import PipelineTestSupport
import SimulatedView
import Testing

@testable import CollectionElements
@testable import CollectionPipeline
@testable import PipelineSimulation
@testable import PipelineTesting

/// A run without actions whose pipeline has loaded and shows two sections of three items, for tests
/// that forge its state.
final class RunScene: @unchecked Sendable {  // one thread
    let run: SimulatedRun
    private let client: any Lane

    static var plan: RunPlan {
        var plan = RunPlan(seed: 1)
        plan.strategy = .inOrder
        (plan.clients, plan.faults, plan.view, plan.onlyFault) = ([], [], nil, nil)
        (plan.hasLayout, plan.givesRanges, plan.loadsFirst) = (false, false, true)
        (plan.preparesLayout, plan.releasesNodes, plan.measuring) = (nil, nil, nil)
        (plan.mergesWhenFull, plan.rejectsWhenFull, plan.stallMicroseconds) = (false, false, nil)
        (plan.reloadsOnRejection, plan.decomposesMoves) = (false, false)
        (plan.sections, plan.items, plan.backlogLimit, plan.workerCount) = (2, 3, 5, 2)
        return plan
    }

    init(stallMicroseconds: Int? = nil) {
        var plan = Self.plan
        plan.stallMicroseconds = stallMicroseconds
        run = SimulatedRun(plan, keepsTrace: false)
        run.setUp()
        client = run.simulation.makeLane(label: "client")
    }

    /// Calls a closure on the main lane and runs everything that follows.
    func onMain(_ body: @escaping (SimulatedRun) -> Void) {
        nonisolated(unsafe) let body = body
        run.lane.enqueue { [self] in body(run) }
        run.simulation.run()
    }

    /// Performs actions of a client and runs everything that follows.
    func perform(_ actions: RunPlan.Action...) {
        for action in actions { client.enqueue { [self] in run.perform(action, on: client) } }
        run.simulation.run()
    }

    func observe(
        _ kind: PipelineEvent.Kind,
        of submission: Int? = nil,
        _ change: (inout PipelineEvent) -> Void = { _ in }
    ) {
        var event = PipelineEvent(
            kind: kind,
            pipeline: "run",
            submission: submission.map { SubmissionID(rawValue: $0) },
            callerContext: nil,
            timestamp: .zero
        )
        change(&event)
        run.observe(event)
    }

    /// Returns a shown item with its node.
    func shown(at path: ItemPath) throws -> (content: ElementContent, node: WatchedNode) {
        let content = try #require(run.controller?.visibleMap.content(at: path))
        return (content, try #require(content.element.nodeIfAllocated as? WatchedNode))
    }

    /// Records the updates that the faulty view shows from now on.
    func keepUpdates() -> Journal<ViewUpdate> {
        let updates = Journal<ViewUpdate>()
        guard let view = run.view as? FaultyView else { return updates }
        let willShow = view.willShow
        view.willShow = { update in
            willShow(update)
            updates.append(update)
        }
        return updates
    }

    /// Ends the run and returns all reports, regardless of forged flags of its close.
    var found: [String] {
        run.checkEnd()
        (run.isClosing, run.isClosed) = (false, false)
        run.tearDown()
        return (run.violations + run.nodes.reported).map(\.description)
    }
}

@Suite("Every check of a run can fail", .endsHangs) struct ForgedRunTests {
    private static func makeForger() -> Forger<RunScene> {
        Forger({ RunScene() }) { scene, forge in
            try forge(scene)
            return scene.found
        }
    }

    @Test func completions() {
        let forger = Self.makeForger()
        forger.forge("Exactly One Completion: submission 1 completed twice") { scene in
            let token = scene.run.newToken()
            for _ in 0..<2 { scene.run.count(token, "deployed") }
        }
        forger.forge("Exactly One Completion: submission 1 was cancelled by nobody") { scene in
            scene.run.count(scene.run.newToken(), "cancelled")
        }
        forger.forge("Exactly One Completion: submission 1 of 3 never completed") { scene in
            _ = scene.run.newToken()
            scene.run.count(scene.run.newToken(), "deployed")
        }
        forger.forge("Exactly One Completion: 1 tasks wait for ever") { scene in
            scene.run.tasks = [.init(token: 0, task: Task {})]
            scene.run.checkEnd()
            scene.run.tasks = []
        }
        forger.forge("Exactly One Completion: deployed after the controller was gone") { scene in
            scene.run.hasAbandoned = true
            scene.observe(.deployed)
            scene.run.hasAbandoned = false
        }
        forger.forge("Exactly One Completion: #2 ends with the error of #3") { scene in
            var error = UpdateError(.viewRefused, "text")
            error.submission = SubmissionID(rawValue: 3)
            let result = UpdateResult(
                submission: SubmissionID(rawValue: 2),
                outcome: .refusedByView(error),
                generation: nil,
                callerContext: nil,
                failedElements: FailedElements()
            )
            let token = scene.run.newToken()
            scene.onMain { $0.complete(token, result) }
        }
        forger.forge("No Inline Callbacks: a completion ran off the main lane") { scene in
            scene.run.complete(scene.run.newToken(), .deployed)
        }
        forger.forge("No Inline Callbacks: a completion ran off the main lane") { scene in
            scene.run.completeCallback(scene.run.newToken())
        }
        forger.forge("No Inline Callbacks: submission 1 completed within a submitting call") {
            scene in
            let token = scene.run.newToken()
            scene.run.isSubmitting = true
            scene.onMain { $0.complete(token, .deployed) }
            scene.run.isSubmitting = false
        }
        let ends: [(UpdateOutcome, isLate: Bool)] = [
            (.deployed, false), (.cancelled, false), (.deployed, true),
        ]
        for (outcome, isLate) in ends {
            forger.forge("Quiet After Close: \(outcome.name) came after the close") { scene in
                if isLate { scene.run.isClosing = true }
                let token = scene.run.newToken()
                (scene.run.isClosing, scene.run.isClosed) = (true, true)
                scene.onMain { $0.complete(token, outcome) }
            }
        }
        forger.forge("Quiet After Close: callback 1 came after the close") { scene in
            let token = scene.run.newToken()
            scene.run.isClosed = true
            scene.onMain { $0.completeCallback(token) }
        }
        forger.forge("Quiet After Close: the event deployed came after it") { scene in
            scene.run.isClosed = true
            scene.observe(.deployed)
        }
        forger.forge("Quiet After Close: the close did not end") { scene in
            scene.run.isClosing = true
            scene.run.tearDown()
        }
        #expect(forger.faults == [])
    }

    @Test func rejectionsAndEventOrder() throws {
        let forger = Self.makeForger()
        let stale = UpdateError(.stale, "text")
        forger.forge("Whole Or Nothing: what adds up was rejected: text") { scene in
            scene.run.checkAccepted(.rejected(stale))
        }
        forger.forge(
            "Whole Or Nothing: a stale record reaches the model",
            alsoBreaking: "Consistent Snapshot"
        ) { scene in
            scene.run.model?.acceptedGeneration = { 99 }
            scene.perform(.task(.record(1)))
        }
        // The path and counts of a deletion that replaces the rebased one.
        for (text, item, counts) in [
            ("rebasing removed", 2, [3, 3]), ("rebasing gave another option", 0, [3, 3]),
            ("what was rebased starts elsewhere", 0, [1]),
        ] {
            forger.forge("Whole Or Nothing: \(text)") { scene in
                let map = try #require(scene.run.controller?.pendingMap)
                let (old, model) = (HierarchyShape(counts), try #require(scene.run.model))
                var (mine, others) = (HierarchyChangeSet(), HierarchyChangeSet())
                mine.deleteItems(at: [ItemPath(0, 0)])
                others.deleteItems(at: [ItemPath(0, item)])
                let new = HierarchyShape([counts[0] - 1] + counts.dropFirst())
                scene.run.apply(
                    RebasedChangeSet(update: try others.validated(from: old, to: new), dropped: []),
                    of: try mine.validated(from: map.shape, to: HierarchyShape([2, 3])),
                    from: map,
                    to: model
                )
            }
        }
        forger.forge("Whole Or Nothing: undoing made", alsoBreaking: "Consistent Snapshot") {
            scene in
            scene.perform(.task(.own(1)))
            scene.onMain { run in
                for section in 0...1 {
                    run.model?.replaceItems(of: section) { items in
                        for index in items.indices { items[index].id = 70 }
                    }
                }
            }
            scene.perform(.task(.undo))
        }
        forger.forge("Ordered Commits: at rest generation 1 is shown, but 2 was accepted") {
            scene in
            scene.run.controller?.core.published.withLock {
                $0.pendingMap = $0.pendingMap.withGeneration(2)
            }
        }
        forger.forge("Ordered Commits: at rest a change ends as") { scene in
            scene.run.controller?.close {}
            scene.run.simulation.run()
            scene.run.checkLiveness()
        }
        forger.forge("Never Blocks Main: a wait ended before #77 was handed over") { scene in
            scene.run.checkHandedOver([1, 77].map { SubmissionID(rawValue: $0) })
        }
        forger.forge("Bounded Backlog: 7 sets on the way, at most 6 allowed") { scene in
            scene.observe(.closing) { $0.backlog = 7 }
        }
        forger.forge("Bounded Backlog: 8 sets on the way, at most 7 allowed") { scene in
            scene.observe(.viewRefused)
            scene.observe(.closing) { $0.backlog = 8 }
        }
        forger.forge("Bounded Backlog: the updates of 7 run after it was cancelled") { scene in
            scene.run.arrivedCancellations = [7]
            scene.run.checkNotCancelled(7)
        }
        for (text, kinds) in [
            ("deployed of #77 came without deployingStarted", [.deployed]),
            ("suspended of #77 came twice", [.suspended, .suspended]),
            ("rejected of #77 came after it was accepted", [.accepted, .rejected]),
            ("suspended of #77 came after completed", [.completed, .suspended]),
            ("#77 was accepted and no event says that it completed", [.accepted]),
        ] as [(String, [PipelineEvent.Kind])] {
            forger.forge("Events In Order: \(text)", alsoBreaking: "Nothing Hangs In Silence") {
                scene in
                for kind in kinds { scene.observe(kind, of: 77) }
                scene.run.acceptedCount = 1
            }
        }
        #expect(forger.faults == [])
    }

    private static func element(_ error: (any Error)?) -> ProvidedElement {
        let configuration = ElementConfiguration(
            sizeRange: .unconstrained,
            elementEnvironment: ElementEnvironment(Traits())
        )
        let element = ProvidedElement(model: nil, provider: nil, configuration: configuration)
        if let error { element.firstContent.fail(error) }
        return element
    }

    @Test func elements() {
        let (forger, place) = (Self.makeForger(), ItemPath(4, 5))
        forger.forge("Measured Once: item 4 - 5 was never measured") { scene in
            let content = Self.element(TestFailure("other")).firstContent
            scene.run.failedContents = [content]
            scene.run.checkAtRest(content.element, content, place)
        }
        forger.forge("Measured Once: item 4 - 5 is shown and was never measured") { scene in
            let element = Self.element(nil)
            scene.run.checkAtRest(element, element.firstContent, place)
        }
        forger.forge("Measured Once: item 0 - 1 wants another size") { scene in
            let (content, node) = try scene.shown(at: ItemPath(0, 1))
            node.grow()
            scene.run.checkAtRest(content.element, content, ItemPath(0, 1))
        }
        forger.forge("Failed Elements Are Named: nobody was told of item 4 - 5") { scene in
            let element = Self.element(InjectedFault())
            scene.run.checkAtRest(element, element.firstContent, place)
        }
        forger.forge("Failed Elements Are Named: it was told twice") { scene in
            let element = Self.element(InjectedFault())
            for _ in 0..<2 {
                scene.observe(.elementFailed) { event in
                    event.failedElement = ElementFailure(
                        submission: SubmissionID(rawValue: 1),
                        content: element.firstContent,
                        dataSourcePath: place,
                        viewPath: nil,
                        error: InjectedFault()
                    )
                }
            }
        }
        forger.forge("Identity Kept: the node of item 0 - 0 was made for another element") {
            scene in
            let other = try scene.shown(at: ItemPath(1, 0)).content.element
            try scene.shown(at: ItemPath(0, 0)).node.didAttach(to: ElementReference(other))
        }
        forger.forge("Consistent Snapshot: item 1 - 2 shows") { scene in
            try scene.shown(at: ItemPath(1, 2)).node.update(to: ModelItem(id: 99))
        }
        forger.forge("Consistent Snapshot: item 0 - 0 has the text scale 1.0 in place of 9.0") {
            scene in scene.run.textScale = 9
        }
        forger.forge("Consistent Snapshot: a node was asked for and has the text scale") { scene in
            let (content, node) = try scene.shown(at: ItemPath(0, 0))
            scene.run.textScale = 9
            scene.run.checkTraits(of: node, of: content.element)
        }
        #expect(forger.faults == [])
    }

    @Test func stallsAndLifetimes() {
        let forger = Self.makeForger()
        let stall = Stall(wait: .deploying, submission: SubmissionID(rawValue: 77), since: .zero)
        let watched = RunScene(stallMicroseconds: 1)
        forger.forge("Nothing Hangs In Silence: somebody waits for room", in: watched) { scene in
            scene.observe(.suspended, of: 77)
            scene.observe(.stalled) { $0.stall = stall }
            scene.run.checkStalls()
            scene.observe(.stallEnded) { $0.stall = stall }
        }
        forger.forge("Nothing Hangs In Silence: it was never told") { scene in
            scene.observe(.stallEnded) { $0.stall = stall }
        }
        forger.forge("Nothing Hangs In Silence: it was told twice") { scene in
            for _ in 0..<2 { scene.observe(.stalled) { $0.stall = stall } }
            scene.observe(.stallEnded) { $0.stall = stall }
        }
        forger.forge("Nothing Hangs In Silence: the end of a stall was not told") { scene in
            scene.observe(.stalled) { $0.stall = stall }
        }
        var kept: AnyObject?
        forger.forge("Lifetimes: the controller is still there") { kept = $0.run.controller }
        forger.forge("Lifetimes: the view is still there") { scene in
            if let view = scene.run.view { kept = view }
        }
        forger.forge("Lifetimes: the data source is still there") { kept = $0.run.model }
        forger.forge("Lifetimes: the board is still there") { kept = $0.run.makeBoard() }
        forger.forge("Lifetimes: 1 nodes are still there") { scene in
            kept = try scene.shown(at: ItemPath(0, 0)).node
        }
        forger.forge("Lifetimes: 1 views of elements are still there") { scene in
            kept = scene.run.cells.makeToken()
        }
        withExtendedLifetime(kept) {}
        #expect(forger.faults == [])
    }

    @Test func aResultIncludesReportsOfNodesAndTheSimulation() {
        let run = SimulatedRun(RunScene.plan, keepsTrace: false)
        run.nodes.report("of a node", breaking: "One")
        run.note("Other", "of the run")
        run.lane.enqueue {}
        run.simulation.run(atMost: 0)
        let found = run.result().violations.map(\.description)
        #expect(found.count == 3 && found.contains("One: of a node"), "\(found)")
        #expect(found.contains { $0.hasPrefix("Simulation: livelock") }, "\(found)")
        #expect(SimulatedRun.run(RunScene.plan).violations == [])
    }

    // MARK: Nodes

    /// Calls a closure at the next pause.
    private final class PausingFates: FaultInjector, @unchecked Sendable {  // one thread
        var onPause: (() -> Void)?

        func happens(_ fault: FaultPoint) -> Bool { false }

        func pause() {
            let body = onPause
            onPause = nil
            body?()
        }
    }

    @Test func nodes() {
        struct NodeScene {
            let fates = PausingFates()
            let nodes: WatchedNodes
            let node: WatchedNode

            init() throws {
                nodes = WatchedNodes(fates: fates, measuresOnce: true)
                node = try nodes.make(ModelItem(id: 3))
            }
        }
        let forger = Forger<NodeScene>({ try NodeScene() }) { scene, forge in
            try forge(scene)
            return scene.nodes.reported.map(\.description)
        }
        forger.forge("Consistent Snapshot: item 3 is measured by two threads at once") { scene in
            scene.fates.onPause = { _ = try? scene.node.measure(in: .width(9)) }
            _ = try scene.node.measure(in: .width(10))
        }
        forger.forge("Measured Once: item 3 after its removal was accepted") { scene in
            scene.nodes.noteAccepted([2, 3])
            scene.nodes.noteAccepted([2])
            _ = try scene.node.measure(in: .width(10))
        }
        // A repeated range counts as another measurement, and so does another model; the same range
        // in succession does not.
        forger.forge("Measured Once: was measured 2 times") { scene in
            for width in [10.0, 11, 10, 11, 11] { _ = try scene.node.measure(in: .width(width)) }
        }
        forger.forge("Each State Once: is told twice that it is in preload") { scene in
            for _ in 0..<2 { scene.node.didEnterPreloadState() }
        }
        forger.forge("Each State Once: left display, in which it was not") { scene in
            scene.node.didExitDisplayState()
        }
        forger.forge("Each State Once: is told preload after single states gave none") { scene in
            scene.node.interfaceStateDidChange(to: .preload, from: [])
        }
        let rect = Rect(x: 0, y: 0, width: 1, height: 2)
        forger.forge("Each State Once: is told") { scene in
            scene.node.didEnterVisibleState()
            scene.node.visibleRectDidChange(to: nil, from: rect)
        }
        forger.forge("Each State Once: is told what part is visible while it is not") { scene in
            scene.node.visibleRectDidChange(to: rect, from: nil)
        }
        forger.forge("Each State Once: is told") { $0.node.scrollingDidChange(.didStop) }
        forger.forge("Each State Once: is told twice that it is selected") { scene in
            for _ in 0..<2 { scene.node.selectionDidChange(to: true) }
        }
        forger.forge("Each State Once: is told twice that it is not highlighted") { scene in
            scene.node.highlightDidChange(to: false)
        }
        #expect(forger.faults == [])
    }

    // MARK: Snapshots

    /// A load and an update of two sections of three items, for the checker of a run.
    private struct ShownScene: @unchecked Sendable {  // one thread
        let scene: RunScene
        let model: ReferenceModel
        let checker: SnapshotChecker
        let (load, update): (ViewUpdate, ViewUpdate)

        init() throws {
            scene = RunScene()
            let updates = scene.keepUpdates()
            scene.perform(.reload, .insertAtTop)
            model = try #require(scene.run.model)
            checker = SnapshotChecker(model: model)
            try #require(updates.count == 2)
            (load, update) = (updates.values[0], updates.values[1])
        }

        /// Changes the recorded model of the update.
        func forgeModel(_ change: (inout [ReferenceModel.Section]) -> Void) {
            let generation = update.newMap.generation
            let accepted = model.acceptedGeneration
            model.acceptedGeneration = { generation - 1 }
            change(&model.sections)
            _ = model.numberOfSections()
            model.acceptedGeneration = accepted
        }

        /// Returns a forged update.
        func forged(
            from oldMap: ElementMap,
            to newMap: ElementMap,
            _ record: (inout HierarchyChangeSet) -> Void
        ) throws -> ViewUpdate {
            let id = update.submission
            var changes = HierarchyChangeSet()
            record(&changes)
            let update = try changes.validated(from: load.newMap.shape, to: newMap.shape)
            let submission = Submission(
                id: id,
                latched: LatchedChangeSet(update: update, map: newMap, nextSectionID: 0),
                oldMap: oldMap,
                request: SubmissionRequest(id: id),
                traitsGeneration: 0
            )
            return ViewUpdate(submission, core: try #require(scene.run.controller).core)
        }
    }

    @Test func snapshots() {
        let forger = Forger(breaking: "Consistent Snapshot", { try ShownScene() }) { shown, forge in
            shown.checker.check(shown.load)
            try forge(shown)
            return shown.scene.run.nodes.reported.map(\.description)
        }
        forger.forge("was shown after") { $0.checker.check($0.load) }
        forger.forge("expected [4, 2]") { shown in
            shown.forgeModel { $0[1].items.removeLast() }
            shown.checker.check(shown.update)
        }
        forger.forge("section 1 of generation 3 has a wrong context") {
            shown in
            shown.forgeModel { $0[1].id = 99 }
            shown.checker.check(shown.update)
        }
        forger.forge("item 1 - 2 of generation 3 is not") { shown in
            shown.forgeModel { $0[1].items[2] = ModelItem(id: 99) }
            shown.checker.check(shown.update)
        }
        forger.forge("is shown with traits that have changed since") { shown in
            shown.checker.textScale = { 9 }
            shown.checker.check(shown.update)
        }
        forger.forge("lead elsewhere") { shown in
            let (old, new) = (shown.load.newMap, shown.update.newMap)
            let update = try shown.forged(from: old, to: new) {
                $0.insertItems(at: [ItemPath(0, 3)])
            }
            shown.checker.check(update)
        }
        forger.forge("does not start from its old map") { shown in
            let (old, new) = (ElementMap.empty(generation: 1), shown.update.newMap)
            let update = try shown.forged(from: old, to: new) {
                $0.insertItems(at: [ItemPath(0, 0)])
            }
            shown.checker.check(update)
        }
        forger.forge("is not new") { shown in
            shown.forgeModel { $0[0].items.removeFirst() }
            let map = shown.load.newMap
            let same = map.withGeneration(shown.update.newMap.generation)
            let update = try shown.forged(from: map, to: same) {
                $0.reloadItems(at: [ItemPath(0, 1)])
            }
            shown.checker.check(update)
        }
        #expect(forger.faults == [])
    }

    // MARK: Updates of a view

    private final class Destination: ViewUpdateDestination, @unchecked Sendable {  // one thread
        let lane: any Lane
        init(_ lane: any Lane) { self.lane = lane }
        func deploy(_ update: ViewUpdate, _ apply: (ViewUpdate) throws -> Void) -> Bool {
            // The view deploys also if it refuses the update.
            try? apply(update)
            return true
        }
        func finish(_ generation: Int) {}
        func viewDropped(_ generation: Int) {}
        func misused(_ update: ViewUpdate, _ problem: String) {}
    }

    @Test func updatesOfAView() {
        struct Scene {
            let view: FaultyView
            let notes = Journal<String>()
            let (load, update): (ViewUpdate, ViewUpdate)
            let main: ((@escaping () -> Void) -> Void)

            init() throws {
                let shown = try ShownScene()
                let destination = Destination(shown.scene.run.lane)
                load = ViewUpdate(standingFor: shown.load, destination: destination)
                update = ViewUpdate(standingFor: shown.update, destination: destination)
                view = FaultyView(fates: Simulation(seed: 1, faultRates: [:]))
                main = { body in shown.scene.onMain { _ in body() } }
                view.report = { [notes] in notes.append("\($1): \($0)") }
            }
        }
        let forger = Forger<Scene>({ try Scene() }) { scene, forge in
            try forge(scene)
            return scene.notes.values
        }
        forger.forge("Never Re-entrant: an update arrived while another was being deployed") {
            scene in
            scene.view.willShow = { _ in scene.view.perform(scene.update) }
            scene.main { _ = scene.view.show(scene.load) {} }
        }
        forger.forge("Consistent Snapshot: edits arrived after a refused load") { scene in
            scene.main {
                _ = scene.view.show(scene.load, fits: false) {}
                _ = scene.view.show(scene.update) {}
            }
        }
        forger.forge("Consistent Snapshot: was visible before the view deployed it") { scene in
            scene.view.visibleGeneration = { scene.update.newMap.generation }
            scene.main { _ = scene.view.show(scene.update) {} }
        }
        #expect(forger.faults == [])
    }
}
