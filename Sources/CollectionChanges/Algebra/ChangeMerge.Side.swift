extension ChangeMerge {
    /// One of the two updates that are merged, with look-ups.
    struct Side {
        let update: ValidatedChangeSet
        /// By old section: what happens to it, nil if it stays.
        var roles: [EditRole?]
        /// By new section: the one that it was or that it replaces, or -1.
        let oldSections: [Int]
        /// By old section: the one that it is or that replaces it, or -1.
        private(set) var newSections: [Int]
        /// Items that leave their place, ascending by old path; reloads do not.
        let leaving: [ItemEdit]
        /// Items that come to a place, ascending by new path; reloads do not.
        let arriving: [ItemEdit]
        /// By new section: whether what the update puts into it is in the merged state.
        var takesPart: [Bool]

        enum Fate {
            case gone
            /// It stays, maybe reloaded.
            case stays
            case moves(to: ItemPath)
        }

        init(_ update: ValidatedChangeSet) {
            self.update = update
            let oldCount = update.oldShape.numberOfSections
            let newCount = update.newShape.numberOfSections
            roles = Array(repeating: nil, count: oldCount)
            for edit in update.sectionRemovals { roles[edit.section] = edit.role }
            oldSections = update.sectionMapping.carry(Array(0..<oldCount), filling: -1)
            newSections = Array(repeating: -1, count: oldCount)
            for (new, old) in oldSections.enumerated() where old >= 0 { newSections[old] = new }
            leaving = update.itemRemovals.reversed().filter { $0.role != .reload }
            arriving = update.itemInsertions.filter { $0.role != .reload }
            takesPart = Array(repeating: false, count: newCount)
        }

        /// Whether an update puts anything into an old section, or moves anything within or out of it.
        func touches(_ oldSection: Int) -> Bool {
            let new = newSections[oldSection]
            return new >= 0 && !arriving(new).isEmpty
                || leaving(oldSection).contains { $0.associatedWith != nil }
        }

        /// Whether an update changes which items are in an old section, or their order.
        func changesItems(inOldSection section: Int) -> Bool {
            touches(section) || !leaving(section).isEmpty
        }

        /// Whether what is in an old section goes, unless it is moved out.
        func empties(_ oldSection: Int) -> Bool {
            let role = roles[oldSection]
            return role == .delete || role == .reload
        }

        /// Whether an item is reloaded by itself.
        func replaces(_ oldPath: ItemPath) -> Bool {
            let removals = update.itemRemovals
            let position = partitionPoint(removals.count) { removals[$0].path <= oldPath }
            return position < removals.count && removals[position].path == oldPath
                && removals[position].role == .reload
        }

        func fate(of oldPath: ItemPath) -> Fate {
            let position = leaving.sortedPosition(of: oldPath) { $0.path }
            return fate(ofItemIn: oldPath.section, position.map { leaving[$0] })
        }

        /// The fate of an item with this edit among those that leave, or none.
        func fate(ofItemIn section: Int, _ edit: ItemEdit?) -> Fate {
            if let edit { return edit.associatedWith.map { .moves(to: $0) } ?? .gone }
            return empties(section) ? .gone : .stays
        }

        func leaving(_ oldSection: Int) -> ArraySlice<ItemEdit> {
            leaving[leaving.positions(inSection: oldSection) { $0.path.section }]
        }

        func arriving(_ newSection: Int) -> ArraySlice<ItemEdit> {
            arriving[arriving.positions(inSection: newSection) { $0.path.section }]
        }
    }
}
