import CollectionElements

// Relayouts: change sets without edits that measure existing elements again. They take the same
// steps as all change sets.

extension PipelineCore {
    /// The elements that a relayout measures.
    enum RelayoutScope {
        /// The elements at these paths of the pending map, whether or not their range has changed.
        case items([ItemPath])
        /// The elements whose size range or traits differ from those that they were measured with.
        case all
    }

    @discardableResult
    func relayout(
        _ scope: RelayoutScope,
        _ request: SubmissionRequest
    ) throws(UpdateError) -> SubmissionID {
        try admit(request)
        return try submit(request) { () throws(UpdateError) in
            // Without a first load there is nothing to measure again, and every submission is a
            // first load.
            guard sourceState.hasLoaded else { return try latch(HierarchyChangeSet(), request) }
            // The data source is about to be called with paths of the map, but it may have
            // different items at these paths. An earlier rejection or the counts may reveal that.
            if let since = divergence?.countsSince {
                throw UpdateError(
                    .diverged,
                    "A relayout needs counts that agree, but they may differ since submission"
                        + " \(since); reload to catch up"
                )
            }
            _ = try validated(HierarchyChangeSet())
            return switch scope {
            case .items(let paths): try latchRelayout(of: paths, request)
            case .all: latchRelayoutOfAll(request)
            }
        }
    }

    private func latchRelayout(
        of paths: [ItemPath],
        _ request: SubmissionRequest
    ) throws(UpdateError) -> LatchedChangeSet {
        let (map, rule) = (pendingMap, sizeRangeRule)
        var subjects = RelayoutSubjects()
        for path in Set(paths).sorted() {
            guard let content = map.content(at: path) else {
                throw UpdateError(
                    .unknownElement,
                    "There is no item at \(path) to measure again in \(map.shape)"
                )
            }
            // An element without a node exists, but has no size.
            guard itemMaker.makesNodes else { continue }
            let again = remeasured(
                content,
                rule.range(dataSource.sizeRange(forItemAt: path)),
                dataSource.nodeProvider(forItemAt: path)
            )
            subjects.addAgain(again, at: ElementPlace(path: path))
        }
        var latched = latchedRelayout(of: subjects, request)
        if !subjects.isEmpty { latched.ranges = rule }
        return latched
    }

    private func latchRelayoutOfAll(_ request: SubmissionRequest) -> LatchedChangeSet {
        let rule = sizeRangeRule
        return latchedRelayout(of: subjectsOfRelayout(for: rule), for: rule, request)
    }

    /// Returns a revision of the content with the same model and another range. `provider` is
    /// evaluated only if the node does not exist yet.
    func remeasured(
        _ content: ElementContent,
        _ range: SizeRange,
        _ provider: @autoclosure () -> NodeProvider
    ) -> ElementContent {
        let mayLackItsNode = mayLackItsNode(content)
        let needsProvider = mayLackItsNode || content.element.nodeIfAllocated == nil
        return ElementContent(
            revising: content.element,
            model: content.model,
            sizeRange: range,
            provider: needsProvider ? content.keptProvider ?? provider() : nil,
            keptProvider: content.keptProvider,
            keepsNode: !mayLackItsNode,
            previousSize: content.knownSize,
            retried: mayLackItsNode ? content : nil
        )
    }

    /// Returns whether measuring a content again needs a provider, as far as the controller knows.
    func lacksNode(_ content: ElementContent) -> Bool {
        mayLackItsNode(content) || content.element.nodeIfAllocated == nil
    }

    /// Returns whether a content may lack its node: a failed reconfiguration leaves a node that may
    /// not accept the model.
    private func mayLackItsNode(_ content: ElementContent) -> Bool {
        content.mayLackItsNode
    }

    func latchedRelayout(
        of subjects: RelayoutSubjects,
        _ request: SubmissionRequest
    ) -> LatchedChangeSet {
        let map = pendingMap
        let newMap = map.replacingContents(
            subjects.items,
            supplementaries: subjects.supplementaries,
            generation: map.generation + 1
        )
        var work = PreparationWork()
        work.requested = subjects.requested
        if layoutDelegate == nil {
            work.singles =
                subjects.items
                + (subjects.supplementaries + subjects.first).map { ($0.place.path, $0.content) }
        }
        return LatchedChangeSet(
            update: .unchanged(map.shape),
            map: newMap,
            work: work,
            remeasured: subjects.items.map { $0.content }
                + subjects.supplementaries.map { $0.content },
            requested: subjects.requested,
            remeasuredPlaces: subjects.places,
            layoutContext: layoutContext(for: newMap, request),
            nextSectionID: sourceState.nextSectionID
        )
    }
}

