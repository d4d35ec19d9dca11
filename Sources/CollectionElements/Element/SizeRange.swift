/// The sizes between which an element may choose.
@frozen
public struct SizeRange: Hashable, Sendable {
    /// The least width and height.
    public var minimum: Size

    /// The most width and height; infinite where there is no limit.
    public var maximum: Size

    /// Makes a range; nothing is checked.
    @inlinable
    public init(minimum: Size, maximum: Size) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Exactly this width, and any height: the range of a row in a vertical list.
    public static func width(_ width: Double) -> SizeRange {
        SizeRange(
            minimum: Size(width: width, height: 0),
            maximum: Size(width: width, height: .infinity)
        )
    }

    /// Any size.
    public static let unconstrained = SizeRange(
        minimum: .zero,
        maximum: Size(width: .infinity, height: .infinity)
    )

    /// The size nearest to `size` that lies in the range; the minimum counts where it exceeds the
    /// maximum.
    public func clamp(_ size: Size) -> Size {
        Size(
            width: max(minimum.width, min(maximum.width, size.width)),
            height: max(minimum.height, min(maximum.height, size.height))
        )
    }
}
