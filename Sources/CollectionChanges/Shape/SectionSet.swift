/// An ordered set of section indexes, kept as runs: a thousand neighbouring sections cost one run.
///
/// Any integer may be a member, also a negative one or `Int.max`; whether such a section exists is
/// for a ``HierarchyShape`` to say. Iteration is ascending.
///
/// ```swift
/// var sections: SectionSet = [4, 1, 2]
/// sections.insert(contentsOf: 7...9)
/// sections.runs   // [1...2, 4...4, 7...9]
/// ```
///
/// Complexity: membership O(log r), inserting and removing O(r), for r runs.
public struct SectionSet: Hashable, Sendable {
    /// The members as maximal runs of neighbours, ascending; no two runs touch.
    public private(set) var runs: [ClosedRange<Int>]

    /// Makes an empty set.
    public init() { runs = [] }

    /// Makes a set of one section.
    public init(_ section: Int) { runs = [section...section] }

    /// Makes a set of every section in `range`.
    public init(_ range: Range<Int>) {
        runs = range.isEmpty ? [] : [range.lowerBound...(range.upperBound - 1)]
    }

    /// Makes a set of every section in `range`, however long that is.
    public init(_ range: ClosedRange<Int>) { runs = [range] }

    /// Makes a set of every section that `sections` names; order and repetition do not matter.
    ///
    /// Complexity: O(n log n).
    public init(_ sections: some Sequence<Int>) {
        runs = []
        for section in sections.sorted() { append(section) }
    }

    /// Whether the set has no members.
    public var isEmpty: Bool { runs.isEmpty }

    /// The lowest member.
    public var first: Int? { runs.first?.lowerBound }

    /// The highest member.
    public var last: Int? { runs.last?.upperBound }

    /// How many members there are; `Int.max` where an `Int` cannot hold the number.
    public var count: Int {
        var total = 0
        for run in runs {
            let (span, spanOverflows) = run.upperBound.subtractingReportingOverflow(run.lowerBound)
            let (length, lengthOverflows) = span.addingReportingOverflow(1)
            let (sum, sumOverflows) = total.addingReportingOverflow(length)
            if spanOverflows || lengthOverflows || sumOverflows { return Int.max }
            total = sum
        }
        return total
    }

    /// Whether `section` is a member.
    public func contains(_ section: Int) -> Bool {
        let position = firstRun { $0.upperBound >= section }
        return position < runs.count && runs[position].lowerBound <= section
    }

    /// Adds one section; adding a member again changes nothing.
    public mutating func insert(_ section: Int) { insert(contentsOf: section...section) }

    /// Adds every section of `range`.
    public mutating func insert(contentsOf range: ClosedRange<Int>) {
        // Runs from `first` up to `end` overlap or touch the range, and melt into it.
        let first = firstRun {
            $0.upperBound >= range.lowerBound || $0.upperBound + 1 == range.lowerBound
        }
        var end = first
        var (low, high) = (range.lowerBound, range.upperBound)
        while end < runs.count,
            runs[end].lowerBound <= high || runs[end].lowerBound - 1 == high
        {
            low = Swift.min(low, runs[end].lowerBound)
            high = Swift.max(high, runs[end].upperBound)
            end += 1
        }
        runs.replaceSubrange(first..<end, with: CollectionOfOne(low...high))
    }

    /// Removes one section; removing what is not there changes nothing.
    public mutating func remove(_ section: Int) {
        let position = firstRun { $0.upperBound >= section }
        guard position < runs.count, runs[position].lowerBound <= section else { return }
        let run = runs[position]
        var rest: [ClosedRange<Int>] = []
        if run.lowerBound < section { rest.append(run.lowerBound...(section - 1)) }
        if section < run.upperBound { rest.append((section + 1)...run.upperBound) }
        runs.replaceSubrange(position...position, with: rest)
    }

    /// Adds every member of `other`.
    public mutating func formUnion(_ other: SectionSet) {
        for run in other.runs { insert(contentsOf: run) }
    }

    /// The set of the members of either.
    public func union(_ other: SectionSet) -> SectionSet {
        var result = self
        result.formUnion(other)
        return result
    }

    private func firstRun(where isFar: (ClosedRange<Int>) -> Bool) -> Int {
        partitionPoint(runs.count) { isFar(runs[$0]) }
    }

    /// Appends a section that is not below any member.
    private mutating func append(_ section: Int) {
        if let run = runs.last {
            if section <= run.upperBound { return }
            if section - 1 == run.upperBound {
                runs[runs.count - 1] = run.lowerBound...section
                return
            }
        }
        runs.append(section...section)
    }
}

extension SectionSet: ExpressibleByArrayLiteral {
    /// Makes a set of the listed sections; order and repetition do not matter.
    public init(arrayLiteral sections: Int...) { self.init(sections) }
}

extension SectionSet: Sequence {
    /// Iterates over the members, ascending.
    public func makeIterator() -> Iterator { Iterator(runs: runs[...]) }

    /// Walks a ``SectionSet`` in ascending order.
    public struct Iterator: IteratorProtocol, Sendable {
        fileprivate var runs: ArraySlice<ClosedRange<Int>>
        fileprivate var current: Int?

        fileprivate init(runs: ArraySlice<ClosedRange<Int>>) {
            self.runs = runs
            self.current = runs.first?.lowerBound
        }

        /// The next member, or nil after the last.
        public mutating func next() -> Int? {
            guard let section = current, let run = runs.first else { return nil }
            if section < run.upperBound {
                current = section + 1
            } else {
                runs = runs.dropFirst()
                current = runs.first?.lowerBound
            }
            return section
        }
    }

    /// No better estimate than the number of runs, so that huge runs do not reserve memory.
    public var underestimatedCount: Int { runs.count }
}

extension SectionSet: CustomStringConvertible {
    /// The runs in braces, such as `{1-2 4 7-9}`.
    public var description: String {
        let words = runs.map { run in
            run.lowerBound == run.upperBound
                ? "\(run.lowerBound)" : "\(run.lowerBound)-\(run.upperBound)"
        }
        return "{\(words.joined(separator: " "))}"
    }
}
