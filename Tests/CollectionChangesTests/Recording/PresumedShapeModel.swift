import CollectionChanges

/// What a presumed shape is to be, written down section by section.
struct PresumedShapeModel {
    var asked: [Int]
    var shape: HierarchyShape

    init(_ changes: HierarchyChangeSet, from old: HierarchyShape, to new: HierarchyShape) {
        guard let origins = Self.origins(changes, old.numberOfSections, new.numberOfSections),
            let touched = Self.touched(changes, origins)
        else {
            asked = Array(new.itemCounts.indices)
            shape = new
            return
        }
        asked = touched.sorted()
        shape = HierarchyShape(
            origins.enumerated().map { section, origin in
                touched.contains(section) ? new.itemCounts[section] : old.itemCounts[origin ?? 0]
            }
        )
    }

    /// For every new section the old one that is there, or nil for an inserted one; nil altogether
    /// where the section operations cannot be right.
    private static func origins(
        _ changes: HierarchyChangeSet,
        _ oldCount: Int,
        _ newCount: Int
    ) -> [Int?]? {
        var leaving: [Int] = []
        var coming: [Int: Int?] = [:]
        for operation in changes.operations {
            switch operation {
            case .deleteSections(let sections, _): leaving += sections
            case .insertSections(let sections, _):
                for section in sections {
                    if coming.updateValue(Int?.none, forKey: section) != nil { return nil }
                }
            case .moveSection(let oldSection, let newSection, _):
                leaving.append(oldSection)
                if coming.updateValue(Int?.some(oldSection), forKey: newSection) != nil {
                    return nil
                }
            case .reloadData: return nil
            default: break
            }
        }
        let survivors = (0..<oldCount).filter { !leaving.contains($0) }
        guard survivors.count == oldCount - leaving.count,
            coming.keys.allSatisfy({ (0..<newCount).contains($0) }),
            survivors.count + coming.count == newCount
        else { return nil }
        var rest = survivors[...]
        return (0..<newCount).map { coming[$0] ?? rest.removeFirst() }
    }

    /// The new sections to ask for; nil where a reloaded one is not there before or after.
    private static func touched(_ changes: HierarchyChangeSet, _ origins: [Int?]) -> Set<Int>? {
        var touched: Set<Int> = []
        func touch(old path: ItemPath) {
            if let section = origins.firstIndex(of: path.section) { touched.insert(section) }
        }
        func touch(new path: ItemPath) {
            if origins.indices.contains(path.section) { touched.insert(path.section) }
        }
        for operation in changes.operations {
            switch operation {
            case .deleteItems(let paths, _), .reloadItems(let paths, _),
                .reconfigureItems(let paths, _):
                paths.forEach(touch(old:))
            case .insertItems(let paths, _): paths.forEach(touch(new:))
            case .moveItem(let oldPath, let newPath, _):
                touch(old: oldPath)
                touch(new: newPath)
            case .insertSections(let sections, _): touched.formUnion(sections)
            case .reloadSections(let sections, _):
                for section in sections {
                    guard let newSection = origins.firstIndex(of: section) else { return nil }
                    touched.insert(newSection)
                }
            default: break
            }
        }
        return touched
    }
}
