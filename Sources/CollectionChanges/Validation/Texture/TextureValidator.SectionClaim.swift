// Sections as recorded, and which operation has the last word on each of them.

extension TextureValidator {
    /// A run of neighbouring sections that one operation names.
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

    /// The last recorded operation that names `section`.
    func operation(naming section: Int) -> Int? {
        last { $0.sections.contains(section) }?.operation
    }

    /// The same sections without overlaps, ascending, each with the last operation that names it.
    ///
    /// All of them must lie below `Int.max`, as sections that exist do.
    ///
    /// Complexity: O(r log r) for r claims, however many sections they span.
    func lastOfEachSection() -> [Element] {
        let isResolved = indices.dropFirst().allSatisfy {
            self[$0 - 1].sections.upperBound < self[$0].sections.lowerBound
        }
        if isResolved { return self }
        // Between two neighbouring bounds all sections share their fate, so stretches between
        // bounds are given away instead of sections: to the newest claims first, each taking what
        // is still free.
        let bounds = bounds()
        var owners: [Int?] = Array<Int?>(repeating: nil, count: bounds.count)
        var free = FreeStretches(count: bounds.count)
        for (position, claim) in enumerated().reversed() {
            let start = partitionPoint(bounds.count) { bounds[$0] >= claim.sections.lowerBound }
            let end = partitionPoint(bounds.count) { bounds[$0] > claim.sections.upperBound }
            while let stretch = free.take(from: start, before: end) { owners[stretch] = position }
        }
        return owners.indices.compactMap { stretch in
            // The last bound is an end, so that an owned stretch always has a successor.
            guard let owner = owners[stretch] else { return nil }
            var claim = self[owner]
            claim.sections = bounds[stretch]...(bounds[stretch + 1] - 1)
            return claim
        }
    }

    /// Where a claim begins, and where one has just ended; ascending, each once.
    private func bounds() -> [Int] {
        let bounds = flatMap { [$0.sections.lowerBound, $0.sections.upperBound + 1] }
        var distinct: [Int] = []
        for bound in bounds.sorted() where bound != distinct.last { distinct.append(bound) }
        return distinct
    }
}

/// Numbered places, each to be taken once.
///
/// Complexity: O(log n) amortised to find the next free place, however long the taken stretch
/// before it, because every search shortens the way for the next: union-find with path halving.
private struct FreeStretches {
    /// The place itself while it is free, else one further on, towards the next that is.
    private var next: [Int]

    init(count: Int) { next = Array(0...count) }

    /// Takes the first free place of `start..<end`.
    mutating func take(from start: Int, before end: Int) -> Int? {
        var place = start
        while next[place] != place {
            next[place] = next[next[place]]
            place = next[place]
        }
        guard place < end else { return nil }
        next[place] = place + 1
        return place
    }
}

extension SectionSet {
    /// Makes the set of all sections that `claims` name.
    ///
    /// Complexity: O(r log r) for r claims.
    init(_ claims: [TextureValidator.SectionClaim]) {
        self.init(uniting: claims.map(\.sections))
    }

    /// The lowest member that is no index of an array of `count` elements.
    func lowestMember(outside count: Int) -> Int? {
        if let first, first < 0 { return first }
        let position = partitionPoint(runs.count) { runs[$0].upperBound >= count }
        return position < runs.count ? Swift.max(count, runs[position].lowerBound) : nil
    }

    /// The lowest member that is also in `range`.
    func lowestMember(in range: ClosedRange<Int>) -> Int? {
        let position = partitionPoint(runs.count) { runs[$0].upperBound >= range.lowerBound }
        guard position < runs.count, runs[position].lowerBound <= range.upperBound else {
            return nil
        }
        return Swift.max(range.lowerBound, runs[position].lowerBound)
    }
}
