import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import CollectionPipeline
@testable import PipelineTesting

/// A check that finds nothing means something only if it finds what is wrong, and nothing else.
@Suite("What the checks of a run find", .endsHangs)
struct RunCheckTests {
    private static func error(_ code: UpdateError.Code) -> UpdateError { UpdateError(code, "text") }

    private static func event(
        _ kind: PipelineEvent.Kind,
        backlog: Int? = nil,
        of submission: SubmissionID? = nil
    ) -> PipelineEvent {
        var event = PipelineEvent(
            kind: kind,
            pipeline: "run",
            submission: submission,
            context: nil,
            timestamp: .zero
        )
        event.backlog = backlog
        return event
    }

    private static var plan: RunPlan {
        var plan = RunPlan(seed: 1)
        plan.strategy = .inOrder
        (plan.clients, plan.faults, plan.view, plan.onlyFault) = ([], [], nil, nil)
        (plan.hasLayout, plan.givesRanges, plan.loadsFirst) = (false, false, true)
        (plan.mergesWhenFull, plan.measuring) = (false, nil)
        (plan.sections, plan.items, plan.backlogLimit, plan.workerCount) = (2, 3, 5, 2)
        return plan
    }

    /// Has a pipeline loaded and shown, then something done to the run, and all checked.
    private static func violations(
        changing change: (inout RunPlan) -> Void = { _ in },
        _ tamper: (SimulatedRun) -> Void
    ) -> [String] {
        var plan = plan
        change(&plan)
        let run = SimulatedRun(plan, keepsTrace: false)
        run.setUp()
        tamper(run)
        run.checkEnd()
        let state = (run.isClosing, run.isClosed)
        // The rest is to end well, whatever was said of it.
        (run.isClosing, run.isClosed) = (false, false)
        run.tearDown()
        (run.isClosing, run.isClosed) = state
        return (run.violations + run.nodes.reported).map(\.description)
    }

    /// On the main lane of the run.
    private static func onMain(_ run: SimulatedRun, _ body: @escaping () -> Void) {
        // The simulation has one thread.
        nonisolated(unsafe) let body = body
        run.lane.enqueue { body() }
        run.simulation.run()
    }

    @Test func aRunThatIsLeftAloneBreaksNothing() {
        #expect(Self.violations { _ in } == [])
    }

