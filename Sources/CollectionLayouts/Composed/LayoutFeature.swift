/// A modifier for the attributes of a ``ComposedLayout``, independent of its sections' layouts.
///
/// Features are an ordered list: each receives the result of the previous one. ``StickyHeaders`` is
/// an example.
///
/// Shape: frames are in content coordinates, already mirrored if content runs from right to left.
///
/// Threading: main lane of the view, from within queries; a feature must not change the layout.
///
/// Source: the features of ListKit's composing layout, which always received the content offset.
/// Here a feature declares whether it needs the offset, so scrolling costs nothing if none does.
public protocol LayoutFeature {
    /// Returns whether the attributes of elements of this category depend on the content offset. If
    /// so, scrolling invalidates only those of them whose attributes differ between the old and the
    /// new bounds. The default implementation returns `false`.
    func followsContentOffset(_ category: ElementCategory) -> Bool

    /// The maximum distance by which the feature moves an element along the scroll direction; 0 by
    /// default. Queries by rectangle search this much farther. Headers and footers may always move
    /// anywhere in their section.
    var reach: Double { get }

    /// Returns the attributes that replace `attributes`; they must have the same place.
    func rewrite(_ attributes: LayoutAttributes, in environment: LayoutEnvironment)
        -> LayoutAttributes
}

extension LayoutFeature {
    /// Returns `false`.
    public func followsContentOffset(_ category: ElementCategory) -> Bool { false }

    /// Returns 0.
    public var reach: Double { 0 }
}

/// The surroundings of an element, which a ``LayoutFeature`` receives. Frames are in content
/// coordinates.
public struct LayoutEnvironment: Hashable, Sendable {
    /// The frame of the element's section, header and footer included.
    public let sectionFrame: Rect

    /// The extent of the section's header along the scroll direction; 0 without one.
    public let headerExtent: Double

    /// The extent of the section's footer along the scroll direction; 0 without one.
    public let footerExtent: Double

    /// The view's bounds; their origin is the content offset.
    public let bounds: Rect

    /// The bounds without the content insets.
    public let visibleRect: Rect

    /// The axis along which the collection scrolls.
    public let scrollDirection: ScrollDirection

    /// Whether content runs from right to left.
    public let isRightToLeft: Bool

    /// The number of pixels per unit.
    public let displayScale: Double

    /// The content offset of the view.
    public var contentOffset: Point { bounds.origin }

    /// Returns the nearest value that falls on the edge of a pixel.
    public func pixelAligned(_ value: Double) -> Double {
        (value * displayScale).rounded() / displayScale
    }
}
