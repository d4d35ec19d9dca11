import CollectionPipeline

/// The sums of an accepted change set: how its edits lead from the counts before to those after it.
struct UpdateArithmetic {
    let sections: Sum
    /// The sections that survive with edits of their items, by new index, ascending.
    let changedItems: [(newSection: Int, sum: Sum)]

    /// Reloads cancel out, and so do moves that stay where they are counted.
    struct Sum: CustomStringConvertible {
        let before: Int
        var inserted = 0
        var deleted = 0
        var movedIn = 0
        var movedOut = 0

        var after: Int { before + inserted - deleted + movedIn - movedOut }

        var description: String {
            CountArithmetic(
                before: before,
                after: after,
                inserted: inserted,
                deleted: deleted,
                movedIn: movedIn,
                movedOut: movedOut
            ).description
        }
    }

    init(_ update: ValidatedChangeSet) {
        sections = Sum(
            before: update.oldShape.numberOfSections,
            inserted: update.sectionInsertions.count { $0.role == .insert },
            deleted: update.sectionRemovals.count { $0.role == .delete }
        )
        let counts = update.oldShape.itemCounts
        var sums: [Int: Sum] = [:]
        for edit in update.itemRemovals {
            // Of a section that does not survive nothing has to come out.
            let oldSection = edit.path.section
            guard let section = update.newSection(for: oldSection) else { continue }
            let unchanged = Sum(before: counts[oldSection])
            let staysInSection = edit.associatedWith?.section == section
            if edit.role == .delete { sums[section, default: unchanged].deleted += 1 }
            if edit.role == .move, !staysInSection {
                sums[section, default: unchanged].movedOut += 1
            }
        }
        for edit in update.itemInsertions {
            let section = edit.path.section
            guard let oldSection = update.oldSection(for: section) else { continue }
            let unchanged = Sum(before: counts[oldSection])
            let staysInSection = edit.associatedWith?.section == oldSection
            if edit.role == .insert { sums[section, default: unchanged].inserted += 1 }
            if edit.role == .move, !staysInSection {
                sums[section, default: unchanged].movedIn += 1
            }
        }
        for edit in update.sectionInsertions where edit.role == .reload { sums[edit.section] = nil }
        changedItems = sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
