import CollectionElements
import PersistentTrees
import Synchronization

// Step 5, on the main lane: a prepared change set is passed to the view, and the visible map is
// swapped when the view is ready. Completions follow.

extension PipelineCore {
    /// Begins step 5, in a block of the main serial queue.
    func handOver(_ submission: Submission) {
        let handOver = delivery.handedOver(submission.generation)
        defer { proceed() }
        if relayouts.measured(submission.generation) == .enqueueTurn { setNeedsRelayout() }
        if shutdown.isOpen, let rest = submission.takeDeferred() { deferredMeasurements.add(rest) }
        guard case .give(let merged) = handOver else { return }
        submission.merge(merged)
        let start = observe(.handingOverStarted, submission.id, submission.callerContext)
        handingOver = (submission, start)
        let update = ViewUpdate(submission, core: self)
        for facilitator in facilitators { facilitator.willDeploy(update) }
        if let view {
            view.perform(update)
        } else {
            // The update is not deployed directly: a view that is being deallocated may still hold
            // earlier updates.
            lost.withLock { $0.append(submission.generation) }
            deployLost()
        }
        didHandOver(submission.generation)
    }

    /// Reports that the view has the update: its method has returned, or it deploys within the
    /// call.
    private func didHandOver(_ generation: Int) {
        guard let (submission, start) = handingOver, submission.generation == generation else {
            return
        }
        handingOver = nil
        let now = observe(.handedOver, submission.id, submission.callerContext, since: start)
        submission.arrived(at: now)
    }

    /// Reports that the visible map is about to be swapped.
    private func startDeploying(_ submission: Submission) -> Duration {
        didHandOver(submission.generation)
        return observe(.deployingStarted, submission.id, submission.callerContext)
    }

    /// Swaps the visible map and lets the view apply the edits. The view calls this when it is
    /// ready.
    func deploy(_ viewUpdate: ViewUpdate, _ apply: (ViewUpdate) throws -> Void) -> Bool {
        let generation = viewUpdate.newMap.generation
        defer { proceed() }
        // The view may have dropped the previous update.
        deployLost()
        let readiness = delivery.deploying(generation)
        if case .early(let expected) = readiness {
            require(
                false,
                "Updates must be deployed in the order of their arrival: expected"
                    + " \(expected?.id.description ?? "none"), found \(viewUpdate.submission)"
            )
        }
        // The update was cancelled or replaced in the meantime: the view drops it.
        guard case .ready(let submission, let replaced) = readiness else { return false }
        let start = startDeploying(submission)
        swapVisibleMap(submission, standingFor: replaced)
        do {
            try apply(viewUpdate)
            didDeploy(submission, start)
        } catch {
            observe(.viewRefused, submission.id, submission.callerContext) { $0.error = error }
            guard submission.delivered.update.isReloadData else {
                recover(from: submission)
                return true
            }
            refuse(submission, error)
        }
        deployLost()
        return true
    }

    private func didDeploy(_ submission: Submission, _ start: Duration) {
        complete(delivery.deployed(submission.generation))
        let now = observe(.deployed, submission.id, submission.callerContext, since: start) {
            $0.backlog = delivery.backlog
        }
        submission.arrived(at: now)
    }

    /// Publishes a change set's map as the visible one, and shows its models and those of the
    /// change sets that it replaces.
    private func swapVisibleMap(_ submission: Submission, standingFor replaced: [Submission]) {
        published.withLock { $0.visibleMap = submission.newMap }
        for replaced in replaced { showContents(of: replaced) }
        showContents(of: submission)
    }

    private func showContents(of submission: Submission) {
        for content in submission.reconfigured {
            content.element.show(content, isReconfigured: true)
        }
        for content in submission.remeasured {
            content.element.show(content, isReconfigured: false)
        }
        // Traits may have changed while the nodes were being created.
        if traits.generation != submission.traitsGeneration {
            refreshTraits(broughtBy: submission)
        }
    }

    /// Passes new traits to the elements that the change set inserted: a later one may have removed
    /// them from the pending map before the traits changed. All other elements received the traits
    /// at that time, or when their nodes were created.
    private func refreshTraits(broughtBy submission: Submission) {
        let (map, update) = (submission.newMap, submission.update)
        for edit in update.sectionInsertions where edit.role != .move {
            map.forEachItem(inSection: edit.section) { $0.refreshTraits() }
        }
        for edit in update.itemInsertions where edit.role != .move {
            map.element(at: edit.path)?.refreshTraits()
        }
        for section in update.editedSections {
            for run in map.supplementaries(inSection: section) {
                for content in run.contents { content.element.refreshTraits() }
            }
        }
    }

    /// Records that the view has finished an update, including animations.
    func finish(_ generation: Int) {
        complete(delivery.finished(generation))
        proceed()
    }

    /// Records that the view dropped an update without finishing it, possibly because the view was
    /// deallocated. It may be called from any thread.
    func viewDropped(_ generation: Int) {
        lost.withLock { $0.append(generation) }
        lane.enqueue { [self] in
            deployLost()
            proceed()
        }
    }

