// Decides which sections and items stay, move or end, given those that are the same before and
// after. Another file derives the edits from these decisions.

/// The effect of an update on every surviving run. A plan is made for one update and dropped
/// afterwards.
struct SurvivorPlan<Run: SurvivorRun> {
    let rules: SurvivalRules
    let oldCounts: [Int]
    let newCounts: [Int]
    let sections: SectionPlan

    /// The runs, ascending by old path. The items of a run are either all replaced or all kept.
    private(set) var runs: [Run]
    /// The effects, by position in `runs`.
    private(set) var effects: [RunEffect]
    /// The position of the first run of every old section, followed by the number of runs.
    let starts: [Int]

    /// Whether each run is replaced; empty if no run is.
    private let areReplaced: [Bool]

    // The number of items of each kind, used to allocate the edits in the right size.
    private(set) var stayingCount = 0
    private(set) var movingRunCount = 0
    private(set) var leavingEndedCount = 0
    private(set) var enteringInsertedCount = 0
    /// The number of items that move into each new or replaced section, by new index.
    private(set) var filledInsertedSections: [Int: Int] = [:]

    /// Decides the effect on every section and run.
    ///
    /// - Parameters:
    ///   - runs: The runs that survive, ascending by old path, disjoint on both sides.
    ///   - sections: The sections that survive, ascending by old index.
    ///   - replaced: The old paths of survivors that are replaced, ascending.
    ///   - oldShape: The shape before the update.
    ///   - newShape: The shape after the update.
    ///   - rules: The edits that the profile allows.
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
        effects = Array(repeating: .ends, count: self.runs.count)
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

    /// Splits the runs before and after items that are replaced.
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

    // MARK: Effects

    private func isReplaced(_ position: Int) -> Bool {
        !areReplaced.isEmpty && areReplaced[position]
    }

    private func stayingEffect(_ position: Int) -> RunEffect {
        guard isReplaced(position) else { return .stays }
        return rules.reloads ? .isReplaced : .ends
    }

    /// Decides the effects on the runs of one old section.
    private mutating func decide(_ section: Int) {
        let positions = starts[section]..<starts[section + 1]
        if positions.isEmpty { return }
        let survives = sections.oldEffects[section].survives
        let newSection = survives ? sections.newSections[section] : -1
        var last = -1
        var areInOrder = true
        for position in positions {
            let run = runs[position]
            if run.newSection == newSection {
                if run.newItem < last { areInOrder = false }
                last = run.newItem
                effects[position] = stayingEffect(position)
            } else if movesAcross(run, survives), !isReplaced(position) {
                effects[position] = .moves
            }
        }
        if !areInOrder { decideAmong(positions, newSection) }
    }

    private func movesAcross(_ run: Run, _ sourceSurvives: Bool) -> Bool {
        guard rules.movesAtAll else { return false }
        if !rules.movesBetweenEqualNumbers, run.oldSection == run.newSection { return false }
        return rules.movesAcrossInsertedSections
            || (sourceSurvives && sections.newEffects[run.newSection].survives)
    }

    /// Keeps as many items as possible in place, in runs that are in order, and moves the others.
    ///
    /// Replaced items need not move, so they only decide between orders that are otherwise equally
    /// good.
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
        // Keys are new indexes, or their ranks if the section is much larger than the number of
        // runs.
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
            effects[position] = isReplaced || !rules.movesAtAll ? .ends : .moves
        }
        row.finish {
            let position = Int(candidates[$0])
            effects[position] = stayingEffect(position)
        }
    }

    /// Decides item by item, for runs that mostly consist of one item.
    ///
    /// Items of a run are neighbours on both sides, so a longest subsequence contains all of them
    /// or none.
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
            effects[Int(position)] = rules.movesAtAll ? .moves : .ends
        }
        row.finish { effects[Int(positions[$0])] = .stays }
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
        for (run, effect) in zip(runs, effects) {
            switch effect {
            case .stays: stayingCount += run.count
            case .moves:
                movingRunCount += 1
                if !sections.oldEffects[run.oldSection].survives { leavingEndedCount += run.count }
                if !sections.newEffects[run.newSection].survives {
                    enteringInsertedCount += run.count
                    filledInsertedSections[run.newSection, default: 0] += run.count
                }
            case .isReplaced, .ends: break
            }
        }
    }
}

/// The weights of runs that stay.
private struct Weights {
    private let perItem: UInt64

    init(replaced: Int, items: Int) {
        // All replaced items together weigh less than one kept item. If the numbers would overflow,
        // which needs more items than fit in any memory, all items have the same weight.
        let scale = UInt64(replaced) + 1
        perItem = scale.multipliedReportingOverflow(by: UInt64(items)).overflow ? 1 : scale
    }

