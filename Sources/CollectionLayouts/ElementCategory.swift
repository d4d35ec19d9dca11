/// What kind of view a layout places.
public enum ElementCategory: Hashable, Sendable {
    /// The cell of an item.
    case cell
    /// A supplementary view, such as a header, of which the data source knows.
    case supplementary(SupplementaryKind)
    /// A decoration view, of which only the layout knows.
    case decoration(SupplementaryKind)
}

/// One view that a layout places: what it is, and its path in the view's index space.
public struct LayoutPlace: Hashable, Sendable {
    /// What it is.
    public let category: ElementCategory

    /// The item; for other views the section, and their number in it.
    public let path: ItemPath

    /// Makes a place; nothing is checked.
    public init(_ category: ElementCategory, _ path: ItemPath) {
        self.category = category
        self.path = path
    }

    /// The cell of an item.
    public static func cell(_ path: ItemPath) -> LayoutPlace { LayoutPlace(.cell, path) }

    /// The header of a section.
    public static func header(_ section: Int) -> LayoutPlace {
        LayoutPlace(.supplementary(.header), ItemPath(section: section, item: 0))
    }

    /// The footer of a section.
    public static func footer(_ section: Int) -> LayoutPlace {
        LayoutPlace(.supplementary(.footer), ItemPath(section: section, item: 0))
    }
}
