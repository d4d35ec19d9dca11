import CollectionElements

/// The state of the data source that step 1 needs in addition to the maps, and whether the
/// controller is calling the data source.
///
/// A value that the main lane owns.
struct DataSourceState {
    /// Whether a change set has been accepted since the beginning, or since the last `clear()`.
    /// Until then every change set is the initial load.
    var hasLoaded = false

    /// The identifier of the next section that is accepted.
    var nextSectionID = 0

    /// The possible differences between the data source and the accepted state.
    var divergences = DivergenceLedger()

    private var state = State.idle

    private enum State {
        case idle
        /// The controller is calling the data source or the layout delegate.
        case callingDataSource
        /// The data source or the layout delegate made a submission during the call, so the results
        /// of the call are discarded.
        case disturbed
    }

    /// Whether the controller is calling the data source, which must not submit anything during the
    /// call.
    var isCallingDataSource: Bool { state != .idle }

    mutating func began() { state = .callingDataSource }

    /// Records a submission made during a call to the data source. The change set that is being
    /// latched is then rejected.
    mutating func disturbed() { state = .disturbed }

    var isDisturbed: Bool { state == .disturbed }

    mutating func ended() { state = .idle }
}

/// The differences that rejected submissions may have caused. The ledger is a value that records
/// rejections and acceptances.
struct DivergenceLedger {
    private var countsSince: SubmissionID?
    private var outdatedContent: OutdatedContent?

    /// Content that may be older than the data source's content.
    fileprivate struct OutdatedContent {
        /// The first rejected submission that made content outdated.
        let since: SubmissionID
        /// The identifier that separates sections: those with lower identifiers existed at the last
        /// rejection.
        let firstNewSection: Int
        /// Whether items that existed at the last rejection were moved into a newer section.
        var hasStrays = false
    }

    /// The part of the data source's state that an accepted change set accounts for.
    enum Extent {
        /// Nothing: the data source was not called.
        case nothing
        /// The data source's counts, and the content of the edited elements.
        case edits(ValidatedChangeSet, oldMap: ElementMap, newMap: ElementMap)
        /// The whole state.
        case everything
    }

    var current: Divergence? {
        countsSince.map { .counts(since: $0) } ?? outdatedContent.map { .content(since: $0.since) }
    }

    /// Records a submission that was rejected after the model may have changed.
    ///
    /// - Parameters:
    ///   - map: The map of the last accepted change set.
    ///   - nextSectionID: The identifier of the next section that is accepted.
    mutating func rejected(_ id: SubmissionID, _ map: ElementMap, nextSectionID: Int) {
        countsSince = countsSince ?? id
        // All existing content may be outdated again. An empty map has no outdated content.
        outdatedContent =
            map.numberOfSections == 0
            ? nil
            : OutdatedContent(since: outdatedContent?.since ?? id, firstNewSection: nextSectionID)
    }

    /// Records an accepted change set.
    ///
    /// Complexity: O(1) if there is no divergence. Otherwise linear in the edits of the change set
    /// and, if it removes sections, in the number of sections.
    mutating func accepted(_ extent: Extent) {
        switch extent {
        case .nothing: break
        case .everything: self = DivergenceLedger()
        case .edits(let update, let oldMap, let newMap):
            countsSince = nil
            let isOver = outdatedContent?.ends(with: update, oldMap, newMap) == true
            if isOver { outdatedContent = nil }
        }
    }
}

extension DivergenceLedger.OutdatedContent {
    /// Returns whether all content from before the last rejection is gone.
    mutating func ends(
        with update: ValidatedChangeSet,
        _ oldMap: ElementMap,
        _ newMap: ElementMap
    ) -> Bool {
        // A reloaded item stays in its section.
        hasStrays =
            hasStrays
            || update.itemRemovals.contains { edit in
                guard let target = edit.associatedWith else { return false }
                return !isNew(edit.path.section, of: oldMap)
                    && isNew(target.section, of: newMap)
            }
        guard !hasStrays, update.sectionRemovals.contains(where: { $0.role != .move }) else {
            return false
        }
        return (0..<newMap.numberOfSections).allSatisfy { isNew($0, of: newMap) }
    }

    private func isNew(_ section: Int, of map: ElementMap) -> Bool {
        map.section(at: section).map { $0.id >= firstNewSection } ?? true
    }
}
