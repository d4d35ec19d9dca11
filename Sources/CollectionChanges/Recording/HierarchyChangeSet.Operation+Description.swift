extension HierarchyChangeSet.Operation: CustomStringConvertible {
    /// The call and its arguments, such as `deleteItems at (0 - 2) (0 - 5)`; long lists are cut after
    /// eight.
    public var description: String {
        func list(_ paths: [ItemPath]) -> String {
            guard !paths.isEmpty else { return "none" }
            let rest = paths.count > 8 ? " … \(paths.count - 8) more" : ""
            return paths.prefix(8).map { "(\($0))" }.joined(separator: " ") + rest
        }
        return switch self {
        case .deleteItems(let oldPaths, _): "deleteItems at \(list(oldPaths))"
        case .insertItems(let newPaths, _): "insertItems at \(list(newPaths))"
        case .reloadItems(let oldPaths, _): "reloadItems at \(list(oldPaths))"
        case .reconfigureItems(let oldPaths, _): "reconfigureItems at \(list(oldPaths))"
        case .moveItem(let oldPath, let newPath, _): "moveItem from (\(oldPath)) to (\(newPath))"
        case .deleteSections(let oldSections, _): "deleteSections \(oldSections)"
        case .insertSections(let newSections, _): "insertSections \(newSections)"
        case .reloadSections(let oldSections, _): "reloadSections \(oldSections)"
        case .reconfigureSections(let oldSections, _): "reconfigureSections \(oldSections)"
        case .moveSection(let oldSection, let newSection, _):
            "moveSection from \(oldSection) to \(newSection)"
        case .reloadSupplementaries(let kind, let newSections, _):
            "reloadSupplementaries of kind \(kind) in \(newSections)"
        case .reloadData: "reloadData"
        }
    }
}
