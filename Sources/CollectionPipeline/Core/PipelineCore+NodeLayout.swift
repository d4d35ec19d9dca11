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
        guard layoutRequests.withLock({ $0.asked(element, wish) }) else { return }
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
        let requests = layoutRequests.withLock { $0.turnCame() }
        let map = pendingMap
        var again: [RelayoutSubject] = []
        var first: [RelayoutSubject] = []
        for (element, wish) in requests {
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
        var items: [(path: ItemPath, content: ElementContent)] = []
        var supplementaries: [RelayoutSubject] = []
        for (place, content) in asked where mayAsk || !content.isGivenUp || !lacksNode(content) {
            let again = remeasured(
                content,
                content.sizeRange,
                mayAsk ? nodeProvider(of: place) : content.rethrowingProvider
            )
            if place.kind == nil {
                items.append((place.path, again))
            } else {
                supplementaries.append((place, again))
            }
        }
        items.sort { $0.path < $1.path }
        supplementaries = inOrderOfRuns(supplementaries, of: map)
        var latched = latchedRelayout(of: map, items, supplementaries, request)
        guard !first.isEmpty else { return latched }
        latched.asked = first.map(\.content)
        if layoutDelegate == nil {
            latched.work.singles += first.map { ($0.place.path, $0.content) }
        }
        let newItems = first.filter { $0.place.kind == nil }.map(\.place)
        latched.remeasuredPlaces =
            (items.map { ElementPlace(path: $0.path) } + newItems).sorted { $0.path < $1.path }
            + inOrderOfRuns(supplementaries + first.filter { $0.place.kind != nil }, of: map)
            .map(\.place)
        return latched
    }

    private func nodeProvider(of place: ElementPlace) -> NodeProvider {
        guard let kind = place.kind else { return dataSource.nodeProvider(forItemAt: place.path) }
        return dataSource.supplementaryNodeProvider(ofKind: kind, at: place.path)
    }

    /// Supplementary elements in the order in which their sections have them.
    private func inOrderOfRuns(
        _ subjects: [RelayoutSubject],
        of map: ElementMap
    ) -> [RelayoutSubject] {
        let bySection = Dictionary(grouping: subjects) { $0.place.path.section }
        return bySection.keys.sorted().flatMap { section in
            map.supplementaries(inSection: section).flatMap { run in
                bySection[section, default: []].filter { $0.place.kind == run.kind }
                    .sorted { $0.place.path < $1.place.path }
            }
        }
    }
}
