/// An ordered set of section indexes, stored as runs: a thousand neighbouring sections cost one
/// run.
///
/// Any integer may be a member, including negative ones and `Int.max`; a ``HierarchyShape`` decides
/// whether such a section exists. Iteration is ascending.
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

    /// Creates an empty set.
    public init() { runs = [] }

    /// Creates a set of one section.
    public init(_ section: Int) { runs = [section...section] }

    /// Creates a set of every section in `range`.
    public init(_ range: Range<Int>) {
        runs = range.isEmpty ? [] : [range.lowerBound...(range.upperBound - 1)]
    }

    /// Creates a set of every section in `range`, which may be of any length.
    public init(_ range: ClosedRange<Int>) { runs = [range] }

    /// Creates a set of the given sections; order and repetition do not matter.
    ///
    /// Complexity: O(n log n).
    public init(_ sections: some Sequence<Int>) {
        runs = []
        for section in sections.sorted() { append(section) }
    }

    /// Whether the set has no members.
    public var isEmpty: Bool { runs.isEmpty }

    /// The lowest member, or `nil` if the set is empty.
    public var first: Int? { runs.first?.lowerBound }

    /// The highest member, or `nil` if the set is empty.
    public var last: Int? { runs.last?.upperBound }

    /// The number of members, or `Int.max` if the number exceeds it.
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

    /// Returns whether `section` is a member.
    public func contains(_ section: Int) -> Bool {
        let position = firstRun { $0.upperBound >= section }
        return position < runs.count && runs[position].lowerBound <= section
    }

    /// Adds one section; adding an existing member changes nothing.
    public mutating func insert(_ section: Int) { insert(contentsOf: section...section) }

    /// Adds every section of `range`.
    public mutating func insert(contentsOf range: ClosedRange<Int>) {
        // The runs from `first` up to `end` overlap or touch the range and are merged with it.
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

    /// Removes one section; removing a section that is not a member changes nothing.
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

    /// Returns the set of all members of either set.
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
    /// Creates a set of the listed sections; order and repetition do not matter.
    public init(arrayLiteral sections: Int...) { self.init(sections) }
}

extension SectionSet: Sequence {
    /// Returns an iterator over the members, ascending.
    public func makeIterator() -> Iterator { Iterator(runs: runs[...]) }

    /// An iterator over a ``SectionSet`` in ascending order.
    public struct Iterator: IteratorProtocol, Sendable {
        fileprivate var runs: ArraySlice<ClosedRange<Int>>
        fileprivate var current: Int?

        fileprivate init(runs: ArraySlice<ClosedRange<Int>>) {
            self.runs = runs
            self.current = runs.first?.lowerBound
        }

        /// Returns the next member, or `nil` after the last.
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

    /// The number of runs. The estimate is no better, so that huge runs do not reserve memory.
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

// Operations on runs. The validators use them for sets that may contain any integers: the cost of a
// set depends on its runs, or on its members among the existing sections.

extension SectionSet {
    /// Creates the union of `runs`, which may overlap and be in any order.
    init(uniting runs: [ClosedRange<Int>]) {
        self.init()
        // In ascending order every insertion is at the end, which is cheap.
        for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) { insert(contentsOf: run) }
    }

    /// Returns the members that lie in `range`, as runs, ascending.
    func runs(in range: Range<Int>) -> some Sequence<ClosedRange<Int>> {
        runs.lazy
            .filter {
                !range.isEmpty && $0.lowerBound < range.upperBound
                    && $0.upperBound >= range.lowerBound
            }
            .map {
                let last = Swift.min($0.upperBound, range.upperBound - 1)
                return Swift.max($0.lowerBound, range.lowerBound)...last
            }
    }

    /// Returns the members that do not lie in `range`, as runs, ascending.
    func runs(outside range: Range<Int>) -> [ClosedRange<Int>] {
        var result: [ClosedRange<Int>] = []
        for run in runs {
            if run.lowerBound < range.lowerBound {
                result.append(run.lowerBound...Swift.min(run.upperBound, range.lowerBound - 1))
            }
            if run.upperBound >= range.upperBound {
                result.append(Swift.max(run.lowerBound, range.upperBound)...run.upperBound)
            }
        }
        return result
    }

    /// Returns the members that are not in `other`.
    ///
    /// Complexity: O(r log s) for r and s runs, plus the runs of `other` between the members.
    func subtracting(_ other: SectionSet) -> SectionSet {
        var rest: [ClosedRange<Int>] = []
        for run in runs {
            var start: Int? = run.lowerBound
            var position = partitionPoint(other.runs.count) {
                other.runs[$0].upperBound >= run.lowerBound
            }
            while let first = start, position < other.runs.count,
                other.runs[position].lowerBound <= run.upperBound
            {
                let taken = other.runs[position]
                if taken.lowerBound > first { rest.append(first...(taken.lowerBound - 1)) }
                start = taken.upperBound < run.upperBound ? taken.upperBound + 1 : nil
                position += 1
            }
            if let start { rest.append(start...run.upperBound) }
        }
        return SectionSet(uniting: rest)
    }

    /// Returns the lowest section that is a member of both sets.
    func firstMember(alsoIn other: SectionSet) -> Int? {
        var mine = runs[...]
        var theirs = other.runs[...]
        while let left = mine.first, let right = theirs.first {
            if left.overlaps(right) { return Swift.max(left.lowerBound, right.lowerBound) }
            if left.upperBound < right.lowerBound {
                mine.removeFirst()
            } else {
                theirs.removeFirst()
            }
        }
        return nil
    }
}
