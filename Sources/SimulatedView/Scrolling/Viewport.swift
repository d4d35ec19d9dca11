import CollectionLayouts

/// The visible part of the content and the limits of scrolling; geometry only.
struct Viewport {
    /// The bounds in content coordinates; the origin is the content offset.
    var bounds: Rect
    var contentSize = Size.zero
    var insets = ViewInsets()
    /// Whether readers see the content from its other end.
    var isInverted = false

    var offset: Point { bounds.origin }

    /// Returns the difference between the content offset and an earlier one.
    func shift(since oldOffset: Point) -> Point {
        Point(x: offset.x - oldOffset.x, y: offset.y - oldOffset.y)
    }

    /// The content inset plus the added part of the safe area.
    var inset: EdgeInsets {
        let (content, safe) = (insets.content, insets.addedSafeArea)
        return EdgeInsets(
            top: content.top + safe.top,
            left: content.left + safe.left,
            bottom: content.bottom + safe.bottom,
            right: content.right + safe.right
        )
    }

    /// Returns the nearest offset at which the content and its insets fill the viewport, if they
    /// can.
    func legal(_ offset: Point) -> Point {
        let (low, high) = ends
        return Point(
            x: max(low.x, min(high.x, offset.x)),
            y: max(low.y, min(high.y, offset.y))
        )
    }

    private var ends: (low: Point, high: Point) {
        let inset = inset
        let low = Point(x: -inset.left, y: -inset.top)
        return (
            low,
            Point(
                x: max(low.x, contentSize.width + inset.right - bounds.size.width),
                y: max(low.y, contentSize.height + inset.bottom - bounds.size.height)
            )
        )
    }

    /// The offset at the beginning of the content; from right to left, that is its right end.
    var start: Point {
        let (low, high) = ends
        return insets.isRightToLeft ? Point(x: high.x, y: low.y) : low
    }

    /// Whether the beginning of the content is visible.
    var isAtStart: Bool {
        let start = start
        return offset.y <= start.y
            && (insets.isRightToLeft ? offset.x >= start.x : offset.x <= start.x)
    }
}

/// The insets around a view's content, and the other settings that affect the layout.
struct ViewInsets: Hashable {
    var content = EdgeInsets.zero
    var safeArea = EdgeInsets.zero
    var margins = EdgeInsets.zero
    var adjustment = ContentInsetAdjustmentBehavior.automatic
    var isRightToLeft = false
    var displayScale = 1.0

    var addedSafeArea: EdgeInsets {
        switch adjustment {
        case .automatic:
            EdgeInsets(top: safeArea.top, left: 0, bottom: safeArea.bottom, right: 0)
        case .always: safeArea
        case .never: .zero
        }
    }
}

/// The part of the safe area that a view adds to its content inset.
///
/// Source: UIScrollView.ContentInsetAdjustmentBehavior.
@nonexhaustive
public enum ContentInsetAdjustmentBehavior: String, Hashable, Sendable, CaseIterable {
    /// The upper and lower insets are added. The layout handles the sides, if it uses
    /// ``SectionInsetReference/fromSafeArea``.
    case automatic
    /// Adds all insets of the safe area.
    case always
    /// Adds no inset.
    case never
}

// Conversions between content and viewport coordinates. Viewport coordinates start at the upper
// left corner; in an inverted viewport, they start at the other end along the scroll axis.

extension Viewport {
    /// Converts a point from content to viewport coordinates.
    func seen(_ point: Point, along axis: ScrollDirection) -> Point {
        guard isInverted else { return Point(x: point.x - offset.x, y: point.y - offset.y) }
        return Point(
            along: end(along: axis) - point.along(axis),
            across: point.across(axis) - offset.across(axis),
            axis
        )
    }

    /// Converts a rectangle from content to viewport coordinates.
    func seen(_ rect: Rect, along axis: ScrollDirection) -> Rect {
        Rect(origin: seen(corner(of: rect, axis), along: axis), size: rect.size)
    }

    /// Converts a point from viewport to content coordinates.
    func content(at point: Point, along axis: ScrollDirection) -> Point {
        guard isInverted else { return Point(x: point.x + offset.x, y: point.y + offset.y) }
        return Point(
            along: end(along: axis) - point.along(axis),
            across: point.across(axis) + offset.across(axis),
            axis
        )
    }

    /// Converts a rectangle from viewport to content coordinates.
    func content(at rect: Rect, along axis: ScrollDirection) -> Rect {
        Rect(origin: content(at: corner(of: rect, axis), along: axis), size: rect.size)
    }

    private func end(along axis: ScrollDirection) -> Double {
        offset.along(axis) + bounds.size.along(axis)
    }

    /// Returns the corner that becomes the upper left one after the conversion.
    private func corner(of rect: Rect, _ axis: ScrollDirection) -> Point {
        guard isInverted else { return rect.origin }
        return switch axis {
        case .vertical: Point(x: rect.minX, y: rect.maxY)
        case .horizontal: Point(x: rect.maxX, y: rect.minY)
        }
    }
}
