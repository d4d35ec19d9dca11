import CollectionPipeline

/// A call that a simulated view made or received, or a change of its state; the view's log is a
/// list of events.
///
/// The description is one line, for tests to compare. Minor releases may add cases.
@nonexhaustive
public enum ViewEvent: Hashable, Sendable {
    // MARK: Updates

    /// The pipeline passed an update to the view.
    case received(SubmissionID)
    /// A turn found the view busy; the updates remain in its queue.
    case postponed(waiting: Int)
    /// The view applied the edits of an update. The submission is `nil` for an update of a data
    /// source of views.
    case applied(SubmissionID?, removals: Int, insertions: Int, reconfigured: Int)
    /// The view replaced all content. The submission is `nil` for a data source of views.
    case reloaded(SubmissionID?)
    /// The view refused an update.
    case refused(SubmissionID, ViewRefusal)
    /// The pipeline no longer needed an update when the view was about to apply it.
    case dropped(SubmissionID)
    /// The view has finished an update, including its animations.
    case finished(SubmissionID?)
    /// The controller has closed; `dropped` is the number of waiting updates that were dropped.
    case closed(dropped: Int)
    /// The view became busy; updates wait.
    case becameBusy
    /// The view is no longer busy.
    case becameIdle

    // MARK: Layout

    /// The view called its layout.
    case layout(LayoutCall)
    /// The layout, or the view itself, invalidated the layout.
    case invalidated(Invalidation)
    /// The size of the content changed.
    case contentSize(Size)
    /// The content offset changed.
    case scrolled(Point)
    /// The view notified its delegate or a node of a drag, or of content that moves by itself.
    case scrolling(ScrollingCall)

    // MARK: Views

    /// A reused view was prepared for a new element; the place is the new one.
    case prepareForReuse(LayoutPlace)
    /// New attributes were applied to a view.
    case apply(LayoutPlace)
    /// A view shows a new revision of its element.
    case refilled(LayoutPlace)
    /// A view returned its preferred size.
    case preferred(LayoutPlace, Size)
    /// A view became visible.
    case willDisplay(LayoutPlace)
    /// A view is no longer displayed; the place is its last one.
    case didEndDisplaying(LayoutPlace)

    // MARK: Ranges

    /// The range mode changed.
    case rangeMode(RangeMode)
    /// A node was notified that its interface state changed; the place is the last known one.
    case interfaceState(LayoutPlace, InterfaceState, from: InterfaceState)
    /// A node was notified of the part of it that is in the viewport, in its own coordinates; `nil`
    /// if it is no longer visible.
    case visibleRect(LayoutPlace, Rect?)

    // MARK: Fetching

    /// A fetch of more content started.
    case fetchBegan(ContentEnd)
    /// A fetch ended.
    case fetchEnded(ContentEnd, BatchFetchEnding)

    // MARK: Data source and delegate

    /// The view, or its adapter, called a data source of views.
    case dataSource(DataSourceCall)
    /// The view called its delegate because of a touch, or notified a node of its selection or
    /// highlight.
    case selection(SelectionCall)

    /// An error was reported.
    case error(ViewError)

