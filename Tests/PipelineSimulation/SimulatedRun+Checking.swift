import CollectionElements
import CollectionPipeline
import PipelineTesting

extension SimulatedRun {
    private static let failureGuarantee = "Failed Elements Are Named"

    /// Records the end of a submission; its error must have the number of its own submission, also
    /// if several end together.
    func complete(_ token: Int, _ result: UpdateResult) {
        switch result.outcome {
        case .refusedByView(let error):
            if plan.mergesWhenFull { meet(.refusedMerge) }
            checkNumber(of: error, result.submission)
        case .rejected(let error): checkNumber(of: error, result.submission)
        case .deployed, .deployedByReload, .superseded, .cancelled: break
        }
        complete(token, result.outcome)
    }

    private func checkNumber(of error: UpdateError, _ submission: SubmissionID) {
        guard let number = error.submission, number != submission else { return }
        note("Exactly One Completion", "\(submission) ends with the error of \(number)")
    }

    func complete(_ token: Int, _ outcome: UpdateOutcome, isOwn: Bool = false) {
        count(token, outcome.name)
        guard !isOwn else { return }
        checkCallback(token)
        if isClosed, !outcome.isOfLateSubmission || !lateTokens.contains(token) {
            note("Quiet After Close", "\(outcome.name) came after the close")
        }
        if simulation.happens(.callbackSubmits), completions.count < 100 {
            let updates: @Sendable (ReferenceModel, inout BatchRecorder) -> Void = {
                model,
                changes in
                if let path = model.insertAtTop() { changes.insertItems(at: [path]) }
                if model.isDiverged() { changes.reloadData() }
            }
            // Submits immediately; the last completion before the end of a close may do so too.
            if token % 2 == 0 { submitImmediately(updates) } else { enqueue(updates) }
        }
    }

    /// Records a callback without an outcome.
    func completeCallback(_ token: Int) {
        count(token, "callback")
        checkCallback(token)
        if isClosed, !lateTokens.contains(token) {
            note("Quiet After Close", "callback \(token) came after the close")
        }
    }

    func count(_ token: Int, _ name: String) {
        mark(name)
        completions[token] += 1
        if completions[token] > 1 {
            note("Exactly One Completion", "submission \(token) completed twice")
        }
        let mayBeCancelled = isClosing || isAbandoned || cancelledTokens.contains(token)
        if name == "cancelled", !mayBeCancelled {
            note("Exactly One Completion", "submission \(token) was cancelled by nobody")
        }
    }

    /// Checks that a valid submission is rejected only because of a full backlog or a close.
    func checkAccepted(_ outcome: UpdateOutcome) {
        guard case .rejected(let error) = outcome,
            error.code != .backlogFull, error.code != .closed,
            // Without the controller, the model no longer knows whether it is ahead of the accepted
            // state.
            !isAbandoned
        else { return }
        note("Whole Or Nothing", "what adds up was rejected: \(error.summary)")
    }

    private func checkCallback(_ token: Int) {
        if !lane.isCurrent { note("No Inline Callbacks", "a completion ran off the main lane") }
        if isSubmitting {
            note("No Inline Callbacks", "submission \(token) completed within a submitting call")
        }
    }

    /// Checks that a change is shown after all faults have ended.
    func checkLiveness() {
        guard simulation.fault == nil, let controller, !isClosing else { return }
        simulation.endFaults()
        let outcome = Lock<UpdateOutcome?>(nil)
        let token = newToken()
        controller.enqueueBatchUpdates { model, changes in
            var random = SeededGenerator(seed: 1)
            model.edit(&random, &changes)
        } completion: { [self] in
            let last = $0.outcome
            outcome.withLock { $0 = last }
            complete(token, $0)
        }
        simulation.run(atMost: Self.stepLimit)
        switch outcome.withLock({ $0 }) {
        // `checkEnd` reports a missing completion.
        case .deployed, .deployedByReload, nil: break
        case .some(let other): note("Ordered Commits", "at rest a change ends as \(other)")
        }
        checkEnd()
    }

