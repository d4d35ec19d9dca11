/// The place of one item: a section and an item within it.
///
/// A path carries no index space of its own; the name of the value that holds it does (`oldPath`,
/// `newPath`, `dataSourcePath`, `viewPath`). Paths order by section, then by item. Any two integers
/// make a path, also negative ones: whether it exists is for a ``HierarchyShape`` to say.
@frozen
public struct ItemPath: Hashable, Sendable {
    /// The index of the section.
    public var section: Int

    /// The index of the item within its section.
    public var item: Int

    /// Makes a path; nothing is checked.
    @inlinable
    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }
}

extension ItemPath: Comparable {
    /// Orders by section, then by item.
    @inlinable
    public static func < (left: ItemPath, right: ItemPath) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

extension ItemPath: CustomStringConvertible {
    /// The path as UIKit prints it in its messages, such as `2 - 7`.
    public var description: String { "\(section) - \(item)" }
}
