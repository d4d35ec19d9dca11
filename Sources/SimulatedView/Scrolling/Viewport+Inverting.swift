import CollectionChanges
import CollectionLayouts

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
        guard isInverted, !Mutant.mirrorsUpperEdges.isActive else { return rect.origin }
        return switch axis {
        case .vertical: Point(x: rect.minX, y: rect.maxY)
        case .horizontal: Point(x: rect.maxX, y: rect.minY)
        }
    }
}
