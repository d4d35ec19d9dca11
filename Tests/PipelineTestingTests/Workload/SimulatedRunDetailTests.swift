import CollectionElements
import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

/// Parts of a run that actions are made of: closing, abandoning, cancelling, submitting, and what is kept of it all.
@Suite("Details of a run", .endsHangs)
struct SimulatedRunDetailTests {
    // MARK: Closing and abandoning

    @Test func aCloseThatCallsBackTwiceIsNoted() {
        for isClosed in [false, true] {
            let scene = RunScene()
            scene.onMain { run in
                // As if it had called back before.
                run.isClosed = isClosed
                run.close(draining: true, microseconds: nil)
                // There is one close.
                run.close(draining: true, microseconds: nil)
                #expect(run.isClosing)
            }
            #expect(scene.run.isClosed)
            let text = "Quiet After Close: the close completed twice"
            #expect(scene.noted.count { $0 == text } == (isClosed ? 1 : 0))
        }
    }

    @Test func whatIsClosingIsNotAbandoned() {
        let scene = RunScene(.controllerGoesAway)
        scene.run.isClosing = true
        scene.perform(.askWhenDone)
        #expect(scene.run.controller != nil)
        #expect(!scene.run.isAbandoned && !scene.run.hasAbandoned)
    }

    /// A controller that somebody keeps has not ended.
    @Test func aControllerThatATaskKeepsGoesOn() {
        let scene = RunScene(.controllerGoesAway)
        let controller = scene.run.controller
        scene.perform(.askWhenDone)
        #expect(scene.run.controller == nil)
        #expect(scene.run.isAbandoned && !scene.run.hasAbandoned)
        withExtendedLifetime(controller) {}
    }

    @Test func nothingIsDoneToAControllerThatIsClosed() {
        let scene = RunScene()
        scene.onMain { $0.close(draining: true, microseconds: nil) }
        // Also where the run has not heard of its end.
        scene.run.isClosed = false
        let count = Lock(0)
        scene.run.onMain { _, _ in count.withLock { $0 += 1 } }
        scene.perform(.traits(7), .askWhenDone)
        #expect(count.withLock { $0 } == 0)
        #expect(scene.run.textScale == 1 && scene.run.marks["callback"] == nil)
        #expect(scene.run.marks["cancelled"] == 1 && scene.noted == [])
    }

    // MARK: Tasks

    @Test func ofSeveralTasksTheLastIsCancelled() {
        let scene = RunScene()
        scene.begin(.task(.edit(1)))
        scene.begin(.task(.edit(2)))
        scene.client.enqueue { [run = scene.run] in
            #expect(run.tasks.map(\.token) == [1, 2])
            run.cancelTask()
        }
        scene.run.simulation.run()
        #expect(scene.run.cancelledTokens == [2] && scene.run.arrivedCancellations == [2])
        #expect(scene.run.marks["cancelled"] == 1 && scene.run.completions == [1, 1, 1])
        #expect(scene.run.tasks.isEmpty && scene.noted == [])
    }

    @Test func aTaskThatFailsIsNotCancelled() {
        let scene = RunScene()
        scene.perform(.task(.undo))
        #expect(scene.run.marks["rejected"] == 1 && scene.run.marks["cancelled"] == nil)
        #expect(scene.noted == [])
    }

    @Test func aClientTakesBackThreeStepsAtMost() {
        let scene = RunScene()
        var counts: [Int] = []
        for seed: UInt64 in 0..<12 {
            scene.perform(.task(.own(seed)))
            counts.append(scene.run.history?.undoCount ?? -1)
        }
        #expect(counts.max() == 3 && counts.last == 3)
        for _ in 0..<5 { scene.perform(.task(.undo)) }
        #expect(scene.run.marks["undone"] == 3)
        #expect(scene.run.history?.undoCount == 0 && scene.noted == [])
    }

    @Test func aHistoryIsKeptUnlessItsControllerWasAbandoned() {
        for isAbandoned in [false, true] {
            let scene = RunScene()
            scene.run.isAbandoned = isAbandoned
            scene.perform(.task(.own(1)))
            #expect((scene.run.history == nil) == isAbandoned)
        }
    }

    // MARK: Submitting

    /// Also within another: nothing may call back before the outer one has returned.
    @Test func aSubmittingCallLastsUntilTheOuterOneReturns() {
        let scene = RunScene()
        let states = Journal<Bool>()
        scene.run.onMain { [run = scene.run] _, completion in
            states.append(run.isSubmitting)
            run.enqueue { _, _ in }
            states.append(run.isSubmitting)
            run.submitAtOnce { _, _ in }
            states.append(run.isSubmitting)
            throw UpdateError(.closed, "text")
        }
        #expect(!scene.run.isSubmitting)
        scene.run.simulation.run()
        #expect(states.values == [true, true, true] && !scene.run.isSubmitting)
        #expect(scene.noted == [])
    }

