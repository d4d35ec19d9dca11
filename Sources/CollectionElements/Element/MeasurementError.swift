/// A node measured itself as something that is no size.
public struct MeasurementError: Error, Hashable, Sendable {
    /// What the node answered.
    public let size: Size
    /// What it was asked for.
    public let sizeRange: SizeRange
}