    func weight(_ run: some SurvivorRun, _ isReplaced: Bool) -> UInt64 {
        isReplaced ? 1 : UInt64(run.count) * perItem
    }
}

// `strict` accepts a reload only if UIKit, which ignores moves, would place it correctly. Other
// reloads become a delete and an insert, which every release accepts.

extension SurvivorPlan {
    /// Splits each reload that `strict` rejects into a delete and an insert.
    ///
    /// Each additional delete and insert shifts the positions at which UIKit puts the remaining
    /// reloads, so this takes several rounds. If the rounds do not settle quickly, all remaining
    /// reloads in the affected sections are split.
    func splitReloads(_ removals: inout [ItemEdit], _ insertions: inout [ItemEdit]) {
        guard !rules.reloadsBesideMoves, movingRunCount > 0 || sections.hasMoves,
            effects.contains(.isReplaced)
        else { return }
        let places = NaivePlaces(sections)
        let rounds = 4
        for round in 1...rounds {
            var rejected = rejectedReloads(removals, insertions, places)
            if rejected.isEmpty { return }
            if round == rounds {
                let concerned = Set(rejected.map { removals[$0].path.section })
                rejected = removals.indices.filter {
                    removals[$0].role == .reload && concerned.contains(removals[$0].path.section)
                }
            }
            for position in rejected { split(position, &removals, &insertions) }
        }
    }

    private func split(
        _ position: Int,
        _ removals: inout [ItemEdit],
        _ insertions: inout [ItemEdit]
    ) {
        guard let newPath = removals[position].associatedWith,
            let other = insertions.sortedPosition(of: newPath, by: { $0.path })
        else { return }
        removals[position].role = .delete
        removals[position].associatedWith = nil
        insertions[other].role = .insert
        insertions[other].associatedWith = nil
    }

    /// Returns the positions, in the first run, of reloads that UIKit would put in an invalid
    /// place.
    private func rejectedReloads(
        _ removals: [ItemEdit],
        _ insertions: [ItemEdit],
        _ places: NaivePlaces
    ) -> [Int] {
        let survival = ItemSurvival(
            removed: removals.reversed().compactMap { $0.role == .delete ? $0.path : nil },
            inserted: insertions.compactMap { $0.role == .insert ? $0.path : nil }
        )
        return removals.indices.filter { position in
            let edit = removals[position]
            guard edit.role == .reload, let newPath = edit.associatedWith else { return false }
            let section = places.newSection(for: edit.path.section)
            guard section == newPath.section else { return true }
            let target = survival.newItem(for: edit.path, in: section)
            guard target < newCounts[section] else { return true }
            let other = insertions.sortedPosition(
                of: ItemPath(section: section, item: target),
                by: { $0.path }
            )
            return other.map { insertions[$0].role == .move } ?? false
        }
    }
}

/// The positions at which UIKit expects sections: shifted by deletes and inserts, but not by moves.
private struct NaivePlaces {
    private let deleted: [Int]
    private let inserted: [Int]

    init(_ sections: SectionPlan) {
        deleted = sections.oldEffects.indices.filter { sections.oldEffects[$0] == .ends }
        inserted = sections.newEffects.indices.filter { sections.newEffects[$0] == .ends }
    }

    func newSection(for oldSection: Int) -> Int {
        unlistedInteger(
            rank: oldSection - rank(of: oldSection, among: deleted.count) { deleted[$0] },
            among: inserted.count
        ) { inserted[$0] }
    }
}

/// The kinds of survival that a profile allows. Everything else is removed and inserted again.
struct SurvivalRules {
    /// Whether items and sections may move. `texture` splits every move.
    let movesAtAll: Bool

    /// Whether items may move out of deleted or replaced sections, and into inserted or replaced
    /// ones.
    let movesAcrossInsertedSections: Bool

    /// Whether an item may move between two sections if the new section has the number that the old
    /// one had. Early UIKit releases count such an item as staying.
    let movesBetweenEqualNumbers: Bool

    /// Whether reloads and moves may be combined. UIKit ignores moves when it places a reload, so
    /// the two may collide.
    let reloadsBesideMoves: Bool

    /// Whether anything may be reloaded. Otherwise it is removed and inserted again.
    let reloads: Bool
}

/// The effect of an update on a run of items that are the same before and after.
enum RunEffect: UInt8 {
    /// The items are removed and inserted again, because the profile does not allow the move or
    /// because they are replaced at another place.
    case ends
    case stays
    case moves
    /// Every item of the run is replaced in place.
    case isReplaced
}
