import CollectionChanges

// What an update can have in it that is told apart where it is applied.

extension ValidatedChangeSet {
    /// What it has in it, in words.
    var kinds: Set<String> {
        if isReloadData { return ["reload of all"] }
        var kinds = kindsOfHeaders.union(itemInsertions.flatMap(kinds))
        for edit in sectionInsertions where edit.role != .move {
            kinds.insert(edit.role == .reload ? "section reloaded" : "section inserted")
            if edit.freshItemCount > 0 { kinds.insert("section with items") }
        }
        if !reconfigurations.isEmpty { kinds.insert("reconfigured") }
        return kinds
    }

    private func kinds(of edit: ItemEdit) -> [String] {
        var kinds: [String] = []
        if edit.role == .reload { kinds.append("item reloaded") }
        if isFresh(newSection: edit.path.section) { kinds.append("inserted into a fresh section") }
        guard edit.role == .move, let old = edit.associatedWith else { return kinds }
        if let removal = sectionRemovals.first(where: { $0.section == old.section }) {
            let isMoved = removal.role == .move
            kinds.append(isMoved ? "out of a moved section" : "out of a section that goes")
        }
        if newSection(for: old.section) != edit.path.section { kinds.append("across sections") }
        if reconfigurations.contains(where: { $0.newPath == edit.path }) {
            kinds.append("reconfigured and moved")
        }
        return kinds
    }

    private var kindsOfHeaders: Set<String> {
        var kinds: Set<String> = []
        for reload in supplementaryReloads where reload.kind == .header {
            let index = reload.newSection
            if isFresh(newSection: index) {
                kinds.insert("header of a fresh section")
            } else {
                let isMoved = sectionInsertions.contains { $0.section == index }
                kinds.insert(isMoved ? "header of a moved section" : "header")
            }
        }
        return kinds
    }

    /// Whether a section is inserted or reloaded.
    func isFresh(newSection index: Int) -> Bool {
        sectionInsertions.contains { $0.section == index && $0.role != .move }
    }
}
