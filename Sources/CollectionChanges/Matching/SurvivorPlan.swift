// From what is the same before and after to what stays, moves and ends. The edits follow from that in the other files
// of this type.

/// Decides for every surviving run whether it stays or moves; made for one update and dropped afterwards.
struct SurvivorPlan<Run: SurvivorRun> {
    let rules: SurvivalRules
    let oldCounts: [Int]
    let newCounts: [Int]
    let sections: SectionPlan

    /// Ascending by old path. A run holds items that are replaced, or items that are not.
    private(set) var runs: [Run]
    /// By position in `runs`.
    private(set) var fates: [SurvivalFate]
    /// For every old section the position of its first run, and the number of runs at the end.
    let starts: [Int]

    /// Whether a run is one of those that are replaced; empty where none is.
    private let areReplaced: [Bool]

    // How many items there are of each kind, so that what holds the edits is made in its size.
    private(set) var stayingCount = 0
    private(set) var movingRunCount = 0
    private(set) var leavingEndedCount = 0
    private(set) var enteringFreshCount = 0
    /// By new index of those sections that are new or replaced: how many items are moved there.
    private(set) var filledFreshSections: [Int: Int] = [:]

    /// - Parameters:
    ///   - runs: ascending by old path, disjoint on both sides.
    ///   - replaced: ascending.
    init(
        _ runs: [Run],
        _ sections: [SurvivingSection],
        replaced: [ItemPath],
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        _ rules: SurvivalRules
    ) {
        self.rules = rules
        oldCounts = oldShape.itemCounts
        newCounts = newShape.itemCounts
        self.sections = SectionPlan(sections, oldCounts.count, newCounts.count, rules)
        (self.runs, areReplaced) = Self.cut(runs, at: replaced)
        fates = Array(repeating: .ends, count: self.runs.count)
        starts = Self.starts(self.runs, sections: oldCounts.count)
        for section in oldCounts.indices { decide(section) }
        count()
    }

    private static func starts(_ runs: [Run], sections: Int) -> [Int] {
        var starts: [Int] = []
        starts.reserveCapacity(sections + 1)
        var position = 0
        for section in 0...sections {
            while position < runs.count, runs[position].oldSection < section { position += 1 }
            starts.append(position)
        }
        return starts
    }

    /// Cuts the runs before and after items that are replaced.
    private static func cut(
        _ runs: [Run],
        at replaced: [ItemPath]
    ) -> (runs: [Run], areReplaced: [Bool]) {
        guard !replaced.isEmpty else { return (runs, []) }
        var parts: [Run] = []
        var areReplaced: [Bool] = []
        parts.reserveCapacity(runs.count + 2 * replaced.count)
        func append(_ run: Run, _ isReplaced: Bool) {
            if run.count == 0 { return }
            parts.append(run)
            areReplaced.append(isReplaced)
        }
        var next = 0
        for run in runs {
            let section = run.oldSection
            var start = run.oldItem
            while next < replaced.count,
                replaced[next] < ItemPath(section: section, item: run.oldItems.upperBound)
            {
                let path = replaced[next]
                next += 1
                guard path >= ItemPath(section: section, item: start) else { continue }
                append(run.part(start..<path.item), false)
                append(run.part(path.item..<(path.item + 1)), true)
                start = path.item + 1
            }
            append(run.part(start..<run.oldItems.upperBound), false)
        }
        return (parts, areReplaced)
    }
}

// MARK: - Fates

extension SurvivorPlan {
    private func isReplaced(_ position: Int) -> Bool {
        !areReplaced.isEmpty && areReplaced[position]
    }

    private func stayingFate(_ position: Int) -> SurvivalFate {
        guard isReplaced(position) else { return .stays }
        return rules.reloads ? .isReplaced : .ends
    }

    /// Decides for the runs of one old section.
    private mutating func decide(_ section: Int) {
        let positions = starts[section]..<starts[section + 1]
        if positions.isEmpty { return }
        let survives = sections.oldFates[section].survives
        let newSection = survives ? sections.newSections[section] : -1
        var last = -1
        var areInOrder = true
        for position in positions {
            let run = runs[position]
            if run.newSection == newSection {
                if run.newItem < last { areInOrder = false }
                last = run.newItem
                fates[position] = stayingFate(position)
            } else if movesAcross(run, survives), !isReplaced(position) {
                fates[position] = .moves
            }
        }
        if !areInOrder { decideAmong(positions, newSection) }
    }

