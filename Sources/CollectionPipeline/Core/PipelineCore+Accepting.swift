import CollectionElements

// The end of step 1: what was latched is accepted, or the submission rejected with nothing changed.

extension PipelineCore {
    /// Validates a record against the data source's counts, builds the new pending map, and sends
    /// the change set on.
    @discardableResult
    func submit(
        _ changes: HierarchyChangeSet,
        _ request: SubmissionRequest
    ) throws(UpdateError) -> SubmissionID {
        try submit(request) { () throws(UpdateError) in try latch(changes, request) }
    }

    /// Accepts what `content` finds out, or rejects the submission with nothing changed.
    ///
    /// - Parameter start: when finding out began; nil for now.
    @discardableResult
    func submit(
        _ request: SubmissionRequest,
        since start: Duration? = nil,
        _ content: () throws(UpdateError) -> Latched
    ) throws(UpdateError) -> SubmissionID {
        let start = start ?? startTime()
        do throws(UpdateError) {
            let latched = try asking { () throws(UpdateError) in
                var latched = try content()
                findOffer(of: &latched)
                return latched
            }
            sourceState.hasLoaded = true
            accept(latched, request, start: start)
            return request.id
        } catch {
            throw rejected(error, request)
        }
    }

    /// Accepts what was latched, which nothing rejects any more: elements learn of it, then it is published.
    private func accept(
        _ latched: Latched,
        _ request: SubmissionRequest,
        start: Duration
    ) {
        let oldMap = pendingMap
        markRemoved(by: latched, from: oldMap)
        for content in latched.reconfigured { content.element.accept(content) }
        for content in latched.remeasured { content.element.accept(content) }
        // Before anybody can submit more because of it. A reload that stands for what the view refused changes
        // nothing, and does not come this way.
        histories.removeAll { $0.history == nil }
        let step = histories.lazy.compactMap { $0.history?.step(of: latched.update) }.first
        for history in histories {
            history.history?.accepted(latched.update, step, from: oldMap, to: latched.map)
        }
        enter(latched, request, oldMap: oldMap, start: start)
    }

    /// Enters a change set in the ledger, publishes its map and sends it on its way.
    func enter(
        _ latched: Latched,
        _ request: SubmissionRequest,
        oldMap: ElementMap,
        start: Duration
    ) {
        sourceState.nextSectionID = latched.nextSectionID
        noteOffer(of: latched)
        // A view that refused to load the map before has nothing that it could edit.
        let isReloadInstead = delivery.needsReload && !latched.update.isReloadData
        let submission = Submission(
            id: request.id,
            latched: latched,
            update: isReloadInstead
                ? .reloadingData(from: oldMap.shape, to: latched.map.shape) : nil,
            oldMap: oldMap,
            request: request,
            traitsGeneration: traits.generation
        )
        agreement.lastAccepted = request.id
        let mustQueue = delivery.accepted(
            submission,
            outcome: isReloadInstead || latched.isLoadInPlaceOfEdits
                ? .deployedByReload : .deployed
        )
        let extent = extent(of: latched, request, oldMap: oldMap)
        if case .everything = extent { agreement.renewed() }
        sourceState.divergences.accepted(extent)
        published.withLock { published in
            published.pendingMap = latched.map
            published.divergence = sourceState.divergences.current
        }
        let now = observe(.accepted, request.id, request.context, since: start) {
            $0.backlog = delivery.backlog
            $0.editCount = latched.update.edits.count
            $0.elementCount = submission.workCount
            $0.divergence = divergence
        }
        submission.arrived(at: now)
        // Before step 3, as events come in the order of the steps.
        if latched.isFromDataSource { checkContent(after: request) }
        // With nothing to prepare and nobody before it on the editing lane, the way there and back
        // would only cost time.
        if submission.needsPreparing || mustQueue {
            preparer.add(submission)
        } else {
            preparer.skip(submission, self)
        }
        watch()
    }

    /// How much of what a data source has a set accounts for.
    private func extent(
        of latched: Latched,
        _ request: SubmissionRequest,
        oldMap: ElementMap
    ) -> DivergenceLedger.Extent {
        guard latched.accountsForCounts else { return .nothing }
        return latched.update.isReloadData || request.declaresContentCurrent
            ? .everything : .edits(latched.update, oldMap: oldMap, newMap: latched.map)
    }

    /// Lets step 3 of earlier sets skip what this one removes.
    private func markRemoved(by latched: Latched, from oldMap: ElementMap) {
        let update = latched.update
        // With nothing under way there is nothing to skip, and what the view still shows may yet be
        // asked for its node.
        let skipsWork = delivery.isPreparing
        // Before the sections: what is moved out of one that goes must not be skipped.
        for edit in update.itemRemovals where skipsWork || edit.role == .move {
            guard let element = oldMap.element(at: edit.path) else { continue }
            if edit.role != .move {
                element.markRemoved()
            } else if let newPath = edit.associatedWith,
                let section = latched.map.section(at: newPath.section)
            {
                element.markMoved(to: section)
            }
        }
        guard skipsWork else { return }
        for element in latched.removedSupplementaries { element.markRemoved() }
        for edit in update.sectionRemovals where edit.role != .move {
            oldMap.section(at: edit.section)?.markRemoved()
        }
    }
}
