import CollectionElements

/// What may differ since which rejection: a value, told of rejections and acceptances.
struct DivergenceLedger {
    private var countsSince: SubmissionID?
    private var suspicion: Suspicion?

    /// That content may be older than in the data source.
    fileprivate struct Suspicion {
        /// The first rejected submission that it comes from.
        let since: SubmissionID
        /// Sections with lower identifiers were there when a submission was rejected last.
        let firstFreshSection: Int
        /// Whether items that were there by then have been moved into a section that was not.
        var hasStrays = false
    }

    /// How much an accepted set accounts for.
    enum Extent {
        /// Nothing of what the data source has now: it was not asked.
        case nothing
        /// Its counts, and the content that was brought.
        case edits(ValidatedChangeSet, oldMap: ElementMap, newMap: ElementMap)
        /// Everything.
        case everything
    }

    var current: Divergence? {
        countsSince.map { .counts(since: $0) } ?? suspicion.map { .content(since: $0.since) }
    }

    /// Takes note of a submission that was rejected after the model may have changed.
    ///
    /// - Parameters:
    ///   - map: what is accepted.
    ///   - nextSectionID: what the next section that is accepted will be called.
    mutating func rejected(_ id: SubmissionID, _ map: ElementMap, nextSectionID: Int) {
        countsSince = countsSince ?? id
        // Whatever is there is under suspicion again; where nothing is, nothing is older.
        suspicion =
            map.numberOfSections == 0
            ? nil : Suspicion(since: suspicion?.since ?? id, firstFreshSection: nextSectionID)
    }

    /// Takes note of an accepted set.
    ///
    /// Complexity: O(1) while nothing differs; else the set's edits, and a look at every section where
    /// the set takes sections out.
    mutating func accepted(_ extent: Extent) {
        switch extent {
        case .nothing: break
        case .everything: self = DivergenceLedger()
        case .edits(let update, let oldMap, let newMap):
            countsSince = nil
            let isOver = suspicion?.ends(with: update, oldMap, newMap) == true
            if isOver { suspicion = nil }
        }
    }
}

extension DivergenceLedger.Suspicion {
    /// Whether nothing is left that was there at the last rejection.
    mutating func ends(
        with update: ValidatedChangeSet,
        _ oldMap: ElementMap,
        _ newMap: ElementMap
    ) -> Bool {
        // What is reloaded stays in its section.
        hasStrays =
            hasStrays
            || update.itemRemovals.contains { edit in
                guard let target = edit.associatedWith else { return false }
                return !isFresh(edit.path.section, of: oldMap)
                    && isFresh(target.section, of: newMap)
            }
        guard !hasStrays, update.sectionRemovals.contains(where: { $0.role != .move }) else {
            return false
        }
        return (0..<newMap.numberOfSections).allSatisfy { isFresh($0, of: newMap) }
    }

    private func isFresh(_ section: Int, of map: ElementMap) -> Bool {
        map.section(at: section).map { $0.id >= firstFreshSection } ?? true
    }
}
