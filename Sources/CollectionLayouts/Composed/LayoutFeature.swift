import CollectionElements

/// Rewrites the attributes of a ``ComposedLayout``, whatever its sections' layouts are.
///
/// Features are an ordered list: each gets what the one before it answered. ``StickyHeaders`` is one.
///
/// Shape: frames are in content coordinates, mirrored already where content runs from right to left.
///
/// Threading: main lane of the view, from within queries; a feature must not change the layout.
///
/// Source: the features of ListKit's composing layout, which handed them the content offset; here they
/// also say whether they need it, so that scrolling costs nothing where none does.
public protocol LayoutFeature {
    /// Whether the attributes of such elements follow the content offset. If so, scrolling invalidates those
    /// of them whose attributes differ between the old bounds and the new, and nothing else. No by default.
    func followsContentOffset(_ category: ElementCategory) -> Bool

    /// How far an element may come to lie outside of where it was, along the scroll direction; a header
    /// or footer may come to lie anywhere in its section regardless. Rectangle queries look that much
    /// further. 0 by default.
    var reach: Double { get }

    /// The attributes instead of `attributes`; the place stays what it was.
    func rewrite(_ attributes: LayoutAttributes, in surroundings: LayoutSurroundings)
        -> LayoutAttributes
}

extension LayoutFeature {
    /// No.
    public func followsContentOffset(_ category: ElementCategory) -> Bool { false }

    /// 0.
    public var reach: Double { 0 }
}

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
