/// A width and a height, in points or in whatever unit an application measures.
@frozen
public struct Size: Hashable, Sendable {
    /// The extent from left to right.
    public var width: Double

    /// The extent from top to bottom.
    public var height: Double

    /// Makes a size; nothing is checked.
    @inlinable
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// No extent at all.
    public static let zero = Size(width: 0, height: 0)

    /// Whether both extents are numbers, not negative and not infinite.
    @inlinable
    public var isValid: Bool { width >= 0 && width.isFinite && height >= 0 && height.isFinite }
}
