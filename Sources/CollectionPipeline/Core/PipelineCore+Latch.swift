import CollectionElements

// Steps 1 and 2: a record becomes an accepted change set, or is rejected with nothing changed.

extension PipelineCore {
    /// Validates a record against the data source's counts, builds the new pending map, and sends
    /// the change set on.
    @discardableResult
    func submit(
        _ changes: HierarchyChangeSet,
        _ request: SubmissionRequest
    ) throws(UpdateError) -> SubmissionID {
        try submit(request) { () throws(UpdateError) in try latch(changes) }
    }

    /// Accepts what `content` finds out, or rejects the submission with nothing changed.
    @discardableResult
    func submit(
        _ request: SubmissionRequest,
        _ content: () throws(UpdateError) -> Latched
    ) throws(UpdateError) -> SubmissionID {
        let start = startTime()
        do throws(UpdateError) {
            let latched = try latching(content)
            latch.hasLoaded = true
            accept(latched, request, start: start)
            return request.id
        } catch {
            if Mutant.keepsRejected.isActive {
                published.withLock {
                    $0.pendingMap = $0.pendingMap.withGeneration($0.pendingMap.generation + 1)
                }
            }
            throw rejected(error, request)
        }
    }

    /// What the `.reload` policy does. If the reload is rejected as well, that is the end of it.
    func reloadAfterRejection(_ id: SubmissionID) {
        // An earlier one, or the caller's own, may have caught up already.
        guard divergence != nil else { return }
        let request = SubmissionRequest(id: id, isAutomatic: true)
        _ = try? submit(HierarchyChangeSet([.reloadData()]), request)
    }

    /// Runs `body`, which asks the data source, and rejects submissions from inside it.
    func latching<Result>(
        _ body: () throws(UpdateError) -> Result
    ) throws(UpdateError) -> Result {
        latch.began()
        defer { latch.ended() }
        let result = try body()
        if latch.isDisturbed {
            throw UpdateError(
                .dataSourceChangedDuringLatch,
                "The data source submitted to its controller while it was asked for content"
            )
        }
        return result
    }

    func latch(_ changes: HierarchyChangeSet) throws(UpdateError) -> Latched {
        let update = try validated(changes)
        let map = pendingMap
        var latched: Latched
        if update.isEmpty {
            latched = Latched(
                update: update,
                map: map.withGeneration(map.generation + 1),
                nextSectionID: latch.nextSectionID
            )
        } else {
            var gatherer = ContentGatherer(core: self, update: update, oldMap: map)
            latched = try gatherer.gather()
            try checkCountsAgain(in: gatherer.askedSections, update.newShape)
        }
        latched.accountsForCounts = true
        if let layoutDelegate, !latch.isDisturbed {
            latched.layoutContext = layoutDelegate.layoutContext(for: latched.map)
        }
        return latched
    }

    /// Rejects what a data source answered that changed while it was asked: the content that it gave
    /// belongs to other counts than those that were validated.
    private func checkCountsAgain(
        in sections: SectionSet,
        _ shape: HierarchyShape
    ) throws(UpdateError) {
        guard !sections.isEmpty else { return }
        let sectionCount = dataSource.numberOfSections()
        guard sectionCount == shape.numberOfSections else {
            throw UpdateError(
                .dataSourceChangedDuringLatch,
                "The data source had \(shape.numberOfSections) sections, and \(sectionCount) after it"
                    + " was asked for their content"
            )
        }
        for section in sections {
            let itemCount = dataSource.numberOfItems(inSection: section)
            guard itemCount == shape.numberOfItems(inSection: section) else {
                throw UpdateError(
                    .dataSourceChangedDuringLatch,
                    "Section \(section) of the data source had"
                        + " \(shape.numberOfItems(inSection: section) ?? 0) items, and \(itemCount)"
                        + " after it was asked for their content"
                )
            }
        }
    }

    /// Checks a record against the last accepted counts and those that the data source has now.
    func validated(_ changes: HierarchyChangeSet) throws(UpdateError) -> ValidatedChangeSet {
        do throws(HierarchyUpdateError) {
            // Before the first load there is nothing that a record could refer to.
            let isInitialLoad = !latch.hasLoaded
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

    /// Reads the counts, rejecting impossible ones before they can cost anything.
    private func countsFromDataSource(
        _ changes: HierarchyChangeSet
    ) throws(HierarchyUpdateError) -> HierarchyShape {
        let sections = dataSource.numberOfSections()
        guard sections >= 0 else {
            throw HierarchyUpdateError(
                .negativeSectionCount,
                "The number of sections must not be negative, but the data source answered"
                    + " \(sections)"
            )
        }
        guard sections <= configuration.limits.sections else {
            throw HierarchyUpdateError(
                .tooManySections,
                "The number of sections must be at most \(configuration.limits.sections), but the"
                    + " data source has \(sections)"
            )
        }
        // Once they differ, what changed since the last accepted set is not all that did.
        if divergedSince == nil, let changed = dataSource.changedSections() {
            return changes.presumedShape(
                from: pendingMap.shape,
                numberOfSections: sections,
                recounting: changed,
                itemCount: dataSource.numberOfItems(inSection:)
            )
        }
        let counts = (0..<sections).map(dataSource.numberOfItems(inSection:))
        let known = pendingMap.shape
        // One and the same shape needs no comparing afterwards.
        return counts == known.itemCounts ? known : HierarchyShape(counts)
    }

    // MARK: Accepting

    /// Accepts what was latched, which nothing rejects any more: elements learn of it, then it is published.
    func accept(
        _ latched: Latched,
        _ request: SubmissionRequest,
        start: UInt64
    ) {
        let oldMap = pendingMap
        markRemoved(by: latched, from: oldMap)
        for content in latched.reconfigured { content.element.accept(content) }
        for content in latched.remeasured { content.element.accept(content) }
        enter(latched, request, oldMap: oldMap, start: start)
    }

    /// Enters a change set in the ledger, publishes its map and sends it on its way.
    func enter(
        _ latched: Latched,
        _ request: SubmissionRequest,
        oldMap: ElementMap,
        start: UInt64
    ) {
        latch.nextSectionID = latched.nextSectionID
        let submission = Submission(
            id: request.id,
            latched: latched,
            oldMap: oldMap,
            request: request,
            traitsGeneration: traits.generation
        )
        let mustQueue = delivery.accepted(submission)
        latch.divergences.accepted(extent(of: latched, request, oldMap: oldMap))
        published.withLock { published in
            published.pendingMap = latched.map
            published.divergence = latch.divergences.current
        }
        observe(.accepted, request.id, request.context) {
            $0.durationNanoseconds = duration(since: start)
            $0.backlog = delivery.backlog
            $0.editCount = latched.update.edits.count
            $0.elementCount = submission.workCount
            $0.divergence = divergence
        }
        // With nothing to prepare and nobody before it on the editing lane, the way there and back
        // would only cost time.
        if submission.needsPreparing || mustQueue {
            preparer.add(submission)
        } else {
            preparer.skip(submission, self)
        }
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
            if edit.role != .move || Mutant.skipsMoved.isActive {
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
            if edit.role == .reload, Mutant.preparesReloaded.isActive { continue }
            oldMap.section(at: edit.section)?.markRemoved()
        }
    }
}
