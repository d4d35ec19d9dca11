import CollectionLayouts

/// How one view came, went or moved in an animated update.
public struct ViewTransition: Hashable, Sendable {
    /// Where it was, in the index space before the update; nil where it came.
    public let oldPlace: LayoutPlace?

    /// Where it is, in the index space after the update; nil where it went.
    public let newPlace: LayoutPlace?

    /// What it starts from, in content coordinates of after the update: where the content offset moved,
    /// what was on the screen starts from where it was there.
    public let start: LayoutAttributes

    /// What it ends with.
    public let end: LayoutAttributes
}
