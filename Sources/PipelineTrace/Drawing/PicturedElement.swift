import CollectionLayouts

/// One element of a ``LayoutPicture``: where it is, who it is, and what stands on it.
public struct PicturedElement: Hashable, Sendable {
    /// Where it is and how it is shown, as the layout answered.
    public var attributes: LayoutAttributes

    /// Who it is, whatever its path: the same in every picture that shows it. Nil where nobody knows.
    public var key: String?

    /// The text on it, line by line, as ``PictureText`` sets it; what does not fit is cut off.
    public var lines: [String]

    /// Whether it is selected.
    public var isSelected: Bool

    /// How near it is to the viewport, as a range controller found it; nil, the default, where nobody says.
    public var interfaceState: InterfaceState?

    /// Whether it has a node, as by default. What has none is crossed out.
    public var hasNode = true

    /// Makes an element; nothing is checked.
    public init(
        _ attributes: LayoutAttributes,
        key: String? = nil,
        lines: [String] = [],
        isSelected: Bool = false
    ) {
        self.attributes = attributes
        self.key = key
        self.lines = lines
        self.isSelected = isSelected
    }
}
