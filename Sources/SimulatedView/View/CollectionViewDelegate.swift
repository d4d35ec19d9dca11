import CollectionLayouts

/// A delegate that receives a collection view's events and decides about touches; every member has
/// a default implementation.
///
/// Shape: places and paths are in the view's index space, for the state that it shows at that
/// moment. If a pipeline fills the view, `DataController.dataSourcePath(for:)` converts a path to
/// the current path in the data source, if the item still exists.
///
/// Threading: the view's main lane, from within its passes and touches. A delegate may change the
/// view's selection and bounds. Only within callbacks about scrolling can it also lay the view
/// out: see ``ViewError/Code/reentrantLayout``. If a delegate responds to scrolling by scrolling, 15 levels
/// deep, the view also reports an error and does not move again.
///
/// Source: UICollectionViewDelegate and UIScrollViewDelegate.
public protocol CollectionViewDelegate: AnyObject {
    /// Notifies the delegate that a view is about to become visible, configured and in place.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        willDisplay view: CollectionReusableView,
        at place: LayoutPlace
    )

    /// Notifies the delegate that a view is no longer displayed. `place` is the last place at which
    /// it was shown. If an update deletes the view or moves it out of the viewport, that is its
    /// place before the update.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didEndDisplaying view: CollectionReusableView,
        at place: LayoutPlace
    )

    /// Returns whether a touch may highlight an item. If not, the touch does not select the item
    /// either. `true` by default.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldHighlightItemAt path: ItemPath
    ) -> Bool

    /// Notifies the delegate that an item was highlighted.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didHighlightItemAt path: ItemPath
    )

    /// Notifies the delegate that an item is no longer highlighted.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didUnhighlightItemAt path: ItemPath
    )

    /// Returns whether a touch may select an item. `true` by default.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldSelectItemAt path: ItemPath
    ) -> Bool

    /// Notifies the delegate that a touch selected an item.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didSelectItemAt path: ItemPath
    )

    /// Returns whether a touch may deselect an item, if several items may be selected. `true` by
    /// default.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldDeselectItemAt path: ItemPath
    ) -> Bool

    /// Notifies the delegate that a touch deselected an item, either directly or by selecting
    /// another one.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        didDeselectItemAt path: ItemPath
    )

    /// Returns the content offset after an update or a change of layouts, given the one that the
    /// layout proposes.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        targetContentOffsetForProposedContentOffset offset: Point
    ) -> Point

    /// Notifies the delegate that a finger begins to drag the content.
    func collectionViewWillBeginDragging(_ collectionView: SimulatedCollectionView)

    /// Returns the offset at which the content comes to rest after the finger lifts.
    ///
    /// - Parameters:
    ///   - collectionView: The view.
    ///   - velocity: The velocity of the content offset, in units per millisecond.
    ///   - offset: The offset that the layout proposes, within the ends of the content.
    /// - Returns: The offset at which the content comes to rest; the view limits it to the ends of
    ///   the content.
    func collectionView(
        _ collectionView: SimulatedCollectionView,
        willEndDraggingWithVelocity velocity: Point,
        targetContentOffset offset: Point
    ) -> Point

    /// Notifies the delegate that the finger has lifted. `willDecelerate` is `true` if the content
    /// continues to move by itself.
    func collectionViewDidEndDragging(
        _ collectionView: SimulatedCollectionView,
        willDecelerate: Bool
    )

    /// Notifies the delegate that the content continues to move by itself.
    func collectionViewWillBeginDecelerating(_ collectionView: SimulatedCollectionView)

    /// Notifies the delegate that content that moved by itself has come to rest, or was stopped;
    /// called once for each ``collectionViewWillBeginDecelerating(_:)``.
    func collectionViewDidEndDecelerating(_ collectionView: SimulatedCollectionView)

    /// Notifies the delegate that an animation that the program started has reached its offset, or
    /// was stopped; called once for each animation. Not called if the content was already at that
    /// offset.
    func collectionViewDidEndScrollingAnimation(_ collectionView: SimulatedCollectionView)

    /// Notifies the delegate that the content offset changed, other than by an update.
    func collectionViewDidScroll(_ collectionView: SimulatedCollectionView)

    /// Notifies the delegate of an error. The view continues without the faulty part.
    func collectionView(_ collectionView: SimulatedCollectionView, didEncounter error: ViewError)
}

extension CollectionViewDelegate {
    /// Does nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        willDisplay view: CollectionReusableView,
        at place: LayoutPlace
    ) {}

    /// Does nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        didEndDisplaying view: CollectionReusableView,
        at place: LayoutPlace
    ) {}

    /// Returns `true`.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldHighlightItemAt path: ItemPath
    ) -> Bool { true }

    /// Does nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        didHighlightItemAt path: ItemPath
    ) {}

    /// Does nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        didUnhighlightItemAt path: ItemPath
    ) {}

    /// Returns `true`.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldSelectItemAt path: ItemPath
    ) -> Bool { true }

    /// Does nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        didSelectItemAt path: ItemPath
    ) {}

    /// Returns `true`.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        shouldDeselectItemAt path: ItemPath
    ) -> Bool { true }

    /// Does nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        didDeselectItemAt path: ItemPath
    ) {}

    /// Returns the proposed offset.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        targetContentOffsetForProposedContentOffset offset: Point
    ) -> Point { offset }

    /// Does nothing.
    public func collectionViewWillBeginDragging(_ collectionView: SimulatedCollectionView) {}

    /// Returns the offset that the layout proposes.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        willEndDraggingWithVelocity velocity: Point,
        targetContentOffset offset: Point
    ) -> Point { offset }

    /// Does nothing.
    public func collectionViewDidEndDragging(
        _ collectionView: SimulatedCollectionView,
        willDecelerate: Bool
    ) {}

    /// Does nothing.
    public func collectionViewWillBeginDecelerating(_ collectionView: SimulatedCollectionView) {}

    /// Does nothing.
    public func collectionViewDidEndDecelerating(_ collectionView: SimulatedCollectionView) {}

    /// Does nothing.
    public func collectionViewDidEndScrollingAnimation(_ collectionView: SimulatedCollectionView) {}

    /// Does nothing.
    public func collectionViewDidScroll(_ collectionView: SimulatedCollectionView) {}

    /// Does nothing.
    public func collectionView(
        _ collectionView: SimulatedCollectionView,
        didEncounter error: ViewError
    ) {
    }
}