// MARK: - Relayouts after a change of the size range
//
// If a view's size range or layout context has changed, the controller itself measures the affected
// elements again.

extension PipelineCore {
    func setNeedsRelayout() {
        guard configuration.relayoutsWhenSizeRangeChanges else { return }
        if layoutRequests.withLock({ $0.requestedForAll() }) == .enqueueTurn { enqueueLayoutTurn() }
    }

    /// Measures again all elements that were measured for another size range, together with the
    /// elements that were requested in the same turn.
    ///
    /// - Parameters:
    ///   - requests: The requests of this turn.
    ///   - request: The request to submit with.
    /// - Returns: Whether a relayout was submitted; `false` if there is nothing to measure, or if
    ///   the relayout must wait.
    func relayout(with requests: LayoutRequests.PendingRequests, _ request: SubmissionRequest)
        -> Bool
    {
        guard relayouts.beginTurn(isRequested: requests.isForAll) == .search,
            sourceState.hasLoaded, view != nil
        else { return false }
        guard divergence?.countsSince == nil else {
            relayouts.blocked()
            return false
        }
        let (start, rule) = (startTime(), sizeRangeRule)
        let kinds = Dictionary(
            uniqueKeysWithValues: requests.elements.map { ($0.element, $0.kind) }
        )
        let found: (subjects: RelayoutSubjects, isLayoutOutdated: Bool)?
        do throws(UpdateError) {
            found = try callingDataSource { () throws(UpdateError) in
                guard isRelayoutNeeded else { return nil }
                // The data source must not be called with a path of the map at which it has another
                // item.
                _ = try validated(HierarchyChangeSet())
                return (subjectsOfRelayout(for: rule, kinds), isLayoutOutdated)
            }
        } catch {
            relayouts.blocked()
            return false
        }
        let missesSome = mayMissSome
        guard let found, !found.subjects.isEmpty || found.isLayoutOutdated else {
            if found != nil, missesSome {
                relayouts.began(pendingMap.generation, missesSome: true)
            } else {
                relayouts.settled(rule.conditions ?? relayouts.newest)
            }
            return false
        }
        let generation = pendingMap.generation + 1
        let submitted = try? submit(request, since: start) {
            latchedRelayout(of: found.subjects, for: rule, request)
        }
        guard submitted != nil else {
            // Code that was called for a context has submitted something in the meantime.
            relayouts.blocked()
            return false
        }
        relayouts.began(generation, missesSome: missesSome)
        return true
    }

    /// Whether some elements may still be measured for another size range although a relayout is
    /// accepted now, because a delegate may measure any elements for earlier change sets.
    private var mayMissSome: Bool { layoutDelegate != nil && delivery.isPreparing }

    /// Whether any element was measured for a size range that differs from its current one.
    private var isRelayoutNeeded: Bool {
        relayouts.isMixed || relayouts.common.map(isOutdated) ?? false
    }

    /// Whether the delegate's layout would differ from that for the newest change set, regardless
    /// of measurements.
    private var isLayoutOutdated: Bool {
        guard case .layoutContext(let context)? = relayouts.newest else { return false }
        return layoutDelegate?.isOutdated(context) ?? false
    }

    /// Returns whether the view's size range or the delegate's layout context no longer matches
    /// `conditions`.
    private func isOutdated(_ conditions: RelayoutLedger.MeasuringConditions) -> Bool {
        switch conditions {
        case .range(let range): view.map { $0.elementSizeRange != range } ?? false
        case .layoutContext(let context): layoutDelegate?.isOutdated(context) ?? false
        }
    }

