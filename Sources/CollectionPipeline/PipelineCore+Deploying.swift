import CollectionElements

// Steps 4 and 5, on the main lane: hand a prepared change set to the view, and swap the visible map
// when the view says so.

extension PipelineCore {
    /// Step 5 begins: a block of the main serial queue.
    func handOver(_ submission: Submission) {
        // Cancelled by closing in the meantime.
        guard ledger.entry(submission.generation) != nil else { return }
        let start = startTime()
        ledger.handOver(submission.generation)
        defer {
            notifyHandOverWaiters()
            notifyIfProcessed()
        }
        // The view has refused something; the reload that is on its way shows this set as well.
        if isReplaced(submission.generation) { return }
        if isActive(.swapsEarly) { swapVisibleMap(submission) }
        let update = ViewUpdate(submission, core: self)
        for facilitator in facilitators { facilitator.willDeploy(update) }
        if let view {
            view.perform(update)
        } else {
            // Not at once: a view that is going away may still hold updates that come first.
            dropped.withLock { $0.append(submission.generation) }
            deployDropped()
        }
        observe(.handedOver, submission.id, submission.context) {
            $0.durationNanoseconds = duration(since: start)
        }
    }

    /// Whether a reload that is on its way stands for the set.
    private func isReplaced(_ generation: Int) -> Bool {
        recovery.map { generation < $0.generation && !isActive(.deploysReplaced) } ?? false
    }

    /// The view is ready: swaps the visible map and lets the view apply the edits.
    func deploy(_ viewUpdate: ViewUpdate, _ apply: (ViewUpdate) throws -> Void) -> Bool {
        let generation = viewUpdate.newMap.generation
        // A view may have let go of the update before this one.
        deployDropped()
        // Closed or replaced in the meantime: the view just drops the update.
        guard let submission = ledger.entry(generation)?.submission, !isReplaced(generation) else {
            return false
        }
        let expected = nextToDeploy
        require(
            expected == generation,
            "Updates must be deployed in the order in which they came: expected"
                + " \(expected.flatMap { ledger.entry($0)?.submission.id.description } ?? "none"),"
                + " found \(submission.id)"
        )
        let start = startTime()
        isDeploying = true
        swapVisibleMap(submission)
        do {
            try apply(viewUpdate)
            isDeploying = false
        } catch {
            isDeploying = false
            observe(.viewRefused, submission.id, submission.context) { $0.error = error }
            // A view that refuses a reload cannot be helped; the set counts as shown.
            if !submission.update.isReloadData {
                recover(from: submission)
                return true
            }
        }
        didDeploy(submission, start)
        deployDropped()
        return true
    }

    private func didDeploy(_ submission: Submission, _ start: UInt64) {
        if recovery?.generation == submission.generation {
            // It is on the screen, and so is everything that it stands for.
            recovery = nil
            complete(ledger.finishAll(before: submission.generation))
        }
        ledger.deploy(submission.generation)
        observe(.deployed, submission.id, submission.context) {
            $0.durationNanoseconds = duration(since: start)
            $0.backlog = ledger.backlog
        }
        resumeSuspended()
    }

    /// Makes a change set's map the visible one, and what goes with it.
    private func swapVisibleMap(_ submission: Submission) {
        published.withLock { $0.visibleMap = submission.newMap }
        if let recovery, recovery.generation == submission.generation,
            !isActive(.forgetsReplacedModels)
        {
            // The sets that it stands for brought models of their own; the refused one's are shown.
            for entry in ledger.entries(after: recovery.shown, before: recovery.generation) {
                showContents(of: entry.submission)
            }
        }
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
        if traits.generation != submission.traitsGeneration, !isActive(.forgetsTraits) {
            refreshTraits(broughtBy: submission)
        }
    }

    /// Tells new traits to what the set brought: a later one may have removed it from the pending map
    /// before they changed. All else had them told then, or when its node was made.
    private func refreshTraits(broughtBy submission: Submission) {
        let (map, update) = (submission.newMap, submission.update)
        for edit in update.sectionPutIns where edit.role != .move {
            map.forEachItem(inSection: edit.section) { $0.refreshTraits() }
        }
        for edit in update.itemPutIns where edit.role != .move {
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
        // What the view refused finishes with the reload.
        guard !isReplaced(generation) else { return }
        complete(ledger.finish(generation))
        finishClosingIfDone()
    }

    /// The view let go of an update without finishing it; perhaps the view itself is gone. From any
    /// thread.
    func viewDropped(_ generation: Int) {
        dropped.withLock { $0.append(generation) }
        lane.enqueue { [self] in
            if !isActive(.forgetsDropped) { deployDropped() }
        }
    }

    /// Deploys and finishes what the view let go of, in its place in the order: what comes after
    /// an update that the view still has waits for that one.
    private func deployDropped() {
        let generations = dropped.withLock { dropped in
            defer { dropped = [] }
            return dropped
        }
        guard !generations.isEmpty else { return }
        for generation in generations.sorted() {
            guard let entry = ledger.entry(generation) else { continue }
            if entry.phase == .handedOver {
                // Waits for its turn; what a reload stands for waits until the reload has completed it.
                guard nextToDeploy == generation else {
                    dropped.withLock { $0.append(generation) }
                    continue
                }
                let start = startTime()
                isDeploying = true
                swapVisibleMap(entry.submission)
                isDeploying = false
                didDeploy(entry.submission, start)
            }
            finish(generation)
        }
    }

    /// The generation of the set that comes next: of the reload, while one is on its way.
    private var nextToDeploy: Int? { recovery?.generation ?? ledger.nextToDeploy?.generation }

    // MARK: Recovering from a refusal of the view

    /// Sends a reload after everything accepted so far; it shows what the view refused, and the
    /// sets behind it, which the view can no longer apply.
    private func recover(from refused: Submission) {
        let map = pendingMap.withGeneration(pendingMap.generation + 1)
        let id = makeSubmissionID()
        // As when a set is latched: what the delegate submits from here would get in between.
        isLatching = true
        let layoutContext = layoutDelegate?
            .layoutContext(for: isActive(.asksOtherMap) ? pendingMap : map)
        isLatching = false
        ledger.setOutcome(.deployedByReload, of: refused.generation)
        ledger.setOutcome(.superseded(by: id), ofAllAfter: refused.generation)
        let reload = Latched(
            update: .reloadingData(from: refused.newMap.shape, to: map.shape),
            map: map,
            layoutContext: layoutContext,
            nextSectionID: nextSectionID
        )
        recovery = Recovery(id: id, generation: map.generation, shown: refused.generation)
        enter(
            reload,
            SubmissionRequest(id: id, isAnimated: false, isAutomatic: true),
            oldMap: refused.newMap,
            start: startTime()
        )
    }
}
