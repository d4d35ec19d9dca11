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

extension LayoutPlace: CustomStringConvertible {
    /// The place, such as `0 - 3`, `header 2 - 0` or `decoration background 2 - 0`.
    public var description: String { category == .cell ? "\(path)" : "\(category) \(path)" }
}

extension LayoutPlace: Comparable {
    /// Cells, then supplementary views, then decorations, each by kind, then by path: so that output never
    /// depends on hashing.
    public static func < (left: LayoutPlace, right: LayoutPlace) -> Bool {
        switch (left.category, right.category) {
        case (.cell, .cell): left.path < right.path
        case (.supplementary(let kind), .supplementary(let other)),
            (.decoration(let kind), .decoration(let other)):
            kind == other ? left.path < right.path : kind < other
        default: left.category.rank < right.category.rank
        }
    }

    /// Hashes the path and the kind of view; kinds are few, and names cost more than they tell apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(category.rank)
    }
}
