import CollectionElements

// Steps 1 and 2. The controller reads counts and content from the data source, validates the
// record, creates the new map and requests a layout context. None of that changes state. The result
// is then accepted, or the submission is rejected.

extension PipelineCore {
    /// Validates a record against the counts of the data source, creates the new pending map, and
    /// passes the change set on to step 3.
    @discardableResult
    func submit(
        _ changes: HierarchyChangeSet,
        _ request: SubmissionRequest
    ) throws(UpdateError) -> SubmissionID {
        try submit(request) { () throws(UpdateError) in try latch(changes, request) }
    }

    /// Accepts the result of `content`, or rejects the submission without changing anything.
    ///
    /// - Parameter start: The time at which latching began; `nil` for the current time.
    @discardableResult
    func submit(
        _ request: SubmissionRequest,
        since start: Duration? = nil,
        _ content: () throws(UpdateError) -> LatchedChangeSet
    ) throws(UpdateError) -> SubmissionID {
        let start = start ?? startTime()
        do throws(UpdateError) {
            let latched = try callingDataSource { () throws(UpdateError) in
                var latched = try content()
                findConditions(of: &latched)
                return latched
            }
            sourceState.hasLoaded = true
            accept(latched, request, start: start)
            return request.id
        } catch {
            throw rejected(error, request)
        }
    }

    /// Runs `body`, which calls the data source, and rejects submissions made from within it.
    func callingDataSource<Result>(_ body: () throws(UpdateError) -> Result) throws(UpdateError)
        -> Result
    {
        sourceState.began()
        defer { sourceState.ended() }
        let result = try body()
        if sourceState.isDisturbed {
            throw UpdateError(
                .dataSourceChangedDuringRead,
                "The data source submitted to its controller while the controller was calling it"
            )
        }
        return result
    }

    func latch(
        _ changes: HierarchyChangeSet,
        _ request: SubmissionRequest
    ) throws(UpdateError) -> LatchedChangeSet {
        let update = try validated(changes)
        let map = pendingMap
        var latched: LatchedChangeSet
        if update.isEmpty {
            latched = LatchedChangeSet(
                update: update,
                map: map.withGeneration(map.generation + 1),
                nextSectionID: sourceState.nextSectionID
            )
        } else {
            var gatherer = ContentGatherer(core: self, update: update, oldMap: map)
            latched = try gatherer.gather()
            try checkCountsAgain(in: gatherer.sectionsRead, update.newShape)
        }
        latched.isLoadInsteadOfEdits =
            !sourceState.hasLoaded && !changes.isEmpty
            && !changes.operations.contains { if case .reloadData = $0 { true } else { false } }
        latched.accountsForCounts = true
        latched.isFromDataSource = true
        if !sourceState.isDisturbed {
            latched.layoutContext = layoutContext(for: latched.map, request)
        }
        latched.remeasuresEverything = update.isReloadData
        return latched
    }

    /// Returns the validated record, checked against the last accepted counts and the current
    /// counts of the data source.
    func validated(_ changes: HierarchyChangeSet) throws(UpdateError) -> ValidatedChangeSet {
        do throws(HierarchyUpdateError) {
            // Before the first load a record has nothing to refer to.
            let isInitialLoad = !sourceState.hasLoaded
            var changes = isInitialLoad ? HierarchyChangeSet([.reloadData()]) : changes
            if configuration.decomposesMoves { changes = changes.decomposingMoves() }
            let shape = try countsFromDataSource(changes)
            return try changes.validated(
                from: pendingMap.shape,
                to: shape,
                profile: configuration.profile,
                limits: configuration.limits
            )
        } catch {
            throw invalid(error)
        }
    }

    private func invalid(_ error: HierarchyUpdateError) -> UpdateError {
        UpdateError(error, dataSourceName: dataSourceName)
    }

