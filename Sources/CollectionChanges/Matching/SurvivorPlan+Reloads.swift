// `strict` takes a reload only where UIKit places it rightly, which ignores moves. A reload that fails becomes a delete
// and an insert, which every release takes.

extension SurvivorPlan {
    /// Splits the reloads that `strict` rejects into a delete and an insert each.
    ///
    /// A delete and an insert more shift where UIKit puts the reloads that are left, so it takes some rounds; where
    /// they come to no end quickly, all that is left in the sections concerned are split.
    func splitReloads(_ removals: inout [ItemEdit], _ insertions: inout [ItemEdit]) {
        guard !rules.reloadsBesideMoves, movingRunCount > 0 || sections.hasMoves,
            fates.contains(.isReplaced)
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

    /// The positions in the first run of reloads that UIKit puts where there is no place.
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

/// Where UIKit expects sections: shifted by deletes and inserts, but not by moves.
private struct NaivePlaces {
    private let deleted: [Int]
    private let inserted: [Int]

    init(_ sections: SectionPlan) {
        deleted = sections.oldFates.indices.filter { sections.oldFates[$0] == .ends }
        inserted = sections.newFates.indices.filter { sections.newFates[$0] == .ends }
    }

    func newSection(for oldSection: Int) -> Int {
        unlistedInteger(
            rank: oldSection - rank(of: oldSection, among: deleted.count) { deleted[$0] },
            among: inserted.count
        ) { inserted[$0] }
    }
}