    static let wrong: [(found: String, tamper: @Sendable (SimulatedRun) -> Void)] = [
        (
            "Exactly One Completion: submission 1 completed twice",
            { run in
                let token = run.newToken()
                for _ in 0..<2 { run.count(token, "deployed") }
            }
        ),
        (
            "Exactly One Completion: submission 1 was cancelled by nobody",
            { $0.count($0.newToken(), "cancelled") }
        ),
        (
            "Exactly One Completion: submission 1 of 3 never completed",
            { run in
                _ = run.newToken()
                run.count(run.newToken(), "deployed")
            }
        ),
        (
            "Whole Or Nothing: what adds up was rejected: text",
            { $0.checkAccepted(.rejected(error(.stale))) }
        ),
        (
            "No Inline Callbacks: a completion ran off the main lane",
            { $0.complete($0.newToken(), .deployed) }
        ),
        (
            "No Inline Callbacks: a completion ran off the main lane",
            { $0.completeCallback($0.newToken()) }
        ),
        (
            "No Inline Callbacks: submission 1 completed within a submitting call",
            { run in
                let token = run.newToken()
                run.isSubmitting = true
                onMain(run) { run.complete(token, .deployed) }
                run.isSubmitting = false
            }
        ),
        (
            "Quiet After Close: deployed came after the close",
            { run in
                let token = run.newToken()
                run.isClosed = true
                onMain(run) { run.complete(token, .deployed) }
            }
        ),
        (
            "Quiet After Close: cancelled came after the close",
            { run in
                let token = run.newToken()
                (run.isClosing, run.isClosed) = (true, true)
                onMain(run) { run.complete(token, .cancelled) }
            }
        ),
        (
            "Quiet After Close: deployed came after the close",
            { run in
                (run.isClosing, run.isClosed) = (true, true)
                let token = run.newToken()
                onMain(run) { run.complete(token, .deployed) }
            }
        ),
        (
            "Quiet After Close: callback 1 came after the close",
            { run in
                let token = run.newToken()
                run.isClosed = true
                onMain(run) { run.completeCallback(token) }
            }
        ),
        (
            "Quiet After Close: the event deployed came after it",
            { run in
                run.isClosed = true
                run.observe(event(.deployed))
            }
        ),
        (
            "Exactly One Completion: deployed after the controller was gone",
            { run in
                run.hasAbandoned = true
                run.observe(event(.deployed))
            }
        ),
        (
            "Events In Order: deployed of #77 came without deployingStarted",
            { $0.observe(event(.deployed, of: SubmissionID(rawValue: 77))) }
        ),
        (
            "Events In Order: #77 was accepted and no event says that it completed",
            { run in
                run.observe(event(.accepted, of: SubmissionID(rawValue: 77)))
                run.acceptedCount -= 1
            }
        ),
        (
            "Bounded Backlog: 7 sets on the way, at most 6 allowed",
            { $0.observe(event(.closing, backlog: 7)) }
        ),
        (
            "Bounded Backlog: 8 sets on the way, at most 7 allowed",
            { run in
                run.observe(event(.viewRefused))
                run.observe(event(.closing, backlog: 8))
            }
        ),
        (
            "Never Blocks Main: a wait ended before #77 was handed over",
            { $0.checkHandedOver([SubmissionID(rawValue: 1), SubmissionID(rawValue: 77)]) }
        ),
        (
            "Consistent Snapshot: item 0 - 0 has the text scale 1.0 in place of 9.0",
            { $0.textScale = 9 }
        ),
        (
            "Consistent Snapshot: item 1 - 2 shows",
            { run in
                let map = run.controller?.visibleMap
                let element = map?.element(at: ItemPath(1, 2))
                let node = element?.nodeIfAllocated as? WatchedNode
                node?.update(to: ModelItem(id: 99))
            }
        ),
        (
            "Ordered Commits: at rest generation 1 is shown, but 2 was accepted",
            { run in
                guard let core = run.controller?.core else { return }
                core.published.withLock { $0.pendingMap = $0.pendingMap.withGeneration(2) }
            }
        ),
    ]

    @Test(arguments: wrong.indices)
    func whatIsWrongIsFoundAndNothingElse(_ index: Int) {
        let (expected, tamper) = Self.wrong[index]
        let found = Self.violations(tamper)
        let guarantee = expected.prefix { $0 != ":" }
        #expect(found.allSatisfy { $0.hasPrefix(guarantee) }, "\(found)")
        #expect(found.contains { $0.hasPrefix(expected) }, "\(expected) among \(found)")
    }

    static let right: [@Sendable (SimulatedRun) -> Void] = [
        { $0.count($0.newToken(), "deployed") },
        { run in
            run.isAbandoned = true
            run.count(run.newToken(), "cancelled")
            run.isAbandoned = false
        },
        { run in
            let token = run.newToken()
            run.cancelledTokens = [token]
            run.count(token, "cancelled")
        },
        { run in
            run.isClosing = true
            run.count(run.newToken(), "cancelled")
            run.isClosing = false
        },
        { run in run.rejectedEarly.insert(run.newToken()) },
        { run in
            for outcome: UpdateOutcome in [
                .deployed, .cancelled, .rejected(error(.backlogFull)), .rejected(error(.closed)),
            ] { run.checkAccepted(outcome) }
        },
        { run in
            run.isAbandoned = true
            run.checkAccepted(.rejected(error(.stale)))
            run.checkHandedOver([SubmissionID(rawValue: 77)])
            run.isAbandoned = false
        },
        { run in
            // Submitted while a close is under way, it may be told later that it was cancelled.
            run.isClosing = true
            let (token, callback) = (run.newToken(), run.newToken())
            run.isClosed = true
            onMain(run) {
                run.complete(token, .cancelled)
                run.completeCallback(callback)
            }
        },
        { run in
            run.isClosing = true
            run.checkHandedOver([SubmissionID(rawValue: 77)])
            run.isClosing = false
        },
        { run in
            run.observe(event(.viewRefused))
            run.checkHandedOver([SubmissionID(rawValue: 77)])
        },
        { $0.checkHandedOver([SubmissionID(rawValue: 1)]) },
        { $0.checkHandedOver([]) },
        { run in
            run.observe(event(.closing, backlog: 6))
            run.observe(event(.viewRefused))
            run.observe(event(.closing, backlog: 7))
        },
        { run in
            run.hasAbandoned = true
            for kind: PipelineEvent.Kind in [.completed, .measuringFinished] {
                run.observe(event(kind))
            }
        },
        { $0.complete($0.newToken(), .cancelled, isOwn: true) },
    ]

