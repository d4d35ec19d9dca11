/// A decoration view that a ``SectionArrangement`` places: something to look at that is no element of the
/// data, such as a section's background.
///
/// Its path has the section and, as item, its number among the section's decorations of its kind.
///
/// Threading: a value, usable anywhere.
///
/// Source: the decoration views of UICollectionViewLayout.
public struct SectionDecoration: Hashable, Sendable {
    /// What kind of decoration it is.
    public var kind: SupplementaryKind

    /// Where it is, in section coordinates.
    public var frame: Rect

    /// What is higher is in front; cells are at 0, headers and footers at 10.
    public var zIndex: Int

    /// Makes a decoration, behind the cells by default; nothing is checked.
    public init(_ kind: SupplementaryKind, frame: Rect, zIndex: Int = -1) {
        self.kind = kind
        self.frame = frame
        self.zIndex = zIndex
    }
}
