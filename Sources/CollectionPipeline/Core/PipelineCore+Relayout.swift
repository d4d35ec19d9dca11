import CollectionElements
import PersistentTrees

// Measuring again what is there: a change set without edits, which takes the same way as every other.

extension PipelineCore {
    /// Which elements a relayout concerns.
    enum RelayoutScope {
        /// Those at these paths of the pending map, whether or not their range changes.
        case items([ItemPath])
        /// Those whose size range or traits are no longer what they were measured with.
        case all
    }

    @discardableResult
    func relayout(
        _ scope: RelayoutScope,
        _ request: SubmissionRequest
    ) throws(UpdateError) -> SubmissionID {
        try admit(request)
        return try submit(request) { () throws(UpdateError) in
            // Without a first load there is nothing to measure again, and every submission is that.
            guard sourceState.hasLoaded else { return try latch(HierarchyChangeSet(), request) }
            // The data source is about to be asked for what is at the map's paths, which may be
            // something else by now: known since a rejection, or seen in its counts.
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
    ) throws(UpdateError) -> Latched {
        let (map, rule) = (pendingMap, sizeRangeRule)
        var subjects = RelayoutSubjects()
        for path in Set(paths).sorted() {
            guard let content = map.content(at: path) else {
                throw UpdateError(
                    .unknownElement,
                    "There is no item at \(path) to measure again in \(map.shape)"
                )
            }
            // What has no node is there, but has no size.
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

    private func latchRelayoutOfAll(_ request: SubmissionRequest) -> Latched {
        let rule = sizeRangeRule
        return latchedRelayout(of: subjectsOfRelayout(for: rule), for: rule, request)
    }

    /// The same model within another range; `provider` is asked for only where its node is not there yet.
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

    /// Whether measuring a content again needs a provider, as far as it is known by now.
    func lacksNode(_ content: ElementContent) -> Bool {
        mayLackItsNode(content) || content.element.nodeIfAllocated == nil
    }

    /// A reconfiguration that fails leaves behind a node that may not take the model.
    private func mayLackItsNode(_ content: ElementContent) -> Bool {
        content.mayLackItsNode
    }

    func latchedRelayout(
        of subjects: RelayoutSubjects,
        _ request: SubmissionRequest
    ) -> Latched {
        let map = pendingMap
        let newMap = map.replacingContents(
            subjects.items,
            supplementaries: subjects.supplementaries,
            generation: map.generation + 1
        )
        var work = PreparationWork()
        work.asked = subjects.asked
        if layoutDelegate == nil {
            work.singles =
                subjects.items
                + (subjects.supplementaries + subjects.first).map { ($0.place.path, $0.content) }
        }
        return Latched(
            update: .unchanged(map.shape),
            map: newMap,
            work: work,
            remeasured: subjects.items.map { $0.content }
                + subjects.supplementaries.map { $0.content },
            asked: subjects.asked,
            remeasuredPlaces: subjects.places,
            layoutContext: layoutContext(for: newMap, request),
            nextSectionID: sourceState.nextSectionID
        )
    }
}
