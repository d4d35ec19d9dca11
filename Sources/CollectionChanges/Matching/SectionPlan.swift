/// The effect of an update on every section.
struct SectionPlan {
    enum SectionEffect: UInt8 {
        /// The section does not survive: it is deleted, or newly inserted.
        case ends
        /// The section survives, and no edit concerns it.
        case stays
        /// The section survives at another index.
        case moves
        /// The section is replaced in place.
        case isReplaced

        /// Whether the section survives, with those of its items that are not edited.
        var survives: Bool { self == .stays || self == .moves }
    }

    /// The effects by old index.
    private(set) var oldEffects: [SectionEffect]
    /// The effects by new index.
    private(set) var newEffects: [SectionEffect]
    /// The new indexes by old index; -1 for sections that do not survive.
    private(set) var newSections: [Int]
    /// The old indexes by new index; -1 for new sections.
    private(set) var oldSections: [Int]
    private(set) var hasMoves = false

    /// Decides the effect on every section.
    ///
    /// - Parameters:
    ///   - survivors: The sections that are the same on both sides, ascending by old index.
    ///   - oldCount: The number of sections before the update.
    ///   - newCount: The number of sections after the update.
    ///   - rules: The edits that the profile allows.
    init(_ survivors: [SurvivingSection], _ oldCount: Int, _ newCount: Int, _ rules: SurvivalRules)
    {
        oldEffects = Array(repeating: .ends, count: oldCount)
        newEffects = Array(repeating: .ends, count: newCount)
        newSections = Array(repeating: -1, count: oldCount)
        oldSections = Array(repeating: -1, count: newCount)
        for section in Self.staying(survivors, newCount: newCount) {
            set(survivors[section], survivors[section].isReplaced ? .isReplaced : .stays)
        }
        for section in survivors
        where rules.movesAtAll && !section.isReplaced && oldEffects[section.oldSection] == .ends {
            set(section, .moves)
            hasMoves = true
        }
        guard !rules.reloads || (hasMoves && !rules.reloadsBesideMoves) else { return }
        for section in survivors where oldEffects[section.oldSection] == .isReplaced {
            set(section, .ends)
        }
    }

    /// Returns the positions of the sections that stay in place: as many as possible of those that
    /// are not replaced, because replaced sections need not move; then as many as possible in
    /// total.
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

    private mutating func set(_ section: SurvivingSection, _ effect: SectionEffect) {
        let (old, new) = (section.oldSection, section.newSection)
        oldEffects[old] = effect
        newEffects[new] = effect
        newSections[old] = effect == .ends ? -1 : new
        oldSections[new] = effect == .ends ? -1 : old
    }

    // MARK: Edits

    /// Returns the second run of edits.
    func removals(_ animation: AnimationOption) -> [SectionEdit] {
        oldEffects.indices.reversed().compactMap { old in
            guard let role = role(oldEffects[old], orElse: .delete) else { return nil }
            let new = newSections[old]
            return SectionEdit(
                section: old,
                role: role,
                associatedWith: new < 0 ? nil : new,
                animation: animation
            )
        }
    }

    /// Returns the third run of edits.
    ///
    /// - Parameters:
    ///   - newCounts: The item count of every new section.
    ///   - filled: The number of items that move into each new section.
    ///   - animation: The animation of every edit.
    func insertions(
        _ newCounts: [Int],
        filled: [Int: Int],
        _ animation: AnimationOption
    ) -> [SectionEdit] {
        return newEffects.indices.compactMap { new in
            guard let role = role(newEffects[new], orElse: .insert) else { return nil }
            let old = oldSections[new]
            return SectionEdit(
                section: new,
                role: role,
                associatedWith: old < 0 ? nil : old,
                newItemCount: role == .move ? 0 : newCounts[new] - (filled[new] ?? 0),
                animation: animation
            )
        }
    }

    private func role(_ effect: SectionEffect, orElse ending: EditRole) -> EditRole? {
        switch effect {
        case .ends: ending
        case .stays: nil
        case .moves: .move
        case .isReplaced: .reload
        }
    }

    var mapping: IndexMapping {
        func listed(_ effects: [SectionEffect]) -> [Int] {
            effects.indices.filter { effects[$0] == .ends || effects[$0] == .moves }
        }
        let moves = oldEffects.indices.lazy.filter { oldEffects[$0] == .moves }.map {
            IndexMapping.Move(oldIndex: $0, newIndex: newSections[$0])
        }
        return IndexMapping(
            oldCount: oldEffects.count,
            newCount: newEffects.count,
            removed: listed(oldEffects),
            inserted: listed(newEffects),
            moves: Array(moves)
        )
    }
}

/// A section that exists before and after the change.
@usableFromInline
package struct SurvivingSection: Hashable, Sendable {
    @usableFromInline package var oldSection: Int
    @usableFromInline package var newSection: Int

    /// Whether the section and everything in it is to be replaced, as by a reload.
    @usableFromInline package var isReplaced: Bool

    @inlinable
    package init(oldSection: Int, newSection: Int, isReplaced: Bool = false) {
        self.oldSection = oldSection
        self.newSection = newSection
        self.isReplaced = isReplaced
    }

    /// Returns the sections that have the same identifier on both sides, ascending by old index.
    @inlinable
    package static func matching<ID: Hashable>(
        _ old: [ID],
        _ new: [ID],
        _ duplicates: DuplicatePolicy,
        _ isCancelled: () -> Bool
    ) throws(DifferenceError) -> [SurvivingSection] {
        let rules = IdentifierRules<ID>()
        if duplicates == .reject {
            let oldRows = try DuplicateFinder(rules, [old])
            if let found = try oldRows.firstDuplicate(isCancelled: isCancelled) {
                throw .duplicateSection(found.id, found.first, found.second, isOld: true)
            }
            let newRows = try DuplicateFinder(rules, [new])
            if let found = try newRows.firstDuplicate(isCancelled: isCancelled) {
                throw .duplicateSection(found.id, found.first, found.second, isOld: false)
            }
        }
        let matching = try SectionedMatching(
            from: [old],
            to: [new],
            pairs: [SurvivingSection(oldSection: 0, newSection: 0)],
            rules: rules,
            isCancelled: isCancelled
        )
        var sections: [SurvivingSection] = []
        for run in matching.runs {
            for offset in 0..<run.count {
                sections.append(
                    SurvivingSection(
                        oldSection: run.oldItem + offset,
                        newSection: run.newItem + offset
                    )
                )
            }
        }
        return sections
    }
}
