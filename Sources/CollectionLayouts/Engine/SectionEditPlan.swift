/// What an update does, section by section: which came, and what is other in those that stayed.
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

    /// The sections that came, or replaced others, by new index, ascending.
    let freshSections: [Int]

    /// What supplementary elements are to be asked for again, by new section index.
    private(set) var reloadedKinds: [Int: Set<SupplementaryKind>] = [:]

    /// The sections in which anything is other than it was, by new index, ascending.
    var touchedSections: [Int] {
        Set(freshSections).union(edits.keys).union(reloadedKinds.keys).sorted()
    }

    /// What was replaced in a section that stayed.
    func spans(inSection section: Int) -> [ItemSpan] { edits[section]?.spans ?? [] }

    /// Complexity: O(k log k).
    init(_ update: ValidatedChangeSet) {
        freshSections = update.sectionInsertions.filter { $0.role != .move }.map(\.section)
        for reload in update.supplementaryReloads {
            reloadedKinds[reload.newSection, default: []].insert(reload.kind)
        }
        for edit in update.itemRemovals.reversed() {
            if let section = update.survivingSection(of: edit.path.section) {
                edits[section, default: Edits()].removed.append(edit.path.item)
            }
        }
        for edit in update.itemInsertions where update.formerSection(of: edit.path.section) != nil {
            edits[edit.path.section, default: Edits()].inserted.append(edit.path.item)
        }
        addReconfigurations(of: update)
    }

    private mutating func addReconfigurations(of update: ValidatedChangeSet) {
        var touched: Set<Int> = []
        for change in update.reconfigurations {
            let (old, new) = (change.oldPath, change.newPath)
            // What moved is among the edits already; in what was replaced nothing is updated in place.
            guard update.itemInsertions.sortedPosition(of: new, by: { $0.path }) == nil else {
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
}
