/// A rectangle with its sides along the axes.
///
/// Sizes are normally not negative; a rectangle that is created with a negative size contains no
/// point.
@frozen
public struct Rect: Hashable, Sendable, CustomStringConvertible {
    /// The upper left corner.
    public var origin: Point

    /// The width and height.
    public var size: Size

    /// Creates a rectangle from an origin and a size without checking it.
    @inlinable
    public init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Creates a rectangle from four numbers without checking it.
    @inlinable
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// The rectangle at the origin with zero size.
    public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    /// The left edge.
    @inlinable public var minX: Double { origin.x }

    /// The upper edge.
    @inlinable public var minY: Double { origin.y }

    /// The right edge.
    @inlinable public var maxX: Double { origin.x + size.width }

    /// The lower edge.
    @inlinable public var maxY: Double { origin.y + size.height }

    /// The centre of the rectangle.
    @inlinable
    public var center: Point {
        Point(x: origin.x + size.width / 2, y: origin.y + size.height / 2)
    }

    /// Whether the rectangle contains no point.
    @inlinable public var isEmpty: Bool { !(size.width > 0 && size.height > 0) }

    /// Returns whether the two rectangles share more than an edge.
    ///
    /// A rectangle without extent in one direction intersects a rectangle that contains its
    /// position; a row of height zero is therefore found by the rectangle that contains it.
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

    /// Returns whether the rectangle contains `point`; the left and upper edges belong to the
    /// rectangle.
    @inlinable
    public func contains(_ point: Point) -> Bool {
        minX <= point.x && point.x < maxX && minY <= point.y && point.y < maxY
    }

    /// Returns the smallest rectangle that contains both.
    public func union(_ other: Rect) -> Rect {
        let (x, y) = (min(minX, other.minX), min(minY, other.minY))
        return Rect(
            x: x,
            y: y,
            width: max(maxX, other.maxX) - x,
            height: max(maxY, other.maxY) - y
        )
    }

    /// Returns the part of the rectangle that lies in `other`; if they do not overlap, its extent
    /// is 0.
    package func intersection(_ other: Rect) -> Rect {
        let (x, y) = (max(minX, other.minX), max(minY, other.minY))
        return Rect(
            x: x,
            y: y,
            width: max(0, min(maxX, other.maxX) - x),
            height: max(0, min(maxY, other.maxY) - y)
        )
    }

    /// Returns the rectangle within `insets`; if they are larger than the rectangle, its extent is
    /// 0.
    public func inset(by insets: EdgeInsets) -> Rect {
        Rect(
            x: minX + insets.left,
            y: minY + insets.top,
            width: max(0, size.width - insets.left - insets.right),
            height: max(0, size.height - insets.top - insets.bottom)
        )
    }

    /// Returns the rectangle, moved by a distance.
    @inlinable
    public func offsetBy(dx: Double = 0, dy: Double = 0) -> Rect {
        Rect(origin: Point(x: minX + dx, y: minY + dy), size: size)
    }

    /// The values as text, such as `(0, 10) 320 × 44`.
    public var description: String { "(\(minX), \(minY)) \(size.width) × \(size.height)" }
}

/// A point in the plane: x from left to right, y from top to bottom, in the unit of ``Size``.
@frozen
public struct Point: Hashable, Sendable {
    /// The distance from the left.
    public var x: Double

    /// The distance from the top.
    public var y: Double

    /// Creates a point without checking it.
    @inlinable
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin.
    public static let zero = Point(x: 0, y: 0)
}

/// The space on each side of a rectangle.
@frozen
public struct EdgeInsets: Hashable, Sendable {
    /// The space at the top.
    public var top: Double
    /// The space on the left.
    public var left: Double
    /// The space at the bottom.
    public var bottom: Double
    /// The space on the right.
    public var right: Double

    /// Creates insets without checking them.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// The insets without any space.
    public static let zero = EdgeInsets()

    /// Returns the sum of two insets on each side.
    public static func + (first: EdgeInsets, second: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: first.top + second.top,
            left: first.left + second.left,
            bottom: first.bottom + second.bottom,
            right: first.right + second.right
        )
    }
}

/// An affine transform: a rotation, scaling and translation of a view relative to its frame.
public struct AffineTransform: Hashable, Sendable {
    /// The coefficient of x in the new x.
    public var a: Double
    /// The coefficient of x in the new y.
    public var b: Double
    /// The coefficient of y in the new x.
    public var c: Double
    /// The coefficient of y in the new y.
    public var d: Double
    /// The translation along x.
    public var tx: Double
    /// The translation along y.
    public var ty: Double

    /// Creates a transform: x becomes a·x + c·y + tx, and y becomes b·x + d·y + ty.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// The identity transform, which changes nothing.
    public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Creates a transform that scales.
    public init(scaleX x: Double, y: Double) { self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

    /// Creates a transform that translates.
    public init(translationX x: Double, y: Double) {
        self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }
}