    private func movesAcross(_ run: Run, _ sourceSurvives: Bool) -> Bool {
        guard rules.movesAtAll else { return false }
        if !rules.movesBetweenEqualNumbers, run.oldSection == run.newSection { return false }
        return rules.movesAcrossFreshSections
            || (sourceSurvives && sections.newFates[run.newSection].survives)
    }

    /// Lets the most items stay whose runs are in order, and moves the others.
    ///
    /// What is replaced need not move, so it counts only among orders that are otherwise as good.
    private mutating func decideAmong(_ positions: Range<Int>, _ newSection: Int) {
        let bound = newCounts[newSection]
        var candidates: [UInt32] = []
        candidates.reserveCapacity(positions.count)
        var (replacedCount, itemCount) = (0, 0)
        for position in positions where runs[position].newSection == newSection {
            candidates.append(UInt32(truncatingIfNeeded: position))
            if isReplaced(position) { replacedCount += 1 }
            itemCount += runs[position].count
        }
        // Keys are new indexes, or their ranks where the section is much larger than the number of runs.
        let areRanked = bound / 16 > candidates.count || bound > UInt32.max
        if !areRanked, replacedCount == 0, itemCount <= 2 * candidates.count {
            return decideAmongItems(candidates, itemCount)
        }
        let ranks = areRanked ? self.ranks(candidates, bound: bound) : []
        let weights = Weights(replaced: replacedCount, items: bound)
        var row = HeaviestIncreasingSubsequence(
            bound: areRanked ? candidates.count : bound,
            capacity: candidates.count
        )
        for (index, position) in candidates.enumerated() {
            let position = Int(position)
            let isReplaced = isReplaced(position)
            let run = runs[position]
            row.append(
                areRanked ? Int(ranks[index]) : run.newItem,
                weight: weights.weight(run, isReplaced)
            )
            fates[position] = isReplaced || !rules.movesAtAll ? .ends : .moves
        }
        row.finish {
            let position = Int(candidates[$0])
            fates[position] = stayingFate(position)
        }
    }

    /// The same item by item, for runs that are mostly of one.
    ///
    /// Items of a run are neighbours on both sides, so a longest subsequence has all of them or none.
    private mutating func decideAmongItems(_ candidates: [UInt32], _ itemCount: Int) {
        var row = LongestIncreasingSubsequence(capacity: itemCount)
        var positions: [UInt32] = []
        positions.reserveCapacity(itemCount)
        for position in candidates {
            let run = runs[Int(position)]
            for offset in 0..<run.count {
                row.append(UInt32(truncatingIfNeeded: run.newItem + offset))
                positions.append(position)
            }
            fates[Int(position)] = rules.movesAtAll ? .moves : .ends
        }
        row.finish { fates[Int(positions[$0])] = .stays }
    }

    private func ranks(_ positions: [UInt32], bound: Int) -> [UInt32] {
        var ranks = Array<UInt32>(repeating: 0, count: positions.count)
        guard bound <= UInt32.max else {
            let order = positions.indices.sorted {
                runs[Int(positions[$0])].newItem < runs[Int(positions[$1])].newItem
            }
            for (rank, index) in order.enumerated() {
                ranks[index] = UInt32(truncatingIfNeeded: rank)
            }
            return ranks
        }
        var keys = SortedKeys(capacity: positions.count)
        for (index, position) in positions.enumerated() {
            keys.append(runs[Int(position)].newItem, index)
        }
        for (rank, index) in keys.sorted().enumerated() {
            ranks[Int(index)] = UInt32(truncatingIfNeeded: rank)
        }
        return ranks
    }

    private mutating func count() {
        for (run, fate) in zip(runs, fates) {
            switch fate {
            case .stays: stayingCount += run.count
            case .moves:
                movingRunCount += 1
                if !sections.oldFates[run.oldSection].survives { leavingEndedCount += run.count }
                if !sections.newFates[run.newSection].survives {
                    enteringFreshCount += run.count
                    filledFreshSections[run.newSection, default: 0] += run.count
                }
            case .isReplaced, .ends: break
            }
        }
    }
}

/// How much it counts that a run stays.
private struct Weights {
    private let perItem: UInt64

    init(replaced: Int, items: Int) {
        // All that is replaced together weighs less than one item that is not. Where that cannot be held, which needs
        // more items than fit in any memory, they weigh the same.
        let scale = UInt64(replaced) + 1
        perItem = scale.multipliedReportingOverflow(by: UInt64(items)).overflow ? 1 : scale
    }

    func weight(_ run: some SurvivorRun, _ isReplaced: Bool) -> UInt64 {
        isReplaced ? 1 : UInt64(run.count) * perItem
    }
}
