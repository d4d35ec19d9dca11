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
