import CollectionElements

// What validation cannot see: whether the models of the pending map are those of the data source.

extension PipelineCore {
    typealias ModelEquality = (any Sendable, any Sendable) -> Bool?

    /// The first path at which map and data source differ, or why that cannot be said. Main lane.
    func firstDisagreement(_ areEqual: ModelEquality) -> Disagreement? {
        if sourceState.isAsking { return disagreement(.isBeingAsked) }
        // The model is ahead.
        if admission.batch != nil { return disagreement(.batchIsOpen) }
        // After a clear the map is meant to have nothing.
        if !sourceState.hasLoaded { return disagreement(.notLoaded) }
        let found = asked { firstDifference(areEqual) }
        _ = agreement.checked(found, isComplete: true)
        return found
    }

    /// Looks at what the configuration says, after a set was accepted.
    func checkContent(after request: SubmissionRequest) {
        let (found, isComplete): (Disagreement?, Bool)
        switch configuration.contentCheck {
        case .never: return
        // The caller has been told already that they may differ.
        case _ where divergence != nil: return
        case .all: (found, isComplete) = (asked { firstDifference(Self.equality) }, true)
        case .sample(let count):
            (found, isComplete) = (asked { nextDifference(among: count) }, false)
        }
        agreement.note(found)
        guard agreement.checked(found, isComplete: isComplete) else { return }
        observe(.disagreed, request.id, request.context) { $0.disagreement = found }
    }

    /// Whether two models are equal, where they can be compared.
    static func equality(_ left: any Sendable, _ right: any Sendable) -> Bool? {
        func isEqual<Model: Equatable>(_ left: Model) -> Bool { right as? Model == left }
        return (left as? any Equatable).map { isEqual($0) }
    }

    /// Asks the data source, which must not submit meanwhile.
    private func asked(_ body: () -> Disagreement?) -> Disagreement? {
        sourceState.began()
        defer { sourceState.ended() }
        return body()
    }

    private func firstDifference(_ areEqual: ModelEquality) -> Disagreement? {
        let (map, sections) = (pendingMap, dataSource.numberOfSections())
        var unchecked: Disagreement?
        for section in 0..<max(map.numberOfSections, sections) {
            let inMap = map.numberOfItems(inSection: section) ?? 0
            let inSource = section < sections ? numberInSource(section) : 0
            for item in 0..<min(inMap, inSource) {
                let path = ItemPath(section: section, item: item)
                let model = map.content(at: path)?.model
                if let found = difference(path, model, areEqual, &unchecked) { return found }
            }
            if inMap != inSource || section >= min(map.numberOfSections, sections) {
                let path = ItemPath(section: section, item: min(inMap, inSource))
                let model = inSource > inMap ? dataSource.model(forItemAt: path) : nil
                return disagreement(.differs, path, map.content(at: path)?.model, model)
            }
        }
        return unchecked
    }

    /// Any number may be answered.
    private func numberInSource(_ section: Int) -> Int {
        max(0, dataSource.numberOfItems(inSection: section))
    }

    /// Goes on where the last sample ended, from the end to the beginning.
    private func nextDifference(among count: Int) -> Disagreement? {
        let (map, sections) = (pendingMap, dataSource.numberOfSections())
        // A data source that names what changed is not asked for all counts, and may have fewer.
        var counted: (section: Int, items: Int) = (-1, 0)
        var left = min(max(0, count), map.numberOfItems)
        var unchecked: Disagreement?
        while left > 0 {
            let items = Array(map.items(from: agreement.nextSample).prefix(left))
            left -= items.count
            // Behind the last item of all there are none, and the next round begins at the beginning.
            let next = items.last.map { ItemPath(section: $0.path.section, item: $0.path.item + 1) }
            agreement.nextSample = next ?? ItemPath(section: 0, item: 0)
            for item in items {
                let (section, model) = (item.path.section, item.content.model)
                if counted.section != section {
                    counted = (section, section < sections ? numberInSource(section) : 0)
                }
                guard item.path.item < counted.items else {
                    return disagreement(.differs, item.path, model, nil)
                }
                if let found = difference(item.path, model, Self.equality, &unchecked) {
                    return found
                }
            }
        }
        return unchecked
    }

    /// What differs at a path. What cannot be compared is not known to differ: the first such item is noted, and all
    /// are counted.
    private func difference(
        _ path: ItemPath,
        _ inMap: (any Sendable)?,
        _ areEqual: ModelEquality,
        _ unchecked: inout Disagreement?
    ) -> Disagreement? {
        let inSource = dataSource.model(forItemAt: path)
        let reason: Disagreement.Reason
        switch (inMap, inSource) {
        case (nil, nil): reason = .noModel
        case (nil, _), (_, nil): reason = .differs
        case (let inMap?, let inSource?):
            guard let isEqual = areEqual(inMap, inSource) else {
                reason = .notEquatable
                break
            }
            if isEqual { return nil }
            reason = .differs
        }
        if reason == .differs { return disagreement(reason, path, inMap, inSource) }
        unchecked = unchecked ?? disagreement(reason, path, inMap, inSource)
        unchecked?.uncheckedCount += 1
        return nil
    }

    private func disagreement(
        _ reason: Disagreement.Reason,
        _ path: ItemPath? = nil,
        _ inMap: (any Sendable)? = nil,
        _ inSource: (any Sendable)? = nil
    ) -> Disagreement {
        Disagreement(
            reason: reason,
            dataSourcePath: path,
            viewPath: path.flatMap { visibleMap.convert($0, from: pendingMap) },
            modelInMap: inMap,
            modelInSource: inSource,
            lastAgreement: agreement.lastAgreement
        )
    }
}
