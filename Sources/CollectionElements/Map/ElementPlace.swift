/// The place of an element, item or supplementary, in one map.
public struct ElementPlace: Hashable, Sendable {
    /// The section, and the item or the number of the supplementary element in it.
    public let path: ItemPath

    /// The kind of a supplementary element; nil for an item.
    public let kind: SupplementaryKind?

    /// Makes a place; nothing is checked.
    public init(path: ItemPath, kind: SupplementaryKind? = nil) {
        self.path = path
        self.kind = kind
    }
}

extension ElementPlace: CustomStringConvertible {
    /// The place, such as `0 - 3` or `header 2 - 0`.
    public var description: String { kind.map { "\($0) \(path)" } ?? "\(path)" }
}
