// The digest covers neighbours, not positions. An edit changes only a few pairs of neighbours, so
// the digest needs no tree and no other stored data.

extension StateDigest {
    /// Computes the digest of a state.
    ///
    /// ```swift
    /// var digest = StateDigest(of: current)
    /// let update = try next.changes(from: current)
    /// digest = try digest.updated(by: update, from: current, to: next)
    /// ```
    ///
    /// The function: a section s with items x₁…xₙ has the links (s, x₁), (x₁, x₂) … (xₙ, s). An
    /// empty section has the link (s, s). Sections s₁…sₘ have the links (0, s₁), (s₁, s₂) … (sₘ,
    /// 0), or (0, 0) if there are none. The hash of a link is that of ``StableHasher``, with the
    /// default key, over the 16 bytes of each of the two digests (all zeros for 0) and a byte 3 for
    /// items or 4 for sections. The digest is the sum of all hashes modulo 2¹²⁸, the lowest byte
    /// first.
    ///
    /// The digest depends on the order because identifiers are unique: the pairs of neighbours then
    /// determine the sequence. If an identifier occurs twice in both of two states, their digests
    /// show only whether the pairs of neighbours are the same.
    ///
    /// Complexity: O(n), two hashes for each item.
    ///
    /// Source: sums of hashes for multisets, after Clarke, Devadas, van Dijk, Gassend and Suh,
    /// "Incremental multiset hash functions and their application to memory integrity checking"
    /// (2003).
    @inlinable
    public init(of state: some DigestedState) {
        var sum = LinkSum(StateDigest(low: 0, high: 0))
        var last = ElementDigest.ends
        for section in 0..<state.numberOfSections {
            let head = state.digest(ofSection: section)
            sum.count(.adding, last, head, .sections)
            sum.countItems(.adding, ofSection: section, state)
            last = head
        }
        sum.count(.adding, last, .ends, .sections)
        self = sum.digest
    }

    /// Returns the digest of `new`, computed from this digest of `old`.
    ///
    /// Shape: `old` is queried with old paths, and `new` with new paths. Only the elements that the
    /// update names, and their neighbours, are read.
    ///
    /// Threading: a pure function, callable from any thread.
    ///
    /// Complexity: about six hashes and two lookups for each edit, independent of the number of
    /// items. A section that is inserted, deleted or reloaded costs O(n) for its n items.
    ///
    /// - Parameters:
    ///   - update: The update from `old` to `new`. It must reconfigure or reload every item whose
    ///     revision changed.
    ///   - old: The state of which this is the digest.
    ///   - new: The state after the update.
    /// - Throws: `sectionCount` or `itemCount` if the counts of a state differ from those of the
    ///   update. The item counts of sections that are not read are not checked.
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
        for sections in changes.removedSections { sum.countSections(.removing, sections, old) }
        for section in changes.removedRings { sum.countItems(.removing, ofSection: section, old) }
        for run in changes.removedItems {
            sum.countItems(.removing, run.items, ofSection: run.section, old)
        }
        for sections in changes.insertedSections { sum.countSections(.adding, sections, new) }
        for section in changes.addedRings { sum.countItems(.adding, ofSection: section, new) }
        for run in changes.insertedItems {
            sum.countItems(.adding, run.items, ofSection: run.section, new)
        }
        return sum.digest
    }
}

extension ValidatedChangeSet {
    /// Checks the number of sections of a state, and the item counts of some sections.
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
        let summary = "the update expects \(expected) \(what), but the state has \(found)"
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

/// The sum of the hashes of all pairs of neighbours; a digest is this sum.
///
/// Each section is a ring that leads from the section along its items and back to the section. The
/// sections form another ring, which begins and ends with `ElementDigest.ends`. A section that
/// moves therefore keeps its ring at no cost.
@usableFromInline
struct LinkSum {
    @usableFromInline var total: UInt128

    @inlinable
    init(_ digest: StateDigest) {
        total = UInt128(digest.high) << 64 | UInt128(digest.low)
    }

    @inlinable
    var digest: StateDigest {
        StateDigest(
            low: UInt64(truncatingIfNeeded: total),
            high: UInt64(truncatingIfNeeded: total >> 64)
        )
    }

    /// The ring that a link belongs to.
    @usableFromInline
    enum Ring: UInt8 {
        case items = 3
        case sections = 4
    }

    /// Whether links are added or removed.
    @usableFromInline
    enum Change {
        case adding
        case removing

        @inlinable
        var opposite: Change { self == .adding ? .removing : .adding }
    }

    @inlinable
    mutating func count(
        _ change: Change,
        _ first: ElementDigest,
        _ second: ElementDigest,
        _ ring: Ring
    ) {
        // The elements' hashes already depend on the key. The words are fed first, which keeps them
        // aligned.
        var hasher = StableHasher()
        hasher.combine(first.low)
        hasher.combine(first.high)
        hasher.combine(second.low)
        hasher.combine(second.high)
        hasher.combine(ring.rawValue)
        let link = LinkSum(hasher.finish()).total
        switch change {
        case .adding: total &+= link
        case .removing: total &-= link
        }
    }

    // MARK: Parts of rings

