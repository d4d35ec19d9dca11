import CollectionElements

// Steps 1 and 2: the data source is asked for counts and content, a record validated, and the new map made.
// Nothing changes by that; what comes of it is accepted beside, in Accepting.

extension PipelineCore {
    /// Runs `body`, which asks the data source, and rejects submissions from inside it.
    func asking<Result>(_ body: () throws(UpdateError) -> Result) throws(UpdateError) -> Result {
        sourceState.began()
        defer { sourceState.ended() }
        let result = try body()
        if sourceState.isDisturbed {
            throw UpdateError(
                .dataSourceChangedDuringLatch,
                "The data source submitted to its controller while it was asked for content"
            )
        }
        return result
    }

    func latch(
        _ changes: HierarchyChangeSet,
        _ request: SubmissionRequest
    ) throws(UpdateError) -> Latched {
        let update = try validated(changes)
        let map = pendingMap
        var latched: Latched
        if update.isEmpty {
            latched = Latched(
                update: update,
                map: map.withGeneration(map.generation + 1),
                nextSectionID: sourceState.nextSectionID
            )
        } else {
            var gatherer = ContentGatherer(core: self, update: update, oldMap: map)
            latched = try gatherer.gather()
            try checkCountsAgain(in: gatherer.askedSections, update.newShape)
        }
        latched.isLoadInPlaceOfEdits =
            !sourceState.hasLoaded && !changes.isEmpty
            && !changes.operations.contains { if case .reloadData = $0 { true } else { false } }
        latched.accountsForCounts = true
        latched.isFromDataSource = true
        if !sourceState.isDisturbed {
            latched.layoutContext = layoutContext(for: latched.map, request)
        }
        latched.isMeasuredAnew = update.isReloadData
        return latched
    }

    /// Step 2: what the layout delegate wants to know for a map, where there is a delegate.
    func layoutContext(for map: ElementMap, _ request: SubmissionRequest) -> (any Sendable)? {
        guard let layoutDelegate else { return nil }
        let start = startTime()
        defer { observe(.layoutContextAsked, request.id, request.context, since: start) }
        return layoutDelegate.layoutContext(for: map)
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

    /// Reads the counts, rejecting impossible ones before they can cost anything.
    private func countsFromDataSource(
        _ changes: HierarchyChangeSet
    ) throws(HierarchyUpdateError) -> HierarchyShape {
        let sections = dataSource.numberOfSections()
        guard sections >= 0 else {
            throw HierarchyUpdateError(
                .negativeSectionCount,
                "The number of sections must not be negative, but the data source answered"
                    + " \(sections)",
                hint: "A count is at least 0; answer 0 where there is nothing"
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
        // Once they differ, what changed since the last accepted set is not all that did.
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
        // One and the same shape needs no comparing afterwards.
        return counts == known.itemCounts ? known : HierarchyShape(counts)
    }
}
