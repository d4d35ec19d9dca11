/// The axis along which a collection goes on and on; there is no third.
public enum ScrollDirection: String, Hashable, Sendable, CaseIterable {
    /// From top to bottom.
    case vertical
    /// From left to right, or from right to left.
    case horizontal
}

// Layouts compute along and across the scroll direction; these give the two their names.

extension Size {
    /// The extent along the scroll direction.
    package func along(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? height : width
    }

    /// The extent across the scroll direction.
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
    /// Before the content, along the scroll direction.
    package func leading(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? top : left
    }

    /// Behind the content, along the scroll direction.
    package func trailing(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? bottom : right
    }

    /// Before the lines, across the scroll direction.
    package func acrossLeading(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? left : top
    }

    /// Both sides, across the scroll direction.
    package func across(_ direction: ScrollDirection) -> Double {
        direction == .vertical ? left + right : top + bottom
    }
}

extension SizeRange {
    /// Between two extents across the scroll direction, and any along it.
    static func across(_ least: Double, to most: Double, _ direction: ScrollDirection) -> SizeRange
    {
        SizeRange(
            minimum: Size(along: 0, across: least, direction),
            maximum: Size(along: .infinity, across: most, direction)
        )
    }
}
