import CollectionElements

// Content checks: validation cannot see whether the models of the pending map are those of the data
// source.

extension PipelineCore {
    typealias ModelEquality = (any Sendable, any Sendable) -> Bool?

    /// Returns the first path at which the map and the data source differ, or the reason that no
    /// comparison is possible. Main lane.
    func firstContentMismatch(_ areEqual: ModelEquality) -> ContentMismatch? {
        if sourceState.isCallingDataSource { return contentMismatch(.isBeingQueried) }
        // The model is ahead of the map.
        if admission.batch != nil { return contentMismatch(.batchIsOpen) }
        // After a clear the map is intentionally empty.
        if !sourceState.hasLoaded { return contentMismatch(.notLoaded) }
        let found = comparingContent { firstDifference(areEqual) }
        _ = agreement.checked(found, isComplete: true)
        return found
    }

    /// Compares the content that the configuration selects, after a change set was accepted.
    func checkContent(after request: SubmissionRequest) {
        let (found, isComplete): (ContentMismatch?, Bool)
        switch configuration.contentCheck {
        case .never: return
        // The caller has already been notified that the content may differ.
        case _ where divergence != nil: return
        case .all: (found, isComplete) = (comparingContent { firstDifference(Self.equality) }, true)
        case .sample(let count):
            (found, isComplete) = (comparingContent { nextDifference(among: count) }, false)
        }
        agreement.note(found)
        guard agreement.checked(found, isComplete: isComplete) else { return }
        observe(.disagreed, request.id, request.callerContext) { $0.contentMismatch = found }
    }

    /// Returns whether two models are equal, or `nil` if they cannot be compared.
    static func equality(_ left: any Sendable, _ right: any Sendable) -> Bool? {
        func isEqual<Model: Equatable>(_ left: Model) -> Bool { right as? Model == left }
        return (left as? any Equatable).map { isEqual($0) }
    }

    /// Runs `body`, which calls the data source. The data source must not submit anything in the
    /// meantime.
    private func comparingContent(_ body: () -> ContentMismatch?) -> ContentMismatch? {
        sourceState.began()
        defer { sourceState.ended() }
        return body()
    }

    private func firstDifference(_ areEqual: ModelEquality) -> ContentMismatch? {
        let (map, sections) = (pendingMap, dataSource.numberOfSections())
        var unchecked: ContentMismatch?
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
                return contentMismatch(.differs, path, map.content(at: path)?.model, model)
            }
        }
        return unchecked
    }

    /// A data source may return any number.
    private func numberInSource(_ section: Int) -> Int {
        max(0, dataSource.numberOfItems(inSection: section))
    }

    /// Compares a sample that continues after the previous one, and starts again at the end.
    private func nextDifference(among count: Int) -> ContentMismatch? {
        let (map, sections) = (pendingMap, dataSource.numberOfSections())
        // If the data source names changed sections, the controller does not read all its counts,
        // so it may have fewer sections than the map.
        var counted: (section: Int, items: Int) = (-1, 0)
        var left = min(max(0, count), map.numberOfItems)
        var unchecked: ContentMismatch?
        while left > 0 {
            let items = Array(map.items(from: agreement.nextSample).prefix(left))
            left -= items.count
            // After the last item of all, the next sample starts at the beginning.
            let next = items.last.map { ItemPath(section: $0.path.section, item: $0.path.item + 1) }
            agreement.nextSample = next ?? ItemPath(section: 0, item: 0)
            for item in items {
                let (section, model) = (item.path.section, item.content.model)
                if counted.section != section {
                    counted = (section, section < sections ? numberInSource(section) : 0)
                }
                guard item.path.item < counted.items else {
                    return contentMismatch(.differs, item.path, model, nil)
                }
                if let found = difference(item.path, model, Self.equality, &unchecked) {
                    return found
                }
            }
        }
        return unchecked
    }

    /// Returns the difference at a path, or `nil`. Items that cannot be compared are not
    /// differences: the first of them is stored, and all are counted.
    private func difference(
        _ path: ItemPath,
        _ inMap: (any Sendable)?,
        _ areEqual: ModelEquality,
        _ unchecked: inout ContentMismatch?
    ) -> ContentMismatch? {
        let inSource = dataSource.model(forItemAt: path)
        let reason: ContentMismatch.Reason
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
        if reason == .differs { return contentMismatch(reason, path, inMap, inSource) }
        unchecked = unchecked ?? contentMismatch(reason, path, inMap, inSource)
        unchecked?.uncheckedCount += 1
        return nil
    }

    private func contentMismatch(
        _ reason: ContentMismatch.Reason,
        _ path: ItemPath? = nil,
        _ inMap: (any Sendable)? = nil,
        _ inSource: (any Sendable)? = nil
    ) -> ContentMismatch {
        ContentMismatch(
            reason: reason,
            dataSourcePath: path,
            viewPath: path.flatMap { visibleMap.convert($0, from: pendingMap) },
            modelInMap: inMap,
            modelInSource: inSource,
            lastAgreement: agreement.lastAgreement
        )
    }
}

/// The results of comparisons between the models of the map and the data source.
///
/// A value that the main lane owns.
struct ContentAgreement {
    /// The change set that was accepted last.
    var lastAccepted: SubmissionID?
    /// The last accepted change set after which a check found nothing.
    private(set) var lastAgreement: SubmissionID?
    /// The start of the next sample.
    var nextSample = ItemPath(section: 0, item: 0)
    /// Whether the observer was notified of a difference that no later check has found resolved.
    private var hasReportedDifference = false
    /// Whether the observer was notified of items that cannot be compared, which is reported once.
    private var hasReportedUnchecked = false
    /// The first finding of the configured checks. A difference takes precedence over items that
    /// cannot be compared.
    private(set) var firstFinding: ContentMismatch?

    /// Records that a change set with all content was accepted, which resolves a reported
    /// difference.
    mutating func renewed() { hasReportedDifference = false }

    /// Stores a finding of a configured check.
    mutating func note(_ found: ContentMismatch?) {
        if firstFinding == nil || firstFinding?.reason != .differs && found?.reason == .differs {
            firstFinding = found
        }
    }

    /// Records the result of a check.
    ///
    /// - Parameters:
    ///   - found: The finding of the check; `nil` if it found nothing.
    ///   - isComplete: Whether the check compared all content.
    /// - Returns: Whether to report the finding. Only the first one is reported, because later ones
    ///   may follow from it.
    mutating func checked(_ found: ContentMismatch?, isComplete: Bool) -> Bool {
        let differs = found?.reason == .differs
        defer {
            if differs || isComplete { hasReportedDifference = differs }
            if found != nil, !differs { hasReportedUnchecked = true }
        }
        // After a reported difference, a sample without a finding proves nothing.
        if found == nil, isComplete || !hasReportedDifference { lastAgreement = lastAccepted }
        return differs ? !hasReportedDifference : found != nil && !hasReportedUnchecked
    }
}
