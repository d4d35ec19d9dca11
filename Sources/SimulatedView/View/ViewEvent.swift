import CollectionPipeline

/// One call that a simulated view made or received; the view's log is a list of them.
///
/// The description is one line, for tests to compare. More cases may come in minor releases.
@nonexhaustive
public enum ViewEvent: Hashable, Sendable {
    // MARK: Updates

    /// The pipeline handed over an update.
    case received(SubmissionID)
    /// A turn of the view found it busy; the updates stay in its queue.
    case postponed(waiting: Int)
    /// The view applied the edits of an update; without a number, one of a data source of views.
    case applied(SubmissionID?, removals: Int, insertions: Int, reconfigured: Int)
    /// The view replaced everything; without a number, for a data source of views.
    case reloaded(SubmissionID?)
    /// The view refused an update.
    case refused(SubmissionID, ViewRefusal)
    /// The pipeline had no use for an update any more.
    case dropped(SubmissionID)
    /// The view is done with an update, animations included.
    case finished(SubmissionID?)
    /// The controller has closed; so many updates waited, and were dropped.
    case closed(dropped: Int)
    /// Scrolling or animating began; updates wait.
    case becameBusy
    /// Scrolling or animating ended.
    case becameIdle

    // MARK: Layout

    /// The view called its layout.
    case layout(LayoutCall)
    /// The layout, or the view itself, invalidated the layout.
    case invalidated(Invalidation)
    /// The extent of the content changed.
    case contentSize(Size)
    /// The content offset changed.
    case scrolled(Point)
    /// The delegate or a node was told of a finger, or of content that moves by itself.
    case scrolling(ScrollingCall)

    // MARK: Views

    /// A view was taken from the pool and told to forget what it showed; the place is its new one.
    case prepareForReuse(LayoutPlace)
    /// A view took on a place.
    case apply(LayoutPlace)
    /// A view shows a new revision of its element.
    case refilled(LayoutPlace)
    /// A view was asked for the size that it wants.
    case preferred(LayoutPlace, Size)
    /// A view became visible.
    case willDisplay(LayoutPlace)
    /// A view went out of sight; its place is the one it had.
    case didEndDisplaying(LayoutPlace)

    // MARK: Ranges

    /// The ranges reach as this mode says from now on.
    case rangeMode(RangeMode)
    /// A node was told that its state changed; the place is where it was seen last.
    case interfaceState(LayoutPlace, InterfaceState, from: InterfaceState)
    /// A node was told which part of it is in the viewport, in its own coordinates; nil for nothing any more.
    case visibleRect(LayoutPlace, Rect?)

    // MARK: Fetching

    /// Somebody is asked for more content.
    case fetchBegan(ContentEnd)
    /// A fetch ended.
    case fetchEnded(ContentEnd, BatchFetchEnding)

    // MARK: Data source and delegate

    /// The view, or its adapter, asked a data source of views.
    case dataSource(DataSourceCall)
    /// The view told or asked its delegate about a touch, or told a node how it is to look.
    case selection(SelectionCall)

    /// Something went wrong.
    case error(ViewError)
}

extension ViewEvent {
    /// A call of the layout, with its answer.
    @nonexhaustive
    public enum LayoutCall: Hashable, Sendable {
        /// Everything that is invalid is to be computed.
        case prepare
        /// The same, with an update to take advantage of.
        case prepareApplying
        /// How large the content is.
        case collectionViewContentSize(Size)
        /// What lies in a rectangle.
        case layoutAttributesForElements(Rect, count: Int)
        /// Where one thing is; `found` is false where it is nowhere.
        case layoutAttributes(LayoutPlace, found: Bool)
        /// Whether other bounds invalidate.
        case shouldInvalidateLayoutForBounds(Rect, Bool)
        /// What other bounds invalidate.
        case invalidationContextForBounds(Rect)
        /// Whether a view's preferred size invalidates.
        case shouldInvalidateLayoutForPreferred(LayoutPlace, Size, Bool)
        /// What a view's preferred size invalidates.
        case invalidationContextForPreferred(LayoutPlace)
        /// The edits of an update: the first of them, and how many there are.
        case prepareForCollectionViewUpdates(first: [LayoutUpdateItem], count: Int)
        /// Where to scroll after an update or an animated change.
        case targetContentOffset(proposed: Point, Point)
        /// Where a fling ends.
        case flingTarget(proposed: Point, velocity: Point, Point)
        /// Where a view comes from.
        case initialLayoutAttributes(LayoutPlace, found: Bool)
        /// Where a view goes.
        case finalLayoutAttributes(LayoutPlace, found: Bool)
        /// The supplementary or decoration views that go with an update.
        case indexPathsToDelete(ElementCategory, [ItemPath])
        /// The supplementary or decoration views that come with an update.
        case indexPathsToInsert(ElementCategory, [ItemPath])
        /// The update is over.
        case finalizeCollectionViewUpdates
        /// The bounds are about to change in an animation.
        case prepareForAnimatedBoundsChange(Rect)
        /// The bounds have changed in an animation.
        case finalizeAnimatedBoundsChange
        /// Another layout is about to take over.
        case prepareForTransitionTo
        /// It is about to take over.
        case prepareForTransitionFrom
        /// The change of layouts is over.
        case finalizeLayoutTransition
    }

