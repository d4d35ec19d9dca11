import CollectionChanges
import CollectionLayouts

/// What is visible of the content, and how far that may be scrolled: geometry alone.
struct Viewport {
    /// In content coordinates: the origin is the content offset.
    var bounds: Rect
    var contentSize = Size.zero
    var insets = ViewInsets()
    /// Whether readers see it from its other end.
    var isInverted = false

    var offset: Point { bounds.origin }

    /// How far the content offset is from where it was.
    func shift(since oldOffset: Point) -> Point {
        Point(x: offset.x - oldOffset.x, y: offset.y - oldOffset.y)
    }

    /// The content inset, and what is added of the safe area.
    var inset: EdgeInsets {
        let (content, safe) = (insets.content, insets.addedSafeArea)
        return EdgeInsets(
            top: content.top + safe.top,
            left: content.left + safe.left,
            bottom: content.bottom + safe.bottom,
            right: content.right + safe.right
        )
    }

    /// The offset in `offset`'s place at which content and insets still fill the viewport, where they
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

    /// The offset that shows the content's beginning, which from right to left is its right end.
    var start: Point {
        let (low, high) = ends
        return insets.isRightToLeft ? Point(x: high.x, y: low.y) : low
    }

    /// Whether the content's beginning is visible.
    var isAtStart: Bool {
        let start = start
        return offset.y <= start.y
            && (insets.isRightToLeft ? offset.x >= start.x : offset.x <= start.x)
    }
}

/// What lies around a view's content.
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

/// How much of the safe area a view adds to its content inset.
///
/// Source: UIScrollView.ContentInsetAdjustmentBehavior.
@nonexhaustive
public enum ContentInsetAdjustmentBehavior: String, Hashable, Sendable, CaseIterable {
    /// Its upper and lower edge; what lies at the sides is for the layout, which may ask for
    /// ``SectionInsetReference/fromSafeArea``.
    case automatic
    /// All of it.
    case always
    /// Nothing.
    case never
}

// Where a reader sees the content: measured from the viewport's upper left corner, and where the viewport is
// inverted from its other end, along the axis on which content goes on and on.

extension Viewport {
    /// Where a reader sees a point of the content.
    func seen(_ point: Point, along axis: ScrollDirection) -> Point {
        guard isInverted else { return Point(x: point.x - offset.x, y: point.y - offset.y) }
        return Point(
            along: end(along: axis) - point.along(axis),
            across: point.across(axis) - offset.across(axis),
            axis
        )
    }

    /// Where a reader sees a rectangle of the content.
    func seen(_ rect: Rect, along axis: ScrollDirection) -> Rect {
        Rect(origin: seen(corner(of: rect, axis), along: axis), size: rect.size)
    }

    /// The point of the content that a reader sees at `point`.
    func content(at point: Point, along axis: ScrollDirection) -> Point {
        guard isInverted else { return Point(x: point.x + offset.x, y: point.y + offset.y) }
        return Point(
            along: end(along: axis) - point.along(axis),
            across: point.across(axis) + offset.across(axis),
            axis
        )
    }

    /// The rectangle of the content that a reader sees at `rect`.
    func content(at rect: Rect, along axis: ScrollDirection) -> Rect {
        Rect(origin: content(at: corner(of: rect, axis), along: axis), size: rect.size)
    }

    private func end(along axis: ScrollDirection) -> Double {
        offset.along(axis) + bounds.size.along(axis)
    }

    /// The corner that becomes the upper left one.
    private func corner(of rect: Rect, _ axis: ScrollDirection) -> Point {
        guard isInverted else { return rect.origin }
        return switch axis {
        case .vertical: Point(x: rect.minX, y: rect.maxY)
        case .horizontal: Point(x: rect.maxX, y: rect.minY)
        }
    }
}
