import CollectionElements

/// The axis along which the content of a collection extends; there are exactly two.
public enum ScrollDirection: String, Hashable, Sendable, CaseIterable {
    /// From top to bottom.
    case vertical
    /// From left to right, or from right to left.
    case horizontal
}

// Layouts compute along and across the scroll direction; these members translate.

extension Size {
    /// Returns the extent along the scroll direction.
    package func along(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? height : width
    }

    /// Returns the extent across the scroll direction.
    package func across(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? width : height
    }

    package init(along: Double, across: Double, _ direction: ScrollDirection) {
        self =
            direction == .vertical
            ? Size(width: across, height: along) : Size(width: along, height: across)
    }
}

extension Point {
    package func along(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? y : x
    }

    package func across(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? x : y
    }

    package init(along: Double, across: Double, _ direction: ScrollDirection) {
        self =
            direction == .vertical ? Point(x: across, y: along) : Point(x: along, y: across)
    }
}

extension EdgeInsets {
    /// Returns the inset before the content, along the scroll direction.
    package func leading(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? top : left
    }

    /// Returns the inset after the content, along the scroll direction.
    package func trailing(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? bottom : right
    }

    /// Returns the inset before the start of lines, across the scroll direction.
    package func acrossLeading(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? left : top
    }

    /// Returns the sum of both insets across the scroll direction.
    package func across(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? left + right : top + bottom
    }
}

extension SizeRange {
    /// Returns a range between two extents across the scroll direction, with any extent along it.
    static func across(_ least: Double, to most: Double, _ direction: ScrollDirection) -> SizeRange
    {
        SizeRange(
            minimum: Size(along: 0, across: least, direction),
            maximum: Size(along: .infinity, across: most, direction)
        )
    }
}

/// A rectangle with axes along and across the scroll direction.
struct AxisRect: Hashable, Sendable {
    var along: Double
    var across: Double
    var alongExtent: Double
    var acrossExtent: Double
}

extension AxisRect {
    init(_ rect: Rect, _ direction: ScrollDirection) {
        along = rect.origin.along(direction)
        across = rect.origin.across(direction)
        alongExtent = rect.size.along(direction)
        acrossExtent = rect.size.across(direction)
    }

    var alongEnd: Double { along + alongExtent }
    var acrossEnd: Double { across + acrossExtent }

    func rect(_ direction: ScrollDirection) -> Rect {
        Rect(
            origin: Point(along: along, across: across, direction),
            size: Size(along: alongExtent, across: acrossExtent, direction)
        )
    }
}

extension Rect {
    /// Returns the area that is skipped if the bounds jump to `other`; `nil` if the two overlap.
    /// The area is limited to one viewport, because a view may have queried that far ahead.
    func skipped(to other: Rect, _ direction: ScrollDirection) -> Rect? {
        let (old, new) = (AxisRect(self, direction), AxisRect(other, direction))
        var between = old
        if new.along > old.alongEnd {
            between.along = old.alongEnd
            between.alongExtent = min(new.along - old.alongEnd, old.alongExtent)
        } else if new.alongEnd < old.along {
            between.alongExtent = min(old.along - new.alongEnd, old.alongExtent)
            between.along = old.along - between.alongExtent
        } else {
            return nil
        }
        return between.rect(direction)
    }
}
