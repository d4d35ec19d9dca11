/// The parts of a layout that are invalid.
///
/// If all lists are empty, everything is invalid. A layout may define a subclass with more details.
///
/// Source: UICollectionViewLayoutInvalidationContext.
open class LayoutInvalidationContext {
    /// Whether everything must be computed again, because the data was reloaded or the layout was
    /// changed. Set by the view.
    public var invalidatesEverything = false

    /// Whether the numbers of sections and items may have changed. Set by the view.
    public var invalidatesDataSourceCounts = false

    /// The items whose attributes are invalid.
    public private(set) var invalidatedItemIndexPaths: Set<ItemPath> = []

    /// The supplementary views whose attributes are invalid, by kind.
    public private(set) var invalidatedSupplementaryIndexPaths: [SupplementaryKind: Set<ItemPath>] =
        [:]

    /// The decoration views whose attributes are invalid, by kind.
    public private(set) var invalidatedDecorationIndexPaths: [SupplementaryKind: Set<ItemPath>] =
        [:]

    /// The distance by which the content offset changes immediately.
    public var contentOffsetAdjustment = Point.zero

    /// The amount by which the content size changes immediately; from then on, the layout must
    /// return the changed size.
    public var contentSizeAdjustment = Size.zero

    /// Creates a context without details: everything must be computed again except the counts.
    public required init() {}

    /// Adds items to the list.
    public func invalidateItems(at paths: some Sequence<ItemPath>) {
        invalidatedItemIndexPaths.formUnion(paths)
    }

    /// Adds supplementary views to the list.
    public func invalidateSupplementaryElements(
        ofKind kind: SupplementaryKind,
        at paths: some Sequence<ItemPath>
    ) {
        invalidatedSupplementaryIndexPaths[kind, default: []].formUnion(paths)
    }

    /// Adds decoration views to the list.
    public func invalidateDecorationElements(
        ofKind kind: SupplementaryKind,
        at paths: some Sequence<ItemPath>
    ) {
        invalidatedDecorationIndexPaths[kind, default: []].formUnion(paths)
    }

    /// Whether only the listed elements are affected.
    public var isPartial: Bool {
        let hasLists =
            !invalidatedItemIndexPaths.isEmpty || !invalidatedSupplementaryIndexPaths.isEmpty
            || !invalidatedDecorationIndexPaths.isEmpty
        return hasLists && !invalidatesEverything && !invalidatesDataSourceCounts
    }
}

extension LayoutInvalidationContext {
    /// Records the effect of an element's new size on the content.
    ///
    /// - Parameters:
    ///   - growth: The growth of the content, not of the element; the two may differ in the last
    ///     digit. A view that adds it to the content size must get the size that the layout returns
    ///     from then on.
    ///   - oldFrame: The previous frame of the element, in content coordinates.
    ///   - visible: The rectangle that should keep its position, in content coordinates; `nil`
    ///     without a view.
    ///   - isReversed: Whether the first section is at the far end of the scroll direction.
    func adjust(
        by growth: Double,
        of oldFrame: Rect,
        keeping visible: Rect?,
        _ direction: ScrollDirection,
        isReversed: Bool = false
    ) {
        contentSizeAdjustment = Size(along: growth, across: 0, direction)
        guard let visible else { return }
        let (old, shown) = (AxisRect(oldFrame, direction), AxisRect(visible, direction))
        // In a reversed layout, the content before an element moves, while the content after it
        // stays in place.
        let movesVisibleContent =
            isReversed ? old.along < shown.alongEnd : old.alongEnd <= shown.along
        if movesVisibleContent {
            contentOffsetAdjustment = Point(along: growth, across: 0, direction)
        }
    }
}
