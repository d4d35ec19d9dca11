import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

/// What single actions of clients do to a run, and what is found amiss in them.
@Suite("Actions of a run, one at a time", .endsHangs)
struct SimulatedRunActionTests {
    // MARK: Waiting

    @Test func aWaitThatEndsTooEarlyIsNoted() {
        for action: RunPlan.Action in [.wait, .task(.handedOver)] {
            let scene = RunScene()
            scene.perform(action)
            #expect(scene.noted == [])
            scene.run.acceptedIDs += [77, 78].map(SubmissionID.init)
            scene.perform(action)
            let text = "Never Blocks Main: a wait ended before #77 was handed over"
            #expect(scene.noted == [text], "\(action)")
        }
    }

    // MARK: Faults

    @Test func aClockThatJumpsDoesSoByAMillisecondAnAction() {
        let scene = RunScene(.clockJumps)
        let before = scene.run.simulation.now
        scene.perform(.askWhenDone)
        #expect(scene.run.simulation.now - before == .milliseconds(1))
        scene.perform(.askWhenDone, .askWhenDone)
        #expect(scene.run.simulation.now - before == .milliseconds(3))
        #expect(scene.noted == [])
    }

    @Test func aViewThatGoesAwayIsGone() {
        let scene = RunScene(.viewGoesAway)
        #expect(scene.run.view != nil)
        scene.perform(.askWhenDone)
        #expect(scene.run.view == nil && scene.run.controller != nil)
        #expect(scene.noted == [])
    }

    @Test func aControllerThatGoesAwayIsAbandoned() {
        let scene = RunScene(.controllerGoesAway)
        #expect(!scene.run.isAbandoned && !scene.run.hasAbandoned)
        scene.perform(.insertAtTop)
        #expect(scene.run.isAbandoned && scene.run.hasAbandoned && scene.run.controller == nil)
        #expect(scene.noted == [])
    }

    @Test func theTaskThatBeganLastIsCancelled() {
        let scene = RunScene(.taskIsCancelled)
        scene.perform(.task(.edit(1)))
        // There was none before it.
        #expect(scene.run.marks["task cancelled"] == nil)
        scene.perform(.task(.edit(1)), .askWhenDone)
        #expect(scene.run.marks["task cancelled"] == 1 && scene.run.marks["cancelled"] == 1)
        #expect(scene.run.cancelledTokens == [2] && scene.run.arrivedCancellations == [2])
        #expect(scene.run.tasks.isEmpty && scene.noted == [])
    }

    @Test func aRunIsClosedAfterTheActionAndOnce() {
        let scene = RunScene(.closes)
        scene.perform(.insertAtTop, .insertAtTop)
        #expect(scene.run.isClosing && scene.run.isClosed)
        scene.run.checkEnd()
        #expect(scene.noted == [])
    }

    // MARK: Traits

    @Test func whoAsksForANodeGetsOneThatKnowsTheTraitsOfNow() {
        for isTold in [false, true] {
            let scene = RunScene()
            if isTold { scene.perform(.traits(3)) }
            let (run, scale) = (scene.run, isTold ? 3.0 : 1.0)
            guard let (content, node) = scene.shown(at: ItemPath(0, 0)) else {
                Issue.record("nothing is shown")
                return
            }
            let element = content.element
            #expect(run.textScale == scale && node.textScale == scale)
            run.checkTraits(of: node, of: element)
            #expect(scene.noted == [])
            run.textScale = 9
            run.checkTraits(of: node, of: element)
            let text = "a node was asked for and has the text scale \(scale) in place of 9.0"
            #expect(scene.noted == ["Consistent Snapshot: \(text)"])
            // While nodes are being told, some have been and some have not.
            run.isChangingTraits = true
            run.checkTraits(of: node, of: element)
            #expect(scene.noted == [])
        }
    }

