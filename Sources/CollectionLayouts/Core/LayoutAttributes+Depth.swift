extension LayoutAttributes {
    /// Whether `other` is in front: by z-index, then by path, and at the same path by what the two are.
    package func isBehind(_ other: LayoutAttributes) -> Bool {
        if zIndex != other.zIndex { return zIndex < other.zIndex }
        if indexPath != other.indexPath { return indexPath < other.indexPath }
        return place.category.depth < other.place.category.depth
    }
}

extension ElementCategory {
    /// What lies behind what at the same path: decorations, then cells, then what belongs to them.
    fileprivate var depth: Int {
        switch self {
        case .decoration: 0
        case .cell: 1
        case .supplementary(.header): 2
        case .supplementary(.footer): 3
        case .supplementary: 4
        }
    }
}
