/// What an update does within the sections that stay.
struct SectionEditPlan {
    /// The edits of one section.
    struct Edits {
        /// Items that went, or are to be asked for again, by old index, ascending.
        var removed: [Int] = []
        /// Items that came, or are to be asked for again, by new index, ascending.
        var inserted: [Int] = []

        /// Complexity: O(k), but for the few that are in place already.
        mutating func add(removed old: Int, inserted new: Int) {
            removed.append(old)
            inserted.append(new)
        }

        var spans: [ItemSpan] { ItemSpan.spans(removed: removed, inserted: inserted) }
    }

    /// By new section index.
    private(set) var edits: [Int: Edits] = [:]

    /// The new indexes of the sections with edits, ascending.
    var sections: [Int] { edits.keys.sorted() }

    /// Complexity: O(k log k).
    init(_ update: ValidatedChangeSet) {
        for edit in update.itemTakeOuts.reversed() {
            if let section = Self.survivor(of: edit.path.section, update) {
                edits[section, default: Edits()].removed.append(edit.path.item)
            }
        }
        for edit in update.itemPutIns where !Self.isFresh(edit.path.section, update) {
            edits[edit.path.section, default: Edits()].inserted.append(edit.path.item)
        }
        addReconfigurations(of: update)
    }

    private mutating func addReconfigurations(of update: ValidatedChangeSet) {
        var touched: Set<Int> = []
        for change in update.reconfigurations {
            let (old, new) = (change.oldPath, change.newPath)
            // What moved is among the edits already; in what was replaced nothing is updated in place.
            guard update.itemPutIns.sortedPosition(of: new, by: { $0.path }) == nil else {
                continue
            }
            edits[new.section, default: Edits()].add(removed: old.item, inserted: new.item)
            touched.insert(new.section)
        }
        for section in touched {
            edits[section]?.removed.sort()
            edits[section]?.inserted.sort()
        }
    }

    /// Where a section is now that was not replaced; nil if it is gone.
    private static func survivor(of oldSection: Int, _ update: ValidatedChangeSet) -> Int? {
        guard let section = update.newSection(for: oldSection), !isFresh(section, update) else {
            return nil
        }
        return section
    }

    private static func isFresh(_ newSection: Int, _ update: ValidatedChangeSet) -> Bool {
        guard let edit = update.sectionPutIn(at: newSection) else { return false }
        return edit.role != .move
    }
}
