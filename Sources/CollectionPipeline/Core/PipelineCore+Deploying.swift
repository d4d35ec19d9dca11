import CollectionElements
import PersistentTrees
import Synchronization

// Steps 4 and 5, on the main lane: hand a prepared change set to the view, and swap the visible map
// when the view says so.

extension PipelineCore {
    /// Step 5 begins: a block of the main serial queue.
    func handOver(_ submission: Submission) {
        let handOver = delivery.handedOver(submission.generation)
        defer { proceed() }
        if relayouts.measured(submission.generation) { setNeedsRelayout() }
        if shutdown.isOpen, let rest = submission.takePutOff() { putOffWork.add(rest) }
        guard case .give(let merged) = handOver else { return }
        submission.merge(merged)
        let start = observe(.handingOverStarted, submission.id, submission.context)
        handingOver = (submission, start)
        let update = ViewUpdate(submission, core: self)
        for facilitator in facilitators { facilitator.willDeploy(update) }
        if let view {
            view.perform(update)
        } else {
            // Not at once: a view that is going away may still hold updates that come first.
            lost.withLock { $0.append(submission.generation) }
            deployLost()
        }
        didHandOver(submission.generation)
    }

    /// Tells that the view has an update: it has returned, or begins to deploy it within the call.
    private func didHandOver(_ generation: Int) {
        guard let (submission, start) = handingOver, submission.generation == generation else {
            return
        }
        handingOver = nil
        let now = observe(.handedOver, submission.id, submission.context, since: start)
        submission.arrived(at: now)
    }

    /// Tells that step 5's last part begins: the visible map is about to be swapped.
    private func startDeploying(_ submission: Submission) -> Duration {
        didHandOver(submission.generation)
        return observe(.deployingStarted, submission.id, submission.context)
    }

    /// The view is ready: swaps the visible map and lets the view apply the edits.
    func deploy(_ viewUpdate: ViewUpdate, _ apply: (ViewUpdate) throws -> Void) -> Bool {
        let generation = viewUpdate.newMap.generation
        defer { proceed() }
        // A view may have dropped the update before this one.
        deployLost()
        let readiness = delivery.deploying(generation)
        if case .early(let expected) = readiness {
            require(
                false,
                "Updates must be deployed in the order in which they came: expected"
                    + " \(expected?.id.description ?? "none"), found \(viewUpdate.submission)"
            )
        }
        // Closed or replaced in the meantime: the view just drops the update.
        guard case .ready(let submission, let replaced) = readiness else { return false }
        let start = startDeploying(submission)
        swapVisibleMap(submission, standingFor: replaced)
        do {
            try apply(viewUpdate)
            didDeploy(submission, start)
        } catch {
            observe(.viewRefused, submission.id, submission.context) { $0.error = error }
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
        let now = observe(.deployed, submission.id, submission.context, since: start) {
            $0.backlog = delivery.backlog
        }
        submission.arrived(at: now)
    }

    /// Makes a change set's map the visible one, and what goes with it: its models, and those of the sets
    /// that it stands for.
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
        // Traits may have changed while the nodes were being made.
        if traits.generation != submission.traitsGeneration {
            refreshTraits(broughtBy: submission)
        }
    }

    /// Tells new traits to what the set brought: a later one may have removed it from the pending map
    /// before they changed. All else had them told then, or when its node was made.
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

    /// The view is done with an update, animations included.
    func finish(_ generation: Int) {
        complete(delivery.finished(generation))
        proceed()
    }

    /// The view dropped an update without finishing it; perhaps the view itself is gone. From any
    /// thread.
    func viewDropped(_ generation: Int) {
        lost.withLock { $0.append(generation) }
        lane.enqueue { [self] in
            deployLost()
            proceed()
        }
    }

    /// Deploys and finishes what the view dropped, each in its place in the order.
    private func deployLost() {
        delivery.lost(
            lost.withLock { lost in
                defer { lost = [] }
                return lost
            }
        )
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

    /// Reports that the view is gone, if that is why an update deploys without one.
    ///
    /// - Parameter submissions: those that deploy, the last of them by itself.
    private func noteGoneView(_ submissions: [Submission]) {
        guard hasHadView, view == nil, let last = submissions.last else { return }
        for submission in submissions { submission.viewWasGone.store(true, ordering: .relaxed) }
        if !hasReportedGoneView { observe(.viewGone, last.id, last.context) }
        hasReportedGoneView = true
    }

    // MARK: Recovering from a rejection by the view

    /// A view that refuses a reload cannot be helped: neither that nor what it stands for is shown. What comes
    /// next can be shown only as a reload: at once where sets wait behind it, or else with the next set.
    private func refuse(_ submission: Submission, _ error: any Error) {
        let fault = UpdateError(
            .viewRefused,
            "The view refused to load: \(error)",
            underlyingError: error
        )
        delivery.refused(submission.generation) { .refused(located(fault, $0.id)) }
        complete(delivery.deployed(submission.generation))
        submission.arrived(at: startTime())
        if delivery.needsReload, delivery.backlog > 0 { recover(from: submission) }
    }

    /// Sends a reload after everything accepted so far; it shows what the view rejected, unless that was one,
    /// and the sets behind it, which the view can no longer apply.
    private func recover(from rejected: Submission) {
        let map = pendingMap.withGeneration(pendingMap.generation + 1)
        let request = SubmissionRequest(
            id: makeSubmissionID(),
            isAnimated: false,
            isAutomatic: true
        )
        let start = startTime()
        // As when a set is latched: what the delegate submits from here would get in between.
        sourceState.began()
        var reload = Latched(
            update: .reloadingData(from: rejected.newMap.shape, to: map.shape),
            map: map,
            layoutContext: layoutContext(for: map, request),
            nextSectionID: sourceState.nextSectionID
        )
        findOffer(of: &reload)
        sourceState.ended()
        delivery.rejected(
            rejected.generation,
            reload: request.id,
            reloadGeneration: map.generation
        )
        enter(reload, request, oldMap: rejected.newMap, start: start)
    }
}
