import CollectionLayouts

/// Where an item is to be in the viewport: one position for each axis at most.
///
/// Source: UICollectionView.ScrollPosition.
public struct ScrollPosition: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// At the upper edge.
    public static let top = ScrollPosition(rawValue: 1)
    /// In the middle between upper and lower edge.
    public static let centeredVertically = ScrollPosition(rawValue: 2)
    /// At the lower edge.
    public static let bottom = ScrollPosition(rawValue: 4)
    /// At the left edge.
    public static let left = ScrollPosition(rawValue: 8)
    /// In the middle between left and right edge.
    public static let centeredHorizontally = ScrollPosition(rawValue: 16)
    /// At the right edge.
    public static let right = ScrollPosition(rawValue: 32)

    private static let vertical: ScrollPosition = [.top, .centeredVertically, .bottom]
    private static let horizontal: ScrollPosition = [.left, .centeredHorizontally, .right]

    /// Throws where two positions of one axis are asked for.
    func check() throws(ViewError) {
        for (axis, word) in [(Self.vertical, "vertical"), (.horizontal, "horizontal")]
        where intersection(axis).rawValue.nonzeroBitCount > 1 {
            throw ViewError(
                .scrollPosition,
                "UICollectionViewScrollPosition: attempt to use a scroll position with multiple"
                    + " \(word) positioning styles"
            )
        }
    }

    /// The content offset that has `frame` where this says; an axis of which it says nothing keeps its
    /// offset.
    func offset(showing frame: Rect, in bounds: Rect, inset: EdgeInsets) -> Point {
        var offset = bounds.origin
        if contains(.top) {
            offset.y = frame.minY - inset.top
        } else if contains(.bottom) {
            offset.y = frame.maxY + inset.bottom - bounds.size.height
        } else if contains(.centeredVertically) {
            offset.y = frame.center.y - (bounds.size.height + inset.top - inset.bottom) / 2
        }
        if contains(.left) {
            offset.x = frame.minX - inset.left
        } else if contains(.right) {
            offset.x = frame.maxX + inset.right - bounds.size.width
        } else if contains(.centeredHorizontally) {
            offset.x = frame.center.x - (bounds.size.width + inset.left - inset.right) / 2
        }
        return offset
    }
}