    /// Reads the counts, and rejects impossible counts before they can cost anything.
    private func countsFromDataSource(
        _ changes: HierarchyChangeSet
    ) throws(HierarchyUpdateError) -> HierarchyShape {
        let sections = dataSource.numberOfSections()
        guard sections >= 0 else {
            throw HierarchyUpdateError(
                .negativeSectionCount,
                "The number of sections must not be negative, but the data source returned"
                    + " \(sections)",
                hint: "A count is at least 0; return 0 if there is nothing"
            )
        }
        guard sections <= configuration.limits.sections else {
            throw HierarchyUpdateError(
                .tooManySections,
                "The number of sections must be at most \(configuration.limits.sections), but the"
                    + " data source has \(sections)",
                hint: "Raise the limits, or offer fewer at a time"
            )
        }
        // While counts may differ after a rejection, `changedSections()` does not name all changes.
        if divergence?.countsSince == nil, let changed = dataSource.changedSections() {
            return changes.presumedShape(
                from: pendingMap.shape,
                numberOfSections: sections,
                recounting: changed,
                itemCount: dataSource.numberOfItems(inSection:)
            )
        }
        let counts = (0..<sections).map(dataSource.numberOfItems(inSection:))
        let known = pendingMap.shape
        // An identical shape needs no comparison later.
        return counts == known.itemCounts ? known : HierarchyShape(counts)
    }

    /// Throws an error if the data source changed while its content was read: that content does not
    /// belong to the counts that were validated.
    private func checkCountsAgain(
        in sections: SectionSet,
        _ shape: HierarchyShape
    ) throws(UpdateError) {
        guard !sections.isEmpty else { return }
        let sectionCount = dataSource.numberOfSections()
        guard sectionCount == shape.numberOfSections else {
            throw UpdateError(
                .dataSourceChangedDuringRead,
                "The data source had \(shape.numberOfSections) sections, and \(sectionCount) after"
                    + " their content was read"
            )
        }
        for section in sections {
            let itemCount = dataSource.numberOfItems(inSection: section)
            guard itemCount == shape.numberOfItems(inSection: section) else {
                throw UpdateError(
                    .dataSourceChangedDuringRead,
                    "Section \(section) of the data source had"
                        + " \(shape.numberOfItems(inSection: section) ?? 0) items, and \(itemCount)"
                        + " after their content was read"
                )
            }
        }
    }

    /// Step 2: Returns the layout delegate's context for a map, or `nil` without a delegate.
    func layoutContext(for map: ElementMap, _ request: SubmissionRequest) -> (any Sendable)? {
        guard let layoutDelegate else { return nil }
        let start = startTime()
        defer { observe(.layoutContextRequested, request.id, request.callerContext, since: start) }
        return layoutDelegate.layoutContext(for: map)
    }
}

// The end of step 1: the latched content is accepted.

extension PipelineCore {
    /// Accepts latched content, which can no longer be rejected. Elements are updated before the
    /// map is published.
    private func accept(
        _ latched: LatchedChangeSet,
        _ request: SubmissionRequest,
        start: Duration
    ) {
        let oldMap = pendingMap
        markRemoved(by: latched, from: oldMap)
        for content in latched.reconfigured { content.element.accept(content) }
        for content in latched.remeasured { content.element.accept(content) }
        // The histories are notified before other code can submit as a result of this change set. A
        // reload after a refusal by the view changes no content and does not use this function.
        if !histories.isEmpty {
            let (update, map) = (latched.update, latched.map)
            histories.removeAll { $0.history == nil }
            let step = histories.lazy.compactMap { $0.history?.step(of: update) }.first
            for history in histories {
                history.history?.accepted(update, step, from: oldMap, to: map)
            }
        }
        enter(latched, request, oldMap: oldMap, start: start)
    }

