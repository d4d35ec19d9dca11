import CollectionElements

// Nodes that want another size: what they ask for until the main lane comes to it becomes one update.

extension PipelineCore: ElementOwner {
    var maps: (pending: ElementMap, visible: ElementMap) {
        published.withLock { ($0.pendingMap, $0.visibleMap) }
    }

    func setNeedsLayout(_ element: CollectionElement) {
        guard layoutRequests.withLock({ $0.asked(element) }) else { return }
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

    /// Measures again what asked for it, as far as it is still there.
    private func relayoutRequested(_ request: SubmissionRequest) {
        let elements = layoutRequests.withLock { $0.turnCame() }
        let map = pendingMap
        let asked = elements.compactMap { element -> RelayoutSubject? in
            guard let place = map.place(of: element), let content = map.content(at: place)
            else { return nil }
            // What is yet to be measured takes the node as it is by then.
            if case .pending = content.state { return nil }
            return (place, content)
        }
        guard !asked.isEmpty else { return }
        _ = try? submit(request) { latchRelayout(of: asked, in: map, request) }
    }

    private func latchRelayout(
        of asked: [RelayoutSubject],
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
                mayAsk ? nodeProvider(of: place) : failing(with: content)
            )
            if place.kind == nil {
                items.append((place.path, again))
            } else {
                supplementaries.append((place, again))
            }
        }
        items.sort { $0.path < $1.path }
        return latchedRelayout(of: map, items, inOrderOfRuns(supplementaries, of: map), request)
    }

    /// For what is measured again while it is being prepared: asked only if that comes to nothing.
    private func failing(with content: ElementContent) -> NodeProvider {
        {
            if case .failed(let error) = content.state { throw error }
            throw ElementError.removedBeforeAllocation
        }
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
