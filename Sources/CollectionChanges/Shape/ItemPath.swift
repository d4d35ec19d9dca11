/// The position of one item: a section and an item within it.
///
/// A path carries no index space of its own; the name of the value that holds it does (`oldPath`,
/// `newPath`, `dataSourcePath`, `viewPath`). Paths are ordered by section, then by item. Any two
/// integers form a path, including negative ones; a ``HierarchyShape`` decides whether the path
/// exists.
@frozen
public struct ItemPath: Hashable, Sendable {
    /// The index of the section.
    public var section: Int

    /// The index of the item within its section.
    public var item: Int

    /// Creates a path without checking it.
    @inlinable
    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }
}

extension ItemPath: Comparable {
    /// Returns whether `left` is before `right`, by section, then by item.
    @inlinable
    public static func < (left: ItemPath, right: ItemPath) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

extension ItemPath: CustomStringConvertible {
    /// The path as UIKit prints it in its messages, such as `2 - 7`.
    public var description: String { "\(section) - \(item)" }
}

/// The name of a kind of supplementary element, such as the headers of sections.
public struct SupplementaryKind: RawRepresentable, Hashable, Sendable {
    /// The name, unique within an application.
    public var rawValue: String

    /// Creates a kind from an application-defined name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The header of a section.
    public static let header = SupplementaryKind(rawValue: "header")
    /// The footer of a section.
    public static let footer = SupplementaryKind(rawValue: "footer")
}

extension SupplementaryKind: Comparable {
    /// Returns whether the name of `left` is before that of `right`. A fixed order keeps output
    /// independent of hashing.
    public static func < (left: SupplementaryKind, right: SupplementaryKind) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension SupplementaryKind: CustomStringConvertible {
    /// The name of the kind.
    public var description: String { rawValue }
}
