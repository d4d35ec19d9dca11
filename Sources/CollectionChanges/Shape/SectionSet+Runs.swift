// Sets of sections by their runs, which is how the validators handle sets that may reach anywhere:
// what a set costs is its runs, or its members among the sections that exist.

extension SectionSet {
    /// Makes the set of all sections in `runs`, which may overlap and come in any order.
    init(uniting runs: [ClosedRange<Int>]) {
        self.init()
        // In ascending order every insertion happens at the end, which keeps it cheap.
        for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) { insert(contentsOf: run) }
    }

    /// The members that lie in `range`, as runs, ascending.
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

    /// The members that lie in `range`, ascending, however far the set itself reaches.
    func members(in range: Range<Int>) -> [Int] {
        var members: [Int] = []
        for run in runs(in: range) { members.append(contentsOf: run) }
        return members
    }

    /// The members that do not lie in `range`, as runs, ascending.
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

    /// The lowest section that is a member of both.
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
