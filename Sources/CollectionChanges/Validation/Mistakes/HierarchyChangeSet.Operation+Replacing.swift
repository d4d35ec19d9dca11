// An operation with one of its places changed, to try whether that mends a record.

extension HierarchyChangeSet.Operation {
    /// The operation with the first mention of an item replaced, or left out; nil where nothing is left.
    func replacing(item path: ItemPath, by other: ItemPath?, isSource: Bool) -> Self? {
        func replaced(_ paths: [ItemPath]) -> [ItemPath] {
            guard let position = paths.firstIndex(of: path) else { return paths }
            var paths = paths
            paths.replaceSubrange(position...position, with: other.map { [$0] } ?? [])
            return paths
        }
        return switch self {
        case .deleteItems(let paths, let animation): .deleteItems(replaced(paths), animation)
        case .insertItems(let paths, let animation): .insertItems(replaced(paths), animation)
        case .reloadItems(let paths, let animation): .reloadItems(replaced(paths), animation)
        case .reconfigureItems(let paths, let animation):
            .reconfigureItems(replaced(paths), animation)
        case .moveItem(let old, let new, let animation):
            other.map {
                .moveItem(at: isSource ? $0 : old, to: isSource ? new : $0, animation)
            }
        default: self
        }
    }

    /// The operation with one of its sections replaced, or left out; nil where nothing is left.
    func replacing(_ section: Int, by other: Int?, isSource: Bool) -> Self? {
        func replaced(_ sections: SectionSet) -> SectionSet {
            var sections = sections
            sections.remove(section)
            if let other { sections.insert(other) }
            return sections
        }
        return switch self {
        case .deleteSections(let sections, let animation):
            .deleteSections(replaced(sections), animation)
        case .insertSections(let sections, let animation):
            .insertSections(replaced(sections), animation)
        case .reloadSections(let sections, let animation):
            .reloadSections(replaced(sections), animation)
        case .reconfigureSections(let sections, let animation):
            .reconfigureSections(replaced(sections), animation)
        case .moveSection(let old, let new, let animation):
            other.map {
                .moveSection(isSource ? $0 : old, toSection: isSource ? new : $0, animation)
            }
        default: self
        }
    }
}
