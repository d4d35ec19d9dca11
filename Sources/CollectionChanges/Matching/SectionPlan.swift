/// What becomes of every section.
struct SectionPlan {
    enum Fate: UInt8 {
        /// It is gone, or it is new.
        case ends
        /// It is the same, and no edit names it.
        case stays
        /// It is the same at another place.
        case moves
        /// It is replaced at its place.
        case isReplaced

        /// Whether the section is the same before and after, with the items that are not edited.
        var survives: Bool { self == .stays || self == .moves }
    }

    /// By old index.
    private(set) var oldFates: [Fate]
    /// By new index.
    private(set) var newFates: [Fate]
    /// By old index; -1 for those that end.
    private(set) var newSections: [Int]
    /// By new index; -1 for those that are new.
    private(set) var oldSections: [Int]
    private(set) var hasMoves = false

    /// - Parameter survivors: ascending by old index.
    init(_ survivors: [SurvivingSection], _ oldCount: Int, _ newCount: Int, _ rules: SurvivalRules)
    {
        oldFates = Array(repeating: .ends, count: oldCount)
        newFates = Array(repeating: .ends, count: newCount)
        newSections = Array(repeating: -1, count: oldCount)
        oldSections = Array(repeating: -1, count: newCount)
        for section in Self.staying(survivors, newCount: newCount) {
            set(survivors[section], survivors[section].isReplaced ? .isReplaced : .stays)
        }
        for section in survivors
        where rules.movesAtAll && !section.isReplaced && oldFates[section.oldSection] == .ends {
            set(section, .moves)
            hasMoves = true
        }
        guard !rules.reloads || (hasMoves && !rules.reloadsBesideMoves) else { return }
        for section in survivors where oldFates[section.oldSection] == .isReplaced {
            set(section, .ends)
        }
    }

    /// The positions of those that stay: the most that are not replaced, since what is replaced need not move;
    /// and then the most of all.
    private static func staying(_ survivors: [SurvivingSection], newCount: Int) -> [Int] {
        let areInOrder = survivors.indices.dropFirst().allSatisfy {
            survivors[$0 - 1].newSection < survivors[$0].newSection
        }
        if areInOrder { return Array(survivors.indices) }
        var row = HeaviestIncreasingSubsequence(bound: newCount, capacity: survivors.count)
        for section in survivors {
            let weight = section.isReplaced ? 1 : survivors.count + 1
            row.append(section.newSection, weight: UInt64(weight))
        }
        var positions: [Int] = []
        row.finish { positions.append($0) }
        return positions
    }

    private mutating func set(_ section: SurvivingSection, _ fate: Fate) {
        let (old, new) = (section.oldSection, section.newSection)
        oldFates[old] = fate
        newFates[new] = fate
        newSections[old] = fate == .ends ? -1 : new
        oldSections[new] = fate == .ends ? -1 : old
    }
}

// MARK: - Edits

extension SectionPlan {
    /// The second run.
    func removals(_ animation: AnimationOption) -> [SectionEdit] {
        oldFates.indices.reversed().compactMap { old in
            guard let role = role(oldFates[old], orElse: .delete) else { return nil }
            let new = newSections[old]
            return SectionEdit(
                section: old,
                role: role,
                associatedWith: new < 0 ? nil : new,
                animation: animation
            )
        }
    }

    /// The third run.
    ///
    /// - Parameter filled: how many items are moved to each fresh section.
    func insertions(
        _ newCounts: [Int],
        filled: [Int: Int],
        _ animation: AnimationOption
    ) -> [SectionEdit] {
        return newFates.indices.compactMap { new in
            guard let role = role(newFates[new], orElse: .insert) else { return nil }
            let old = oldSections[new]
            return SectionEdit(
                section: new,
                role: role,
                associatedWith: old < 0 ? nil : old,
                freshItemCount: role == .move ? 0 : newCounts[new] - (filled[new] ?? 0),
                animation: animation
            )
        }
    }

    private func role(_ fate: Fate, orElse ending: EditRole) -> EditRole? {
        switch fate {
        case .ends: ending
        case .stays: nil
        case .moves: .move
        case .isReplaced: .reload
        }
    }

    var mapping: IndexMapping {
        func listed(_ fates: [Fate]) -> [Int] {
            fates.indices.filter { fates[$0] == .ends || fates[$0] == .moves }
        }
        let moves = oldFates.indices.lazy.filter { oldFates[$0] == .moves }.map {
            IndexMapping.Move(oldIndex: $0, newIndex: newSections[$0])
        }
        return IndexMapping(
            oldCount: oldFates.count,
            newCount: newFates.count,
            removed: listed(oldFates),
            inserted: listed(newFates),
            moves: Array(moves)
        )
    }
}
