import CollectionElements

// Requests of nodes for other sizes. All requests before the next turn of the main lane become one
// update. Changes of traits follow.

extension PipelineCore: ElementOwner {
    var maps: (pending: ElementMap, visible: ElementMap) {
        published.withLock { ($0.pendingMap, $0.visibleMap) }
    }

    func setNeedsMeasuring(_ element: CollectionElement) {
        // Without deferral the element is about to be measured anyway.
        let mayBeDeferred =
            layoutDelegate.map(\.measuresOnDemand)
            ?? (configuration.measuringPolicy.limit != nil || elementEnvironment.releasesNodes)
        guard mayBeDeferred, itemMaker.makesNodes || element.kind != nil,
            element.content.noteRequest() == .prepare
        else { return }
        request(for: element, .size)
    }

    func setNeedsLayout(_ element: CollectionElement) { request(for: element, .newSize) }

    private func request(for element: CollectionElement, _ kind: LayoutRequests.RequestKind) {
        if layoutRequests.withLock({ $0.requested(element, kind) }) == .enqueueTurn {
            enqueueLayoutTurn()
        }
    }

    /// Enqueues a turn of the main lane that handles the requests. May be called from any thread.
    func enqueueLayoutTurn() {
        lane.enqueue { [self] in
            let id = makeSubmissionID()
            receive(
                IncomingSubmission(id: id, needsCapacity: configuration.backlogPolicy != .coalesce)
                {
                    [self] in
                    relayoutRequested(SubmissionRequest(id: id))
                } onRejection: { [self] _ in
                    // Releasing the requests may run user code, so they are released outside the
                    // lock.
                    _ = layoutRequests.withLock { $0.beginTurn() }
                }
            )
        }
    }

    /// Measures requested elements again if they still exist, and deferred elements for the first
    /// time.
    private func relayoutRequested(_ request: SubmissionRequest) {
        let requests = layoutRequests.withLock { $0.beginTurn() }
        if relayout(with: requests, request) { return }
        let map = pendingMap
        var again: [RelayoutSubject] = []
        var first: [RelayoutSubject] = []
        for (element, kind) in requests.elements {
            guard let place = map.place(of: element), let content = map.content(at: place)
            else { continue }
            if content.isRequested {
                first.append((place, content))
            } else if kind == .newSize, !content.isPending {
                // An element that is yet to be measured uses the state that its node has by then.
                again.append((place, content))
            }
        }
        guard !again.isEmpty || !first.isEmpty else { return }
        _ = try? submit(request) { latchRelayout(of: again, first, in: map, request) }
    }

    /// Begins a turn of deferred measurements: measures some of the elements that still exist and
    /// were not requested otherwise.
    func measureDeferred() {
        let id = makeSubmissionID()
        receive(
            IncomingSubmission(id: id, needsCapacity: configuration.backlogPolicy != .coalesce) {
                [self] in
                let map = pendingMap
                let first = deferredMeasurements.beginTurn().compactMap {
                    content -> RelayoutSubject? in
                    guard let place = map.place(of: content.element),
                        map.content(at: place) == content, !content.isReleased,
                        content.noteRequest() == .prepare
                    else { return nil }
                    return (place, content)
                }
                guard !first.isEmpty else {
                    deferredMeasurements.turnEnded()
                    return proceed()
                }
                let ends: UpdateCompletion = { [self] _ in deferredMeasurements.turnEnded() }
                let request = SubmissionRequest(id: id, completions: [ends])
                _ = try? submit(request) { latchRelayout(of: [], first, in: map, request) }
            } onRejection: { _ in
                // The controller closes, so the measurements are no longer needed.
            }
        )
    }

    private func latchRelayout(
        of subjects: [RelayoutSubject],
        _ first: [RelayoutSubject],
        in map: ElementMap,
        _ request: SubmissionRequest
    ) -> LatchedChangeSet {
        // A missing node is requested at the map's path, which must also be the path in the data
        // source.
        let mayAsk =
            subjects.contains { lacksNode($0.content) } && divergence?.countsSince == nil
            && (try? validated(HierarchyChangeSet())) != nil
        var again: [RelayoutSubject] = []
        for (place, content) in subjects
        where mayAsk || !content.hasFinalEstimate || !lacksNode(content) {
            let remeasured = remeasured(
                content,
                content.sizeRange,
                mayAsk ? nodeProvider(of: place) : content.rethrowingProvider
            )
            again.append((place, remeasured))
        }
        let firstPlaces = Set(first.map(\.place))
        var subjects = RelayoutSubjects()
        for (place, content) in inOrder(again + first, of: map) {
            if firstPlaces.contains(place) {
                subjects.addFirst(content, at: place)
            } else {
                subjects.addAgain(content, at: place)
            }
        }
        return latchedRelayout(of: subjects, request)
    }

    private func nodeProvider(of place: ElementPlace) -> NodeProvider {
        guard let kind = place.kind else { return dataSource.nodeProvider(forItemAt: place.path) }
        return dataSource.supplementaryNodeProvider(ofKind: kind, at: place.path)
    }

    /// Returns items in ascending order, then supplementary elements in the order of their
    /// sections.
    private func inOrder(_ subjects: [RelayoutSubject], of map: ElementMap) -> [RelayoutSubject] {
        let ascending = subjects.sorted { $0.place.path < $1.place.path }
        let others = ascending.filter { $0.place.kind != nil }
        let bySection = Dictionary(grouping: others) { $0.place.path.section }
        return ascending.filter { $0.place.kind == nil }
            + bySection.keys.sorted().flatMap { section in
                map.supplementaries(inSection: section).flatMap { run in
                    bySection[section, default: []].filter { $0.place.kind == run.kind }
                }
            }
    }
}

extension PipelineCore {
    /// Passes new traits to every node, if they differ from the previous traits. This is separate
    /// from measuring, because nothing is measured.
    func traitsDidChange(to newTraits: Traits) {
        guard traits.replace(with: newTraits) else { return }
        // Elements that are in neither map receive the traits when they are created or deployed.
        visibleMap.forEachElement { $0.refreshTraits() }
        pendingMap.forEachElement { $0.refreshTraits() }
    }
}
