import CollectionChanges
import CollectionSnapshots

extension SnapshotModel {
    /// What a snapshot answers otherwise than the model, or nil.
    func difference(from snapshot: Snapshot, asking items: [Int], _ sectionIDs: [String]) -> String?
    {
        if snapshot.sectionIdentifiers != sections.map(\.id) {
            return "sections \(snapshot.sectionIdentifiers), not \(sections.map(\.id))"
        }
        if snapshot.itemIdentifiers != allItems {
            return "items \(snapshot.itemIdentifiers), not \(allItems)"
        }
        if snapshot.shape.itemCounts != sections.map(\.items.count) { return "shape" }
        if snapshot.numberOfItems != allItems.count { return "number of items" }
        if snapshot.reloadedItemIdentifiers != reloadedItems
            || snapshot.reconfiguredItemIdentifiers != reconfiguredItems
            || snapshot.reloadedSectionIdentifiers != reloadedSections
        {
            return "marks"
        }
        let numbered = sections.enumerated().flatMap { section, content in
            content.items.enumerated().map { ($1, ItemPath(section: section, item: $0)) }
        }
        for item in items {
            let path = numbered.first { $0.0 == item }?.1
            if snapshot.path(of: item) != path { return "path of \(item)" }
            if snapshot.indexOfItem(item) != allItems.firstIndex(of: item) {
                return "index of \(item)"
            }
            if snapshot.containsItem(item) != (path != nil) { return "contains \(item)" }
            let section = path.map { sections[$0.section].id }
            if snapshot.sectionIdentifier(containingItem: item) != section {
                return "section of \(item)"
            }
        }
        for (index, (item, path)) in numbered.enumerated() {
            if snapshot.itemIdentifier(at: path) != item { return "item at \(path)" }
            if snapshot.itemIdentifier(at: index) != item { return "item at \(index)" }
        }
        for id in sectionIDs {
            let index = sections.firstIndex { $0.id == id }
            if snapshot.indexOfSection(id) != index { return "index of \(id)" }
            let content = try? snapshot.itemIdentifiers(inSection: id)
            if content != index.map({ sections[$0].items }) { return "items in \(id)" }
            let count = try? snapshot.numberOfItems(inSection: id)
            if count != index.map({ sections[$0].items.count }) {
                return "number of items in \(id)"
            }
        }
        return nil
    }
}
