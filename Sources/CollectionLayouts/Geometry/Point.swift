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
