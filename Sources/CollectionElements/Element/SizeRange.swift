/// The range of sizes that an element may take.
@frozen
public struct SizeRange: Hashable, Sendable {
    /// The minimum width and height.
    public var minimum: Size

    /// The maximum width and height; infinite if there is no limit.
    public var maximum: Size

    /// Creates a range without checking it.
    @inlinable
    public init(minimum: Size, maximum: Size) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Returns the range with exactly this width and any height: the range of a row in a vertical
    /// list.
    public static func width(_ width: Double) -> SizeRange {
        SizeRange(
            minimum: Size(width: width, height: 0),
            maximum: Size(width: width, height: .infinity)
        )
    }

    /// The range that allows any size.
    public static let unconstrained = SizeRange(
        minimum: .zero,
        maximum: Size(width: .infinity, height: .infinity)
    )

    /// Returns the size in the range that is nearest to `size`. If the minimum exceeds the maximum,
    /// the minimum applies.
    public func clamp(_ size: Size) -> Size {
        Size(
            width: max(minimum.width, min(maximum.width, size.width)),
            height: max(minimum.height, min(maximum.height, size.height))
        )
    }
}

/// A width and a height, in points or any other unit that an application uses.
@frozen
public struct Size: Hashable, Sendable {
    /// The extent from left to right.
    public var width: Double

    /// The extent from top to bottom.
    public var height: Double

    /// Creates a size without checking it.
    @inlinable
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The size with zero width and height.
    public static let zero = Size(width: 0, height: 0)

    /// Whether both extents are finite and not negative.
    @inlinable
    public var isValid: Bool { width >= 0 && width.isFinite && height >= 0 && height.isFinite }
}