    /// Adds or removes the whole ring of a section.
    @inlinable
    mutating func countItems(_ change: Change, ofSection section: Int, _ state: some DigestedState)
    {
        let head = state.digest(ofSection: section)
        var last = head
        state.forEachItemDigest(
            in: 0..<state.numberOfItems(inSection: section),
            ofSection: section
        ) { item in
            count(change, last, item, .items)
            last = item
        }
        count(change, last, head, .items)
    }

    /// Adds or removes a range of items in a section's ring, with the links at both ends. The link
    /// between the two elements around the range changes the opposite way: they are neighbours only
    /// without the range.
    @inlinable
    mutating func countItems(
        _ change: Change,
        _ range: Range<Int>,
        ofSection section: Int,
        _ state: some DigestedState
    ) {
        let head = state.digest(ofSection: section)
        let itemCount = state.numberOfItems(inSection: section)
        let first = Swift.max(0, range.lowerBound - 1)
        var last: ElementDigest? = range.lowerBound == 0 ? head : nil
        var before = head
        state.forEachItemDigest(
            in: first..<Swift.min(range.upperBound + 1, itemCount),
            ofSection: section
        ) { item in
            if let last { count(change, last, item, .items) } else { before = item }
            last = item
        }
        var after = last ?? head
        if range.upperBound == itemCount {
            count(change, after, head, .items)
            after = head
        }
        count(change.opposite, before, after, .items)
    }

    /// Adds or removes a range of sections in the ring of sections, as `countItems` does for items.
    @inlinable
    mutating func countSections(_ change: Change, _ range: Range<Int>, _ state: some DigestedState)
    {
        let sectionCount = state.numberOfSections
        func digest(_ section: Int) -> ElementDigest {
            section < 0 || section == sectionCount ? .ends : state.digest(ofSection: section)
        }
        let before = digest(range.lowerBound - 1)
        var last = before
        for section in range.lowerBound...range.upperBound {
            let next = digest(section)
            count(change, last, next, .sections)
            last = next
        }
        count(change.opposite, before, last, .sections)
    }
}

/// The changes that an update makes to the rings of a state (see ``LinkSum``): runs of neighbours
/// that are removed, and runs that are inserted.
///
/// The runs are removed from the old state and inserted into the new one. In the intermediate state
/// all staying elements are adjacent. A section that only moves keeps its ring.
@usableFromInline
struct DigestChanges {
    @usableFromInline var removedSections: [Range<Int>] = []
    @usableFromInline var insertedSections: [Range<Int>] = []
    /// The old indexes of the sections whose rings are removed: deleted and reloaded sections.
    @usableFromInline var removedRings: [Int] = []
    /// The new indexes of the sections whose rings are added: inserted and reloaded sections.
    @usableFromInline var addedRings: [Int] = []
    /// Runs in sections whose rings stay.
    @usableFromInline var removedItems: [Run] = []
    @usableFromInline var insertedItems: [Run] = []

    @usableFromInline
    struct Run {
        @usableFromInline var section: Int
        @usableFromInline var items: Range<Int>
    }

    /// The old indexes of the sections whose items are read.
    @usableFromInline var oldSections: [Int] { removedRings + removedItems.map(\.section) }
    /// The new indexes of the sections whose items are read.
    @usableFromInline var newSections: [Int] { addedRings + insertedItems.map(\.section) }

    @usableFromInline
    init(_ update: ValidatedChangeSet) {
        for edit in update.sectionRemovals.reversed() {
            Self.extend(&removedSections, edit.section)
            if edit.role != .move { removedRings.append(edit.section) }
        }
        for edit in update.sectionInsertions {
            Self.extend(&insertedSections, edit.section)
            if edit.role != .move { addedRings.append(edit.section) }
        }
        var oldPaths: [ItemPath] = update.itemRemovals.reversed().map(\.path)
        var newPaths: [ItemPath] = update.itemInsertions.map(\.path)
        if !update.reconfigurations.isEmpty {
            // A reconfigured item may have another revision.
            oldPaths = (oldPaths + update.reconfigurations.map(\.oldPath)).sorted()
            newPaths = (newPaths + update.reconfigurations.map(\.newPath)).sorted()
        }
        removedItems = Self.runs(of: oldPaths, outside: removedRings)
        insertedItems = Self.runs(of: newPaths, outside: addedRings)
    }

    private static func extend(_ ranges: inout [Range<Int>], _ index: Int) {
        if let last = ranges.last, last.upperBound == index {
            ranges[ranges.count - 1] = last.lowerBound..<index + 1
        } else {
            ranges.append(index..<index + 1)
        }
    }

    /// Returns the runs of neighbours among ascending paths, outside the given sections, which
    /// ascend too.
    private static func runs(of paths: [ItemPath], outside sections: [Int]) -> [Run] {
        var runs: [Run] = []
        var rest = sections[...]
        for path in paths {
            while let section = rest.first, section < path.section { rest.removeFirst() }
            if rest.first == path.section { continue }
            if let last = runs.last, last.section == path.section,
                last.items.upperBound >= path.item
            {
                // A moved item that is also reconfigured occurs twice.
                runs[runs.count - 1].items = last.items.lowerBound..<path.item + 1
            } else {
                runs.append(Run(section: path.section, items: path.item..<path.item + 1))
            }
        }
        return runs
    }
}
