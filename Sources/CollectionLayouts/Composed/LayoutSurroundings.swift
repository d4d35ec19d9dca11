/// What a ``LayoutFeature`` may know about the place of an element. Frames are in content coordinates.
public struct LayoutSurroundings: Hashable, Sendable {
    /// The frame of the element's section, header and footer included.
    public let sectionFrame: Rect

    /// The extent of the section's header along the scroll direction; 0 without one.
    public let headerExtent: Double

    /// The extent of the section's footer along the scroll direction; 0 without one.
    public let footerExtent: Double

    /// The view's bounds; their origin is the content offset.
    public let bounds: Rect

    /// The bounds without what the view keeps free around the content.
    public let visibleRect: Rect

    /// The axis along which the collection scrolls.
    public let scrollDirection: ScrollDirection

    /// Whether content runs from right to left.
    public let isRightToLeft: Bool

    /// How many pixels a unit has.
    public let displayScale: Double

    /// How far the content is scrolled.
    public var contentOffset: Point { bounds.origin }

    /// The nearest edge of a pixel.
    public func pixelAligned(_ value: Double) -> Double {
        (value * displayScale).rounded() / displayScale
    }
}