    /// A call to the layout, with its result.
    @nonexhaustive
    public enum LayoutCall: Hashable, Sendable {
        /// Prepares the layout: computes everything that is invalid.
        case prepare
        /// Prepares the layout with the change set of an update.
        case prepareApplying
        /// Returns the size of the content.
        case collectionViewContentSize(Size)
        /// Returns the attributes in a rectangle.
        case layoutAttributesForElements(Rect, count: Int)
        /// Returns the attributes of one element; `found` is `false` if the layout has none.
        case layoutAttributes(LayoutPlace, found: Bool)
        /// Returns whether new bounds invalidate the layout.
        case shouldInvalidateLayoutForBounds(Rect, Bool)
        /// Returns the context for new bounds.
        case invalidationContextForBounds(Rect)
        /// Returns whether a view's preferred size invalidates the layout.
        case shouldInvalidateLayoutForPreferred(LayoutPlace, Size, Bool)
        /// Returns the context for a view's preferred size.
        case invalidationContextForPreferred(LayoutPlace)
        /// Passes the edits of an update; the event contains the first edits and the total number.
        case prepareForCollectionViewUpdates(first: [LayoutUpdateItem], count: Int)
        /// Returns the content offset after an update or an animated change.
        case targetContentOffset(proposed: Point, Point)
        /// Returns the content offset at which a fling ends.
        case flingTarget(proposed: Point, velocity: Point, Point)
        /// Returns the attributes at which a view starts to appear.
        case initialLayoutAttributes(LayoutPlace, found: Bool)
        /// Returns the attributes at which a view ends as it disappears.
        case finalLayoutAttributes(LayoutPlace, found: Bool)
        /// Returns the supplementary or decoration views that disappear with an update.
        case indexPathsToDelete(ElementCategory, [ItemPath])
        /// Returns the supplementary or decoration views that appear with an update.
        case indexPathsToInsert(ElementCategory, [ItemPath])
        /// Notifies the layout that the update has ended.
        case finalizeCollectionViewUpdates
        /// Notifies the layout that the bounds are about to change in an animation.
        case prepareForAnimatedBoundsChange(Rect)
        /// Notifies the layout that the bounds have changed in an animation.
        case finalizeAnimatedBoundsChange
        /// Notifies the old layout that another layout is about to replace it.
        case prepareForTransitionTo
        /// Notifies the new layout that it is about to replace another one.
        case prepareForTransitionFrom
        /// Notifies both layouts that the change of layouts has ended.
        case finalizeLayoutTransition
    }

    /// A summary of a layout invalidation context.
    public struct Invalidation: Hashable, Sendable {
        /// Whether everything must be computed again.
        public let invalidatesEverything: Bool
        /// Whether the counts of the data source may have changed.
        public let invalidatesDataSourceCounts: Bool
        /// The number of listed items, supplementary and decoration views. 0 means all of them,
        /// unless the context only invalidates counts.
        public let listedCount: Int
        /// The distance by which the context moved the content offset.
        public let contentOffsetAdjustment: Point
        /// The difference by which the context changed the content size.
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

    /// A call to a data source of views, with its result.
    @nonexhaustive
    public enum DataSourceCall: Hashable, Sendable {
        /// Returns the number of sections.
        case numberOfSections(Int)
        /// Returns the number of items in a section.
        case numberOfItems(section: Int, Int)
        /// Returns the view for a place.
        case view(LayoutPlace)
        /// Returns the context of a section; not recorded for a section without context.
        case sectionContext(section: Int)
        /// Announces items that may be needed soon, the nearest first.
        case prefetch([ItemPath])
        /// Revokes items that were announced and are no longer likely to be needed.
        case cancelPrefetching([ItemPath])
    }

    /// A call about touches and selection to the delegate or a node, with its result.
    @nonexhaustive
    public enum SelectionCall: Hashable, Sendable {
        /// Returns whether the item may be highlighted.
        case shouldHighlight(ItemPath, Bool)
        /// Notifies the delegate that the item was highlighted.
        case didHighlight(ItemPath)
        /// Notifies the delegate that the item is no longer highlighted.
        case didUnhighlight(ItemPath)
        /// Returns whether the item may be selected.
        case shouldSelect(ItemPath, Bool)
        /// Notifies the delegate that the item was selected.
        case didSelect(ItemPath)
        /// Returns whether the item may be deselected.
        case shouldDeselect(ItemPath, Bool)
        /// Notifies the delegate that the item was deselected.
        case didDeselect(ItemPath)
        /// Notifies the item's node whether it is highlighted; the path is the last known one.
        case nodeHighlight(ItemPath, Bool)
        /// Notifies the item's node whether it is selected; the path is the last known one.
        case nodeSelection(ItemPath, Bool)
    }

