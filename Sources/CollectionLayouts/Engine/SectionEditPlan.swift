/// The effect of an update by section: the inserted sections, and the changes in surviving ones.
struct SectionEditPlan {
    /// The edits of one section.
    struct Edits {
        /// The items that were removed or must be requested again, by old index, ascending.
        var removed: [Int] = []
        /// The items that were inserted or must be requested again, by new index, ascending.
        var inserted: [Int] = []

        var spans: [ItemSpan] { ItemSpan.spans(removed: removed, inserted: inserted) }
    }

    /// The edits by new section index.
    private(set) var edits: [Int: Edits] = [:]

    /// The sections that were inserted or replaced others, by new index, ascending.
    let insertedSections: [Int]

    /// The kinds of supplementary elements that must be requested again, by new section index.
    private(set) var reloadedKinds: [Int: Set<SupplementaryKind>] = [:]

    /// The sections in which anything has changed, by new index, ascending.
    var touchedSections: [Int] {
        Set(insertedSections).union(edits.keys).union(reloadedKinds.keys).sorted()
    }

    /// Returns the replaced items of a surviving section.
    func spans(inSection section: Int) -> [ItemSpan] { edits[section]?.spans ?? [] }

    /// Complexity: O(k log k).
    init(_ update: ValidatedChangeSet) {
        insertedSections = update.sectionInsertions.filter { $0.role != .move }.map(\.section)
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
        var changes = update.reconfigurations[...]
        while let section = changes.first?.newPath.section {
            var touched = edits[section] ?? Edits()
            while let change = changes.first, change.newPath.section == section {
                changes.removeFirst()
                // Moved items are already among the edits; replaced items are not updated in place.
                let isMoved =
                    update.itemInsertions.sortedPosition(of: change.newPath) { $0.path } != nil
                if isMoved { continue }
                touched.removed.append(change.oldPath.item)
                touched.inserted.append(change.newPath.item)
            }
            touched.removed.sort()
            touched.inserted.sort()
            if !touched.inserted.isEmpty || !touched.removed.isEmpty { edits[section] = touched }
        }
    }
}
