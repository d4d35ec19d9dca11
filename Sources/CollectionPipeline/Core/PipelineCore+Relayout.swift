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

    /// What is measured again, and where it is.
    typealias RelayoutSubject = (place: ElementPlace, content: ElementContent)

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
        let map = pendingMap
        var contents: [(path: ItemPath, content: ElementContent)] = []
        for path in Set(paths).sorted() {
            guard let content = map.content(at: path) else {
                throw UpdateError(
                    .unknownElement,
                    "There is no item at \(path) to measure again in \(map.shape)"
                )
            }
            // What has no node is there, but has no size.
            guard itemMaker.makesNodes else { continue }
            let remeasured = remeasured(
                content,
                sizeRange(ofItemAt: path),
                dataSource.nodeProvider(forItemAt: path)
            )
            contents.append((path, remeasured))
        }
        return latchedRelayout(of: map, contents, [], request)
    }

    private func latchRelayoutOfAll(_ request: SubmissionRequest) -> Latched {
        let map = pendingMap
        var contents: [(path: ItemPath, content: ElementContent)] = []
        for item in map.items where itemMaker.makesNodes {
            let range = sizeRange(ofItemAt: item.path)
            guard isOutdated(item.content, range) else { continue }
            let content = remeasured(
                item.content,
                range,
                dataSource.nodeProvider(forItemAt: item.path)
            )
            contents.append((item.path, content))
        }
        var supplementaries: [RelayoutSubject] = []
        for section in 0..<map.numberOfSections {
            for run in map.supplementaries(inSection: section) {
                for (item, old) in run.contents.enumerated() {
                    let path = ItemPath(section: section, item: item)
                    let range = sizeRange(ofSupplementary: run.kind, at: path)
                    guard isOutdated(old, range) else { continue }
                    let content = remeasured(
                        old,
                        range,
                        dataSource.supplementaryNodeProvider(ofKind: run.kind, at: path)
                    )
                    supplementaries.append((ElementPlace(path: path, kind: run.kind), content))
                }
            }
        }
        var latched = latchedRelayout(of: map, contents, supplementaries, request)
        latched.work.limit = configuration.measuringPolicy.limit
        if let viewPath = view?.firstVisiblePath {
            latched.work.start = map.shape.place(nearestTo: viewPath)
        }
        return latched
    }

    private func sizeRange(ofItemAt path: ItemPath) -> SizeRange {
        sizeRangeRule.range(dataSource.sizeRange(forItemAt: path))
    }

    private func sizeRange(
        ofSupplementary kind: SupplementaryKind,
        at path: ItemPath
    ) -> SizeRange {
        sizeRangeRule.range(dataSource.sizeRange(forSupplementaryOfKind: kind, at: path))
    }

    /// Whether something changed that an element's size may depend on.
    private func isOutdated(_ content: ElementContent, _ range: SizeRange) -> Bool {
        range != content.sizeRange || Mutant.measuresUnchanged.isActive
            || !content.element.isMeasuredWithCurrentTraits(content)
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
        content.mayLackItsNode && !Mutant.keepsOldNode.isActive
    }

    func latchedRelayout(
        of map: ElementMap,
        _ contents: [(path: ItemPath, content: ElementContent)],
        _ supplementaries: [RelayoutSubject],
        _ request: SubmissionRequest
    ) -> Latched {
        let newMap = map.replacingContents(
            contents,
            supplementaries: supplementaries,
            generation: map.generation + 1
        )
        var work = PreparationWork()
        if layoutDelegate == nil {
            work.singles = contents + supplementaries.map { ($0.place.path, $0.content) }
        }
        return Latched(
            update: .unchanged(map.shape),
            map: newMap,
            work: work,
            remeasured: contents.map { $0.content } + supplementaries.map { $0.content },
            remeasuredPlaces: contents.map { ElementPlace(path: $0.path) }
                + supplementaries.map { $0.place },
            layoutContext: layoutContext(for: newMap, request),
            nextSectionID: sourceState.nextSectionID
        )
    }
}