    /// Deploys and finishes dropped updates, each in its place in the order.
    private func deployLost() {
        delivery.lost(lost.withLock { exchange(&$0, with: []) })
        while let (submission, isDeployed) = delivery.nextLoss() {
            if !isDeployed, case .ready(_, let replaced) = delivery.deploying(submission.generation)
            {
                let start = startDeploying(submission)
                noteGoneView(replaced + [submission])
                swapVisibleMap(submission, standingFor: replaced)
                didDeploy(submission, start)
            }
            complete(delivery.finished(submission.generation))
        }
    }

    /// Reports that the view was deallocated, if an update deploys without it for that reason.
    ///
    /// - Parameter submissions: The submissions that deploy; the last one includes the others.
    private func noteGoneView(_ submissions: [Submission]) {
        guard hasHadView, view == nil, let last = submissions.last else { return }
        for submission in submissions { submission.viewWasGone.store(true, ordering: .relaxed) }
        if !hasReportedGoneView { observe(.viewGone, last.id, last.callerContext) }
        hasReportedGoneView = true
    }

    // MARK: Recovery from a refusal by the view

    /// Handles the refusal of a reload. Neither the reload nor the change sets that it replaces are
    /// shown. The following change sets can be shown only as a reload: immediately if some wait
    /// already, and otherwise together with the next one.
    private func refuse(_ submission: Submission, _ error: any Error) {
        let fault = UpdateError(
            .viewRefused,
            "The view refused to load: \(error)",
            underlyingError: error
        )
        delivery.refused(submission.generation) { .refusedByView(located(fault, $0.id)) }
        complete(delivery.deployed(submission.generation))
        submission.arrived(at: startTime())
        if delivery.needsReload, delivery.backlog > 0 { recover(from: submission) }
    }

    /// Submits a reload after all accepted change sets. It shows the content that the view refused,
    /// unless that was a reload, and the content of later change sets, which the view can no longer
    /// apply.
    private func recover(from rejected: Submission) {
        let map = pendingMap.withGeneration(pendingMap.generation + 1)
        let request = SubmissionRequest(
            id: makeSubmissionID(),
            isAnimated: false,
            isAutomatic: true
        )
        let start = startTime()
        // As during a latch, a submission made by the layout delegate here would be accepted in
        // between, so it is rejected.
        sourceState.began()
        var reload = LatchedChangeSet(
            update: .reloadingData(from: rejected.newMap.shape, to: map.shape),
            map: map,
            layoutContext: layoutContext(for: map, request),
            nextSectionID: sourceState.nextSectionID
        )
        findConditions(of: &reload)
        sourceState.ended()
        delivery.rejected(
            rejected.generation,
            reload: request.id,
            reloadGeneration: map.generation
        )
        enter(reload, request, oldMap: rejected.newMap, start: start)
    }

    // MARK: Completing

    /// Runs the completions of a submission in a separate turn of the lane.
    ///
    /// - Parameters:
    ///   - completions: The completions to run.
    ///   - id: The number of the submission.
    ///   - outcome: The outcome of the submission.
    ///   - callerContext: The caller's context.
    ///   - generation: The generation of the map that shows the submission, if nothing had to be
    ///     accepted.
    ///   - accepted: The accepted change set of the submission, if there is one.
    func complete(
        _ completions: [UpdateCompletion],
        _ id: SubmissionID,
        _ outcome: UpdateOutcome,
        callerContext: (any Sendable)?,
        generation: Int? = nil,
        accepted: Submission? = nil
    ) {
        let result = UpdateResult(
            submission: id,
            outcome: outcome,
            generation: accepted?.generation ?? generation,
            callerContext: callerContext,
            failedElements: accepted?.failedElements ?? FailedElements(),
            viewWasGone: accepted?.viewWasGone.load(ordering: .relaxed) ?? false
        )
        enqueue(.completions) { [self] in
            for completion in completions { completion(result) }
            observe(.completed, id, callerContext)
        }
    }

    func complete(_ entries: [SubmissionLedger<Submission>.Entry]) {
        for entry in entries {
            let submission = entry.payload
            let joined = submission.joined.withLock { $0 }
            complete(
                joined.isEmpty ? submission.completions : submission.completions + joined,
                submission.id,
                entry.outcome,
                callerContext: submission.callerContext,
                accepted: submission
            )
        }
    }

    /// Runs the callbacks that wait for all submissions to complete, unless a new one begins before
    /// their turn.
    func callCompleted() {
        guard milestones.needsCompletionTurn() else { return }
        enqueue(.others) { [self] in
            for callback in milestones.takeCompleted(unless: !isSynchronized) { callback() }
        }
    }

    func call(_ callbacks: [Milestones.Callback]) {
        guard !callbacks.isEmpty else { return }
        enqueue(.others) { for callback in callbacks { callback() } }
    }

    /// Runs completions or callbacks in a separate turn of the lane. The last callback of a close
    /// runs after all of them.
    func enqueue(_ callbacks: Shutdown.Callbacks, _ run: @escaping @Sendable () -> Void) {
        shutdown.scheduled(callbacks)
        lane.enqueue { [self] in
            run()
            shutdown.ran(callbacks)
            proceed()
        }
    }
}