    /// Nobody tells the node of an element any more that is gone.
    @Test func aNodeThatWasRemovedNeedNotKnowTheTraitsOfNow() {
        let scene = RunScene()
        guard let (content, node) = scene.shown(at: ItemPath(0, 0)) else {
            Issue.record("nothing is shown")
            return
        }
        scene.run.enqueue { model, changes in
            model.replaceItems(of: 0) { $0.removeFirst() }
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        scene.run.simulation.run()
        scene.perform(.traits(9))
        #expect(node.textScale == 1)
        scene.run.checkTraits(of: node, of: content.element)
        #expect(scene.noted == [])
    }

    // MARK: Nested batches

    @Test func anOuterBatchThatCompletesBeforeAnInnerOneIsNoted() {
        for seed: UInt64 in 0..<8 {
            for early in [nil, 2, 3] {
                let scene = RunScene()
                let run = scene.run
                scene.begin(.nested(seed))
                while run.completions.count < 4, run.simulation.step() {}
                #expect(run.completions == [1, 0, 0, 0])
                // Looks to the outer one as if this had not completed, once it has.
                if let early { run.completions[early] -= 1 }
                run.simulation.run()
                #expect(run.completions[1] == 1)
                let text =
                    "Exactly One Completion: an outer batch completed before an inner one"
                #expect(scene.noted == (early == nil ? [] : [text]), "seed \(seed)")
            }
        }
    }

    // MARK: Submitting

    /// The last completion before the end of a close may submit, and nobody after it.
    @Test func nothingIsSubmittedOnceACloseHasCalledBack() {
        for isClosed in [false, true] {
            let scene = RunScene()
            var count = 0
            scene.onMain { run in
                run.isClosed = isClosed
                run.submitAtOnce { _, _ in count += 1 }
                run.isClosed = false
                #expect(run.completions.count == (isClosed ? 1 : 2))
            }
            #expect(count == (isClosed ? 0 : 1))
            #expect(scene.noted == [])
        }
    }

    @Test func aSynchronousCallIsNotMadeOnceTheControllerIsClosed() {
        for isClosed in [false, true] {
            let scene = RunScene()
            let count = Lock(0)
            scene.run.isClosing = isClosed
            scene.run.isClosed = isClosed
            scene.run.onMain { _, _ in count.withLock { $0 += 1 } }
            scene.run.simulation.run()
            #expect(count.withLock { $0 } == (isClosed ? 0 : 1))
            #expect(scene.run.marks["cancelled"] == (isClosed ? 1 : nil))
            #expect(scene.run.mainLaneSubmissions == (isClosed ? 1 : 2))
        }
    }

    /// Any other submission has to complete, also where the call has thrown.
    @Test func onlyWhatIsRejectedForACloseOrForWantOfRoomNeedNotComplete() {
        for code: UpdateError.Code in [.closed, .backlogFull, .stale, .invalidUpdate] {
            for completions in [0, 1] {
                let scene = RunScene()
                scene.run.onMain { [run = scene.run] _, _ in
                    run.completions[1] = completions
                    throw UpdateError(code, "text")
                }
                scene.run.simulation.run()
                let mayBeSilent = (code == .closed || code == .backlogFull) && completions == 0
                #expect(scene.run.rejectedEarly == (mayBeSilent ? [1] : []), "\(code)")
                scene.run.checkEnd()
                let text = "Exactly One Completion: submission 1 of 2 never completed"
                #expect(scene.noted == (mayBeSilent || completions == 1 ? [] : [text]))
            }
        }
    }

    @Test func whatACallMustNotThrowIsNoted() {
        let scene = RunScene()
        scene.run.onMain { _, _ in throw PlannedFailure() }
        scene.run.simulation.run()
        #expect(
            scene.noted == ["Exactly One Completion: an unexpected error: \(PlannedFailure())"]
        )
    }

    /// Completions submit until there were a hundred submissions, and no record is made of a model that is ahead.
    @Test func completionsSubmitEditsOrAReloadWhereNoRecordCanBeMade() {
        for isDiverged in [false, true] {
            let scene = RunScene {
                $0.faults = [.init(point: .callbackSubmits, rate: 1)]
                $0.loadsFirst = false
            }
            // As if there had been many before the load completes.
            scene.run.completions += Array(repeating: 1, count: 89)
            scene.run.simulation.run()
            #expect(scene.run.completions == Array(repeating: 1, count: 100))
            #expect(scene.items.count == 16)
            let updates = scene.keepUpdates()
            scene.run.completions.removeLast(10)
            scene.run.model?.isDiverged = { isDiverged }
            scene.onMain { $0.complete($0.newToken(), .deployed) }
            #expect(scene.run.completions == Array(repeating: 1, count: 100))
            #expect(scene.items.count == 25)
            let reloads = updates.values.map(\.changeSet.isReloadData)
            #expect(!reloads.isEmpty && reloads.allSatisfy { $0 == isDiverged })
            #expect(scene.noted == [])
        }
    }

    // MARK: Behind the controller's back

    @Test func whatIsChangedBeforeAClosureThrowsIsShownAsItWas() {
        var changes = 0
        for seed: UInt64 in 0..<6 {
            let scene = RunScene()
            let before = scene.items
            var random = SeededGenerator(seed: seed)
            let changed = before.map { item in
                ModelItem(id: item.id, revision: random.isTrue(oneIn: 3) ? 1 : 0)
            }
            scene.perform(.changeAndThrow(seed))
            #expect(scene.items == changed)
            if changed != before { changes += 1 }
            let map = scene.run.controller?.visibleMap
            #expect(map?.generation == 2)
            #expect(map?.items.map { $0.content.model as? ModelItem } == before)
            let divergence = scene.run.controller?.divergence
            #expect(divergence != nil && divergence?.countsSince == nil)
            scene.run.checkEnd()
            #expect(scene.noted == [])
        }
        #expect(changes > 0)
    }
}
