import CollectionLayouts

/// Told of what a collection view does, and asked about touches; every member has a default.
///
/// Shape: places and paths are in the view's index space, of what it shows at that moment; where a pipeline
/// fills it, `DataController.dataSourcePath(for:)` says where that is in the data source by now, if anywhere.
///
/// Threading: the view's main lane, from within its passes and touches. A delegate may change the view's
/// selection and bounds; what it cannot do is lay the view out: see ``ViewError/Code/reentrantLayout``. That is
/// reported too where it answers scrolling with scrolling, 15 times within one another: then nothing begins to move
/// any more.
///
/// Source: UICollectionViewDelegate and UIScrollViewDelegate.
public protocol CollectionViewDelegate: AnyObject {
    /// A view is about to become visible, configured and in place.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        willDisplay view: CollectionReusableView,
        at place: LayoutPlace
    )

    /// A view went out of sight; `place` is where it was shown last, in the index space of then: for everything that an
    /// update takes out of sight, whether it is deleted or moved, that before the update.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didEndDisplaying view: CollectionReusableView,
        at place: LayoutPlace
    )

    /// Whether a touch may highlight an item; if not, it does not select it either.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldHighlightItemAt path: ItemPath
    ) -> Bool

    /// An item was highlighted.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didHighlightItemAt path: ItemPath
    )

    /// An item is no longer highlighted.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didUnhighlightItemAt path: ItemPath
    )

    /// Whether a touch may select an item.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldSelectItemAt path: ItemPath
    ) -> Bool

    /// A touch selected an item.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didSelectItemAt path: ItemPath
    )

    /// Whether a touch may deselect an item, where several may be selected.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldDeselectItemAt path: ItemPath
    ) -> Bool

    /// A touch deselected an item, this one or by selecting another.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didDeselectItemAt path: ItemPath
    )

    /// Where to scroll after an update or a change of layouts, given what the layout proposes.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        targetContentOffsetForProposedContentOffset offset: Point
    ) -> Point

    /// A finger begins to drag the content.
    func collectionViewWillBeginDragging(_ collectionView: SimulatedCollectionView)

    /// The finger lets go of the content: where it is to come to rest.
    ///
    /// - Parameters:
    ///   - collectionView: the view.
    ///   - velocity: in units a millisecond.
    ///   - offset: where the layout has it come to rest, within the ends of the content.
    /// - Returns: where it comes to rest instead; brought within the ends of the content.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        willEndDraggingWithVelocity velocity: Point,
        targetContentOffset offset: Point
    ) -> Point

    /// The finger has let go of the content, which goes on by itself or has come to rest.
    func collectionViewDidEndDragging(
        _ collectionView: SimulatedCollectionView,
        willDecelerate: Bool
    )

    /// The content goes on by itself.
    func collectionViewWillBeginDecelerating(_ collectionView: SimulatedCollectionView)

    /// The content that went on by itself has come to rest, or was stopped; once for each beginning.
    func collectionViewDidEndDecelerating(_ collectionView: SimulatedCollectionView)

    /// The content has come to where the program had it scroll, or was stopped on the way; once for each
    /// animation. Not where it was there already.
    func collectionViewDidEndScrollingAnimation(_ collectionView: SimulatedCollectionView)

    /// The content offset changed, other than by an update.
    func collectionViewDidScroll(_ collectionView: SimulatedCollectionView)

    /// Something went wrong, and the view went on without it.
    func collectionView(_ collectionView: SimulatedCollectionView, didMeet error: ViewError)
}

extension CollectionViewDelegate {
    /// Nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        willDisplay view: CollectionReusableView,
        at place: LayoutPlace
    ) {}

    /// Nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        didEndDisplaying view: CollectionReusableView,
        at place: LayoutPlace
    ) {}

    /// Yes.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldHighlightItemAt path: ItemPath
    ) -> Bool { true }

    /// Nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        didHighlightItemAt path: ItemPath
    ) {}

    /// Nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        didUnhighlightItemAt path: ItemPath
    ) {}

    /// Yes.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldSelectItemAt path: ItemPath
    ) -> Bool { true }

    /// Nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        didSelectItemAt path: ItemPath
    ) {}

    /// Yes.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldDeselectItemAt path: ItemPath
    ) -> Bool { true }

    /// Nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        didDeselectItemAt path: ItemPath
    ) {}

    /// What is proposed.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        targetContentOffsetForProposedContentOffset offset: Point
    ) -> Point { offset }

    /// Nothing.
    public func collectionViewWillBeginDragging(_ collectionView: SimulatedCollectionView) {}

    /// Where the layout has it come to rest.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        willEndDraggingWithVelocity velocity: Point,
        targetContentOffset offset: Point
    ) -> Point { offset }

    /// Nothing.
    public func collectionViewDidEndDragging(
        _ collectionView: SimulatedCollectionView,
        willDecelerate: Bool
    ) {}

    /// Nothing.
    public func collectionViewWillBeginDecelerating(_ collectionView: SimulatedCollectionView) {}

    /// Nothing.
    public func collectionViewDidEndDecelerating(_ collectionView: SimulatedCollectionView) {}

    /// Nothing.
    public func collectionViewDidEndScrollingAnimation(_ collectionView: SimulatedCollectionView) {}

    /// Nothing.
    public func collectionViewDidScroll(_ collectionView: SimulatedCollectionView) {}

    /// Nothing.
    public func collectionView(_ collectionView: SimulatedCollectionView, didMeet error: ViewError)
    {
    }
}
