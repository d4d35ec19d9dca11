/// The sum of the hashes of who stands beside whom, which a digest is.
///
/// Each section is a ring: from itself along its items and back to itself; and the sections are a ring that begins
/// and ends with `ElementDigest.ends`. So a section that moves takes its items along at no cost.
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

    /// Which ring a link is in.
    @usableFromInline
    enum Ring: UInt8 {
        case items = 3
        case sections = 4
    }

    /// Whether links come or go.
    @usableFromInline
    enum Change {
        case coming
        case going

        @inlinable
        var opposite: Change { self == .coming ? .going : .coming }
    }

    @inlinable
    mutating func count(
        _ change: Change,
        _ first: ElementDigest,
        _ second: ElementDigest,
        _ ring: Ring
    ) {
        // The elements' hashes have the key already. The words come first, which keeps them aligned.
        var hasher = StableHasher()
        hasher.combine(first.low)
        hasher.combine(first.high)
        hasher.combine(second.low)
        hasher.combine(second.high)
        hasher.combine(ring.rawValue)
        let link = LinkSum(hasher.finish()).total
        switch change {
        case .coming: total &+= link
        case .going: total &-= link
        }
    }
}

// MARK: - Parts of rings

extension LinkSum {
    /// Counts the whole ring of a section.
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

    /// Counts some neighbours of a section, with the links at either end of them; and the other way the link
    /// between those beside them, who are neighbours without them.
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

    /// Counts neighbouring sections in the ring of sections, as the same does for items.
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
