import CollectionElements
import CollectionLayouts

/// A node that is told which part of it is in the viewport, as a reader scrolls or the layout changes.
///
/// Where the node comes into the viewport it is told after it entered the visible state, and where it goes before
/// it leaves that state; in between whenever another part is to be seen, at most once a pass of the view.
///
/// Threading: as ``RangeManagedNode``; told by the ``RangeController`` of the view.
///
/// Source: the visibility events of Texture's cell node.
public protocol ViewportNode: RangeManagedNode {
    /// Another part of the node is in the viewport.
    ///
    /// - Parameters:
    ///   - newRect: in the node's own coordinates, whose origin is its upper left corner; nil where the node is
    ///     not visible any more. In an inverted view too it is the corner that is the upper left one in the
    ///     content, though a reader sees it at the other end.
    ///   - oldRect: what was told last; nil where the node was not visible.
    ///
    /// Does nothing by default.
    func visibleRectDidChange(to newRect: Rect?, from oldRect: Rect?)

    /// The content around the node is dragged, is let go of, or has come to rest; told while a part of the node is
    /// in the viewport, after which part. Does nothing by default.
    func scrollingDidChange(_ event: ScrollingEvent)
}

extension ViewportNode {
    /// Nothing.
    public func visibleRectDidChange(to newRect: Rect?, from oldRect: Rect?) {}

    /// Nothing.
    public func scrollingDidChange(_ event: ScrollingEvent) {}
}

extension Rect {
    /// The part that lies in `bounds`, in coordinates of its own; the two are expected to meet.
    func part(in bounds: Rect) -> Rect {
        intersection(bounds).offsetBy(dx: -minX, dy: -minY)
    }
}
