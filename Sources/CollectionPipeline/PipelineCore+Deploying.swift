import CollectionElements

// Steps 4 and 5, on the main lane: hand a prepared change set to the view, and swap the visible map
// when the view says so.

extension PipelineCore {
    /// Step 5 begins: a block of the main serial queue.
    func handOver(_ submission: Submission) {
        guard phase != .closed else { return }
        let start = startTime()
        ledger.handOver(submission.id)
        defer {
            notifyHandOverWaiters()
            notifyIfProcessed()
        }
        // The view has refused something; the reload that is on its way shows this set as well.
        if let recovery, submission.id < recovery {
            ledger.replace(submission.id, outcome: .superseded(by: recovery))
            return
        }
        let update = ViewUpdate(submission, core: self)
        isDeploying = true
        for facilitator in facilitators { facilitator.willDeploy(update) }
        isDeploying = false
        if let view {
            view.perform(update)
        } else {
            update.deploy { _ in }
            update.finish()
        }
        observe(.handedOver, submission.id, submission.context) {
            $0.durationNanoseconds = duration(since: start)
        }
    }

    /// The view is ready: swaps the visible map and lets the view apply the edits.
    func deploy(_ viewUpdate: ViewUpdate, _ apply: (ViewUpdate) throws -> Void) -> Bool {
        let id = viewUpdate.submission
        // Closed or replaced in the meantime: the view just drops the update.
        guard let entry = ledger.entry(id), entry.phase == .handedOver,
            recovery.map({ id >= $0 }) ?? true
        else { return false }
        require(
            ledger.nextToDeploy == id,
            "Updates must be deployed in order: expected \(ledger.nextToDeploy.map(\.description) ?? "none"),"
                + " found \(id)"
        )
        let start = startTime()
        let submission = entry.submission
        isDeploying = true
        swapVisibleMap(submission)
        do {
            try apply(viewUpdate)
            isDeploying = false
        } catch {
            isDeploying = false
            observe(.viewRefused, id, submission.context) { $0.error = error }
            // A view that refuses a reload cannot be helped; the set counts as shown.
            if !submission.isRecovery && !submission.update.isReloadData {
                recover(from: submission)
                return true
            }
        }
        ledger.deploy(id)
        if recovery == id { finishRecovery(id) }
        observe(.deployed, id, submission.context) {
            $0.durationNanoseconds = duration(since: start)
            $0.backlog = ledger.backlog
        }
        resumeSuspended()
        return true
    }

    /// Makes a change set's map the visible one, and what goes with it.
    private func swapVisibleMap(_ submission: Submission) {
        published.withLock { $0.visibleMap = submission.newMap }
        for slot in submission.reconfigured { slot.element.show(slot.content) }
        // Traits may have changed while the nodes were being made.
        for slot in submission.work { slot.element.refreshTraits() }
    }

    /// The view is done with an update, animations included.
    func finish(_ id: SubmissionID) {
        // What the view refused finishes with the reload.
        if let recovery, id < recovery { return }
        complete(ledger.finish(id))
        finishClosingIfDone()
    }

    /// The view let go of an update without finishing it; perhaps the view itself is gone.
    func viewDropped(_ id: SubmissionID, wasDeployed: Bool) {
        guard let entry = ledger.entry(id), recovery.map({ id >= $0 }) ?? true else { return }
        if !wasDeployed, entry.phase == .handedOver {
            swapVisibleMap(entry.submission)
            ledger.deploy(id)
            if recovery == id { finishRecovery(id) }
            resumeSuspended()
        }
        finish(id)
    }

    // MARK: Recovering from a refusal of the view

    /// Sends a reload after everything accepted so far; it shows what the view refused, and the
    /// sets behind it, which the view can no longer apply.
    private func recover(from refused: Submission) {
        let map = pendingMap
        let id = makeSubmissionID()
        recovery = id
        ledger.replace(refused.id, outcome: .deployedByReload)
        for entry in ledger.entries where entry.submission.id > refused.id {
            ledger.replace(entry.submission.id, outcome: .superseded(by: id))
        }
        let latched = Latched(
            update: .reloadingData(from: refused.newMap.shape, to: map.shape),
            map: map.withGeneration(map.generation + 1),
            nextSectionID: nextSectionID
        )
        accept(
            latched,
            SubmissionRequest(id: id, isAnimated: false),
            isRecovery: true,
            start: startTime()
        )
    }

    /// The reload is on the screen: everything that it stands for is deployed, and done.
    private func finishRecovery(_ id: SubmissionID) {
        recovery = nil
        for entry in ledger.entries where entry.submission.id < id && entry.phase != .finished {
            ledger.deploy(entry.submission.id)
            complete(ledger.finish(entry.submission.id))
        }
    }
}

extension SubmissionLedger {
    func entry(_ id: SubmissionID) -> Entry? {
        entries.first { $0.submission.id == id }
    }
}