    func checkEnd() {
        guard simulation.fault == nil else { return }
        checkViewAtRest()
        board?.checkAtRest()
        for (token, count) in completions.enumerated()
        where count == 0 && !rejectedEarly.contains(token) {
            note(
                "Exactly One Completion",
                "submission \(token) of \(completions.count) never completed"
            )
        }
        if !tasks.isEmpty { note("Exactly One Completion", "\(tasks.count) tasks wait for ever") }
        guard let controller, !isClosing, !isClosed else { return }
        let (pending, visible) = (controller.pendingMap, controller.visibleMap)
        if visible.generation != pending.generation {
            note(
                "Ordered Commits",
                "at rest generation \(visible.generation) is shown, but \(pending.generation) was"
                    + " accepted"
            )
        }
        for item in visible.items { checkAtRest(item.element, item.content, item.path) }
    }

    /// Checks that a requested node has the current traits.
    func checkTraits(of node: any CollectionNode, of element: CollectionElement) {
        guard let node = node as? WatchedNode, !isChangingTraits,
            controller?.pendingMap.path(of: element) != nil, node.textScale != textScale
        else { return }
        note(
            "Consistent Snapshot",
            "a node was asked for and has the text scale \(node.textScale) in place of"
                + " \(textScale)"
        )
    }

    /// Checks that at rest every shown element is measured and shows its newest model and the
    /// current traits.
    func checkAtRest(
        _ element: CollectionElement,
        _ content: ElementContent,
        _ path: ItemPath
    ) {
        var isMeasured = false
        switch content.state {
        case .measured: isMeasured = true
        // Its node keeps its previous content.
        case .failed(let error):
            if !(error is InjectedFault) {
                note("Measured Once", "item \(path) was never measured: \(error)")
            }
            // For an element that no layout measures, or a deferred one, only the caller that
            // requested the node receives the error.
            let mayBeRequested =
                (plan.hasLayout || plan.measuring != nil || plan.releasesNodes == true)
                && plan.requestsNodes
            if !failedContents.contains(content), !mayBeRequested {
                note(Self.failureGuarantee, "nobody was told of item \(path): \(error)")
            }
            return
        // A layout measures only some elements, and the others on demand.
        case .pending where plan.hasLayout || plan.measuring?.isOnDemand == true: break
        case .pending where content.isReleased: break
        case .pending, .allocating, .skipped:
            note("Measured Once", "item \(path) is shown and was never measured")
        }
        guard let node = element.nodeIfAllocated as? WatchedNode else { return }
        if node.element !== element {
            note("Identity Kept", "the node of item \(path) was made for another element")
        }
        if isMeasured, node.isTooSmall {
            note("Measured Once", "item \(path) wants another size and was not measured again")
        }
        // Nodes created since a rejection use the newest model.
        if let item = content.model as? ModelItem, node.shown != item,
            !(controller?.divergence != nil && node.shown.isNewer(than: item))
        {
            note("Consistent Snapshot", "item \(path) shows \(node.shown) in place of \(item)")
        }
        if node.textScale != textScale {
            note(
                "Consistent Snapshot",
                "item \(path) has the text scale \(node.textScale) in place of \(textScale)"
            )
        }
    }

    /// Checks that a wait for accepted submissions ends only when the view has received all of
    /// them.
    func checkHandedOver(_ awaited: [SubmissionID]) {
        // Submissions that a close cancels, or that a reload after a refusal replaces, are never
        // handed over.
        guard !isClosing, !isAbandoned, simulation.fault == nil,
            eventCounts[.viewRefused] == nil,
            let missing = awaited.first(where: { !handedOverIDs.contains($0) })
        else { return }
        note("Never Blocks Main", "a wait ended before \(missing) was handed over")
    }

    /// After a change set is accepted, measuring of the items that it removes must not begin.
    private func noteAcceptedItems() {
        // A task may keep the controller that the run has released.
        guard let map = controller?.pendingMap else { return nodes.forgetAccepted() }
        nodes.noteAccepted(map.items.lazy.compactMap { ($0.content.model as? ModelItem)?.id })
    }

