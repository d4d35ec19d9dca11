import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import CollectionPipeline
@testable import PipelineSimulation
@testable import PipelineTesting

/// A run without actions whose pipeline has loaded and shows two sections of three items, for tests
/// that forge its state.
private final class RunScene: @unchecked Sendable {  // one thread
    let run: SimulatedRun

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

    init() {
        run = SimulatedRun(Self.plan, keepsTrace: false)
        run.setUp()
    }

    /// Calls a closure on the main lane and runs everything that follows.
    func onMain(_ body: @escaping (SimulatedRun) -> Void) {
        nonisolated(unsafe) let body = body
        run.lane.enqueue { [self] in body(run) }
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

    /// Ends the run and returns all reports, regardless of forged flags of its close.
    var found: [String] {
        run.checkEnd()
        (run.isClosing, run.isClosed) = (false, false)
        run.tearDown()
        return (run.violations + run.nodes.reported).map(\.description)
    }
}

/// One forgery for each guarantee that a run itself checks. Deliberate bugs show the same for the
/// guarantees of views, readers, journals and members.
@Suite("Every guarantee of a run can be broken", .endsHangs) struct ForgedRunTests {
    private static let stall = Stall(
        wait: .deploying,
        submission: SubmissionID(rawValue: 77),
        since: .zero
    )

    /// The beginning of the expected report, and the forgery that causes it.
    private static let forgeries: [(report: String, forge: @Sendable (RunScene) throws -> Void)] = [
        (
            "Exactly One Completion: submission 1 of 3 never completed",
            { scene in
                _ = scene.run.newToken()
                scene.run.count(scene.run.newToken(), "deployed")
            }
        ),
        (
            "No Inline Callbacks: submission 1 completed within a submitting call",
            { scene in
                let token = scene.run.newToken()
                scene.run.isSubmitting = true
                scene.onMain { $0.complete(token, .deployed) }
                scene.run.isSubmitting = false
            }
        ),
        (
            "Quiet After Close: deployed came after the close",
            { scene in
                let token = scene.run.newToken()
                (scene.run.isClosing, scene.run.isClosed) = (true, true)
                scene.onMain { $0.complete(token, .deployed) }
            }
        ),
        (
            "Whole Or Nothing: what adds up was rejected: text",
            { $0.run.checkAccepted(.rejected(UpdateError(.stale, "text"))) }
        ),
        (
            "Ordered Commits: at rest generation 1 is shown, but 2 was accepted",
            { scene in
                scene.run.controller?.core.published.withLock {
                    $0.pendingMap = $0.pendingMap.withGeneration(2)
                }
            }
        ),
        (
            "Never Blocks Main: a wait ended before #77 was handed over",
            { $0.run.checkHandedOver([1, 77].map { SubmissionID(rawValue: $0) }) }
        ),
        (
            "Bounded Backlog: 7 sets on the way, at most 6 allowed",
            { $0.observe(.closing) { $0.backlog = 7 } }
        ),
        (
            "Events In Order: deployed of #77 came without deployingStarted",
            { $0.observe(.deployed, of: 77) }
        ),
        (
            "Nothing Hangs In Silence: the end of a stall was not told",
            { $0.observe(.stalled) { $0.stall = stall } }
        ),
        (
            "Measured Once: item 0 - 1 wants another size",
            { try $0.shown(at: ItemPath(0, 1)).node.grow() }
        ),
        (
            "Failed Elements Are Named: nobody was told of item 4 - 5",
            { scene in
                let configuration = ElementConfiguration(
                    sizeRange: .unconstrained,
                    elementEnvironment: ElementEnvironment(Traits())
                )
                let element = ProvidedElement(
                    model: nil,
                    provider: nil,
                    configuration: configuration
                )
                element.firstContent.fail(InjectedFault())
                scene.run.checkAtRest(element, element.firstContent, ItemPath(4, 5))
            }
        ),
        (
            "Identity Kept: the node of item 0 - 0 was made for another element",
            { scene in
                let other = try scene.shown(at: ItemPath(1, 0)).content.element
                try scene.shown(at: ItemPath(0, 0)).node.didAttach(to: ElementReference(other))
            }
        ),
        (
            "Consistent Snapshot: item 1 - 2 shows",
            { try $0.shown(at: ItemPath(1, 2)).node.update(to: ModelItem(id: 99)) }
        ),
        (
            "Each State Once: ",
            { scene in
                for _ in 0..<2 {
                    try scene.shown(at: ItemPath(0, 0)).node.didEnterPreloadState()
                }
            }
        ),
    ]

    @Test func eachForgeryIsReported() throws {
        let untouched = RunScene().found
        #expect(untouched == [])
        for (report, forge) in Self.forgeries {
            let scene = RunScene()
            try forge(scene)
            let found = scene.found
            #expect(found.contains { $0.hasPrefix(report) }, "\(report): \(found)")
        }
    }

    @Test func objectsThatOutliveARunAreReported() {
        let scene = RunScene()
        let kept: [AnyObject?] = [scene.run.controller, scene.run.view]
        let found = scene.found
        for name in ["controller is", "view is", "data source is", "nodes are"] {
            #expect(found.contains { $0.hasSuffix("\(name) still there") }, "\(found)")
        }
        withExtendedLifetime(kept) {}
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
}
