import CollectionPipeline

/// Which items a record names, and how often, moves counting as deletes and inserts.
struct RecordedPaths {
    private(set) var deletes: [ItemPath: Int] = [:]
    private(set) var inserts: [ItemPath: Int] = [:]
    private(set) var reloads: [ItemPath: Int] = [:]
    private(set) var reloadedSections = SectionSet()

    init(_ operations: [HierarchyChangeSet.Operation]) {
        for operation in operations {
            switch operation {
            case .deleteItems(let paths, _):
                for path in paths { deletes[path, default: 0] += 1 }
            case .insertItems(let paths, _):
                for path in paths { inserts[path, default: 0] += 1 }
            case .reloadItems(let paths, _):
                for path in paths { reloads[path, default: 0] += 1 }
            case .moveItem(let oldPath, let newPath, _):
                deletes[oldPath, default: 0] += 1
                inserts[newPath, default: 0] += 1
            case .reloadSections(let sections, _): reloadedSections.formUnion(sections)
            default: break
            }
        }
    }

    /// How often the original deletes the item of this removal.
    func deleteCount(_ edit: ItemEdit) -> Int {
        deletes[edit.path, default: 0] + reloads[edit.path, default: 0]
    }

    /// How often the original inserts the item of this insertion.
    func insertCount(_ edit: ItemEdit) -> Int {
        inserts[edit.path, default: 0]
            + (edit.associatedWith.map { reloads[$0, default: 0] } ?? 0)
    }
}
