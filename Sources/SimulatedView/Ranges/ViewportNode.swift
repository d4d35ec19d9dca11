import CollectionElements
import CollectionLayouts

/// A node that is notified of the part of it that is in the viewport, when a reader scrolls or the
/// layout changes.
///
/// When the node enters the viewport, this notification follows the one of the visible state; when
/// the node leaves, it precedes the one of that state. In between, the node is notified whenever a
/// different part becomes visible, at most once per pass of the view.
///
/// Threading: as ``RangeManagedNode``; the view's ``RangeController`` sends the notifications.
///
/// Source: the visibility events of Texture's cell node.
public protocol ViewportNode: RangeManagedNode {
    /// Notifies the node that another part of it is in the viewport.
    ///
    /// - Parameters:
    ///   - newRect: The visible part, in the node's own coordinates, whose origin is its upper left
    ///     corner; `nil` if the node is no longer visible. In an inverted view, it is still the
    ///     corner that is the upper left one in the content, although a reader sees it at the other
    ///     end.
    ///   - oldRect: The part of the last notification; `nil` if the node was not visible.
    ///
    /// Does nothing by default.
    func visibleRectDidChange(to newRect: Rect?, from oldRect: Rect?)

    /// Notifies the node that a drag begins or ends around it, or that the content has come to
    /// rest. Called while a part of the node is in the viewport, after the notification of that
    /// part. Does nothing by default.
    func scrollingDidChange(_ event: ScrollingEvent)
}

extension ViewportNode {
    /// Does nothing.
    public func visibleRectDidChange(to newRect: Rect?, from oldRect: Rect?) {}

    /// Does nothing.
    public func scrollingDidChange(_ event: ScrollingEvent) {}
}

/// An event of the scrolling around a node in the viewport.
///
/// Source: the visibility events of Texture's cell node.
@nonexhaustive
public enum ScrollingEvent: String, Hashable, Sendable, CaseIterable {
    /// A finger begins to drag the content.
    case willBeginDragging
    /// The finger has lifted.
    case didEndDragging
    /// The content has come to rest, after a finger lifted or at the end of an animation.
    case didStop
}

extension Rect {
    /// Returns the part that lies in `bounds`, in coordinates of this rectangle; the two must
    /// intersect.
    func part(in bounds: Rect) -> Rect {
        intersection(bounds).offsetBy(dx: -minX, dy: -minY)
    }
}