    /// What a context says that is wrong.
    public struct Invalidation: Hashable, Sendable {
        /// Whether everything must be computed again.
        public let invalidatesEverything: Bool
        /// Whether counts may have changed.
        public let invalidatesDataSourceCounts: Bool
        /// How many items, supplementary and decoration views are listed; none means all, unless
        /// it is about counts.
        public let listedCount: Int
        /// How far the content offset moved at once.
        public let contentOffsetAdjustment: Point
        /// By how much the content size changed at once.
        public let contentSizeAdjustment: Size

        init(_ context: LayoutInvalidationContext) {
            invalidatesEverything = context.invalidatesEverything
            invalidatesDataSourceCounts = context.invalidatesDataSourceCounts
            listedCount =
                context.invalidatedItemIndexPaths.count
                + context.invalidatedSupplementaryIndexPaths.values.reduce(0) { $0 + $1.count }
                + context.invalidatedDecorationIndexPaths.values.reduce(0) { $0 + $1.count }
            contentOffsetAdjustment = context.contentOffsetAdjustment
            contentSizeAdjustment = context.contentSizeAdjustment
        }
    }

    /// A question to a data source of views, with its answer.
    @nonexhaustive
    public enum DataSourceCall: Hashable, Sendable {
        /// How many sections there are.
        case numberOfSections(Int)
        /// How many items a section has.
        case numberOfItems(section: Int, Int)
        /// The view for a place.
        case view(LayoutPlace)
        /// What is to be known of a section, where there is something.
        case context(section: Int)
        /// Items that may be needed soon, the nearest first.
        case prefetch([ItemPath])
        /// Items that were announced and are no longer likely.
        case cancelPrefetching([ItemPath])
    }

    /// What is told or asked about a touch or what is selected, with the answer.
    @nonexhaustive
    public enum SelectionCall: Hashable, Sendable {
        /// May it be highlighted?
        case shouldHighlight(ItemPath, Bool)
        /// It was highlighted.
        case didHighlight(ItemPath)
        /// It is no longer highlighted.
        case didUnhighlight(ItemPath)
        /// May it be selected?
        case shouldSelect(ItemPath, Bool)
        /// It was selected.
        case didSelect(ItemPath)
        /// May it be deselected?
        case shouldDeselect(ItemPath, Bool)
        /// It was deselected.
        case didDeselect(ItemPath)
        /// Its node was told whether it is highlighted; the path is the last that the view knew.
        case nodeHighlight(ItemPath, Bool)
        /// Its node was told whether it is selected; the path is the last that the view knew.
        case nodeSelection(ItemPath, Bool)
    }

    /// What is told or asked about scrolling, with the answer.
    @nonexhaustive
    public enum ScrollingCall: Hashable, Sendable {
        /// A finger begins to drag.
        case willBeginDragging
        /// The finger lets go: where the content is to come to rest, and what the delegate says.
        case willEndDragging(velocity: Point, proposed: Point, Point)
        /// The finger has let go.
        case didEndDragging(willDecelerate: Bool)
        /// The content goes on by itself.
        case willBeginDecelerating
        /// It does not any more.
        case didEndDecelerating
        /// An animation has ended.
        case didEndScrollingAnimation
        /// A node was told; the place is where it was seen last.
        case node(LayoutPlace, ScrollingEvent)
    }
}