    /// A call about scrolling to the delegate or a node, with its result.
    @nonexhaustive
    public enum ScrollingCall: Hashable, Sendable {
        /// Notifies the delegate that a finger begins to drag.
        case willBeginDragging
        /// Returns the offset at which the content comes to rest after the finger lifts.
        case willEndDragging(velocity: Point, proposed: Point, Point)
        /// Notifies the delegate that the finger has lifted.
        case didEndDragging(willDecelerate: Bool)
        /// Notifies the delegate that the content continues to move by itself.
        case willBeginDecelerating
        /// Notifies the delegate that the content no longer moves by itself.
        case didEndDecelerating
        /// Notifies the delegate that an animation has ended.
        case didEndScrollingAnimation
        /// Notifies a node; the place is the last known one.
        case node(LayoutPlace, ScrollingEvent)
    }
}

// One line per event. Tests compare them, so their wording is part of the product.

extension ViewEvent: CustomStringConvertible {
    /// The event in one line.
    public var description: String {
        switch self {
        case .received(let id): "received \(id)"
        case .postponed(let waiting): "postponed, \(waiting) waiting"
        case .applied(let id, let removals, let insertions, let reconfigured):
            "applied\(words(id)): -\(removals) +\(insertions) ~\(reconfigured)"
        case .reloaded(let id): "reloaded\(words(id))"
        case .refused(let id, let refusal): "refused \(id): \(refusal.code.rawValue)"
        case .dropped(let id): "dropped \(id)"
        case .finished(let id): "finished\(words(id))"
        case .closed(let dropped): "closed, \(dropped) dropped"
        case .becameBusy: "busy"
        case .becameIdle: "idle"
        case .layout(let call): "layout \(call)"
        case .invalidated(let what): "invalidated\(what)"
        case .contentSize(let size): "contentSize \(text(size))"
        case .scrolled(let offset): "scrolled \(text(offset))"
        case .scrolling(let call): "\(call)"
        case .prepareForReuse(let place): "prepareForReuse \(place)"
        case .apply(let place): "apply \(place)"
        case .refilled(let place): "refilled \(place)"
        case .preferred(let place, let size): "preferred \(place) \(text(size))"
        case .willDisplay(let place): "willDisplay \(place)"
        case .didEndDisplaying(let place): "didEndDisplaying \(place)"
        case .rangeMode(let mode): "ranges \(mode)"
        case .interfaceState(let place, let state, let former):
            "state \(place): \(former) > \(state)"
        case .visibleRect(let place, let rect):
            "visible \(place): \(rect.map(text) ?? "nothing")"
        case .fetchBegan(let end): "fetch \(end)"
        case .fetchEnded(let end, let ending): "fetch \(end): \(ending)"
        case .dataSource(let call): "dataSource \(call)"
        case .selection(let call): "\(call)"
        case .error(let error): "error \(error.code.rawValue)"
        }
    }

