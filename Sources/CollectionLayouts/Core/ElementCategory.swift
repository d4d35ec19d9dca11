/// What kind of view a layout places: these three and no other.
public enum ElementCategory: Hashable, Sendable {
    /// The cell of an item.
    case cell
    /// A supplementary view, such as a header, of which the data source knows.
    case supplementary(SupplementaryKind)
    /// A decoration view, of which only the layout knows.
    case decoration(SupplementaryKind)
}

extension ElementCategory: CustomStringConvertible {
    /// The kind of view, such as `cell`, `header` or `decoration background`.
    public var description: String {
        switch self {
        case .cell: "cell"
        case .supplementary(let kind): "\(kind)"
        case .decoration(let kind): "decoration \(kind)"
        }
    }
}

extension ElementCategory {
    /// Cells come first, and decorations last.
    var rank: Int {
        switch self {
        case .cell: 0
        case .supplementary: 1
        case .decoration: 2
        }
    }
}