    /// From a model that is ahead of what was accepted no record can be made.
    @Test func actionsReloadWhereTheModelIsAhead() {
        let actions: [RunPlan.Action] = [
            .insertAtTop, .reloadSection(1), .changeAndThrow(1), .edit(1), .reload,
        ]
        for action in actions {
            for isAhead in [false, true] {
                let scene = RunScene()
                if isAhead {
                    scene.perform(.fail)
                    #expect(scene.run.controller?.divergence?.countsSince != nil)
                }
                let updates = scene.keepUpdates()
                scene.perform(action)
                let reloads = updates.values.map(\.changeSet.isReloadData)
                #expect(reloads == [isAhead || action == .reload], "\(action)")
                if isAhead { #expect(scene.run.controller?.divergence == nil, "\(action)") }
                scene.run.checkEnd()
                #expect(scene.noted == [], "\(action)")
            }
        }
    }

    // MARK: Nodes

    @Test func anElementWithoutANodeComesFirst() {
        let scene = RunScene { $0.hasLayout = true }
        let last = (0..<2).map { scene.run.controller?.visibleMap.element(at: ItemPath($0, 2)) }
        var found: Set<ObjectIdentifier> = []
        for seed: UInt64 in 0..<10 {
            guard let element = scene.run.someElement(seed) else { continue }
            #expect(last.contains { $0 === element })
            found.insert(ObjectIdentifier(element))
        }
        #expect(found.count == 2)
        // Where all have one, any.
        let other = RunScene()
        let elements = (0..<40).compactMap { other.run.someElement($0).map(ObjectIdentifier.init) }
        #expect(Set(elements).count == 6)
        #expect(RunScene { $0.sections = 0 }.run.someElement(1) == nil)
    }

    @Test func aNodeThatWantsAnotherSizeIsMeasuredAgain() {
        let scene = RunScene()
        guard let (content, node) = scene.shown(at: ItemPath(1, 1)) else {
            Issue.record("nothing is shown")
            return
        }
        scene.run.nodes.noteRelayout()
        node.grow()
        #expect(node.isTooSmall)
        scene.run.checkAtRest(content.element, content, ItemPath(1, 1))
        let text = "Measured Once: item 1 - 1 wants another size and was not measured again"
        #expect(scene.noted == [text])
        scene.run.simulation.run()
        #expect(!node.isTooSmall)
        scene.run.checkEnd()
        #expect(scene.noted == [])
    }

    // MARK: The rest

    @Test func aChangeThatIsNotShownAtRestIsNoted() {
        for isWrong in [false, true] {
            let scene = RunScene()
            if isWrong {
                let item = ModelItem(id: 500)
                scene.run.model?.replaceItems(of: 0) { $0.append(item) }
            }
            scene.run.checkLiveness()
            let found = scene.noted
            #expect(found.count == (isWrong ? 1 : 0), "\(found)")
            let text = "Ordered Commits: at rest a change ends as rejected("
            #expect(found.allSatisfy { $0.hasPrefix(text) }, "\(found)")
            #expect(scene.run.completions == [1, 1])
        }
        let closing = RunScene()
        closing.run.isClosing = true
        closing.run.checkLiveness()
        #expect(closing.run.completions == [1])
    }

    @Test func anObserverThatIsSlowTakesATenthOfAMillisecondAnEvent() {
        let scene = RunScene(.observerIsSlow)
        scene.perform(.insertAtTop)
        let count = scene.run.eventCounts.values.reduce(0, +)
        #expect(count > 10 && scene.run.simulation.now == .microseconds(100 * count))
        #expect(RunScene().run.simulation.now == .zero)
    }

    @Test func aTraceSaysWhatIsDoneAndWhatComesOfIt() {
        var plan = RunScene.plan
        plan.clients = [[.insertAtTop]]
        let notes = SimulatedRun.run(plan, keepsTrace: true).trace.flatMap(\.notes)
        for note in ["insertAtTop", "accepted #2", "deployed #2"] {
            #expect(notes.contains(note), "\(note) among \(notes)")
        }
        #expect(SimulatedRun.run(plan).trace.isEmpty)
    }

    @Test func theControllerIsConfiguredAsThePlanSays() {
        for (merges, rejects, policy): (Bool, Bool, PipelineConfiguration.BacklogPolicy) in [
            (false, false, .suspend), (false, true, .reject), (true, false, .merge),
            (true, true, .merge),
        ] {
            let scene = RunScene {
                ($0.mergesWhenFull, $0.rejectsWhenFull) = (merges, rejects)
                ($0.reloadsOnRejection, $0.decomposesMoves) = (merges, rejects)
                $0.releasesNodes = rejects
                $0.stallMicroseconds = merges ? 7 : nil
            }
            let configuration = scene.run.controller?.core.configuration
            #expect(configuration?.backlogPolicy == policy && configuration?.backlogLimit == 5)
            #expect(configuration?.rejectionPolicy == (merges ? .reload : .report))
            #expect(configuration?.decomposesMoves == rejects)
            #expect(configuration?.releasesNodes == rejects)
            #expect(configuration?.stallTimeout == (merges ? .microseconds(7) : nil))
        }
    }
}
