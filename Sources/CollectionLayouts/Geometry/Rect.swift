/// A rectangle with its sides along the axes.
///
/// Sizes are not negative; what is built from other values may be, and then contains nothing.
@frozen
public struct Rect: Hashable, Sendable {
    /// The upper left corner.
    public var origin: Point

    /// The extents.
    public var size: Size

    /// Makes a rectangle; nothing is checked.
    @inlinable
    public init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Makes a rectangle; nothing is checked.
    @inlinable
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// At the origin, without extent.
    public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    /// The left edge.
    @inlinable public var minX: Double { origin.x }

    /// The upper edge.
    @inlinable public var minY: Double { origin.y }

    /// The right edge.
    @inlinable public var maxX: Double { origin.x + size.width }

    /// The lower edge.
    @inlinable public var maxY: Double { origin.y + size.height }

    /// The point in the middle.
    @inlinable
    public var center: Point {
        Point(x: origin.x + size.width / 2, y: origin.y + size.height / 2)
    }

    /// Whether there is nothing in it.
    @inlinable public var isEmpty: Bool { !(size.width > 0 && size.height > 0) }

    /// Whether the two share more than an edge.
    ///
    /// A rectangle without extent in one direction is met by what reaches over its place; so a row
    /// of no height is found by the rectangle that it lies in.
    @inlinable
    public func intersects(_ other: Rect) -> Bool {
        Self.overlap(minX, maxX, other.minX, other.maxX)
            && Self.overlap(minY, maxY, other.minY, other.maxY)
    }

    @inlinable
    static func overlap(_ low: Double, _ high: Double, _ otherLow: Double, _ otherHigh: Double)
        -> Bool
    {
        if low == high { return otherLow <= low && low < otherHigh }
        if otherLow == otherHigh { return low <= otherLow && otherLow < high }
        return low < otherHigh && otherLow < high
    }

    /// Whether `point` lies in it; the left and upper edges belong to it.
    @inlinable
    public func contains(_ point: Point) -> Bool {
        minX <= point.x && point.x < maxX && minY <= point.y && point.y < maxY
    }

    /// The smallest rectangle around both.
    public func union(_ other: Rect) -> Rect {
        let (x, y) = (min(minX, other.minX), min(minY, other.minY))
        return Rect(
            x: x,
            y: y,
            width: max(maxX, other.maxX) - x,
            height: max(maxY, other.maxY) - y
        )
    }

    /// The part of it that lies in `other`; where they do not meet, its extent is 0.
    package func intersection(_ other: Rect) -> Rect {
        let (x, y) = (max(minX, other.minX), max(minY, other.minY))
        return Rect(
            x: x,
            y: y,
            width: max(0, min(maxX, other.maxX) - x),
            height: max(0, min(maxY, other.maxY) - y)
        )
    }

    /// The rectangle within `insets`; where they are larger, its extent is 0.
    public func inset(by insets: EdgeInsets) -> Rect {
        Rect(
            x: minX + insets.left,
            y: minY + insets.top,
            width: max(0, size.width - insets.left - insets.right),
            height: max(0, size.height - insets.top - insets.bottom)
        )
    }

    /// The rectangle moved.
    @inlinable
    public func offsetBy(dx: Double = 0, dy: Double = 0) -> Rect {
        Rect(origin: Point(x: minX + dx, y: minY + dy), size: size)
    }
}

extension Rect: CustomStringConvertible {
    /// The values, such as `(0, 10) 320 × 44`.
    public var description: String { "(\(minX), \(minY)) \(size.width) × \(size.height)" }
}

/// A place in the plane: x from left to right, y from top to bottom, in the unit of ``Size``.
@frozen
public struct Point: Hashable, Sendable {
    /// The distance from the left.
    public var x: Double

    /// The distance from the top.
    public var y: Double

    /// Makes a point; nothing is checked.
    @inlinable
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin.
    public static let zero = Point(x: 0, y: 0)
}

/// How much is left free on each side of a rectangle.
@frozen
public struct EdgeInsets: Hashable, Sendable {
    /// Above.
    public var top: Double
    /// On the left.
    public var left: Double
    /// Below.
    public var bottom: Double
    /// On the right.
    public var right: Double

    /// Makes insets; nothing is checked.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// None.
    public static let zero = EdgeInsets()

    /// Both, one inside the other.
    public static func + (first: EdgeInsets, second: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: first.top + second.top,
            left: first.left + second.left,
            bottom: first.bottom + second.bottom,
            right: first.right + second.right
        )
    }
}
