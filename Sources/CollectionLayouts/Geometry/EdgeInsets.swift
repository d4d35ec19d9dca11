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
