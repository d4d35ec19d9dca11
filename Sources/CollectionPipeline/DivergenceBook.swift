import CollectionElements

/// What may differ since which refusal: a value, told of refusals and acceptances.
struct DivergenceBook {
    private var countsSince: SubmissionID?
    private var contentSince: SubmissionID?
    /// Sections with lower identifiers were there when a submission was refused last.
    private var firstFreshSection = 0
    /// Whether items that were there by then have been moved into a section that was not.
    private var hasStrays = false

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
        countsSince.map { .counts(since: $0) } ?? contentSince.map { .content(since: $0) }
    }

    /// Takes note of a submission that was refused after the model may have changed.
    ///
    /// - Parameter nextSectionID: what the next section that is accepted will be called.
    mutating func refused(_ id: SubmissionID, nextSectionID: Int) {
        countsSince = countsSince ?? id
        contentSince = contentSince ?? id
        // Whatever is there is under suspicion again.
        firstFreshSection = nextSectionID
        hasStrays = false
    }

    /// Takes note of an accepted set.
    ///
    /// Complexity: O(1) while nothing differs; else the set's edits, and a look at every section where
    /// the set takes sections out.
    mutating func accepted(_ extent: Extent) {
        guard contentSince != nil else { return }
        switch extent {
        case .nothing: return
        case .everything: self = DivergenceBook()
        case .edits(let update, let oldMap, let newMap):
            countsSince = nil
            if isActive(.trustsCounts) || endsSuspicion(update, oldMap, newMap) {
                self = DivergenceBook()
            }
        }
    }

    /// Whether nothing is left that was there at the last refusal.
    private mutating func endsSuspicion(
        _ update: ValidatedChangeSet,
        _ oldMap: ElementMap,
        _ newMap: ElementMap
    ) -> Bool {
        for edit in update.itemTakeOuts where edit.role == .move && !hasStrays {
            guard let target = edit.counterpart else { continue }
            hasStrays =
                !isFresh(oldMap.section(at: edit.path.section))
                && isFresh(newMap.section(at: target.section))
        }
        guard !hasStrays, update.sectionTakeOuts.contains(where: { $0.role != .move }) else {
            return false
        }
        return (0..<newMap.numberOfSections).allSatisfy { isFresh(newMap.section(at: $0)) }
    }

    private func isFresh(_ section: CollectionSection?) -> Bool {
        section.map { $0.id >= firstFreshSection } ?? true
    }
}