    /// Adds a change set to the ledger, publishes its map and passes it on to step 3.
    func enter(
        _ latched: LatchedChangeSet,
        _ request: SubmissionRequest,
        oldMap: ElementMap,
        start: Duration
    ) {
        sourceState.nextSectionID = latched.nextSectionID
        noteConditions(of: latched)
        // A view that refused to load the previous map has no content to edit.
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
            outcome: isReloadInstead || latched.isLoadInsteadOfEdits
                ? .deployedByReload : .deployed
        )
        let extent = extent(of: latched, request, oldMap: oldMap)
        if case .everything = extent { agreement.renewed() }
        sourceState.divergences.accepted(extent)
        published.withLock { published in
            published.pendingMap = latched.map
            published.divergence = sourceState.divergences.current
        }
        let now = observe(.accepted, request.id, request.callerContext, since: start) {
            $0.backlog = delivery.backlog
            $0.editCount = latched.update.edits.count
            $0.elementCount = submission.workCount
            $0.divergence = divergence
        }
        submission.arrived(at: now)
        // The check runs before step 3, so that events are sent in the order of the steps.
        if latched.isFromDataSource { checkContent(after: request) }
        // Without work, and without an earlier change set on the editing lane, a detour through
        // that lane would only cost time.
        if submission.needsPreparing || mustQueue {
            preparer.add(submission)
        } else {
            preparer.skip(submission, self)
        }
        watch()
    }

    /// Returns the part of the data source's content that a change set accounts for.
    private func extent(
        of latched: LatchedChangeSet,
        _ request: SubmissionRequest,
        oldMap: ElementMap
    ) -> DivergenceLedger.Extent {
        guard latched.accountsForCounts else { return .nothing }
        return latched.update.isReloadData || request.declaresContentCurrent
            ? .everything : .edits(latched.update, oldMap: oldMap, newMap: latched.map)
    }

    /// Lets step 3 of earlier change sets skip the elements that this one removes.
    private func markRemoved(by latched: LatchedChangeSet, from oldMap: ElementMap) {
        let update = latched.update
        // If no change set is being prepared, there is nothing to skip, and the view may still
        // request the nodes of elements that it shows.
        let skipsWork = delivery.isPreparing
        // Items are handled before sections: items moved out of a removed section must not be
        // skipped.
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

// Clearing does not call the data source.

extension PipelineCore {
    /// Makes the checks that begin a batch, except for the lane, which the callers have checked.
    func admit(_ request: SubmissionRequest) throws(UpdateError) {
        if let reason = reasonToReject(request.backlogEffect) { throw rejected(reason, request) }
    }

    /// Replaces all content with nothing, without calling the data source. The next submission is
    /// then a first load.
    @discardableResult
    func clear(_ request: SubmissionRequest) throws(UpdateError) -> SubmissionID {
        try admit(request)
        let id = try submit(request) { () throws(UpdateError) in
            LatchedChangeSet(
                update: .reloadingData(from: pendingMap.shape, to: .empty),
                map: pendingMap.emptied(generation: pendingMap.generation + 1),
                nextSectionID: sourceState.nextSectionID,
                accountsForCounts: true
            )
        }
        sourceState.hasLoaded = false
        return id
    }
}

// Rejections. The caller's changes to the model stay.

extension PipelineCore {
    /// Rejects a submission after the caller's model may have changed, and returns the error to
    /// throw.
    func rejected(_ error: UpdateError, _ request: SubmissionRequest) -> UpdateError {
        let mayDiverge = error.code.mayDiverge && !request.restoresModel
        if mayDiverge {
            sourceState.divergences.rejected(
                request.id,
                pendingMap,
                nextSectionID: sourceState.nextSectionID
            )
            published.withLock { $0.divergence = sourceState.divergences.current }
        }
        let error = located(error, request.id)
        reject(error, completions: request.completions, callerContext: request.callerContext)
        if configuration.rejectionPolicy == .reload, mayDiverge, !request.isAutomatic {
            lane.enqueue { [self] in
                // This runs after the open batch, which was recorded against the current map.
                let id = makeSubmissionID()
                receive(
                    IncomingSubmission(id: id, needsCapacity: false) { [self] in
                        reloadAfterRejection(id)
                    } onRejection: { _ in
                    }
                )
            }
        }
        return error
    }

    /// Reloads once for each rejection if the policy is `.reload`. A rejected reload is not
    /// repeated.
    private func reloadAfterRejection(_ id: SubmissionID) {
        // An earlier reload, or one of the caller, may have resolved the divergence.
        guard divergence != nil else { return }
        let request = SubmissionRequest(id: id, isAutomatic: true)
        _ = try? submit(HierarchyChangeSet([.reloadData()]), request)
    }

    /// Returns the error with the submission's number and the current divergence.
    func located(_ error: UpdateError, _ id: SubmissionID) -> UpdateError {
        var error = error
        error.submission = id
        error.divergence = divergence
        return error
    }

    func reject(
        _ error: UpdateError,
        completions: [UpdateCompletion],
        callerContext: (any Sendable)?
    ) {
        // The error itself is not retained, because it may hold any value that the application
        // threw.
        lastError = String("\(error)".prefix { $0 != "\n" })
        let id = error.submission ?? makeSubmissionID()
        observe(.rejected, id, callerContext) {
            $0.error = error
            $0.divergence = divergence
        }
        complete(completions, id, .rejected(error), callerContext: callerContext)
    }
}
