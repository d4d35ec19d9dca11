import CollectionChanges

extension CommitPlan {
    /// The plan as a record, in which what an inserted or deleted section brings or takes with it is
    /// left out.
    var changeSet: HierarchyChangeSet {
        var changes = HierarchyChangeSet()
        let deletes = departures.lazy.filter { $0.newPath == nil }.map(\.oldPath)
            .filter { deletedSections.sortedIndex(of: $0.section, by: \.self) == nil }
        let inserts = arrivals.lazy.filter { $0.oldPath == nil }.map(\.newPath)
            .filter { insertedSections.sortedIndex(of: $0.section, by: \.index) == nil }
        let renames = departures.filter { $0.newPath != nil }
        let reconfigurations = (updates.map(\.oldPath) + renames.map(\.oldPath)).sorted()

        if !deletes.isEmpty { changes.deleteItems(at: Array(deletes)) }
        if !deletedSections.isEmpty { changes.deleteSections(SectionSet(deletedSections)) }
        if !insertedSections.isEmpty {
            changes.insertSections(SectionSet(insertedSections.map(\.index)))
        }
        if !inserts.isEmpty { changes.insertItems(at: Array(inserts)) }
        for rename in renames {
            if let newPath = rename.newPath { changes.moveItem(at: rename.oldPath, to: newPath) }
        }
        if !reconfigurations.isEmpty { changes.reconfigureItems(at: reconfigurations) }
        return changes
    }
}
