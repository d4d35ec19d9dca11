import CollectionPipeline

/// The sums of an accepted change set: how its edits lead from the counts before to those after it.
struct UpdateArithmetic {
    private(set) var sections = Sum()
    /// The sections that survive with edits of their items, by new index, ascending.
    private(set) var changedItems: [(newSection: Int, sum: Sum)] = []

    /// Reloads cancel out, and so do moves that stay where they are counted.
    struct Sum: CustomStringConvertible {
        var before = 0
        var inserted = 0
        var deleted = 0
        var movedIn = 0
        var movedOut = 0

        var after: Int { before + inserted - deleted + movedIn - movedOut }

        var description: String {
            "\(before) before + \(inserted) inserted - \(deleted) deleted"
                + (movedIn + movedOut == 0
                    ? "" : " + \(movedIn) moved in - \(movedOut) moved out")
                + " = \(after)"
        }
    }

    init(_ update: ValidatedChangeSet) {
        sections.before = update.oldShape.numberOfSections
        sections.inserted = update.sectionPutIns.count { $0.role == .insert }
        sections.deleted = update.sectionTakeOuts.count { $0.role == .delete }
        var sums: [Int: Sum] = [:]
        for edit in update.itemTakeOuts {
            // Of a section that does not survive nothing has to come out.
            guard let section = update.newSection(for: edit.path.section) else { continue }
            let staysInSection = edit.counterpart?.section == section
            if edit.role == .delete { sums[section, default: Sum()].deleted += 1 }
            if edit.role == .move, !staysInSection { sums[section, default: Sum()].movedOut += 1 }
        }
        for edit in update.itemPutIns {
            let section = edit.path.section
            guard let oldSection = update.oldSection(for: section) else { continue }
            let staysInSection = edit.counterpart?.section == oldSection
            if edit.role == .insert { sums[section, default: Sum()].inserted += 1 }
            if edit.role == .move, !staysInSection { sums[section, default: Sum()].movedIn += 1 }
        }
        for edit in update.sectionPutIns where edit.role == .reload { sums[edit.section] = nil }
        for section in sums.keys.sorted() {
            guard var sum = sums[section], let oldSection = update.oldSection(for: section) else {
                continue
            }
            sum.before = update.oldShape.itemCounts[oldSection]
            changedItems.append((section, sum))
        }
    }
}