    private func words(_ id: SubmissionID?) -> String { id.map { " \($0)" } ?? "" }
}

extension ViewEvent.LayoutCall: CustomStringConvertible {
    /// The call in one line.
    public var description: String {
        switch self {
        case .prepare: "prepare"
        case .prepareApplying: "prepare(applying:)"
        case .collectionViewContentSize(let size): "collectionViewContentSize \(text(size))"
        case .layoutAttributesForElements(let rect, let count):
            "attributes in \(text(rect)): \(count)"
        case .layoutAttributes(let place, let found):
            "attributes for \(place)\(found ? "" : ": none")"
        case .shouldInvalidateLayoutForBounds(let bounds, let answer):
            "shouldInvalidateLayout bounds \(text(bounds)): \(answer)"
        case .invalidationContextForBounds(let bounds): "context for bounds \(text(bounds))"
        case .shouldInvalidateLayoutForPreferred(let place, let size, let answer):
            "shouldInvalidateLayout preferred \(place) \(text(size)): \(answer)"
        case .invalidationContextForPreferred(let place): "context for preferred \(place)"
        case .prepareForCollectionViewUpdates(let first, let count):
            "prepare(forCollectionViewUpdates:) " + first.map(\.description).joined(separator: ", ")
                + (count > first.count ? " and \(count - first.count) more" : "")
        case .targetContentOffset(let proposed, let answer):
            "targetContentOffset \(text(proposed)): \(text(answer))"
        case .flingTarget(let proposed, let velocity, let answer):
            "targetContentOffset \(text(proposed)) velocity \(text(velocity)): \(text(answer))"
        case .initialLayoutAttributes(let place, let found):
            "initialLayoutAttributes \(place)\(found ? "" : ": none")"
        case .finalLayoutAttributes(let place, let found):
            "finalLayoutAttributes \(place)\(found ? "" : ": none")"
        case .indexPathsToDelete(let category, let paths):
            "indexPathsToDelete \(category)\(paths.isEmpty ? "" : ": " + list(paths))"
        case .indexPathsToInsert(let category, let paths):
            "indexPathsToInsert \(category)\(paths.isEmpty ? "" : ": " + list(paths))"
        case .finalizeCollectionViewUpdates: "finalizeCollectionViewUpdates"
        case .prepareForAnimatedBoundsChange(let old):
            "prepare(forAnimatedBoundsChange:) \(text(old))"
        case .finalizeAnimatedBoundsChange: "finalizeAnimatedBoundsChange"
        case .prepareForTransitionTo: "prepareForTransition(to:)"
        case .prepareForTransitionFrom: "prepareForTransition(from:)"
        case .finalizeLayoutTransition: "finalizeLayoutTransition"
        }
    }
}

extension ViewEvent.Invalidation: CustomStringConvertible {
    /// The invalidated parts, each preceded by a space.
    public var description: String {
        var words = ""
        if invalidatesEverything { words += " everything" }
        if invalidatesDataSourceCounts { words += " counts" }
        if listedCount > 0 { words += " \(listedCount)" }
        if words.isEmpty { words = " all" }
        if contentSizeAdjustment != .zero { words += " size \(text(contentSizeAdjustment))" }
        if contentOffsetAdjustment != .zero { words += " offset \(text(contentOffsetAdjustment))" }
        return words
    }
}

extension ViewEvent.DataSourceCall: CustomStringConvertible {
    /// The call in one line.
    public var description: String {
        switch self {
        case .numberOfSections(let count): "numberOfSections: \(count)"
        case .numberOfItems(let section, let count): "numberOfItems \(section): \(count)"
        case .view(let place): "view \(place)"
        case .sectionContext(let section): "context \(section)"
        case .prefetch(let paths): "prefetch \(list(paths))"
        case .cancelPrefetching(let paths): "cancelPrefetching \(list(paths))"
        }
    }
}

extension ViewEvent.SelectionCall: CustomStringConvertible {
    /// The call in one line.
    public var description: String {
        switch self {
        case .shouldHighlight(let path, let answer): "shouldHighlight \(path): \(answer)"
        case .didHighlight(let path): "didHighlight \(path)"
        case .didUnhighlight(let path): "didUnhighlight \(path)"
        case .shouldSelect(let path, let answer): "shouldSelect \(path): \(answer)"
        case .didSelect(let path): "didSelect \(path)"
        case .shouldDeselect(let path, let answer): "shouldDeselect \(path): \(answer)"
        case .didDeselect(let path): "didDeselect \(path)"
        case .nodeHighlight(let path, let isSo): "node \(path): \(isSo ? "" : "not ")highlighted"
        case .nodeSelection(let path, let isSo): "node \(path): \(isSo ? "" : "not ")selected"
        }
    }
}

extension ViewEvent.ScrollingCall: CustomStringConvertible {
    /// The call in one line.
    public var description: String {
        switch self {
        case .willBeginDragging: "willBeginDragging"
        case .willEndDragging(let velocity, let proposed, let answer):
            "willEndDragging velocity \(text(velocity)) \(text(proposed)): \(text(answer))"
        case .didEndDragging(let willDecelerate): "didEndDragging willDecelerate: \(willDecelerate)"
        case .willBeginDecelerating: "willBeginDecelerating"
        case .didEndDecelerating: "didEndDecelerating"
        case .didEndScrollingAnimation: "didEndScrollingAnimation"
        case .node(let place, let event): "node \(place): \(event)"
        }
    }
}

// Whole numbers are written without a fraction, since most numbers are whole.

private func text(_ value: Double) -> String {
    let text = value == 0 ? "0" : "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

private func list(_ paths: [ItemPath]) -> String {
    paths.map(\.description).joined(separator: ", ")
}

private func text(_ point: Point) -> String { "(\(text(point.x)), \(text(point.y)))" }

private func text(_ size: Size) -> String { "\(text(size.width)) × \(text(size.height))" }

private func text(_ rect: Rect) -> String { "\(text(rect.origin)) \(text(rect.size))" }
