import CollectionLayouts

// Leafing, where the layout is a pager.

extension SimulatedCollectionView {
    /// The page that is nearest to the viewport; nil where the layout is no `PagerLayout`, or has no pages.
    ///
    /// Source: Texture's pager node.
    public var currentPage: Int? {
        requireLane("currentPage")
        bringUpToDate()
        return (shownLayout as? PagerLayout)?.currentPage
    }

    /// Scrolls to a page, counted from 0 in the order of items.
    ///
    /// - Parameters:
    ///   - number: the page.
    ///   - isAnimated: as in ``setContentOffset(_:animated:)``.
    /// - Throws: `noSuchPath` where there is no such page, or the layout is no `PagerLayout`; nothing has happened
    ///   then.
    public func scrollToPage(at number: Int, animated isAnimated: Bool = false) throws(ViewError) {
        requireLane("scrollToPage(at:animated:)")
        bringUpToDate()
        guard let pager = shownLayout as? PagerLayout else {
            throw ViewError(.noSuchPath, "there is no page \(number) where the layout is no pager")
        }
        guard let path = pager.path(ofPage: number) else {
            throw ViewError(
                .noSuchPath,
                "there is no page \(number) among \(pager.numberOfPages)"
            )
        }
        try scrollToItem(
            at: path,
            at: pager.scrollDirection == .horizontal ? .left : .top,
            animated: isAnimated
        )
    }
}
