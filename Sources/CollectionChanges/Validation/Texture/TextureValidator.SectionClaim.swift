// Sections as recorded, and the rule that the last operation on each section applies.

extension TextureValidator {
    /// A run of neighbouring sections in one operation.
    struct SectionClaim {
        var sections: ClosedRange<Int>
        var operation: Int
        var animation: AnimationOption
    }
}

extension [TextureValidator.SectionClaim] {
    mutating func append(_ sections: SectionSet, _ operation: Int, _ animation: AnimationOption) {
        for run in sections.runs {
            append(Element(sections: run, operation: operation, animation: animation))
        }
    }

    /// Returns the last recorded operation that contains `section`.
    func operation(naming section: Int) -> Int? {
        last { $0.sections.contains(section) }?.operation
    }

    /// Returns every section once, ascending, with the animation of the last operation that
    /// contains it.
    ///
    /// Complexity: O(n + r) for r claims on sections below `count`, which is n.
    func animations(below count: Int) -> [(section: Int, animation: AnimationOption)] {
        if isEmpty { return [] }
        // The newest claims are processed first, and each takes the sections that are still free.
        var animations = Array<AnimationOption?>(repeating: nil, count: count)
        var free = FreeSections(count: count)
        for claim in reversed() {
            while let section = free.take(from: claim.sections) {
                animations[section] = claim.animation
            }
        }
        return animations.enumerated().compactMap { section, animation in
            animation.map { (section, $0) }
        }
    }
}

/// Sections, each of which can be taken once.
///
/// Complexity: O(log n) amortised to find the next free section after a taken stretch of any
/// length, because every search shortens the path for the next: union-find with path halving.
private struct FreeSections {
    /// For a free section, the section itself; otherwise a later one, towards the next free one.
    private var next: [Int]

    init(count: Int) { next = Array(0...count) }

    /// Takes and returns the first free section of a run, or returns `nil` if there is none.
    mutating func take(from run: ClosedRange<Int>) -> Int? {
        var section = run.lowerBound
        while next[section] != section {
            next[section] = next[next[section]]
            section = next[section]
        }
        guard section <= run.upperBound else { return nil }
        next[section] = section + 1
        return section
    }
}

extension SectionSet {
    /// Creates the set of all sections in `claims`.
    ///
    /// Complexity: O(r log r) for r claims.
    init(_ claims: [TextureValidator.SectionClaim]) {
        self.init(uniting: claims.map(\.sections))
    }

    /// Returns the lowest member that is not an index of an array of `count` elements.
    func lowestMember(outside count: Int) -> Int? {
        if let first, first < 0 { return first }
        let position = partitionPoint(runs.count) { runs[$0].upperBound >= count }
        return position < runs.count ? Swift.max(count, runs[position].lowerBound) : nil
    }

    /// Returns the lowest member that is also in `range`.
    func lowestMember(in range: ClosedRange<Int>) -> Int? {
        let position = partitionPoint(runs.count) { runs[$0].upperBound >= range.lowerBound }
        guard position < runs.count, runs[position].lowerBound <= range.upperBound else {
            return nil
        }
        return Swift.max(range.lowerBound, runs[position].lowerBound)
    }
}

extension TextureValidator {
    /// Rank and select over a set of sections that is stored as runs. Even a set that extends to
    /// `Int.max` costs only its runs. Negative members are ignored.
    ///
    /// Complexity: O(r) to make, O(log r) for a query, for r runs.
    struct SectionRanks {
        private let runs: [ClosedRange<Int>]
        /// The number of members below each run, followed by the total number of members.
        private let membersBelow: [Int]

        init(_ set: SectionSet) {
            runs = set.runs.compactMap {
                $0.upperBound < 0 ? nil : Swift.max(0, $0.lowerBound)...$0.upperBound
            }
            var membersBelow = [0]
            membersBelow.reserveCapacity(runs.count + 1)
            for run in runs {
                // The number of non-negative members below an index is at most the index itself.
                // Only the total overflows, by one, if the set contains both 0 and `Int.max`.
                let (length, overflows) = (run.upperBound - run.lowerBound)
                    .addingReportingOverflow(1)
                let below = membersBelow[membersBelow.count - 1]
                membersBelow.append(overflows ? Int.max : below + length)
            }
            self.membersBelow = membersBelow
        }

        /// Returns the number of members below `section`.
        func rank(of section: Int) -> Int {
            let position = partitionPoint(runs.count) { runs[$0].upperBound >= section }
            guard position < runs.count, runs[position].lowerBound < section else {
                return membersBelow[position]
            }
            return membersBelow[position] + (section - runs[position].lowerBound)
        }

        /// Returns the non-member that has `rank` non-negative non-members below it, or `Int.max`
        /// if there is none.
        func nonMember(rank: Int) -> Int {
            let position = partitionPoint(runs.count) {
                runs[$0].lowerBound - membersBelow[$0] > rank
            }
            let (index, overflows) = rank.addingReportingOverflow(membersBelow[position])
            return overflows ? Int.max : index
        }
    }
}
