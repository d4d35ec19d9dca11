/// What of a layout is no longer right.
///
/// Lists that are all empty mean everything. A layout may have a subclass of its own that says more.
///
/// Source: UICollectionViewLayoutInvalidationContext.
open class LayoutInvalidationContext {
    /// Everything must be computed again: the data was reloaded, or the layout was changed. For the view
    /// to set.
    public var invalidatesEverything = false

    /// The numbers of sections and items may have changed. For the view to set.
    public var invalidatesDataSourceCounts = false

    /// Items whose attributes are no longer right.
    public private(set) var invalidatedItemIndexPaths: Set<ItemPath> = []

    /// Supplementary views whose attributes are no longer right.
    public private(set) var invalidatedSupplementaryIndexPaths: [SupplementaryKind: Set<ItemPath>] =
        [:]

    /// Decoration views whose attributes are no longer right.
    public private(set) var invalidatedDecorationIndexPaths: [SupplementaryKind: Set<ItemPath>] =
        [:]

    /// How far to move the content offset, at once.
    public var contentOffsetAdjustment = Point.zero

    /// By how much the content size changes, at once; the layout must answer the same from then on.
    public var contentSizeAdjustment = Size.zero

    /// Says nothing, so everything is to be computed again but the counts.
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

    /// Whether only what is listed is affected.
    public var isPartial: Bool {
        let hasLists =
            !invalidatedItemIndexPaths.isEmpty || !invalidatedSupplementaryIndexPaths.isEmpty
            || !invalidatedDecorationIndexPaths.isEmpty
        return hasLists && !invalidatesEverything && !invalidatesDataSourceCounts
    }
}
