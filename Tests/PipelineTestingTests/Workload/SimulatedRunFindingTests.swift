import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import CollectionPipeline
@testable import PipelineTesting

/// What a run says of elements, hand-overs and events, with all that decides whether it does.
@Suite("What a run finds, and where it says nothing", .endsHangs)
struct SimulatedRunFindingTests {
    // MARK: Elements

    /// Who asks for a node that nobody else wants is told alone that it failed.
    @Test func aFailureNeedsNoEventWhereOnlyWhoAsksIsTold() {
        let asking: [[RunPlan.Action]] = [
            [.edit(1), .task(.readModel)], [.waitForNode(1)], [.task(.node(1))],
        ]
        for (index, actions) in asking.enumerated() {
            for hasLayout in [false, true] {
                for isMeasuring in [false, true] {
                    for releases in [nil, false, true] {
                        var plan = RunScene.plan
                        plan.clients = [[], actions]
                        (plan.hasLayout, plan.releasesNodes) = (hasLayout, releases)
                        plan.measuring = isMeasuring ? .init(first: 1, isOnDemand: false) : nil
                        let run = SimulatedRun(plan, keepsTrace: false)
                        let element = Self.failedElement
                        run.checkAtRest(element, element.firstContent, ItemPath(4, 5))
                        let mayBeAsked =
                            (hasLayout || isMeasuring || releases == true) && index > 0
                        let text =
                            "Failed Elements Are Named: nobody was told of item 4 - 5: PlannedFailure()"
                        #expect(
                            run.violations.map(\.description) == (mayBeAsked ? [] : [text]),
                            "\(hasLayout), \(isMeasuring), \(releases as Any), \(actions)"
                        )
                    }
                }
            }
        }
    }

    private static var failedElement: ProvidedElement {
        let element = ProvidedElement(
            model: nil,
            provider: nil,
            terms: ElementTerms(
                sizeRange: .unconstrained,
                surroundings: ElementSurroundings(Traits())
            )
        )
        element.firstContent.fail(PlannedFailure())
        return element
    }

    /// A node may be ahead of what is shown where the model is, and never behind it.
    @Test func aNodeMayShowANewerRevisionOnlyWhereTheModelIsAhead() {
        let divergences: [Divergence?] = [
            nil, .counts(since: SubmissionID(rawValue: 1)),
            .content(since: SubmissionID(rawValue: 1)),
        ]
        for divergence in divergences {
            for revision in [-1, 0, 1] {
                let scene = RunScene()
                guard let (content, node) = scene.shown(at: ItemPath(0, 1)),
                    let item = content.model as? ModelItem
                else {
                    Issue.record("nothing is shown")
                    return
                }
                scene.run.controller?.core.published.withLock { $0.divergence = divergence }
                let shown = ModelItem(id: item.id, revision: revision)
                node.update(to: shown)
                scene.run.checkAtRest(content.element, content, ItemPath(0, 1))
                let isRight = revision == 0 || revision == 1 && divergence != nil
                let text = "Consistent Snapshot: item 0 - 1 shows \(shown) in place of \(item)"
                #expect(scene.noted == (isRight ? [] : [text]), "\(divergence as Any)")
            }
        }
    }

    @Test func aNodeOfAnotherElementIsNoted() {
        let scene = RunScene()
        guard let (content, node) = scene.shown(at: ItemPath(0, 0)),
            let other = scene.shown(at: ItemPath(1, 0))
        else {
            Issue.record("nothing is shown")
            return
        }
        scene.run.checkAtRest(content.element, content, ItemPath(0, 0))
        #expect(scene.noted == [])
        node.willShow(ElementReference(other.content.element))
        scene.run.checkAtRest(content.element, content, ItemPath(0, 0))
        let text = "Identity Kept: the node of item 0 - 0 was made for another element"
        #expect(scene.noted == [text])
    }

    // MARK: Rest

    /// What is accepted and never shown is wrong unless a close is under way.
    @Test func whatACloseCutsOffNeedNotBeShown() {
        for (isClosing, isClosed) in [(false, false), (true, false), (true, true), (false, true)] {
            let scene = RunScene()
            scene.run.controller?.core.published.withLock {
                $0.pendingMap = $0.pendingMap.withGeneration(2)
            }
            (scene.run.isClosing, scene.run.isClosed) = (isClosing, isClosed)
            scene.run.checkEnd()
            let text = "Ordered Commits: at rest generation 1 is shown, but 2 was accepted"
            #expect(scene.noted == (isClosing || isClosed ? [] : [text]))
        }
    }

    @Test func aTaskThatNeverEndsIsNoted() {
        let scene = RunScene()
        scene.run.tasks = [.init(token: 0, task: Task {}), .init(token: 0, task: Task {})]
        scene.run.checkEnd()
        #expect(scene.noted == ["Exactly One Completion: 2 tasks wait for ever"])
    }

    // MARK: Hand-overs

    @Test func theFirstThatWasNotHandedOverIsNamed() {
        let scene = RunScene()
        #expect(scene.run.acceptedIDs.count == 1)
        let ids = scene.run.acceptedIDs + [78, 77, 79].map(SubmissionID.init)
        scene.run.checkHandedOver(ids)
        let text = "Never Blocks Main: a wait ended before #78 was handed over"
        #expect(scene.noted == [text])
    }

    /// Sets that wait are handed over with the one that they are merged into.
    @Test func whatWasMergedIsHandedOverWithTheLast() {
        for merges in [false, true] {
            let scene = RunScene { $0.mergesWhenFull = merges }
            let run = scene.run
            run.acceptedIDs = (5...8).map(SubmissionID.init)
            run.handedOverIDs = []
            run.observe(RunScene.event(.handedOver, of: SubmissionID(rawValue: 7)))
            let expected = merges ? [5, 6, 7] : [7]
            #expect(run.handedOverIDs.map(\.rawValue).sorted() == expected)
        }
    }

    // MARK: Events

    @Test func whatIsAcceptedWhileContentMayDifferMayBeOlder() {
        let scene = RunScene()
        let run = scene.run
        #expect(run.model?.mayBeOlder(at: nil) == false)
        run.observe(RunScene.event(.accepted))
        #expect(run.acceptedCount == 2 && run.model?.mayBeOlder(at: nil) == false)
        run.observe(
            RunScene.event(.accepted) { $0.divergence = .content(since: SubmissionID(rawValue: 1)) }
        )
        #expect(run.acceptedCount == 3)
        for generation in 0...4 {
            #expect(run.model?.mayBeOlder(at: generation) == (generation == 3))
        }
        // What is no acceptance is no generation.
        run.observe(
            RunScene.event(.rejected) { $0.divergence = .content(since: SubmissionID(rawValue: 1)) }
        )
        #expect(run.acceptedCount == 3 && run.model?.mayBeOlder(at: 4) == false)
    }

    @Test func whatAnAcceptedSetRemovesCountsAsRemoved() {
        let scene = RunScene()
        let before = scene.items.map(\.id)
        scene.run.enqueue { model, changes in
            model.replaceItems(of: 1) { $0.remove(at: 1) }
            changes.deleteItems(at: [ItemPath(1, 1)])
        }
        scene.run.simulation.run()
        for (index, item) in before.enumerated() {
            #expect(scene.run.nodes.isRemoved(item) == (index == 4))
        }
        // Without a controller nobody knows.
        scene.run.controller = nil
        scene.run.observe(RunScene.event(.accepted))
        for item in before { #expect(!scene.run.nodes.isRemoved(item)) }
    }

    @Test func aFailureIsToldOnce() {
        let scene = RunScene()
        let (element, other) = (Self.failedElement, Self.failedElement)
        func failure(_ element: CollectionElement, _ content: ElementContent) -> ElementFailure {
            ElementFailure(
                submission: SubmissionID(rawValue: 1),
                content: content,
                dataSourcePath: ItemPath(1, 2),
                viewPath: nil,
                error: PlannedFailure()
            )
        }
        for element in [element, other] {
            scene.run.observe(
                RunScene.event(.elementFailed) {
                    $0.failedElement = failure(element, element.firstContent)
                }
            )
        }
        #expect(scene.noted == [])
        let again = failure(element, element.firstContent)
        scene.run.observe(RunScene.event(.elementFailed) { $0.failedElement = again })
        #expect(
            scene.noted == [
                "Failed Elements Are Named: it was told twice: item 1 - 2 failed in #1: PlannedFailure()"
            ]
        )
        scene.run.checkAtRest(element, element.firstContent, ItemPath(1, 2))
        #expect(scene.noted == [])
    }
}