    @Test(arguments: right.indices)
    func whatIsRightIsNotReported(_ index: Int) {
        let found = Self.violations(Self.right[index])
        // What is own was cancelled by the run itself, which counts as by nobody.
        let own = "Exactly One Completion: submission 1 was cancelled by nobody"
        #expect(found == (index == Self.right.count - 1 ? [own] : []))
    }

    /// Whoever merges may be one above the limit, and one more for everybody who waits for the hand-over.
    @Test(arguments: [0, 1, 2])
    func whatMergesIsHeldToItsLimit(_ waits: Int) {
        for (isRefused, limit) in [(false, 6 + waits), (true, 8 + waits)] {
            for backlog in [limit, limit + 1] {
                let found = Self.violations {
                    $0.mergesWhenFull = true
                    // Not performed, but counted.
                    $0.clients = [Array(repeating: .wait, count: waits)]
                } _: { run in
                    if isRefused { run.observe(Self.event(.viewRefused)) }
                    run.observe(Self.event(.closing, backlog: backlog))
                }
                #expect(found.isEmpty == (backlog == limit), "\(found)")
            }
        }
    }

    /// What is left of a run when it is over.
    @Test func whoIsStillThereIsReported() {
        var kept: AnyObject?
        let controllers = Self.violations { kept = $0.controller }
        #expect(controllers.contains("Lifetimes: the controller is still there"))
        let views = Self.violations { run in if let view = run.view { kept = view } }
        #expect(views.contains("Lifetimes: the view is still there"))
        let models = Self.violations { kept = $0.model }
        #expect(models.contains("Lifetimes: the data source is still there"))
        let nodes = Self.violations { run in
            kept = run.controller?.visibleMap.element(at: ItemPath(0, 0))?.nodeIfAllocated
        }
        #expect(nodes == ["Lifetimes: 1 nodes are still there"])
        let cells = Self.violations { kept = $0.cells.makeToken() }
        #expect(cells == ["Lifetimes: 1 views of elements are still there"])
        withExtendedLifetime(kept) {}
    }

    /// A layout measures what it likes, so that what is shown may be pending there; and so it may where only what
    /// somebody wants is measured.
    @Test func whatIsShownUnmeasuredIsReportedUnlessALayoutOrDemandDecides() {
        for (hasLayout, isOnDemand) in [(true, nil), (false, nil), (false, false), (false, true)] {
            let measuring = isOnDemand.map { RunPlan.Measuring(first: 1, isOnDemand: $0) }
            let surroundings = ElementSurroundings(Traits())
            let element = ProvidedElement(
                model: nil,
                provider: nil,
                terms: ElementTerms(sizeRange: .unconstrained, surroundings: surroundings)
            )
            for state in ["pending", "failed", "planned"] {
                if state != "pending" {
                    element.firstContent.fail(
                        state == "planned" ? PlannedFailure() : TestFailure("other")
                    )
                }
                let found = Self.violations {
                    ($0.hasLayout, $0.measuring) = (hasLayout, measuring)
                } _: { run in
                    run.failedContents = [element.firstContent]
                    run.checkAtRest(element, element.firstContent, ItemPath(4, 5))
                }
                let expected =
                    switch state {
                    case "planned": [String]()
                    case "failed":
                        ["Measured Once: item 4 - 5 was never measured: \(TestFailure("other"))"]
                    default:
                        hasLayout || isOnDemand == true
                            ? [] : ["Measured Once: item 4 - 5 is shown and was never measured"]
                    }
                #expect(found == expected, "\(state), \(hasLayout), \(measuring as Any)")
            }
            let untold = Self.violations {
                $0.hasLayout = hasLayout
            } _: { run in
                run.checkAtRest(element, element.firstContent, ItemPath(4, 5))
            }
            #expect(untold.last?.contains("nobody was told of item 4 - 5") == true)
        }
    }
}