    func observe(_ event: PipelineEvent) {
        if event.kind == .accepted {
            acceptedCount += 1
            noteAcceptedItems()
            if event.divergence != nil { model?.noteDivergence(at: acceptedCount) }
            if let id = event.submission { acceptedIDs.append(id) }
        }
        if event.kind == .handedOver, let id = event.submission { noteHandedOver(id) }
        eventCounts[event.kind, default: 0] += 1
        if let wrong = eventOrder.add(event, mayBeCancelled: isClosing || isAbandoned) {
            note("Events In Order", wrong)
        }
        if let failure = event.failedElement, !failedContents.insert(failure.content).inserted {
            note(Self.failureGuarantee, "it was told twice: \(failure)")
        }
        observeStall(event)
        if keepsTrace { annotate(event) }
        if isClosed { note("Quiet After Close", "the event \(event.kind.rawValue) came after it") }
        if hasAbandoned, [.accepted, .handedOver, .deployed].contains(event.kind) {
            note("Exactly One Completion", "\(event.kind.rawValue) after the controller was gone")
        }
        // The reload after a refusal belongs to the pipeline; there is at most one at a time.
        let ownReloads = eventCounts[.viewRefused] == nil ? 0 : 1
        // Sets that a caller waits for are not held, nor is such a reload.
        let others = plan.mergesWhenFull ? 1 + ownReloads + plan.handOverWaits : mainLaneSubmissions
        let limit = plan.backlogLimit + others + ownReloads
        if let backlog = event.backlog, backlog > limit {
            note("Bounded Backlog", "\(backlog) sets on the way, at most \(limit) allowed")
        }
        observeView(event)
    }

    private func noteHandedOver(_ id: SubmissionID) {
        // The hand-over includes all merged sets: those accepted earlier and not handed over.
        let merged = plan.mergesWhenFull ? acceptedIDs.prefix { $0 != id } : []
        handedOverIDs.formUnion(merged)
        handedOverIDs.insert(id)
    }

    private func annotate(_ event: PipelineEvent) {
        simulation.annotate(
            event.kind.rawValue + (event.submission.map { " \($0)" } ?? "")
                + (event.error.map { " \($0)" } ?? "")
        )
    }

    func mark(_ name: String) { marks[name, default: 0] += 1 }

    func meet(_ situation: Situation) { mark(situation.mark) }

    func note(_ guarantee: String, _ message: String) {
        let violation = GuaranteeViolation(guarantee: guarantee, message: message)
        violations.append(violation)
        simulation.annotate("broken: \(violation)")
    }

    /// Observes the events, and makes the model forget the latch of a rejected submission.
    final class Watcher: PipelineObserver, @unchecked Sendable {  // one thread
        private weak var run: SimulatedRun?

        init(_ run: SimulatedRun) { self.run = run }

        func observe(_ event: PipelineEvent) {
            guard let run else { return }
            run.observer?.observe(event)
            let isSlow = run.simulation.happens(.observerIsSlow)
            if isSlow { run.simulation.advanceClock(by: .microseconds(100)) }
            // The main lane must not wait here; a stalled one may resume meanwhile.
            if isSlow || event.kind == .stalled, !run.lane.isCurrent { run.simulation.yield() }
            run.observe(event)
            if event.kind == .rejected, run.lane.isCurrent { run.model?.forgetLatch() }
        }
    }
}

// A wait that takes too long is reported once, and so is its end.

extension SimulatedRun {
    private static let stallGuarantee = "Nothing Hangs In Silence"

    /// Lets a stalled view continue when nothing else can.
    func endStall() {
        guard simulation.fault == nil else { return }
        checkStalls()
        lane.enqueue { [self] in
            (view as? FaultyView)?.endStall()
            board?.endStall()
        }
        simulation.run(atMost: Self.stepLimit)
    }

    /// At rest, every remaining wait has exceeded any timeout.
    func checkStalls() {
        guard plan.stallMicroseconds != nil else { return }
        let reported = Set(stalls.map(\.wait))
        for wait in PipelineWait.atRest where eventOrder.waits.contains(wait) {
            mark("stalled for \(wait)")
            guard !reported.contains(wait) else { continue }
            note(Self.stallGuarantee, "somebody waits for \(wait), and nobody was told")
        }
    }

    /// Checks that no stall remains at the end.
    func checkNoStall() {
        for stall in stalls {
            note(Self.stallGuarantee, "the end of a stall was not told: \(stall)")
        }
    }

    func observeStall(_ event: PipelineEvent) {
        guard let stall = event.stall else { return }
        if event.kind == .stallEnded {
            if !stalls.contains(stall) { note(Self.stallGuarantee, "it was never told: \(stall)") }
            stalls.removeAll { $0 == stall }
        } else {
            if stalls.contains(stall) { note(Self.stallGuarantee, "it was told twice: \(stall)") }
            stalls.append(stall)
        }
    }
}

extension PipelineWait {
    /// The waits that are possible at rest.
    fileprivate static let atRest: [PipelineWait] = [.backlogCapacity, .deploying, .finishing]
}
