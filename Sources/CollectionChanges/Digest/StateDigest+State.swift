// A digest of neighbours, and not of places: an edit changes who stands beside whom in a few places, so the digest
// needs no tree of its own and nothing is kept for it.

extension StateDigest {
    /// The digest of a state.
    ///
    /// ```swift
    /// var digest = StateDigest(of: current)
    /// let update = try next.changes(from: current)
    /// digest = try digest.updated(by: update, from: current, to: next)
    /// ```
    ///
    /// The function: a section with items x₁…xₙ has the links (s, x₁), (x₁, x₂) … (xₙ, s), or (s, s) where
    /// it is empty; sections s₁…sₘ have (0, s₁), (s₁, s₂) … (sₘ, 0), or (0, 0). A link's hash is that of
    /// ``StableHasher``, with the usual key, over the 16 bytes of both digests (0 has none but zeros) and a
    /// byte 3 for items or 4 for sections. The digest is the sum of all hashes, modulo 2¹²⁸, the lowest byte first.
    ///
    /// That identifiers are unique is what makes it depend on the order: then who follows whom says it all. Of two
    /// states that both have an identifier twice, the digest says only whether their neighbours are the same.
    ///
    /// Complexity: O(n), two hashes an item.
    ///
    /// Source: sums of hashes for multisets, after Clarke, Devadas, van Dijk, Gassend and Suh, "Incremental multiset
    /// hash functions and their application to memory integrity checking" (2003).
    @inlinable
    public init(of state: some DigestedState) {
        var sum = LinkSum(StateDigest(low: 0, high: 0))
        var last = ElementDigest.ends
        for section in 0..<state.numberOfSections {
            let head = state.digest(ofSection: section)
            sum.count(.coming, last, head, .sections)
            sum.countItems(.coming, ofSection: section, state)
            last = head
        }
        sum.count(.coming, last, .ends, .sections)
        self = sum.digest
    }

    /// The digest of `new`, where this is the one of `old`.
    ///
    /// Shape: old paths are asked of `old`, new ones of `new`; of both only what the update names, and its neighbours.
    ///
    /// Threading: a pure function, callable from anywhere.
    ///
    /// Complexity: some six hashes and two look-ups an edit, whatever the number of items; sections that come, go or are
    /// reloaded cost what is in them.
    ///
    /// - Parameters:
    ///   - update: leads from `old` to `new`; items whose revision changed are reconfigured or reloaded in it.
    ///   - old: the state that this is the digest of.
    ///   - new: the state after the update.
    /// - Throws: `sectionCount` or `itemCount` where a state has other counts than the update, as far as they are looked
    ///   at.
    @inlinable
    public func updated(
        by update: ValidatedChangeSet,
        from old: some DigestedState,
        to new: some DigestedState
    ) throws(HierarchyUpdateError) -> StateDigest {
        if update.isReloadData { return StateDigest(of: new) }
        let changes = DigestChanges(update)
        try update.check(old, at: changes.oldSections, against: update.oldShape)
        try update.check(new, at: changes.newSections, against: update.newShape)
        var sum = LinkSum(self)
        for sections in changes.removedSections { sum.countSections(.going, sections, old) }
        for section in changes.endedSections { sum.countItems(.going, ofSection: section, old) }
        for run in changes.removedItems {
            sum.countItems(.going, run.items, ofSection: run.section, old)
        }
        for sections in changes.insertedSections { sum.countSections(.coming, sections, new) }
        for section in changes.freshSections { sum.countItems(.coming, ofSection: section, new) }
        for run in changes.insertedItems {
            sum.countItems(.coming, run.items, ofSection: run.section, new)
        }
        return sum.digest
    }
}

extension ValidatedChangeSet {
    /// Checks the counts of a state, those of some sections only.
    @inlinable
    func check(
        _ state: some DigestedState,
        at sections: [Int],
        against shape: HierarchyShape
    ) throws(HierarchyUpdateError) {
        guard state.numberOfSections == shape.numberOfSections else {
            throw otherCounts(shape.numberOfSections, state.numberOfSections, section: nil)
        }
        for section in sections {
            let (expected, found) = (
                shape.itemCounts[section], state.numberOfItems(inSection: section)
            )
            guard expected == found else { throw otherCounts(expected, found, section: section) }
        }
    }

    @usableFromInline
    func otherCounts(_ expected: Int, _ found: Int, section: Int?) -> HierarchyUpdateError {
        let what = section.map { "items in section \($0)" } ?? "sections"
        let summary = "the update is of \(expected) \(what), but the state has \(found)"
        return HierarchyUpdateError(
            section == nil ? .sectionCount : .itemCount,
            summary,
            section: section,
            oldShape: oldShape,
            newShape: newShape,
            summary: summary
        )
    }
}
