import CollectionElements

// Nodes that want another size: what they ask for until the main lane comes to it becomes one update.

extension PipelineCore: ElementOwner {
    var maps: (pending: ElementMap, visible: ElementMap) {
        published.withLock { ($0.pendingMap, $0.visibleMap) }
    }

    func setNeedsMeasuring(_ element: CollectionElement) {
        // Otherwise it is about to be measured anyway.
        let mayBePutOff =
            layoutDelegate.map(\.measuresOnDemand)
            ?? (configuration.measuringPolicy.limit != nil || surroundings.releasesNodes)
        guard mayBePutOff, itemMaker.makesNodes || element.kind != nil, element.content.noteAsked()
        else { return }
        ask(for: element, .size)
    }

    func setNeedsLayout(_ element: CollectionElement) { ask(for: element, .newSize) }

    private func ask(for element: CollectionElement, _ wish: LayoutRequests.Wish) {
        if layoutRequests.withLock({ $0.asked(element, wish) }) { enqueueLayoutTurn() }
    }

    /// Has the main lane come to what is asked for, in a turn of its own. From any thread.
    func enqueueLayoutTurn() {
        lane.enqueue { [self] in
            let id = makeSubmissionID()
            receive(
                Visitor(id: id, needsRoom: configuration.backlogPolicy != .merge) { [self] in
                    relayoutRequested(SubmissionRequest(id: id))
                } sendAway: { [self] _ in
                    // What is released may run user code, so it leaves the lock and goes then.
                    _ = layoutRequests.withLock { $0.turnCame() }
                }
            )
        }
    }

    /// Measures again what asked for it, as far as it is still there, and what was put off for the first time.
    private func relayoutRequested(_ request: SubmissionRequest) {
        let asked = layoutRequests.withLock { $0.turnCame() }
        if relayout(with: asked, request) { return }
        let map = pendingMap
        var again: [RelayoutSubject] = []
        var first: [RelayoutSubject] = []
        for (element, wish) in asked.elements {
            guard let place = map.place(of: element), let content = map.content(at: place)
            else { continue }
            if content.isAsked {
                first.append((place, content))
            } else if wish == .newSize, !content.isPending {
                // What is yet to be measured takes the node as it is by then.
                again.append((place, content))
            }
        }
        guard !again.isEmpty || !first.isEmpty else { return }
        _ = try? submit(request) { latchRelayout(of: again, first, in: map, request) }
    }

    /// A turn of what was put off: some of it is measured, as far as it is still there and nobody else asked for it.
    func measurePutOff() {
        let id = makeSubmissionID()
        receive(
            Visitor(id: id, needsRoom: configuration.backlogPolicy != .merge) { [self] in
                let map = pendingMap
                let first = putOffWork.turnCame().compactMap { content -> RelayoutSubject? in
                    guard let place = map.place(of: content.element),
                        map.content(at: place) == content, !content.isReleased,
                        content.noteAsked()
                    else { return nil }
                    return (place, content)
                }
                guard !first.isEmpty else {
                    putOffWork.turnEnded()
                    return proceed()
                }
                let ends: UpdateCompletion = { [self] _ in putOffWork.turnEnded() }
                let request = SubmissionRequest(id: id, completions: [ends])
                _ = try? submit(request) { latchRelayout(of: [], first, in: map, request) }
            } sendAway: { _ in
                // The controller closes, and nothing of it is wanted any more.
            }
        )
    }

    private func latchRelayout(
        of asked: [RelayoutSubject],
        _ first: [RelayoutSubject],
        in map: ElementMap,
        _ request: SubmissionRequest
    ) -> Latched {
        // What lacks its node is asked for at the map's path, which must be that of the data source.
        let mayAsk =
            asked.contains { lacksNode($0.content) } && divergence?.countsSince == nil
            && (try? validated(HierarchyChangeSet())) != nil
        var again: [RelayoutSubject] = []
        for (place, content) in asked where mayAsk || !content.isGivenUp || !lacksNode(content) {
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

    /// Items ascending, then supplementary elements in the order in which their sections have them.
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
    /// Hands every node traits that are others than before; a step of its own, since nothing is measured.
    func traitsDidChange(to newTraits: Traits) {
        guard traits.replace(with: newTraits) else { return }
        // Elements between the two maps get theirs when they are made or deployed.
        visibleMap.forEachElement { $0.refreshTraits() }
        pendingMap.forEachElement { $0.refreshTraits() }
    }
}