    /// Determines the conditions for which a change set is measured, and whether all other elements
    /// were measured for the same conditions. It may call the delegate, so it runs while the caller
    /// calls the data source.
    func findConditions(of latched: inout LatchedChangeSet) {
        // A delegate also lays out change sets without new elements in its context, and measures
        // for it.
        latched.conditions =
            latched.layoutContext.map { .layoutContext($0) } ?? latched.ranges?.conditions
        guard let conditions = latched.conditions, let common = relayouts.common else { return }
        latched.hasOtherConditions =
            if case .range(let range) = conditions, case .range(let common) = common {
                range != common
            } else {
                isOutdated(common)
            }
    }

    /// Records what an accepted change set was measured for.
    func noteConditions(of latched: LatchedChangeSet) {
        let action = relayouts.accepted(
            latched.conditions,
            isOfAll: latched.remeasuresEverything,
            isOther: latched.hasOtherConditions
        )
        if action == .enqueueTurn { setNeedsRelayout() }
    }

    // MARK: Subjects of a relayout

    /// Returns all elements that were measured for another size range than that of `rule`, or with
    /// other traits, including requested elements.
    private func subjectsOfRelayout(
        for rule: SizeRangeRule,
        _ kinds: [CollectionElement: LayoutRequests.RequestKind] = [:]
    ) -> RelayoutSubjects {
        let map = pendingMap
        var search = RelayoutSearch(
            core: self,
            kinds: kinds,
            chosenRange: layoutDelegate?.sizeRanges(for: map)
        )
        if itemMaker.makesNodes {
            for item in map.items {
                search.look(
                    at: ElementPlace(path: item.path),
                    item.content,
                    rule.range(dataSource.sizeRange(forItemAt: item.path)),
                    dataSource.nodeProvider(forItemAt: item.path)
                )
            }
        }
        for section in 0..<map.numberOfSections {
            for run in map.supplementaries(inSection: section) {
                for (item, content) in run.contents.enumerated() {
                    let path = ItemPath(section: section, item: item)
                    search.look(
                        at: ElementPlace(path: path, kind: run.kind),
                        content,
                        rule.range(
                            dataSource.sizeRange(forSupplementaryOfKind: run.kind, at: path)
                        ),
                        dataSource.supplementaryNodeProvider(ofKind: run.kind, at: path)
                    )
                }
            }
        }
        return search.found
    }

    /// Returns a relayout of everything that measures `subjects`.
    func latchedRelayout(
        of subjects: RelayoutSubjects,
        for rule: SizeRangeRule,
        _ request: SubmissionRequest
    ) -> LatchedChangeSet {
        var latched = latchedRelayout(of: subjects, request)
        latched.work.limit = configuration.measuringPolicy.limit
        if let viewPath = view?.firstVisiblePath {
            latched.work.start = latched.map.shape.place(nearestTo: viewPath)
        }
        latched.ranges = rule
        latched.remeasuresEverything = !mayMissSome
        return latched
    }
}

/// A search for the elements that a full relayout measures again.
private struct RelayoutSearch {
    let core: PipelineCore
    let kinds: [CollectionElement: LayoutRequests.RequestKind]
    /// A function with the range for which a layout delegate would measure an element; `nil` if the
    /// delegate supplies none.
    let chosenRange: ((ElementPlace) -> SizeRange)?
    var found = RelayoutSubjects()

    mutating func look(
        at place: ElementPlace,
        _ content: ElementContent,
        _ range: SizeRange,
        _ provider: @autoclosure () -> NodeProvider
    ) {
        let kind = kinds.isEmpty ? nil : kinds[content.element]
        let isRequested = kind != nil || content.isRequested
        if isOutdated(content, range, at: place) || kind == .newSize && !content.isPending {
            let again = core.remeasured(content, range, provider())
            if isRequested { _ = again.noteRequest() }
            found.addAgain(again, at: place, isRequested: isRequested)
        } else if kind != nil, content.isRequested {
            found.addFirst(content, at: place)
        }
    }

    /// Returns whether an element must be measured again because a property that affects its size
    /// has changed.
    private func isOutdated(
        _ content: ElementContent,
        _ range: SizeRange,
        at place: ElementPlace
    ) -> Bool {
        if range != content.sizeRange || !content.element.isMeasuredWithCurrentTraits(content) {
            return true
        }
        guard let chosenRange, let measured = content.measuredRange else { return false }
        return chosenRange(place) != measured
    }
}
