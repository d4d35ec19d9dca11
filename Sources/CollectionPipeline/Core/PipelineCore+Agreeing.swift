import CollectionElements

// What validation cannot see: whether the models of the pending map are those of the data source.

extension PipelineCore {
    typealias ModelEquality = (any Sendable, any Sendable) -> Bool?

    /// The first path at which map and data source differ. Main lane.
    func firstDisagreement(_ areEqual: ModelEquality) -> Disagreement? {
        // While a batch is open the model is ahead, and after a clear the map is meant to have nothing.
        guard admission.batch == nil, sourceState.hasLoaded, !sourceState.isAsking else {
            return nil
        }
        let found = asked { firstDifference(areEqual) }
        _ = agreement.checked(finding: found != nil, isComplete: true)
        return found
    }

    /// Looks at what the configuration says, after a set was accepted.
    func checkContent(after request: SubmissionRequest) {
        let (found, isComplete): (Disagreement?, Bool)
        switch configuration.contentCheck {
        case .never: return
        // Nobody would be told.
        case _ where observer == nil: return
        // The caller has been told already that they may differ.
        case _ where divergence != nil: return
        case .all: (found, isComplete) = (asked { firstDifference(Self.equality) }, true)
        case .sample(let count):
            (found, isComplete) = (asked { nextDifference(among: count) }, false)
        }
        guard agreement.checked(finding: found != nil, isComplete: isComplete) else { return }
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
        for section in 0..<max(map.numberOfSections, sections) {
            let inMap = map.numberOfItems(inSection: section) ?? 0
            let inSource = section < sections ? numberInSource(section) : 0
            for item in 0..<min(inMap, inSource) {
                let path = ItemPath(section: section, item: item)
                guard let model = map.content(at: path)?.model else { continue }
                if let found = difference(path, model, areEqual) { return found }
            }
            if inMap != inSource || section >= min(map.numberOfSections, sections) {
                let path = ItemPath(section: section, item: min(inMap, inSource))
                let model = inSource > inMap ? dataSource.model(forItemAt: path) : nil
                return disagreement(path, map.content(at: path)?.model, model)
            }
        }
        return nil
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
        while left > 0 {
            let items = Array(map.items(from: agreement.nextSample).prefix(left))
            left -= items.count
            // Behind the last item of all there are none, and the next round begins at the beginning.
            let next = items.last.map { ItemPath(section: $0.path.section, item: $0.path.item + 1) }
            agreement.nextSample = next ?? ItemPath(section: 0, item: 0)
            for item in items {
                guard let model = item.content.model else { continue }
                let section = item.path.section
                if counted.section != section {
                    counted = (section, section < sections ? numberInSource(section) : 0)
                }
                guard item.path.item < counted.items else {
                    return disagreement(item.path, model, nil)
                }
                if let found = difference(item.path, model, Self.equality) { return found }
            }
        }
        return nil
    }

    private func difference(
        _ path: ItemPath,
        _ model: any Sendable,
        _ areEqual: ModelEquality
    ) -> Disagreement? {
        let inSource = dataSource.model(forItemAt: path)
        // What cannot be compared is not known to differ.
        guard inSource.map({ areEqual(model, $0) == false }) ?? true else { return nil }
        return disagreement(path, model, inSource)
    }

    private func disagreement(
        _ path: ItemPath,
        _ inMap: (any Sendable)?,
        _ inSource: (any Sendable)?
    ) -> Disagreement {
        Disagreement(
            dataSourcePath: path,
            viewPath: visibleMap.convert(path, from: pendingMap),
            modelInMap: inMap,
            modelInSource: inSource,
            lastAgreement: agreement.lastAgreement
        )
    }
}
